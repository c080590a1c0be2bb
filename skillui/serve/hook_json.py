"""Changes to a JSON file that leave every other byte as it is: members found by position, put in and taken out."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class JsonFault(Exception):
    """The text is not the JSON it should be; the message names line and column."""


@dataclass(frozen=True, slots=True)
class Member:
    """One value of an object or array: from `start` (of its key, where it has one) to `end`."""

    key: str | None
    start: int
    at: int
    """Where the value itself begins."""
    end: int
    value: Any


@dataclass(frozen=True, slots=True)
class Container:
    """An object or array in a text, from its opening bracket to its closing one."""

    start: int
    close: int
    members: tuple[Member, ...]


def parse(text: str) -> Any:
    """Parse a text. Raises `JsonFault`."""
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
    except json.JSONDecodeError as error:
        raise JsonFault(f"line {error.lineno}, column {error.colno}: {error.msg.lower()}") from None
    except RecursionError:
        raise JsonFault("line 1, column 1: it is nested too deeply") from None
    except ValueError as error:
        raise JsonFault(f"line 1, column 1: {error}") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return mapping


def place_of(text: str, index: int) -> str:
    """Name a position for a person, both numbers from 1."""
    line = text.count("\n", 0, index) + 1
    return f"line {line}, column {index - (text.rfind(chr(10), 0, index) + 1) + 1}"


def container_at(text: str, start: int) -> Container:
    """Return the object or array that begins at `start` of a text that was parsed before."""
    is_object, at, members = text[start] == "{", _skip(text, start + 1), []
    while text[at] not in "}]":
        first, key = at, None
        if is_object:
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # past the colon
        value, end = _DECODER.raw_decode(text, at)
        members.append(Member(key, first, at, end, value))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Container(start, at, tuple(members))


def root_of(text: str) -> Container:
    """Return the outermost object of a text. Raises `JsonFault`."""
    start = _skip(text, 0)
    if not isinstance(parse(text), dict):
        raise JsonFault(f"{place_of(text, start)}: it must be an object")
    return container_at(text, start)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def append(text: str, container: Container, key: str | None, value: Any) -> str:
    """Return the text with one more member at the end of a container, laid out as its neighbours are."""
    newline = "\r\n" if "\r\n" in text else "\n"
    prefix = "" if key is None else json.dumps(key) + ": "
    indent = _indent_of(text, container)
    if indent is None:  # all on one line
        new = prefix + json.dumps(value)
        if container.members:
            end = container.members[-1].end
            return f"{text[:end]}, {new}{text[end:]}"
        return text[: container.start + 1] + new + text[container.close :]
    laid_out = json.dumps(value, indent=_unit(text)).replace("\n", newline + indent)
    new = newline + indent + prefix + laid_out
    if container.members:
        end = container.members[-1].end
        return f"{text[:end]},{new}{text[end:]}"
    outer = _line_indent(text, container.start)
    return text[: container.start + 1] + new + newline + outer + text[container.close :]


def remove(text: str, container: Container, index: int) -> str:
    """Return the text without one of several members of a container, and without a comma too many."""
    members = container.members
    if len(members) == 1:
        return text[: container.start + 1] + text[container.close :]
    if index == 0:
        return text[: members[0].start] + text[members[1].start :]
    return text[: members[index - 1].end] + text[members[index].end :]


def _indent_of(text: str, container: Container) -> str | None:
    """Return how the members of a container are indented, None where they stand on one line."""
    if container.members:
        before = text[container.start : container.members[-1].start]
        return before[before.rfind("\n") + 1 :] if re.search(r"\n[ \t]*\Z", before) else None
    if "\n" not in text.strip() and container.start != _skip(text, 0):
        return None
    return _line_indent(text, container.start) + _unit(text)


def _line_indent(text: str, at: int) -> str:
    begin = text.rfind("\n", 0, at) + 1
    match = re.compile(r"[ \t]*").match(text, begin)
    return match.group() if match else ""


def _unit(text: str) -> str:
    match = re.search(r"\n([ \t]+)\S", text)
    return match.group(1) if match else "  "

"""Argument substitution (specification §9): one pass, left to right, inserted text never scanned again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

MAX_BODY = 16 * 1024 * 1024
"""Characters a body may have after substitution."""
MAX_REPORTED = 10_000
"""Spans and literals that are reported, each; what lies past them is replaced all the same."""

_PLACEHOLDER = re.compile(
    r"\$(?:ARGUMENTS(?:\[(?P<index>[0-9]+)\]|(?P<all>)(?!\w))|(?P<number>[0-9]+)|\{(?P<name>[^\s{}$]+)\})"
)
_PLAIN_NAME = re.compile(r"[A-Za-z_][\w-]*")

Arguments = str | Mapping[str, str] | None
"""What a call passes: the string form, the named form, or nothing."""


@dataclass(frozen=True, slots=True)
class Span:
    """One replaced placeholder: where its value stands in the new body, [start, end) in characters."""

    start: int
    end: int
    placeholder: str
    value: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A placeholder without a value, which stays as it is.

    `kind` is `index` (`$ARGUMENTS[7]`), `all`, `number` or `name`; `line` is 1-based in the body,
    `start` its character offset in the new body.
    """

    kind: str
    text: str
    line: int
    start: int


@dataclass(frozen=True, slots=True)
class Substitution:
    """A body after substitution; of what was replaced and what stayed literal the first `MAX_REPORTED`, in order."""

    body: str
    spans: tuple[Span, ...] = ()
    literals: tuple[Literal, ...] = ()


class SubstitutionTooLarge(Exception):
    """The body would pass `MAX_BODY` characters."""


def substitute(body: str, arguments: Arguments, declared: frozenset[str] = frozenset()) -> Substitution:
    """Replace the placeholders of `body` that have a value; without arguments the body is untouched.

    `declared` names the arguments that `${name}` may stand for. Raises `SubstitutionTooLarge`.
    """
    values = _Values(arguments, declared)
    parts: list[str] = []
    spans: list[Span] = []
    literals: list[Literal] = []
    length = done = line = counted = 0
    for match in _PLACEHOLDER.finditer(body):
        kind = match.lastgroup or ""
        value = values.of(kind, match.group(kind))
        start = length + match.start() - done
        if value is None:
            if len(literals) < MAX_REPORTED and _worth_reporting(kind, match.group(kind)):
                line += body.count("\n", counted, match.start())
                counted = match.start()
                literals.append(Literal(kind, match.group(), line + 1, start))
            continue
        parts += (body[done : match.start()], value)
        length = start + len(value)
        if length > MAX_BODY:
            raise SubstitutionTooLarge
        if len(spans) < MAX_REPORTED:
            spans.append(Span(start, length, match.group(), value))
        done = match.end()
    parts.append(body[done:])
    return Substitution("".join(parts) if spans else body, tuple(spans), tuple(literals))


def _worth_reporting(kind: str, text: str) -> bool:
    """Tell a placeholder from what merely looks like one: `$0` is never one, `${x:-y}` is the shell's."""
    if kind == "number":
        return not text.startswith("0")
    return kind != "name" or _PLAIN_NAME.fullmatch(text) is not None


class _Values:
    """What each kind of placeholder stands for in one call."""

    def __init__(self, arguments: Arguments, declared: frozenset[str]) -> None:
        self._all: str | None = None
        self._tokens: list[str] = []
        self._named: Mapping[str, str] = {}
        if isinstance(arguments, str):
            self._all = arguments
            self._tokens = arguments.split()
        elif arguments:
            self._all = " ".join(f"{key}={arguments[key]}" for key in sorted(arguments))
            self._named = {key: value for key, value in arguments.items() if key in declared}

    def of(self, kind: str, text: str) -> str | None:
        """Return the value, None where there is none."""
        if kind == "all":
            return self._all
        if kind == "name":
            return self._named.get(text)
        if len(text) > 9 or (kind == "number" and text.startswith("0")):  # `$0` and `$01` are no placeholders
            return None
        index = int(text) - (kind == "number")
        return self._tokens[index] if index < len(self._tokens) else None

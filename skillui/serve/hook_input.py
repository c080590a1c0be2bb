"""What Claude Code tells its hook on standard input: bounded, and read strictly."""

from __future__ import annotations

import json
import os
import select
import time
from dataclasses import dataclass
from typing import Any

from skillui.core.files import reason_of
from skillui.core.text import clipped, has_surrogate

MAX_INPUT = 8 * 1024 * 1024
"""Bytes of input that are read."""
PATIENCE = 10.0
"""Seconds the input may take to end."""
_CHUNK = 1 << 16
_EVENT, _TOOL = "PreToolUse", "Skill"


class HookFault(Exception):
    """Why the hook denies without having judged; one line."""


@dataclass(frozen=True, slots=True)
class SkillCall:
    """A call of the `Skill` tool that is about to happen."""

    skill: str
    cwd: str
    mode: str
    """Claude Code's permission mode, "" where it does not tell."""


def read_input(handle: int, patience: float = PATIENCE) -> bytes:
    """Read a file descriptor to its end. Raises `HookFault`."""
    parts: list[bytes] = []
    total, deadline = 0, time.monotonic() + patience
    try:
        if os.isatty(handle):
            raise HookFault("standard input is a terminal: Claude Code starts this command, not a person")
        while True:
            _wait_for(handle, deadline, patience)
            if not (part := os.read(handle, _CHUNK)):
                return b"".join(parts)
            total += len(part)
            if total > MAX_INPUT:
                raise HookFault(f"the input is longer than {MAX_INPUT:,} bytes")
            parts.append(part)
    except OSError as error:
        raise HookFault(f"the input cannot be read: {reason_of(error)}") from None


def _wait_for(handle: int, deadline: float, patience: float) -> None:
    if os.name != "posix":
        return  # only sockets can be waited for there
    if not select.select([handle], [], [], max(0.0, deadline - time.monotonic()))[0]:
        raise HookFault(f"the input did not end within {patience:g} s")


def read_call(data: bytes) -> SkillCall | None:
    """Read the call; None where it is one of another tool, of which the hook thinks nothing. Raises `HookFault`."""
    message = _object(data)
    tool = _text(message, "tool_name")
    event = _text(message, "hook_event_name")
    if tool != _TOOL:
        return None
    if event != _EVENT:
        raise HookFault(f"it is a hook for {_EVENT}, not for {clipped(event, 40)}")
    given = message.get("tool_input")
    if not isinstance(given, dict):
        raise HookFault("'tool_input' is no object")
    skill = _text(given, "skill", "tool_input.skill")
    cwd = _text(message, "cwd")
    if not os.path.isabs(cwd) or not _is_path(cwd):
        raise HookFault("'cwd' is no absolute path")
    mode = message.get("permission_mode", "")
    if not isinstance(mode, str):
        raise HookFault("'permission_mode' is no text")
    return SkillCall(skill, cwd, mode)


def _object(data: bytes) -> dict[str, Any]:
    if not data.strip():
        raise HookFault("the input is empty")
    try:
        message = json.loads(data.decode("utf-8"), object_pairs_hook=_no_duplicates)
    except UnicodeDecodeError as error:
        raise HookFault(f"the input is not UTF-8: byte {error.start}") from None
    except RecursionError:
        raise HookFault("the input is nested too deeply") from None
    except ValueError as error:
        raise HookFault(f"the input is not JSON: {clipped(str(error), 160)}") from None
    if not isinstance(message, dict):
        raise HookFault("the input is no JSON object")
    return message


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):  # another reader could take the other one
        raise ValueError("a key stands there twice")
    return mapping


def _text(message: dict[str, Any], key: str, shown: str | None = None) -> str:
    value = message.get(key)
    if not isinstance(value, str) or not value:
        raise HookFault(f"'{shown or key}' is {'missing' if value is None else 'no text'}")
    return value


def _is_path(path: str) -> bool:
    return "\0" not in path and not has_surrogate(path)

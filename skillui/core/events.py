"""The event every call emits, and the record of a call that the Session mode shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from skillui.core.results import Error, Ok, SkillResult
from skillui.core.text import json_safe


@dataclass(frozen=True, slots=True)
class SkillEvent:
    """One call of the tool. `time` is RFC 3339 in UTC, `duration_ms` includes waiting for the hook."""

    seq: int
    time: str
    session: str
    turn: int
    initiator: str
    """`model` or `user`."""
    name: str | None
    arguments: Any
    kind: str
    code: str | None = None
    decision: str | None = None
    """What the hook answered, None where it was not asked."""
    reason: str | None = None
    """Why the hook was or would have been asked."""
    flags: tuple[str, ...] = ()
    digest: str | None = None
    bytes: int | None = None
    duration_ms: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the plain mapping of the session log."""
        return dict(json_safe({name: getattr(self, name) for name in self.__slots__}))


@dataclass(frozen=True, slots=True)
class AskedElsewhere:
    """In place of a result: another process asked only for the permission, and goes on with its call by itself."""

    asker: str
    """Which process, in words."""
    kind: Literal["asked"] = "asked"

    @property
    def output(self) -> str:
        """Nothing: what the caller got is known there alone."""
        return ""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """A call as a person debugs it: what was asked for, what the hook was asked, what came back."""

    event: SkillEvent
    params: Any
    result: SkillResult | AskedElsewhere
    question: dict[str, Any] | None = None
    """The permission request as JSON, None where the hook was not asked."""
    fault: str | None = None
    """Why a denial was not the hook's own word."""
    body: str | None = None
    """The body that was delivered, to hold against the file on disk later."""
    dir: str | None = None


Listener = Callable[[CallRecord], None]
"""Told of every call, in call order."""


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def outcome(result: SkillResult) -> tuple[str | None, int | None, str | None]:
    """Return (code, bytes, digest) of a result for its event."""
    match result:
        case Ok():
            return None, result.bytes, result.digest
        case Error():
            return str(result.code), None, None
        case _:
            return None, None, None

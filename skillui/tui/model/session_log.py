"""The sessions of this run, oldest first, and their events as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from skillui.core import (
    AskedElsewhere,
    CallRecord,
    PermissionRequest,
    SessionConfig,
    SessionState,
    SkillEvent,
)


class ShownSession(Protocol):
    """What Session mode needs of a session, of this app or of anything else that records calls."""

    @property
    def key(self) -> str:
        """What tells it from the others for as long as the app runs."""

    @property
    def title(self) -> str:
        """What a person calls it; may hold any text."""

    @property
    def started(self) -> datetime | None:
        """When it began, with its time zone."""

    @property
    def records(self) -> Sequence[CallRecord]:
        """Its calls in call order; grows while the session lives."""


class AppSession:
    """One session of this app; `number` counts from 1."""

    def __init__(
        self,
        number: int,
        state: SessionState,
        config: SessionConfig | None = None,
        started: datetime | None = None,
    ) -> None:
        self.number = number
        self.state = state
        self.config = config
        self.started: datetime | None = started or datetime.now(UTC)

    @property
    def key(self) -> str:
        """What tells it from the others."""
        return f"app-{self.number}"

    @property
    def title(self) -> str:
        """What a person calls it."""
        return f"Session {self.number}"

    @property
    def records(self) -> Sequence[CallRecord]:
        """Its calls in call order."""
        return self.state.records


class AskedQuestions:
    """What other processes asked this app: each question with its answer, the oldest first."""

    key = "asked"
    title = "Others asked"

    def __init__(self) -> None:
        self.started: datetime | None = None
        self.records: list[CallRecord] = []

    def add(self, request: PermissionRequest, asker: str, answer: str | None, seconds: float, now: datetime) -> None:
        """Add a question that was on the screen for so many seconds; None where it was withdrawn before an answer."""
        self.started = self.started or now
        event = SkillEvent(
            len(self.records) + 1, now.isoformat().replace("+00:00", "Z"), request.session, request.turn,
            request.initiator, request.name, request.arguments, "asked", None, answer or "deny", request.gate.reason,
            request.gate.flags, request.digest, None, round(seconds * 1000, 3),
        )  # fmt: skip
        params = {"name": request.name} | ({} if request.arguments is None else {"arguments": request.arguments})
        fault = None if answer is not None else "withdrawn: the process is gone, or its time was up"
        self.records.append(
            CallRecord(
                event, params, AskedElsewhere(asker), request.to_json(), fault, None, request.skill.entry.dir
            )
        )  # fmt: skip


class SessionLog:
    """All sessions of this run; the last one begun is the current one. None is ever dropped."""

    def __init__(self) -> None:
        self.sessions: list[AppSession] = []
        self.asked = AskedQuestions()

    @property
    def current(self) -> AppSession | None:
        """The session that calls go to."""
        return self.sessions[-1] if self.sessions else None

    def begin(
        self, state: SessionState, config: SessionConfig | None = None, started: datetime | None = None
    ) -> AppSession:
        """Add a session and make it the current one."""
        session = AppSession(len(self.sessions) + 1, state, config, started)
        self.sessions.append(session)
        return session

    def listed(self) -> list[ShownSession]:
        """Return the sessions in the order the list shows them: the current one first, others' questions last."""
        own: list[ShownSession] = list(reversed(self.sessions))
        return [*own, self.asked] if self.asked.records else own

    def find(self, key: str) -> ShownSession | None:
        """Return a session by its key."""
        return next((session for session in self.listed() if session.key == key), None)


def export_lines(records: Iterable[CallRecord], *, outputs: bool = False) -> Iterator[str]:
    """Yield one JSON object a call, without line ends; with `outputs` also the text the caller got."""
    for record in records:
        try:
            yield _line(record, record.event.to_json(), outputs)
        except (RecursionError, TypeError, ValueError):
            # Arguments that JSON cannot hold cost the arguments, not the line.
            plain = {name: getattr(record.event, name) for name in record.event.__slots__ if name != "arguments"}
            yield _line(record, {**plain, "arguments": None}, outputs)


def _line(record: CallRecord, event: dict[str, Any], outputs: bool) -> str:
    if outputs:
        event["output"] = record.result.output
    text = json.dumps(event, ensure_ascii=False, default=str)
    # A lone surrogate has no place in a file of UTF-8.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")

"""What lives as long as a session: the activated set, the call counter, the locks, the log."""

from __future__ import annotations

import asyncio
import logging
import weakref
from dataclasses import dataclass

from skillui.core.events import CallRecord, Listener
from skillui.core.results import Error

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Activation:
    """A skill that is in the session's context."""

    turn: int
    digest: str | None
    dir: str


@dataclass(frozen=True, slots=True)
class Denial:
    """A denial that also answers the calls that were already waiting when it was given."""

    last_call: int
    digest: str | None
    initiator: str
    error: Error

    def answers(self, call: int, digest: str | None, initiator: str) -> bool:
        """Tell whether a call was already waiting for this very content when it was denied.

        One person's no must not be asked for once per waiting call.
        """
        return call <= self.last_call and digest is not None and digest == self.digest and initiator == self.initiator


class SessionState:
    """The mutable part of a session; calls with one session id share it (§7, §12). Nothing persists."""

    def __init__(self, session_id: str) -> None:
        self.id = session_id
        self.activated: dict[str, Activation] = {}
        self.denials: dict[str, Denial] = {}
        self.records: list[CallRecord] = []
        self.listeners: list[Listener] = []
        self.calls = 0
        self.closed = False
        self.waiting: set[asyncio.Future[str]] = set()
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._finished: dict[int, CallRecord] = {}
        self._next = 1

    def begin(self) -> int:
        """Number a call, from 1."""
        self.calls += 1
        return self.calls

    def lock(self, name: str) -> asyncio.Lock:
        """Return the lock of one skill name; it lives while somebody holds or awaits it."""
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        return lock

    def finish(self, record: CallRecord) -> None:
        """Log a call; listeners hear of it once every earlier call has ended (§12, call order)."""
        self._finished[record.event.seq] = record
        while (ready := self._finished.pop(self._next, None)) is not None:
            self._next += 1
            self.records.append(ready)
            for listener in tuple(self.listeners):
                try:
                    listener(ready)
                except Exception:
                    _log.exception("a session listener failed")

    def close(self) -> None:
        """Cancel every hook that is still being asked; each counts as a denial."""
        self.closed = True
        for future in tuple(self.waiting):
            future.cancel()

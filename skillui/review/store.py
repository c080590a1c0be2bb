"""The store of decisions: what was decided about which bytes, by whom, and the log of it all."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from skillui.review.content import ReviewedContent
from skillui.review.records import AuditEntry, Place, SeenFinding, StoredDecision, Verdict, now, user_name
from skillui.review.store_content import keep_content, kept_content
from skillui.review.store_file import StoreFault, reading, writing
from skillui.review.store_rows import (
    AUDIT,
    DECISION,
    MAX_FINDINGS,
    MAX_REASON,
    MAX_TEXT,
    decision_row,
    got,
    put,
    read_audit,
    read_decisions,
)

__all__ = ["DecisionStore", "DenialStands", "StoreFault"]

T = TypeVar("T")


class DenialStands(Exception):
    """The content was denied before, and nobody who knows of that approves it now."""

    def __init__(self, decision: StoredDecision) -> None:
        super().__init__(f"denied by {decision.who}")
        self.decision = decision


class DecisionStore:
    """Decisions of one user in one SQLite file, safe for several threads and processes at once.

    Nothing is opened or made before it is needed. A store that cannot be used means that nothing is
    approved: what reads returns nothing and `fault` says why, what writes raises `StoreFault`.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.path.abspath(os.fspath(path))
        self._fault: str | None = None

    @property
    def fault(self) -> str | None:
        """Why the store could not be used when it was last asked, in one line; None where it could."""
        return self._fault

    # Asking

    def verdict(self, digest: str) -> Verdict | None:
        """Return what holds for exactly this content, None where nothing was decided or on any fault."""
        decision = self.decision(digest)
        return None if decision is None else decision.verdict

    def decision(self, digest: str) -> StoredDecision | None:
        """Return what was decided about exactly this content."""
        return self._ask(lambda connection: _decision(connection, digest), None)

    def decisions(self) -> tuple[StoredDecision, ...]:
        """Return all that holds now, by name and time."""
        query = f"SELECT {DECISION} FROM decisions ORDER BY name, at, digest"
        return self._ask(lambda connection: tuple(read_decisions(connection.execute(query))), ())

    def approved_before(self, place: Place) -> ReviewedContent | None:
        """Return the content that was last approved in this place: the same folder, else one of the same name."""
        return self._ask(lambda connection: _approved_before(connection, place), None)

    def approved_elsewhere(self, digest: str, place: Place) -> StoredDecision | None:
        """Return the approval of exactly this content that was given in another place."""
        decision = self.decision(digest)
        if decision is None or decision.verdict != "approved" or decision.place.dir == place.dir:
            return None
        return decision

    def audit(self, limit: int | None = None, after: int = 0) -> tuple[AuditEntry, ...]:
        """Return the log past entry `after`, oldest first; with a limit the newest of them."""
        query = f"SELECT {AUDIT} FROM audit WHERE number > ? ORDER BY number DESC LIMIT ?"
        values = (after, -1 if limit is None else limit)
        nothing: tuple[AuditEntry, ...] = ()
        return self._ask(lambda connection: tuple(read_audit(connection.execute(query, values))), nothing)[::-1]

    # Deciding

    def decide(
        self,
        verdict: Verdict,
        content: ReviewedContent,
        place: Place,
        reason: str = "",
        findings: Iterable[SeenFinding] = (),
        who: str | None = None,
        via: str = "app",
        over_denial: bool = True,
    ) -> StoredDecision:
        """Keep a decision about this content, in place of an earlier one. Raises `StoreFault`.

        Without `over_denial` a denial stands, and `DenialStands` is raised: whoever answers a question has not seen it.
        """
        if content.digest is None:
            raise StoreFault(f"this content cannot be decided on: {content.fault}")
        seen = tuple(findings)[:MAX_FINDINGS]
        who = (who or user_name())[:MAX_TEXT]
        made = StoredDecision(content.digest, verdict, who, now(), place, reason[:MAX_REASON], seen, via)
        with self._writing() as connection:
            known = None if over_denial else _decision(connection, made.digest)
            if known is not None and known.verdict == "denied":
                raise DenialStands(known)
            self._keep(connection, made)
            if verdict == "approved":
                keep_content(connection, content)
                connection.execute(
                    "INSERT INTO approvals (digest, name, dir, root, at) VALUES (?, ?, ?, ?, ?)",
                    (made.digest, put(place.name), put(place.dir), put(place.root), made.when),
                )
        return made

    def take_over(self, decisions: Iterable[StoredDecision]) -> int:
        """Keep decisions of others, without the content they are about; returns how many. Raises `StoreFault`."""
        count = 0
        with self._writing() as connection:
            for decision in decisions:
                self._keep(connection, decision)
                count += 1
        return count

    def revoke(self, digest: str, reason: str = "", who: str | None = None, via: str = "cli") -> bool:
        """Take back what was decided about this content; False where nothing was. Raises `StoreFault`."""
        with self._writing() as connection:
            query = "SELECT verdict, name, dir FROM decisions WHERE digest = ?"
            if (row := connection.execute(query, (put(digest),)).fetchone()) is None:
                return False
            verdict, name, directory = map(got, row)
            connection.execute("DELETE FROM decisions WHERE digest = ?", (digest,))
            connection.execute("UPDATE approvals SET revoked = 1 WHERE digest = ?", (digest,))
            _log(connection, "revoked", digest, name, directory, who, f"no longer {verdict}", reason, via)
        return True

    def log(
        self,
        kind: str,
        *,
        name: str,
        dir: str,
        digest: str | None = None,
        answer: str = "",
        reason: str = "",
        who: str | None = None,
        via: str,
    ) -> None:
        """Add a line to the log. Never raises: what cannot be written is remembered in `fault`."""
        try:
            with self._writing() as connection:
                _log(connection, kind, digest, name, dir, who, answer, reason, via)
        except StoreFault:
            pass

    # One place for faults

    def _keep(self, connection: sqlite3.Connection, made: StoredDecision) -> None:
        marks = ", ".join("?" * len(row := decision_row(made)))
        connection.execute(f"INSERT OR REPLACE INTO decisions ({DECISION}) VALUES ({marks})", row)
        if made.verdict == "denied":
            connection.execute("UPDATE approvals SET revoked = 1 WHERE digest = ?", (made.digest,))
        name, directory = made.place.name, made.place.dir
        if made.via != "import":
            _log(connection, "decision", made.digest, name, directory, made.who, made.verdict, made.reason, made.via)
            return
        # Who took it over is known; who decided, and when, is the lock file's word.
        told = f"{made.when[:10]} by {made.who}" + (f": {made.reason}" if made.reason else "")
        _log(connection, "import", made.digest, name, directory, None, made.verdict, told, made.via)

    def _ask(self, read: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        """Read from the store; `nothing` where there is none yet, or on any fault."""
        try:
            with reading(self.path) as connection:
                answer = nothing if connection is None else read(connection)
        except StoreFault as fault:
            self._fault = str(fault)
            return nothing
        self._fault = None
        return answer

    def _writing(self) -> _Writing:
        return _Writing(self)


class _Writing:
    """One transaction, whose fault the store remembers."""

    def __init__(self, store: DecisionStore) -> None:
        self._store = store
        self._open = writing(store.path)

    def __enter__(self) -> sqlite3.Connection:
        try:
            return self._open.__enter__()
        except StoreFault as fault:
            self._store._fault = str(fault)
            raise

    def __exit__(self, *error: Any) -> None:
        try:
            self._open.__exit__(*error)
        except StoreFault as fault:
            self._store._fault = str(fault)
            raise
        if error[0] is None:
            self._store._fault = None


def _decision(connection: sqlite3.Connection, digest: str) -> StoredDecision | None:
    # The digest is compared in the row itself: a damaged index must not lend one content the verdict of another.
    query = (
        f"SELECT {DECISION} FROM decisions NOT INDEXED"
        " WHERE rowid IN (SELECT rowid FROM decisions WHERE digest = ?1) AND digest = ?1"
    )
    return next(read_decisions(connection.execute(query, (put(digest),))), None)


def _approved_before(connection: sqlite3.Connection, place: Place) -> ReviewedContent | None:
    for column, value in (("dir", place.dir), ("name", place.name)):
        query = f"SELECT digest FROM approvals WHERE {column} = ? AND NOT revoked ORDER BY number DESC LIMIT 1"
        if (row := connection.execute(query, (put(value),)).fetchone()) is not None:
            return kept_content(connection, got(row[0]))
    return None


def _log(
    connection: sqlite3.Connection, kind: str, digest: str | None, name: str, directory: str, who: str | None,
    answer: str, reason: str, via: str,
) -> None:  # fmt: skip
    texts = (name, directory, who or user_name(), answer, reason[:MAX_REASON], via)
    connection.execute(
        "INSERT INTO audit (at, kind, digest, name, dir, who, answer, reason, via, pid)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (now(), put(kind), None if digest is None else put(digest), *map(put, texts), os.getpid()),
    )

"""The store of decisions: what was decided about which bytes, by whom, and the log of it all."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from skillui.review.content import ReviewedContent
from skillui.review.records import AuditEntry, Place, SeenFinding, StoredDecision, Verdict, now, user_name
from skillui.review.store_content import keep_content, kept_content
from skillui.review.store_file import StoreFault, reading, writing

__all__ = ["DecisionStore", "StoreFault"]

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_MAX_REASON = 4_000
"""Characters of a reason that are kept."""
_MAX_FINDINGS = 1_000
_DECISION = "digest, verdict, who, at, name, dir, root, reason, findings, via"


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
        rows = self._rows(f"SELECT {_DECISION} FROM decisions WHERE digest = ?", (digest,))
        return next(iter(_decisions(rows)), None)

    def decisions(self) -> tuple[StoredDecision, ...]:
        """Return all that holds now, by name and time."""
        rows = self._rows(f"SELECT {_DECISION} FROM decisions ORDER BY name, at, digest", ())
        return tuple(_decisions(rows))

    def approved_before(self, place: Place) -> ReviewedContent | None:
        """Return the content that was last approved in this place: the same folder, else one of the same name."""
        for column, value in (("dir", place.dir), ("name", place.name)):
            rows = self._rows(
                f"SELECT digest FROM approvals WHERE {column} = ? AND NOT revoked ORDER BY number DESC LIMIT 1",
                (_put(value),),
            )
            if rows:
                return self._content(rows[0][0])
        return None

    def approved_elsewhere(self, digest: str, place: Place) -> StoredDecision | None:
        """Return the approval of exactly this content that was given in another place."""
        decision = self.decision(digest)
        if decision is None or decision.verdict != "approved" or decision.place.dir == place.dir:
            return None
        return decision

    def audit(self, limit: int | None = None, after: int = 0) -> tuple[AuditEntry, ...]:
        """Return the log past entry `after`, oldest first; with a limit the newest of them."""
        rows = self._rows(
            "SELECT number, at, kind, digest, name, dir, who, answer, reason, via, pid FROM audit"
            " WHERE number > ? ORDER BY number DESC LIMIT ?",
            (after, -1 if limit is None else limit),
        )
        return tuple(AuditEntry(*map(_get, row)) for row in reversed(rows))

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
    ) -> StoredDecision:
        """Keep a decision about this content, in place of an earlier one. Raises `StoreFault`."""
        if content.digest is None:
            raise StoreFault(f"this content cannot be decided on: {content.fault}")
        seen = tuple(findings)[:_MAX_FINDINGS]
        made = StoredDecision(
            content.digest, verdict, who or user_name(), now(), place, reason[:_MAX_REASON], seen, via
        )  # fmt: skip
        with self._writing() as connection:
            self._keep(connection, made)
            if verdict == "approved":
                keep_content(connection, content)
                connection.execute(
                    "INSERT INTO approvals (digest, name, dir, root, at) VALUES (?, ?, ?, ?, ?)",
                    (made.digest, *map(_put, (place.name, place.dir, place.root)), made.when),
                )
            else:
                connection.execute("UPDATE approvals SET revoked = 1 WHERE digest = ?", (made.digest,))
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
            rows = connection.execute(f"SELECT {_DECISION} FROM decisions WHERE digest = ?", (digest,)).fetchall()
            if not rows:
                return False
            verdict, name, directory = rows[0][1], rows[0][4], rows[0][5]
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
        place = made.place
        connection.execute(
            f"INSERT OR REPLACE INTO decisions ({_DECISION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                made.digest, made.verdict, _put(made.who), made.when, _put(place.name), _put(place.dir),
                _put(place.root), _put(made.reason), _findings_text(made.findings), made.via,
            ),
        )  # fmt: skip
        kind = "import" if made.via == "import" else "decision"
        _log(connection, kind, made.digest, place.name, place.dir, made.who, made.verdict, made.reason, made.via)

    def _content(self, digest: str) -> ReviewedContent | None:
        try:
            with reading(self.path) as connection:
                return None if connection is None else kept_content(connection, digest)
        except StoreFault as fault:
            self._fault = str(fault)
            return None

    def _rows(self, query: str, values: tuple[object, ...]) -> list[Any]:
        try:
            with reading(self.path) as connection:
                rows = [] if connection is None else connection.execute(query, values).fetchall()
        except StoreFault as fault:
            self._fault = str(fault)
            return []
        self._fault = None
        return rows

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


def _decisions(rows: Iterable[Any]) -> Iterator[StoredDecision]:
    """Read rows; one that is not what the store writes counts for nothing."""
    for row in rows:
        digest, verdict, who, when, name, directory, root, reason, findings, via = map(_get, row)
        if isinstance(digest, str) and _DIGEST.fullmatch(digest) and verdict in ("approved", "denied"):
            seen = _read_findings(findings)
            yield StoredDecision(digest, verdict, who, when, Place(name, directory, root), reason, seen, via)


def _log(
    connection: sqlite3.Connection, kind: str, digest: str | None, name: str, directory: str, who: str | None,
    answer: str, reason: str, via: str,
) -> None:  # fmt: skip
    connection.execute(
        "INSERT INTO audit (at, kind, digest, name, dir, who, answer, reason, via, pid)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            now(), kind, digest, *map(_put, (name, directory, who or user_name(), answer, reason[:_MAX_REASON])),
            via, os.getpid(),
        ),
    )  # fmt: skip


def _put(text: str | bytes) -> str | bytes:
    """Return text as SQLite takes it: names of files may hold what is no UTF-8."""
    if isinstance(text, bytes):
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def _get(value: Any) -> Any:
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def _findings_text(findings: tuple[SeenFinding, ...]) -> str:
    clean = [
        [*(text.encode("utf-8", "replace").decode() for text in (f.code, f.severity, f.message, f.path)), f.line]
        for f in findings
    ]
    return msgspec.json.encode(clean).decode()


def _read_findings(text: str) -> tuple[SeenFinding, ...]:
    try:
        rows = msgspec.json.decode(text, type=list[tuple[str, str, str, str, int | None]])
    except (msgspec.DecodeError, TypeError):
        return ()
    return tuple(SeenFinding(*row) for row in rows)

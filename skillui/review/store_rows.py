"""Between the rows of the store and its records: any text goes in, damaged rows count for nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from skillui.review.records import VERDICTS, AuditEntry, Place, SeenFinding, StoredDecision

DECISION: Final = "digest, verdict, who, at, name, dir, root, reason, findings, via"
AUDIT: Final = "number, at, kind, digest, name, dir, who, answer, reason, via, pid"
MAX_TEXT: Final = 10_000
"""Characters of a name, a folder or an answer that are kept; no path of a file system is as long."""
MAX_REASON: Final = 4_000
"""Characters of a reason that are kept."""
MAX_FINDINGS: Final = 1_000
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def put(text: str) -> str | bytes:
    """Return text as SQLite takes it: names of files may hold what is no UTF-8."""
    text = text[:MAX_TEXT]
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def got(value: Any) -> Any:
    """Return what `put` was given. Raises `UnicodeDecodeError` where the file is damaged."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def decision_row(made: StoredDecision) -> tuple[object, ...]:
    """Return a decision as the columns of `DECISION`."""
    place = made.place
    return (
        made.digest, made.verdict, put(made.who), made.when, put(place.name), put(place.dir), put(place.root),
        put(made.reason), _findings_text(made.findings), put(made.via),
    )  # fmt: skip


def read_decisions(rows: Iterable[Any]) -> Iterator[StoredDecision]:
    """Read rows of `DECISION`; one that is not what the store writes counts for nothing."""
    for row in rows:
        digest, verdict, who, when, name, directory, root, reason, findings, via = map(got, row)
        if isinstance(digest, str) and _DIGEST.fullmatch(digest) and verdict in VERDICTS:
            seen = _read_findings(findings)
            yield StoredDecision(digest, verdict, who, when, Place(name, directory, root), reason, seen, via)


def read_audit(rows: Iterable[Any]) -> Iterator[AuditEntry]:
    """Read rows of `AUDIT`."""
    for row in rows:
        yield AuditEntry(*map(got, row))


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

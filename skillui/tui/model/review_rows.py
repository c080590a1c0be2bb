"""The queue of a review as rows: what needs a decision first, each with its figures, without its texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from skillui.core import Severity
from skillui.review.queue import STATES, QueueItem, ReviewState

if TYPE_CHECKING:
    from skillui.core import AnyEntry
    from skillui.review.records import Place, StoredDecision

FileKey = tuple[str, str, str]
"""Path, kind and hash of one file: what was read was exactly this."""
Filter = Literal["all", "open", "new", "changed", "unreadable", "denied", "approved"]
FILTERS: Final[tuple[Filter, ...]] = ("all", "open", "new", "changed", "unreadable", "denied", "approved")
_OPEN: Final = frozenset({"new", "changed"})


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """One skill of the queue."""

    entry: AnyEntry
    place: Place
    root: str
    """What its root is called in a narrow column."""
    state: ReviewState
    digest: str | None
    fault: str | None
    decision: StoredDecision | None
    errors: int
    warnings: int
    notes: int
    gravest: str
    """The gravest finding in words, "" where there is none."""
    to_read: tuple[FileKey, ...]
    """What nobody approved in this place before."""

    @property
    def key(self) -> str:
        """Names the row from one reading to the next."""
        return self.entry.location

    @property
    def name(self) -> str:
        """The skill's name."""
        return self.place.name

    @property
    def open(self) -> bool:
        """Whether it waits for a decision that can be taken."""
        return self.state in _OPEN


def row_of(item: QueueItem, root: str) -> ReviewRow:
    """Return what the list needs of an item."""
    counts = {severity: sum(found.severity is severity for found in item.findings) for severity in Severity}
    gravest = min(item.findings, key=lambda found: found.severity.rank, default=None)
    return ReviewRow(
        entry=item.entry, place=item.place, root=root, state=item.state, digest=item.content.digest,
        fault=item.content.fault, decision=item.decision, errors=counts[Severity.ERROR],
        warnings=counts[Severity.WARNING], notes=counts[Severity.NOTE],
        gravest=f"{gravest.code} {gravest.message}" if gravest is not None else "",
        to_read=files_to_read(item),
    )  # fmt: skip


def files_to_read(item: QueueItem) -> tuple[FileKey, ...]:
    """Return the files that nobody approved in this place before."""
    return tuple(
        (change.now.path, change.now.kind, change.now.sha256)
        for change in item.changes
        if change.now is not None and change.state != "unchanged"
    )


def in_order(rows: Iterable[ReviewRow]) -> list[ReviewRow]:
    """Return the rows with what needs a decision first."""
    rank = {state: place for place, state in enumerate(STATES)}
    return sorted(rows, key=lambda row: (rank[row.state], row.name, row.entry.root_index, row.key))


def passing(rows: Iterable[ReviewRow], wanted: Filter) -> list[ReviewRow]:
    """Return the rows that a filter lets through."""
    return [row for row in rows if wanted == "all" or row.state == wanted or (wanted == "open" and row.state in _OPEN)]


def counts_of(rows: Sequence[ReviewRow]) -> dict[Filter, int]:
    """Count the rows that each filter would show."""
    return {name: len(passing(rows, name)) for name in FILTERS}


def next_open(rows: Sequence[ReviewRow], after: str) -> str | None:
    """Return the key of the next row that waits for a decision, round the end; None where none does."""
    at = next((index for index, row in enumerate(rows) if row.key == after), -1)
    ahead = [*rows[at + 1 :], *rows[: max(0, at)]]
    return next((row.key for row in ahead if row.open and row.key != after), None)

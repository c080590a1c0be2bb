"""`ReviewDesk`: what the Review mode reads and decides, without a widget. All of it is blocking, for worker threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from skillui.checks.capabilities import capabilities
from skillui.core import AnyEntry, BrokenSkill, LoadedSkill, content_digest
from skillui.core.files import is_below
from skillui.review.content import ReviewedContent, read_content, skill_content
from skillui.review.queue import QueueItem, review_item, subject_of, untrusted
from skillui.review.records import AuditEntry, SeenFinding, StoredDecision, Verdict
from skillui.review.store import DecisionStore, StoreFault
from skillui.tui.model.review_rows import ReviewRow, in_order, row_of
from skillui.tui.model.review_sheet import Base, ReviewSheet, make_sheet
from skillui.tui.model.root_names import root_names
from skillui.tui.revisions import content_at, work_tree
from skillui.tui.workbench import Workbench

PAINT_EVERY = 0.25
"""Seconds between two partial queues."""
MOST_LOG = 5_000
"""Entries of the log that are shown, the newest."""
_BREATH = 0.0005
# Seconds between two skills that are only counted: keys come first.


class ChangedMeanwhile(Exception):
    """The files are not the ones that were shown, so nothing was decided."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one decision of several; `fault` says why there is none."""

    row: ReviewRow
    decision: StoredDecision | None
    fault: str = ""


class ReviewDesk:
    """The queue over one run's catalog and its store of decisions."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._rows: dict[str, ReviewRow] = {}
        self._decided: Mapping[str, StoredDecision] = {}
        self._touched: set[str] | None = set()
        """Paths that changed since the last reading, None for all."""
        self._digests: dict[str, str | None] = {}
        self._uncounted: set[str] | None = set()
        """Paths that changed since the digests were taken, None for all."""

    @property
    def store(self) -> DecisionStore:
        """The store of decisions."""
        return self._workbench.store

    @property
    def fault(self) -> str | None:
        """Why the store cannot be used, None where it can."""
        return self.store.fault

    @property
    def read_only(self) -> bool:
        """Whether the skills lie in no folder, so that there is nothing to edit."""
        return self._workbench.launch.source is not None

    # The queue

    def touch(self, paths: Sequence[str] | None) -> None:
        """Note what changed on disk, None for anything; it is read again with the next queue."""
        self._touched = _with(self._touched, paths)
        self._uncounted = _with(self._uncounted, paths)

    def read_queue(
        self, cancelled: Callable[[], bool], paint: Callable[[list[ReviewRow], int, int], object]
    ) -> list[ReviewRow]:
        """Return the queue; what did not change is not read again.

        `paint` is given now and then what there is, how many skills were read, and how many there are.
        """
        noted, self._touched = self._touched, set()
        touched = None if noted is None else frozenset(noted)
        decided = {decision.digest: decision for decision in self.store.decisions()}
        moved = self._names_decided_anew(decided)
        old, rows = self._rows, {}
        painted = time.monotonic()
        entries = self.entries()
        for done, entry in enumerate(entries, 1):
            if cancelled():
                self._touched = _with(self._touched, touched)
                break
            known = old.get(entry.location)
            fresh = known is None or _is_touched(entry, touched) or known.name in moved or known.entry != entry
            row = self._read_row(entry) if fresh else known
            if row is not None:
                rows[row.key] = row
            if time.monotonic() - painted > PAINT_EVERY:
                painted = time.monotonic()
                paint(in_order({**old, **rows}.values()), done, len(entries))
        else:
            self._rows, self._decided = rows, decided
        return in_order(rows.values())

    def entries(self) -> tuple[AnyEntry, ...]:
        """Return the skills that a review is about: those of roots nobody trusts."""
        return untrusted(self._workbench.catalog, self._workbench.launch.config)

    def count_open(self, cancelled: Callable[[], bool]) -> int:
        """Count what waits for a decision, by digests alone. Leaves the machine to others in between."""
        noted, self._uncounted = self._uncounted, set()
        touched = None if noted is None else frozenset(noted)
        decided = {decision.digest for decision in self.store.decisions()}
        old, digests = self._digests, dict[str, str | None]()
        for entry in self.entries():
            if cancelled():
                self._uncounted = _with(self._uncounted, touched)
                return 0
            key = entry.location
            if key in old and not _is_touched(entry, touched):
                digests[key] = old[key]
            else:
                digests[key] = self._quick_digest(entry)
                time.sleep(_BREATH)
        self._digests = digests
        return sum(digest is not None and digest not in decided for digest in digests.values())

    def _names_decided_anew(self, decided: Mapping[str, StoredDecision]) -> set[str]:
        """Return the names of skills about which something was decided, or taken back, since the last reading."""
        old = self._decided
        differing = [digest for digest in old.keys() | decided.keys() if old.get(digest) != decided.get(digest)]
        names = {place.place.name for digest in differing for place in _both(old, decided, digest)}
        wanted = set(differing)
        return names | {row.name for row in self._rows.values() if row.digest in wanted}

    def _read_row(self, entry: AnyEntry) -> ReviewRow | None:
        item = self.read_item(entry)
        return None if item is None else row_of(item, self._root_name(entry))

    def _root_name(self, entry: AnyEntry) -> str:
        names = root_names(self._workbench.roots)
        return names[entry.root_index].shown if entry.root_index < len(names) else ""

    # One skill

    def read_item(self, entry: AnyEntry) -> QueueItem | None:
        """Read one skill with its texts, None where it is gone."""
        skill = self._load(entry)
        return None if skill is None else review_item(self.store, skill, self._root_source(entry))

    def read_sheet(self, entry: AnyEntry, base: Base | None = None) -> ReviewSheet | None:
        """Read one skill beside `base`, by default what was last approved in its place; None where it is gone."""
        skill = self._load(entry)
        if skill is None:
            return None
        item = review_item(self.store, skill, self._root_source(entry))
        found: tuple[str, ...] = ()
        if skill.parsed is not None:
            found = tuple(str(ability) for ability in capabilities(subject_of(skill)))
        before = item.before
        approval = self.store.decision(before.digest) if before is not None and before.digest is not None else None
        return make_sheet(item, base or Base("its approval", before, approval=True), found, approval)

    def copies(self, entry: AnyEntry) -> tuple[AnyEntry, ...]:
        """Return the other copies of this name, in any root."""
        return tuple(one for one in self._workbench.chain(entry.name) if one.location != entry.location)

    def content_of(self, entry: AnyEntry) -> ReviewedContent:
        """Read the content of any copy."""
        skill = self._load(entry)
        return skill_content(skill) if skill is not None else read_content(entry.dir)

    def has_revisions(self, entry: AnyEntry) -> bool:
        """Tell whether its folder lies in a git repository."""
        return not self.read_only and work_tree(entry.dir) is not None

    def content_at(self, entry: AnyEntry, revision: str) -> ReviewedContent:
        """Return the content of its folder in a git revision. Raises LookupError."""
        return content_at(entry.dir, revision)

    def root_source(self, entry: AnyEntry) -> str:
        """Return the root of an entry as a person would write it."""
        return self._root_source(entry)

    def _root_source(self, entry: AnyEntry) -> str:
        roots = self._workbench.roots
        return roots[entry.root_index].source if entry.root_index < len(roots) else ""

    def _load(self, entry: AnyEntry) -> LoadedSkill | BrokenSkill | None:
        return self._workbench.registry.load_entry(entry)

    # Deciding

    def decide(self, verdict: Verdict, item: QueueItem, reason: str) -> StoredDecision:
        """Keep a decision about exactly the content of `item`. Raises `ChangedMeanwhile` and `StoreFault`."""
        if item.content.digest is not None and self._digest_now(item.entry) != item.content.digest:
            raise ChangedMeanwhile(f"{item.place.name} changed on disk while it was looked at: nothing was decided")
        findings = tuple(map(SeenFinding.of, item.findings))
        return self.store.decide(verdict, item.content, item.place, reason, findings, via="app")

    def decide_rows(self, verdict: Verdict, rows: Sequence[ReviewRow], reason: str) -> Iterator[Outcome]:
        """Decide about several skills, each as its row told of it."""
        for row in rows:
            item = self.read_item(row.entry)
            if item is None or item.content.digest != row.digest:
                yield Outcome(row, None, "it changed on disk meanwhile")
                continue
            try:
                yield Outcome(row, self.decide(verdict, item, reason))
            except (ChangedMeanwhile, StoreFault) as fault:
                yield Outcome(row, None, str(fault))

    def revoke(self, digest: str, reason: str) -> bool:
        """Take a decision back. Raises `StoreFault`."""
        return self.store.revoke(digest, reason, via="app")

    def audit(self) -> list[AuditEntry]:
        """Return the log, newest first."""
        return list(reversed(self.store.audit(MOST_LOG)))

    def _digest_now(self, entry: AnyEntry) -> str | None:
        skill = self._load(entry)
        if skill is None:
            return None
        if skill.files is not None:
            return skill.files.digest().value
        return content_digest(skill.dir).value

    def _quick_digest(self, entry: AnyEntry) -> str | None:
        """Digest a skill without parsing it, where it lies in a folder."""
        return self._digest_now(entry) if self.read_only else content_digest(entry.dir).value


def _both(
    old: Mapping[str, StoredDecision], new: Mapping[str, StoredDecision], digest: str
) -> Iterator[StoredDecision]:
    yield from (decisions[digest] for decisions in (old, new) if digest in decisions)


def _with(noted: set[str] | None, paths: Iterable[str] | None) -> set[str] | None:
    """Return what was noted and these paths; None stands for everything."""
    return None if noted is None or paths is None else noted | set(paths)


def _is_touched(entry: AnyEntry, paths: frozenset[str] | None) -> bool:
    if paths is None:
        return True
    return any(is_below(path, entry.dir) or is_below(entry.dir, path) for path in paths)

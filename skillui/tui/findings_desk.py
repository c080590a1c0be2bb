"""`FindingsDesk`: what the gate finds in the skills of one run, without a widget. Blocking, for worker threads."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from skillui.checks.report import CheckedSkill, Report
from skillui.checks.subject import Subject, subject_of
from skillui.core import AnyEntry, BrokenSkill, Catalog, LoadedSkill, Problem
from skillui.core.files import is_below
from skillui.core.scanned import ScannedRegistry
from skillui.tui.model.findings import Findings, Summaries, Summary, excerpts_of
from skillui.tui.model.stamps import Stamp, stamp_of
from skillui.workspace.project_check import ProjectCheck

if TYPE_CHECKING:
    from skillui.tui.workbench import Workbench

PAINT_FIRST: Final = 0.3
"""Seconds until what was found so far is shown for the first time; from then on half as often as that."""
_KEPT: Final = 8
_SWITCH: Final = 0.0005
# Seconds after which a thread that computes hands over to one that waits: a key must not wait for long.


class Stopped(BaseException):
    """A run over all skills is no longer wanted; no rule may take it for a fault of its own."""


@dataclass(frozen=True, slots=True)
class _Checked:
    entry: AnyEntry
    stamp: Stamp | None
    summary: Summary


Rest = Callable[[], None]
"""Lets others go first; raises `Stopped` where the run is no longer wanted."""
Paint = Callable[[Mapping[str, Summary], int, int], object]
"""Is given the summaries by the keys of rows, how many skills were looked at, and how many there are."""


class FindingsDesk:
    """Checks skills by the project's configuration; of most of them it keeps counts and codes alone."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._summaries = Summaries()
        self._checked: dict[str, _Checked] = {}
        self._of_catalog: dict[str, tuple[Problem, ...]] = {}
        self._catalog: int | None = None
        self._touched: set[str] | None = set()
        self._check: ProjectCheck | None = None
        self._checked_by: ProjectCheck | None = None
        self._recent: OrderedDict[tuple[str, str], Findings] = OrderedDict()
        self._one = threading.Lock()
        self._all = threading.Lock()

    @property
    def check(self) -> ProjectCheck:
        """The rules as the project configures them, read at first use and by `reread`."""
        check = self._check
        return self.reread() if check is None or check.roots != self._roots() else check

    def reread(self) -> ProjectCheck:
        """Read the configuration anew; what was found by another one counts no more."""
        found, known = ProjectCheck(self._roots()), self._check
        if known is not None and (known.roots, known.configs) == (found.roots, found.configs):
            return known
        self._check = found
        self._recent.clear()
        return found

    def _roots(self) -> tuple[str, ...]:
        # An archive or a revision may not say by a configuration of its own what is overlooked.
        in_folders = self._workbench.launch.source is None
        return tuple(root.path for root in self._workbench.roots) if in_folders else ()

    def touch(self, paths: Sequence[str] | None) -> None:
        """Note which files changed, None for any: those skills are looked at again."""
        self._touched = None if paths is None or self._touched is None else self._touched | set(paths)
        if paths is None:
            self._recent.clear()

    # One skill

    def findings_of(self, skill: LoadedSkill | BrokenSkill, digest: str | None, wanted: Callable[[], bool]) -> Findings:
        """Return everything found in one skill, with the lines; one at a time, and none that is not `wanted`.

        The content's digest names what was checked a moment ago and need not be checked again.
        """
        entry = skill if isinstance(skill, BrokenSkill) else skill.entry
        key = (entry.location, digest or "")
        while not self._one.acquire(timeout=0.05):
            if not wanted():
                raise Stopped
        try:
            found = self._recent.get(key) if digest else None
            if found is None:
                subject = subject_of(skill)
                problems = self.check.check(subject, entry)
                found = self._recent[key] = Findings(problems, excerpts_of(problems, subject))
                while len(self._recent) > _KEPT:
                    self._recent.popitem(last=False)
        finally:
            self._one.release()
        shared = self.of_catalog(entry.location)
        return Findings((*found.problems, *shared), found.excerpts, shared) if shared else found

    def of_catalog(self, key: str) -> tuple[Problem, ...]:
        """Return what the last look at the whole catalog showed of a skill."""
        return self._of_catalog.get(key, ())

    # All skills

    def check_all(self, rest: Rest, paint: Paint) -> Mapping[str, Summary]:
        """Check every skill whose files changed since the last run, and the catalog as a whole; return all counts."""
        with self._all, _patient():
            # Roots may come and go meanwhile: entries are read by the registry that found them.
            return self._check_all(self._workbench.registry, rest, paint)

    def _check_all(self, registry: ScannedRegistry, rest: Rest, paint: Paint) -> Mapping[str, Summary]:
        catalog = registry.catalog or Catalog()
        noted, self._touched = self._touched, set()
        touched = None if noted is None else frozenset(noted)
        if touched is None:
            self.reread()
        same_rules = self._checked_by is self.check
        old = self._checked if same_rules else {}
        known_catalog = self._catalog if same_rules else None
        self._checked_by, self._catalog = self.check, None
        entries = sorted(_entries(catalog), key=lambda entry: not _is_touched(entry, touched or frozenset()))
        made: dict[str, _Checked] = {}
        due, spacing = time.monotonic() + PAINT_FIRST, PAINT_FIRST
        try:
            for done, entry in enumerate(entries, 1):
                made[entry.location] = self._renewed(registry, entry, old.get(entry.location), touched, rest)
                if time.monotonic() > due:
                    spacing *= 2
                    due = time.monotonic() + spacing
                    paint(self._counts({**old, **made}), done, len(entries))
            self._checked = made
            if (now := _identity(catalog)) != known_catalog:
                self._of_catalog = self.check.check_catalog(catalog, rest)
            self._catalog = now
        except BaseException:
            self._checked = {**old, **made}
            self.touch(None if noted is None else tuple(noted))
            raise
        return self._counts(made)

    def _renewed(
        self,
        registry: ScannedRegistry,
        entry: AnyEntry,
        known: _Checked | None,
        touched: frozenset[str] | None,
        rest: Rest,
    ) -> _Checked:
        same = known is not None and (known.entry is entry or known.entry == entry)
        if known is not None and same and touched is not None and not _is_touched(entry, touched):
            return known
        rest()
        stamp = stamp_of(entry.dir)
        if known is not None and same and stamp is not None and stamp == known.stamp and touched is None:
            return known
        return _Checked(entry, stamp, self._summaries.of(self._problems(registry, entry)))

    def _problems(self, registry: ScannedRegistry, entry: AnyEntry) -> tuple[Problem, ...]:
        loaded = registry.load_entry(entry)
        return () if loaded is None else self.check.check(subject_of(loaded), entry)

    def _counts(self, checked: Mapping[str, _Checked]) -> Mapping[str, Summary]:
        counts = {key: one.summary for key, one in checked.items()}
        for key, problems in self._of_catalog.items():
            if key in counts:
                counts[key] = _sum(counts[key], self._summaries.of(problems))
        return counts

    # The report

    def report(self, entries: Sequence[AnyEntry], rest: Rest) -> Report:
        """Check skills anew for a report, those that are gone left out."""
        with _patient():
            check, registry = self.reread(), self._workbench.registry
            catalog = registry.catalog or Catalog()
            known = self._checked_by is check and self._catalog == _identity(catalog)
            shared = self._of_catalog if known else check.check_catalog(catalog, rest)
            found = [self._for_report(registry, entry, shared.get(entry.location, ()), rest) for entry in entries]
            return Report([skill for skill in found if skill is not None], check.profile)

    def _for_report(
        self, registry: ScannedRegistry, entry: AnyEntry, shared: tuple[Problem, ...], rest: Rest
    ) -> CheckedSkill | None:
        rest()
        loaded = registry.load_entry(entry)
        if loaded is None:
            return None
        subject: Subject = subject_of(loaded)
        found = (*self.check.check(subject, entry), *shared)
        listing = len(subject.parsed.name) + 2 + len(subject.parsed.description.strip())
        return CheckedSkill(entry.name, entry.location, found, listing, len(subject.parsed.body))


@contextmanager
def _patient() -> Iterator[None]:
    """Hand over often to the thread that answers keys, for as long as it lasts."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _entries(catalog: Catalog) -> tuple[AnyEntry, ...]:
    return (*catalog.skills, *catalog.shadowed, *catalog.broken)


def _identity(catalog: Catalog) -> int:
    """Return what stays the same as long as the rules over the whole catalog have nothing new to find."""
    skills = [(one.location, one.name, one.description, one.offered_to("model")) for one in catalog.skills]
    others: tuple[AnyEntry, ...] = (*catalog.shadowed, *catalog.broken)
    return hash((tuple(skills), tuple((one.location, one.name, one.root_index) for one in others)))


def _sum(one: Summary, other: Summary) -> Summary:
    return Summary(
        one.errors + other.errors, one.warnings + other.warnings, one.notes + other.notes, one.codes | other.codes
    )


def _is_touched(entry: AnyEntry, paths: frozenset[str]) -> bool:
    if not paths:
        return False
    places = {entry.dir, entry.location, os.path.dirname(entry.skill_md) or entry.dir}
    return any(is_below(path, place) or is_below(place, path) for path in paths for place in places)

"""The queue of a review: the skills of roots that nobody trusts, each beside what was decided before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from skillui.checks.run import check_skill
from skillui.checks.subject import Subject
from skillui.checks.subject import subject_of as checks_subject_of
from skillui.core.catalog import AnyEntry, BrokenSkill, Catalog, CatalogRegistry, LoadedSkill
from skillui.core.config import SessionConfig
from skillui.core.gate import judge
from skillui.core.problems import Problem
from skillui.review.content import FileChange, ReviewedContent, changes, skill_content
from skillui.review.records import Place, StoredDecision
from skillui.review.store import DecisionStore

ReviewState = Literal["new", "changed", "approved", "denied", "unreadable"]
STATES: tuple[ReviewState, ...] = ("new", "changed", "unreadable", "denied", "approved")
"""In the order of a review: what needs a decision first."""


@dataclass(frozen=True, slots=True)
class QueueItem:
    """One skill that waits for a decision or has one."""

    entry: AnyEntry
    content: ReviewedContent
    state: ReviewState
    decision: StoredDecision | None
    before: ReviewedContent | None
    """What was last approved in this place, None where nothing was."""
    changes: tuple[FileChange, ...]
    findings: tuple[Problem, ...]
    place: Place

    @property
    def open(self) -> bool:
        """Whether nobody decided on exactly this content."""
        return self.decision is None

    @property
    def elsewhere(self) -> bool:
        """Whether the decision was taken about the same content in another place."""
        return self.decision is not None and self.decision.place.dir != self.place.dir


def review_item(store: DecisionStore, skill: LoadedSkill | BrokenSkill, root: str) -> QueueItem:
    """Read one skill for the review. `root` is its root as written. Blocking; never raises."""
    entry = skill.entry if isinstance(skill, LoadedSkill) else skill
    content = skill_content(skill)
    place = Place(entry.name, entry.dir, root)
    decision = store.decision(content.digest) if content.digest is not None else None
    before = store.approved_before(place)
    found: tuple[Problem, ...] = entry.problems
    if skill.parsed is not None:
        found = check_skill(subject_of(skill))
    return QueueItem(entry, content, _state(content, decision, before), decision, before,
                     changes(before, content), found, place)  # fmt: skip


def untrusted(catalog: Catalog, config: SessionConfig) -> tuple[AnyEntry, ...]:
    """Return every entry that a review is about, shadowed and broken ones too: those of roots nobody trusts."""
    entries: tuple[AnyEntry, ...] = (*catalog.skills, *catalog.shadowed, *catalog.broken)
    found = [entry for entry in entries if not judge(config, entry.dir, entry.skill_md or entry.dir).trusted]
    return tuple(sorted(found, key=lambda entry: (entry.name, entry.root_index, entry.location)))


def read_queue(
    store: DecisionStore, registry: CatalogRegistry, config: SessionConfig, roots: Sequence[str]
) -> Iterator[QueueItem]:
    """Read every untrusted skill of a catalog, one at a time. `roots` are the roots as written. Blocking."""
    for entry in untrusted(registry.catalog or Catalog(), config):
        if (skill := registry.load_entry(entry)) is not None:
            root = roots[entry.root_index] if entry.root_index < len(roots) else ""
            yield review_item(store, skill, root)


def subject_of(skill: LoadedSkill | BrokenSkill) -> Subject:
    """Return what the rules look at; the skill must have been parsed."""
    assert skill.parsed is not None
    return checks_subject_of(skill)


def state_of(store: DecisionStore, content: ReviewedContent, place: Place) -> ReviewState:
    """Tell how this content stands in this place."""
    decision = store.decision(content.digest) if content.digest is not None else None
    return _state(content, decision, store.approved_before(place))


def _state(content: ReviewedContent, decision: StoredDecision | None, before: ReviewedContent | None) -> ReviewState:
    if content.digest is None:
        return "unreadable"
    if decision is not None:
        return "approved" if decision.verdict == "approved" else "denied"
    return "new" if before is None else "changed"

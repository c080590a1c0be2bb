"""What a prompt says beside the request: findings, abilities, and what was decided before."""

from __future__ import annotations

from dataclasses import dataclass

from skillui.checks.capabilities import capabilities
from skillui.checks.run import check_skill
from skillui.checks.subject import subject_of
from skillui.core import PermissionRequest, Problem
from skillui.review.content import changes, skill_content
from skillui.review.records import Place
from skillui.review.store import DecisionStore
from skillui.tui.model.figures import counted
from skillui.workspace.project import Root

_NAMED = 3
"""Changed files that a prompt names."""


@dataclass(frozen=True, slots=True)
class PromptFacts:
    """What is known beside the request itself."""

    root: Root | None = None
    """The root the skill was found in."""
    findings: tuple[Problem, ...] = ()
    """What checks found, the engine's own problems among it."""
    abilities: tuple[str, ...] | None = None
    """What the skill can do by its files (network, writes, shell, credentials), None while nobody looked."""
    asker: str = ""
    """Which other process asks, "" for this app itself."""
    history: str = ""
    """What was decided about this content or this place before, in one line; "" where nothing was."""


def prompt_facts(request: PermissionRequest, root: Root | None, store: DecisionStore, asker: str = "") -> PromptFacts:
    """Look at the skill that a request is about, and at what was decided before. Blocking."""
    subject = subject_of(request.skill)
    found = check_skill(subject)
    abilities = tuple(str(ability) for ability in capabilities(subject))
    return PromptFacts(root, found, abilities, asker, history_of(request, store))


def found_in(request: PermissionRequest) -> tuple[Problem, ...]:
    """Return the findings in the skill that a request is about. Blocking."""
    return check_skill(subject_of(request.skill))


def history_of(request: PermissionRequest, store: DecisionStore) -> str:
    """Say what was decided about this content or this place before."""
    place = Place(request.name, request.path, "")
    known = store.decision(request.digest) if request.digest is not None else None
    if store.fault is not None:
        return f"decisions cannot be read, nothing counts as approved: {store.fault}"
    if known is not None:
        where = "before" if known.place.dir == place.dir else f"elsewhere, in {known.place.dir or known.place.root},"
        return f"{known.verdict} {where} by {known.who} on {known.when[:10]}"
    before = store.approved_before(place)
    if before is None:
        return "never decided on before"
    changed = [one for one in changes(before, skill_content(request.skill)) if one.state != "unchanged"]
    names = ", ".join(f"{one.path} {one.state}" for one in changed[:_NAMED])
    more = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
    by = store.decision(before.digest) if before.digest is not None else None
    since = f" by {by.who} on {by.when[:10]}" if by is not None else ""
    return f"approved before{since}, then {counted(len(changed), 'file')} changed: {names}{more}"

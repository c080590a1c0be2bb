"""One run of the gate over skills that lie in no folder: those of a git revision, or of an archive."""

from __future__ import annotations

import os

from skillui.checks.profiles import Profile
from skillui.checks.report import CheckedSkill, Report
from skillui.checks.run import check_catalog, check_skill
from skillui.checks.subject import subject_of
from skillui.core.catalog import BrokenSkill, Catalog
from skillui.core.problems import Problem
from skillui.review.memory_registry import MemoryRegistry
from skillui.workspace.check_run import CheckOptions, Outcome
from skillui.workspace.check_targets import TargetFault


def check_source(registry: MemoryRegistry, options: CheckOptions) -> Outcome:
    """Check every skill of a source, and the source itself, which counts as one more where it has problems.

    No configuration of a project is heeded: what is looked at may not say what is overlooked. Raises
    `TargetFault` where there is nothing to check.
    """
    choice = (options.profile or Profile.PORTABLE, options.select, options.ignore)
    found: dict[str, CheckedSkill] = {}
    for loaded in registry.load_all():
        subject = subject_of(loaded)
        entry = loaded if isinstance(loaded, BrokenSkill) else loaded.entry
        listing = len(subject.parsed.name) + 2 + len(subject.parsed.description.strip())
        problems = check_skill(subject, *choice)
        found[entry.location] = CheckedSkill(entry.name, entry.location, problems, listing, len(subject.parsed.body))
    if registry.fault is not None:
        raise TargetFault(registry.fault)
    catalog = registry.catalog or Catalog()
    shared = check_catalog(catalog, *choice)
    checked = [_with(skill, shared.get(location, ())) for location, skill in found.items()]
    if registry.problems:
        checked.insert(0, CheckedSkill(os.path.basename(registry.base), registry.base, registry.problems))
    if not checked:
        raise TargetFault(catalog.warnings[0] if catalog.warnings else "nothing to check")
    return Outcome(Report(tuple(checked), choice[0]), catalog.warnings)


def _with(skill: CheckedSkill, more: tuple[Problem, ...]) -> CheckedSkill:
    return CheckedSkill(skill.name, skill.directory, (*skill.problems, *more), skill.listing, skill.body)

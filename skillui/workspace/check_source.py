"""One run of the gate over skills that lie in no folder: those of a git revision, or of an archive."""

from __future__ import annotations

import os

from skillui.checks.profiles import Profile
from skillui.checks.report import CheckedSkill, Report
from skillui.checks.run import check_catalog
from skillui.core.catalog import Catalog
from skillui.core.problems import Problem
from skillui.review.memory_registry import MemoryRegistry
from skillui.workspace.check_run import CheckOptions, Outcome
from skillui.workspace.check_skills import checked
from skillui.workspace.check_targets import TargetFault


def check_source(registry: MemoryRegistry, options: CheckOptions) -> Outcome:
    """Check every skill of a source, and the source itself, which counts as one more where it has problems.

    No configuration of a project is heeded: what is looked at may not say what is overlooked. Raises
    `TargetFault` where there is nothing to check.
    """
    choice = (options.profile or Profile.PORTABLE, options.select, options.ignore)
    found: dict[str, CheckedSkill] = {}
    for loaded in registry.load_all():
        skill = checked(loaded, choice)
        found[skill.directory] = skill
    if registry.fault is not None:
        raise TargetFault(registry.fault)
    catalog = registry.catalog or Catalog()
    shared = check_catalog(catalog, *choice)
    skills = [_with(skill, shared.get(location, ())) for location, skill in found.items()]
    if registry.problems:
        skills.insert(0, CheckedSkill(os.path.basename(registry.base), registry.base, registry.problems))
    if not skills:
        raise TargetFault(catalog.warnings[0] if catalog.warnings else "nothing to check")
    return Outcome(Report(tuple(skills), choice[0]), catalog.warnings)


def _with(skill: CheckedSkill, more: tuple[Problem, ...]) -> CheckedSkill:
    return CheckedSkill(skill.name, skill.directory, (*skill.problems, *more), skill.listing, skill.body)

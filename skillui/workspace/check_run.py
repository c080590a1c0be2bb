"""One run of the gate over targets: skills are checked as they are read, the catalog is looked at last."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from skillui.checks.profiles import Profile
from skillui.checks.report import CheckedSkill, Report
from skillui.checks.run import check_catalog
from skillui.core.catalog import AnyEntry, BrokenSkill, Catalog, LoadedSkill
from skillui.core.problems import Problem
from skillui.core.registry import FilesystemSkillRegistry, load_folder
from skillui.workspace.check_config import CheckConfig, find_config
from skillui.workspace.check_skills import Choice, checked, processes_for, shared
from skillui.workspace.check_targets import TargetFault, Targets


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the command line asks; an empty part leaves it to the project's configuration."""

    profile: Profile | None = None
    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    allow_ignore_sec: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """A report, and what is to be said beside it, a line each."""

    report: Report
    warnings: tuple[str, ...] = ()


class _Run:
    """The state of one run: what was found so far, by the folder of each skill."""

    def __init__(self, options: CheckOptions) -> None:
        self.options = options
        self.found: dict[str, CheckedSkill] = {}
        self.warnings: list[str] = []
        self.profile = options.profile or Profile.PORTABLE

    def config_for(self, path: str) -> CheckConfig:
        config = find_config(path, self.options.allow_ignore_sec)
        if config.withheld:
            codes = ", ".join(config.withheld)
            self.warnings.append(f"{config.path} may not ignore {codes} (allowed by --allow-ignore-sec)")
        if self.options.profile is None and config.profile is not None:
            self.profile = config.profile
        return config

    def check(self, loaded: LoadedSkill | BrokenSkill, config: CheckConfig) -> None:
        self._keep(checked(loaded, self._choice(config)), config)

    def check_roots(self, roots: list[str], config: CheckConfig) -> None:
        """Check every skill of some roots, and then what only all of them together show."""
        registry = FilesystemSkillRegistry(roots)
        processes = processes_for(_folders(roots))
        if processes == 1:
            for loaded in registry.load_all():
                self.check(loaded, config)
            catalog = registry.catalog or Catalog()
            found = check_catalog(catalog, *self._choice(config))
        else:
            catalog = registry.scan()
            entries: list[AnyEntry] = [*catalog.skills, *catalog.shadowed, *catalog.broken]
            entries.sort(key=_by_place)
            with shared(registry, entries, self._choice(config), processes) as skills:
                found = check_catalog(catalog, *self._choice(config))
                for skill in skills:
                    self._keep(skill, config)
        self._add(found, config)
        self.warnings += catalog.warnings

    def _keep(self, skill: CheckedSkill, config: CheckConfig) -> None:
        self.found[skill.directory] = replace(skill, problems=config.kept(skill.problems, skill.directory))

    def _add(self, found: dict[str, tuple[Problem, ...]], config: CheckConfig) -> None:
        for location, problems in found.items():
            if (skill := self.found.get(location)) is not None:
                kept = config.kept(problems, location)
                self.found[location] = replace(skill, problems=(*skill.problems, *kept))

    def _choice(self, config: CheckConfig) -> Choice:
        profile = self.options.profile or config.profile or Profile.PORTABLE
        # What a person selects on the command line is looked at, whatever the project ignores.
        select = self.options.select or config.select
        ignored = config.ignore - self.options.select
        return profile, select, self.options.ignore | ignored


def _by_place(entry: AnyEntry) -> tuple[int, str]:
    return entry.root_index, os.path.basename(entry.location)


def _folders(roots: list[str]) -> int:
    """Count the folders that may hold a skill, without a look into them."""
    return sum(len(os.listdir(root)) for root in roots if os.access(root, os.R_OK) and os.path.isdir(root))


def check_targets(targets: Targets, options: CheckOptions) -> Outcome:
    """Check every skill of the targets. Raises `TargetFault` where there is none, `CheckConfigFault`."""
    run = _Run(options)
    run.warnings += (f"{path} lies in no skill and is passed over" for path in targets.skipped)
    for skill in targets.skills:
        if (loaded := load_folder(skill)) is not None:
            run.check(loaded, run.config_for(skill))
    # Roots that share a configuration are one catalog: only together do they show who shadows whom.
    for config, roots in _by_config(targets.roots, run):
        run.check_roots(roots, config)
    if not run.found:
        raise TargetFault("nothing to check: no folder holds a SKILL.md")
    return Outcome(Report(tuple(run.found.values()), run.profile), tuple(dict.fromkeys(run.warnings)))


def _by_config(roots: tuple[str, ...], run: _Run) -> list[tuple[CheckConfig, list[str]]]:
    groups: dict[str, tuple[CheckConfig, list[str]]] = {}
    for root in roots:
        config = run.config_for(root)
        groups.setdefault(config.path, (config, []))[1].append(root)
    return list(groups.values())

"""The gate over a project that is open: single skills and its catalog, by the same configuration as `skillui check`."""

from __future__ import annotations

from collections.abc import Sequence

from skillui.checks.profiles import Profile
from skillui.checks.rule import Breathe, breathless
from skillui.checks.run import check_catalog, check_skill
from skillui.checks.subject import Subject
from skillui.core.catalog import AnyEntry, Catalog
from skillui.core.problems import Problem
from skillui.workspace.check_config import CheckConfig, CheckConfigFault, find_config

_Choice = tuple[Profile, frozenset[str], frozenset[str]]


class ProjectCheck:
    """Checks skills below `roots`, which are in order of precedence. Reads the configurations when it is made.

    A configuration that cannot be used counts as none: all rules run, and `faults` says why.
    """

    def __init__(self, roots: Sequence[str]) -> None:
        self.roots = tuple(roots)
        self.faults: tuple[str, ...] = ()
        self.warnings: tuple[str, ...] = ()
        self.configs: tuple[CheckConfig, ...] = tuple(map(self._config, roots))
        """The configuration of each root."""

    def _config(self, root: str) -> CheckConfig:
        try:
            config = find_config(root)
        except CheckConfigFault as fault:
            if str(fault) not in self.faults:
                self.faults = (*self.faults, str(fault))
            return CheckConfig()
        if config.withheld:
            words = f"{config.path} may not ignore {', '.join(config.withheld)}"
            self.warnings = tuple(dict.fromkeys((*self.warnings, words)))
        return config

    def config_of(self, entry: AnyEntry) -> CheckConfig:
        """Return the configuration of the root that an entry lies in."""
        return self.configs[entry.root_index] if entry.root_index < len(self.configs) else CheckConfig()

    @property
    def profile(self) -> Profile:
        """The profile of the first root that names one."""
        return next((config.profile for config in self.configs if config.profile is not None), Profile.PORTABLE)

    def check(self, subject: Subject, entry: AnyEntry) -> tuple[Problem, ...]:
        """Return the problems of one skill. Never raises."""
        config = self.config_of(entry)
        return config.kept(check_skill(subject, *_choice(config)), entry.location)

    def check_catalog(self, catalog: Catalog, breathe: Breathe = breathless) -> dict[str, tuple[Problem, ...]]:
        """Return the problems that only the whole catalog shows, by `location` of the entry.

        `breathe` is called all along; what it raises is raised, where it is no `Exception`.
        """
        entries: list[AnyEntry] = [*catalog.skills, *catalog.shadowed, *catalog.broken]
        found: dict[_Choice, dict[str, tuple[Problem, ...]]] = {}
        kept: dict[str, tuple[Problem, ...]] = {}
        for choice in {_choice(config) for config in self.configs}:
            found[choice] = check_catalog(catalog, *choice, breathe)
        for entry in entries:
            config = self.config_of(entry)
            problems = found.get(_choice(config), {}).get(entry.location, ())
            if problems and (told := config.kept(problems, entry.location)):
                kept[entry.location] = told
        return kept


def _choice(config: CheckConfig) -> _Choice:
    return config.profile or Profile.PORTABLE, config.select, config.ignore

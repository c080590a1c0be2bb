"""The table of all rules, by code."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from skillui.checks import (
    arguments,
    catalog_rules,
    description,
    encoding,
    resources,
    sec_rules,
    skl_capabilities,
    skl_files,
    skl_frontmatter,
    skl_scripts,
    yaml_values,
)
from skillui.checks.rule import AnyRule, CatalogRule, Family, Rule

SKILL_RULES: Final[tuple[Rule, ...]] = (
    *skl_frontmatter.RULES,
    *skl_files.RULES,
    *skl_scripts.RULES,
    *skl_capabilities.RULES,
    *sec_rules.RULES,
    *arguments.RULES,
    *description.RULES,
    *resources.RULES,
    *encoding.RULES,
    *yaml_values.RULES,
)
"""Rules over one skill, in the order they run."""
CATALOG_RULES: Final[tuple[CatalogRule, ...]] = catalog_rules.RULES
"""Rules over a whole catalog."""
_ALL: Final[tuple[AnyRule, ...]] = (*SKILL_RULES, *CATALOG_RULES)
RULES: Final = MappingProxyType({rule.code: rule for rule in sorted(_ALL, key=lambda rule: rule.code)})
"""Every rule by its code."""


class UnknownRule(LookupError):
    """A name that is neither a rule nor a family; `closest` is the likeliest that was meant."""

    def __init__(self, name: str, closest: str | None) -> None:
        super().__init__(f"unknown rule '{name}'" + (f"; did you mean {closest}?" if closest else ""))
        self.name = name
        self.closest = closest


def rule(code: str) -> AnyRule:
    """Return a rule by its code, whatever its case. Raises `UnknownRule`."""
    found = RULES.get(code.upper())
    if found is None:
        raise _unknown(code)
    return found


def codes_of(names: Iterable[str]) -> frozenset[str]:
    """Return the codes that a list of rules and families means. Raises `UnknownRule`."""
    codes: set[str] = set()
    for name in names:
        wanted = name.strip().upper()
        if wanted in RULES:
            codes.add(wanted)
        elif wanted in Family.__members__:
            codes |= {code for code, found in RULES.items() if found.family == wanted}
        else:
            raise _unknown(name)
    return frozenset(codes)


def _unknown(name: str) -> UnknownRule:
    from rapidfuzz import fuzz, process  # only the error path needs it

    best = process.extractOne(name.upper(), [*RULES, *Family.__members__], scorer=fuzz.ratio, score_cutoff=60)
    return UnknownRule(name, best[0] if best else None)

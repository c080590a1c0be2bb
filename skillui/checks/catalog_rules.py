"""Rules over a whole catalog: DSC-02 and CAT-01."""

from __future__ import annotations

from collections.abc import Iterator

from skillui.checks.rivals import rivals_of
from skillui.checks.rule import Breathe, CatalogRule, Family, Finding, breathless
from skillui.core.catalog import AnyEntry, Catalog
from skillui.core.problems import Severity
from skillui.core.text import clipped

_SHOWN = 3


def check_rivals(catalog: Catalog, breathe: Breathe = breathless) -> Iterator[tuple[AnyEntry, Finding]]:
    """DSC-02: no two skills that a model may choose have nearly the same description."""
    entries = catalog.view("model")
    for index, rivals in rivals_of([entry.description for entry in entries], breathe).items():
        named = ", ".join(f"'{clipped(entries[rival].name)}' ({alike:.0f} %)" for rival, alike in rivals[:_SHOWN])
        more = f" and {len(rivals) - _SHOWN} more" if len(rivals) > _SHOWN else ""
        yield (
            entries[index],
            Finding(
                f"the description is nearly that of {named}{more}: a model cannot tell which to choose",
                hint="say in each what the other is not for, or make them one skill", field="description",
            ),
        )  # fmt: skip


def check_shadows(catalog: Catalog, breathe: Breathe = breathless) -> Iterator[tuple[AnyEntry, Finding]]:
    """CAT-01: every name stands for one skill."""
    winners = catalog.by_name
    for entry in catalog.skills:
        if entry.shadowed:
            count = len(entry.shadowed)
            others = f"another skill of its name: {clipped(entry.shadowed[0], 200)}"
            if count > 1:
                others = f"{count} other skills of its name, the first {clipped(entry.shadowed[0], 200)}"
            yield entry, Finding(f"shadows {others}", hint="rename one of them", severity=Severity.NOTE)
    for entry in catalog.shadowed:
        if entry.name in winners:
            front = clipped(winners[entry.name].dir, 200)
            yield entry, Finding(f"shadowed by {front}: it is never used", hint="rename or remove one of them")
    for broken in catalog.broken:
        winner = winners.get(broken.name)
        if winner is not None and broken.root_index <= winner.root_index:
            yield (
                broken,
                Finding(
                    f"it is broken, and {clipped(winner.dir, 200)} is used in its place", hint="repair or remove it"
                ),
            )
            yield (
                winner,
                Finding(
                    f"stands in for a broken skill of its name: {clipped(broken.dir, 200)}",
                    hint="repair or remove that one",
                ),
            )


RULES: tuple[CatalogRule, ...] = (
    CatalogRule(
        "DSC-02", Family.DSC, Severity.WARNING, "two skills have nearly the same description",
        "A model chooses among skills by their descriptions. Where two say nearly the same, it takes either, or both, "
        "and nobody can foresee which. Say in each what it is for and what it is not for, or make them one skill. "
        "Skills that only people may call are not compared.",
        check_rivals,
    ),
    CatalogRule(
        "CAT-01", Family.CAT, Severity.WARNING, "two skills of one name, or a broken one in front",
        "Of the skills of one name the first root's is used and the others are never seen. A broken skill is passed "
        "over: the next of its name is used in its place, and changes to the broken one have no effect. Rename or "
        "remove one of them.",
        check_shadows,
    ),
)  # fmt: skip

"""The catalog as rows: every skill that was found, what state it is in and why, in name order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from skillui.core import AnyEntry, BrokenSkill, Catalog, ErrorCode, Gate, Severity, SkillEntry
from skillui.core.text import estimated_tokens
from skillui.tui.glyphs import StateName, glyphs
from skillui.tui.model.findings import Summaries, Summary
from skillui.tui.model.root_names import NO_ROOT, RootName, root_names

if TYPE_CHECKING:
    from skillui.core.state import Activation
    from skillui.workspace.project import Root

Judge = Callable[[AnyEntry], Gate]
"""Tells what stands between a call and a skill, such as `SkillSession.judge`."""


@dataclass(frozen=True, slots=True)
class CatalogRow:
    """One folder with a SKILL.md, as the list shows it."""

    key: str
    """Identity: the folder as its root lists it."""
    entry: AnyEntry
    name: str
    root: RootName
    state: StateName
    word: str
    """What the state is, in few letters: `untrusted`, `line 3`, `user only`; `ok` where nothing is to be told."""
    facts: frozenset[str]
    """Everything that is so, in the words of the filter `is:`; the state shows only the gravest."""
    depth: int = 0
    """1 for a shadowed copy, which hangs under its winner."""
    shadows: int = 0
    """Copies that this one shadows."""
    problems: int = 0
    """Errors and warnings; notes are facts and do not count."""
    gravest: Severity | None = None
    codes: frozenset[str] = frozenset()
    """Codes of all problems and notes, in capitals."""
    tokens: int = 0
    """Estimated tokens of the listing, which a model reads at all times; 0 for what is never listed."""
    modified: float = 0.0
    """When SKILL.md changed last, in seconds since the epoch; 0 where that is not known."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What the frame of the list says."""

    total: int = 0
    broken: int = 0
    shadowed: int = 0
    untrusted: int = 0


def count(rows: Sequence[CatalogRow]) -> Counts:
    """Count the rows and the states that a person should know of."""
    facts = [row.facts for row in rows]
    return Counts(len(rows), *(sum(word in found for found in facts) for word in ("broken", "shadowed", "untrusted")))


class _Place(NamedTuple):
    """What decides how an entry's row looks, besides the entry; made and compared for every row of a rebuild."""

    root: RootName
    gate: Gate
    shadowed: bool
    loaded: bool
    stale: bool
    found: Summary | None


class RowBuilder:
    """Builds rows again and again; what did not change since the last time costs next to nothing.

    Meant for one worker at a time; the rows it returns are immutable.
    """

    def __init__(self) -> None:
        self._judge: Judge | None = None
        self._rows: dict[str, tuple[AnyEntry, _Place, CatalogRow]] = {}

    def build(
        self,
        catalog: Catalog,
        roots: Sequence[Root],
        judge: Judge,
        activated: Mapping[str, Activation] | None = None,
        stale: frozenset[str] = frozenset(),
        found: Mapping[str, Summary] | None = None,
    ) -> tuple[CatalogRow, ...]:
        """Return a row for every entry in name order, shadowed copies below their winner.

        Args:
            catalog: What was found.
            roots: The roots in order of precedence.
            judge: Asked once for each entry, and again only when the entry is another one or `judge` is.
            activated: The session's activated set, by name.
            stale: Names of activated skills whose content changed since.
            found: What the gate found, by key; of what it did not look at yet the engine's own problems count.
        """
        names = root_names(roots)
        known = self._rows if judge == self._judge else {}
        self._judge = judge
        made: dict[str, tuple[AnyEntry, _Place, CatalogRow]] = {}

        def row_of(entry: AnyEntry, shadowed: bool) -> CatalogRow:
            key = entry.location
            before = known.get(key)
            # A winner with copies is made anew with every catalog, though nothing changed.
            if before is not None and before[0] is not entry and before[0] != entry:
                before = None
            loaded = activated is not None and entry.name in activated and activated[entry.name].dir == entry.dir
            place = _Place(
                names[entry.root_index] if 0 <= entry.root_index < len(names) else NO_ROOT,
                judge(entry) if before is None else before[1].gate,
                shadowed,
                loaded,
                loaded and entry.name in stale,
                found.get(key) if found else None,
            )
            if before is None or before[1] != place:
                before = (entry, place, _row(entry, place))
            made[key] = before
            return before[2]

        copies: dict[str, list[SkillEntry]] = {}
        for copy in catalog.shadowed:
            copies.setdefault(copy.name, []).append(copy)
        rows: list[CatalogRow] = []
        for entry in _in_name_order(catalog):
            rows.append(row_of(entry, False))
            if isinstance(entry, SkillEntry):
                rows += [row_of(copy, True) for copy in copies.get(entry.name, ())]
        self._rows = made
        return tuple(rows)


def build_rows(
    catalog: Catalog,
    roots: Sequence[Root],
    judge: Judge,
    activated: Mapping[str, Activation] | None = None,
    stale: frozenset[str] = frozenset(),
    found: Mapping[str, Summary] | None = None,
) -> tuple[CatalogRow, ...]:
    """Build the rows once; see `RowBuilder.build`."""
    return RowBuilder().build(catalog, roots, judge, activated, stale, found)


def _in_name_order(catalog: Catalog) -> list[AnyEntry]:
    if not catalog.broken:
        return list(catalog.skills)
    entries: list[AnyEntry] = [*catalog.skills, *catalog.broken]
    return sorted(entries, key=lambda entry: (entry.name, entry.root_index))


def _row(entry: AnyEntry, place: _Place) -> CatalogRow:
    broken = isinstance(entry, BrokenSkill)
    found = _SUMMARIES.of(entry.problems) if place.found is None else place.found
    state, word = _state(entry, place)
    return CatalogRow(
        key=entry.location,
        entry=entry,
        name=entry.name,
        root=place.root,
        state=state,
        word=word,
        facts=_facts(entry, place),
        depth=int(place.shadowed),
        shadows=0 if isinstance(entry, BrokenSkill) else len(entry.shadowed),
        problems=found.errors + found.warnings,
        gravest=found.gravest,
        codes=found.codes,
        tokens=0 if broken or place.shadowed else _listing_tokens(entry),
        modified=entry.modified,
    )


_SUMMARIES: Final = Summaries()


def _listing_tokens(entry: AnyEntry) -> int:
    return estimated_tokens(len(entry.listing)) if isinstance(entry, SkillEntry) else 0


def _state(entry: AnyEntry, place: _Place) -> tuple[StateName, str]:
    """Return the state that matters most, and its word."""
    if isinstance(entry, BrokenSkill):
        return "broken", _reason(entry)
    if place.shadowed:
        return "shadowed", "shadowed"
    if place.stale:
        return "stale", "stale"
    if place.loaded:
        return "loaded", "loaded"
    if place.gate.flags:
        return "sensitive", "sensitive" if "sensitive" in place.gate.flags else "outside"
    if place.gate.reason == "untrusted_project_skill":
        return "untrusted", "untrusted"
    for_model, for_user = entry.offered_to("model"), entry.offered_to("user")
    if not for_model:
        return "disabled", "user only" if for_user else "disabled"
    return "ok", "ok" if for_user else "model only"


_REASONS: Final = {ErrorCode.IO_ERROR: "unreadable"}


def _reason(entry: BrokenSkill) -> str:
    if entry.code is ErrorCode.NAME_MISMATCH:
        return f"{glyphs().unequal} folder"
    if entry.code in _REASONS:
        return _REASONS[entry.code]
    line = entry.meta.get("line")
    return f"line {line}" if isinstance(line, int) else "broken"


_NO_FACTS: Final = frozenset({"valid"})
_SHADOWED: Final = frozenset({"valid", "shadowed"})
_UNTRUSTED: Final = frozenset({"valid", "untrusted"})


def _facts(entry: AnyEntry, place: _Place) -> frozenset[str]:
    broken = isinstance(entry, BrokenSkill)
    untrusted = place.gate.reason == "untrusted_project_skill"
    special = place.loaded or place.stale or place.gate.flags or entry.frontmatter.get("disable-model-invocation")
    if not broken and not special:
        # Nearly every row ends here, and they share three sets.
        if not untrusted:
            return _SHADOWED if place.shadowed else _NO_FACTS
        if not place.shadowed:
            return _UNTRUSTED
    found = {"broken" if broken else "valid", *place.gate.flags}
    found |= {"outside"} if "outside_workspace" in place.gate.flags else set()
    named = {
        # What is broken cannot be loaded, whoever is trusted.
        "untrusted": untrusted and not broken,
        "shadowed": place.shadowed,
        "loaded": place.loaded,
        "stale": place.stale,
        "disabled": isinstance(entry, SkillEntry) and not entry.offered_to("model"),
    }
    return frozenset(found | {word for word, holds in named.items() if holds})

"""The catalog as a table that fits the terminal: one line a skill, what it shadows hung below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skillui.cli.out import Out
from skillui.cli.standing import glyph, root_words, standing_of
from skillui.core import AnyEntry, BrokenSkill, Catalog
from skillui.core.catalog import Audience
from skillui.core.text import estimated_tokens
from skillui.workspace.launch import Launch
from skillui.workspace.width import cells, clip, one_line, pad

_GAP = "  "
_NAME_MIN = 12
_TEXT_MIN = 16


@dataclass(frozen=True, slots=True)
class _Row:
    state: str
    name: str
    root: str
    tokens: str
    text: str


def table_lines(catalog: Catalog, launch: Launch, out: Out, audience: Audience | None = None) -> list[str]:
    """Return the lines of the table, each within the width of a terminal."""
    rows = [
        _row(entry, shadowed, launch, out) for entry, shadowed in _in_order(catalog, audience)
    ]  # every text through the gate before it is measured
    if not rows:
        return []
    state = max(cells(row.state) for row in rows)
    root = max(cells(row.root) for row in rows)
    tokens = max(cells(row.tokens) for row in rows)
    name = max(cells(row.name) for row in rows)
    if out.width is not None:
        fixed = state + root + tokens + 4 * len(_GAP)
        name = max(_NAME_MIN, min(name, out.width - fixed - _TEXT_MIN))
    lines = []
    for row in rows:
        columns = (pad(row.state, state), pad(clip(row.name, name, out.ellipsis), name), pad(row.root, root))
        line = _GAP.join((*columns, " " * (tokens - cells(row.tokens)) + row.tokens, row.text)).rstrip()
        lines.append(line if out.width is None else clip(line, out.width, out.ellipsis))
    return lines


def count_line(catalog: Catalog, launch: Launch, out: Out, audience: Audience | None = None) -> str:
    """Return the figures below the table."""
    offered = catalog.skills if audience is None else catalog.view(audience)
    parts = [f"{len(offered)} skill{'' if len(offered) == 1 else 's'}"]
    if audience is not None:
        parts[0] += f" offered to the {audience}, of {len(catalog.skills)}"
    # A shadowed copy is one more to review: the app counts it too.
    judged = offered if audience is not None else (*offered, *catalog.shadowed)
    untrusted = sum("untrusted" in standing_of(entry, launch.config).states for entry in judged)
    figures = {"untrusted": untrusted}
    if audience is None:
        figures = {"broken": len(catalog.broken), "shadowed": len(catalog.shadowed), **figures}
    parts += [f"{count} {word}" for word, count in figures.items() if count]
    return (", " if out.ascii_only else " · ").join(parts)


def _in_order(catalog: Catalog, audience: Audience | None) -> Iterator[tuple[AnyEntry, bool]]:
    """Yield (entry, whether it is shadowed) by name, winners first."""
    if audience is not None:
        for entry in catalog.view(audience):
            yield entry, False
        return
    ranked: list[tuple[str, int, int, AnyEntry]] = []
    ranked += [(entry.name, 0, 0, entry) for entry in catalog.skills]
    ranked += [(entry.name, 1, number, entry) for number, entry in enumerate(catalog.shadowed)]
    ranked += [(entry.name, 2, number, entry) for number, entry in enumerate(catalog.broken)]
    for _, kind, _, found in sorted(ranked, key=lambda item: item[:3]):
        yield found, kind == 1


def _row(entry: AnyEntry, shadowed: bool, launch: Launch, out: Out) -> _Row:
    standing = standing_of(entry, launch.config, shadowed)
    root = root_words(launch.root_of(entry.root_index), launch)
    state = f"{glyph(standing.states[0], out.ascii_only)} {standing.words}"
    if isinstance(entry, BrokenSkill):
        reason = entry.problems[0].message if entry.problems else entry.message
        return _Row(state, out.shown(entry.name), out.shown(root), "", out.shown(f"{entry.code}: {reason}"))
    tokens = f"~{estimated_tokens(len(entry.listing)):,}"
    text = one_line(entry.description)
    name = ("  " if shadowed else "") + entry.name
    return _Row(state, out.shown(name), out.shown(root), tokens, out.shown(text))

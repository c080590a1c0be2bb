"""What the frame of the catalog says, and the list where it is empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from skillui.tui.glyphs import glyphs
from skillui.tui.safe_text import safe_line

if TYPE_CHECKING:
    from skillui.tui.model.arrange import Sort
    from skillui.tui.model.filters import Query
    from skillui.tui.model.rows import Counts

_MOST_QUOTED = 60


def title(counts: Counts, shown: int | None = None) -> Content:
    """Return the title: how many skills there are, and how many of them a search left."""
    number = f"{counts.total:,}" if shown is None else f"{shown:,} of {counts.total:,}"
    return Content.assemble(("Catalog", "bold"), "  ", (number, "$text-muted" if counts.total == 0 else ""))


def subtitle(counts: Counts, query: Query, sort: Sort, checking: tuple[int, int] | None = None) -> Content:
    """Return what the search could not follow, else the order and the counts of what needs a look."""
    if query.notices:
        return safe_line(query.notices[-1], _MOST_QUOTED, "$state-untrusted")
    states = glyphs().states
    parts = [Content.styled(f"by {sort}", "$primary")] if sort != "name" else []
    for number, word in (
        (counts.broken, "broken"),
        (counts.shadowed, "shadowed"),
        (counts.untrusted, "untrusted"),
    ):
        if number:
            style = states["broken"].style if word == "broken" else "$text-muted"
            parts.append(Content.styled(f"{number:,} {word}", style))
    if checking is not None:
        parts.append(Content.styled(f"checked {checking[0]:,} of {checking[1]:,}", "$text-muted"))
    return Content.styled(f" {glyphs().separator} ", "$text-muted").join(parts)


def nothing_fits(text: str) -> Content:
    """Say that a search found nothing, and the way out."""
    if not text.strip():
        return Content("")
    return Content.assemble(
        "Nothing fits ", safe_line(text.strip(), _MOST_QUOTED, "bold"), ".\n\nescape clears the search."
    )

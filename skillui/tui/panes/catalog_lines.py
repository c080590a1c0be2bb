"""How a row of the catalog looks: aligned cells that give way in a narrow pane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from textual.content import Content

from skillui.core import Severity
from skillui.tui import clock
from skillui.tui.glyphs import glyphs
from skillui.tui.model.arrange import GroupHeader, Item, Sort
from skillui.tui.model.marks import marked
from skillui.tui.model.rows import CatalogRow
from skillui.tui.safe_text import safe, visible
from skillui.tui.widgets.columns import CellText, Column, aligned
from skillui.tui.widgets.severity import sign_of, style_of

if TYPE_CHECKING:
    from skillui.tui.model.filters import Term

MATCH_STYLE: Final = "bold underline $accent"
"""How a letter looks that the search matched."""

_LEAST_NAME, _MOST_ROOT, _MOST_WORD = 14, 12, 12
_MANY: Final = 100
"""Problems from which a row says only that there are many."""
_NARROW: Final = 38
_BARRED: Final = 54
_UNITS: Final = ((31_536_000, "y"), (86_400, "d"), (3_600, "h"), (60, "m"))


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns of one list depend on."""

    root: int = 0
    """Cells of the widest root name; 0 leaves the column out."""
    word: int = 0
    problems: int = 0
    shadows: int = 0
    figure: int = 4
    most_tokens: int = 0

    def columns(self, width: int) -> tuple[Column, ...]:
        """Return the columns for a pane of `width` cells: the bar leaves first, for names, then the root."""
        return (
            Column(1),
            Column(_LEAST_NAME if width >= _NARROW else 1, grow=1),
            Column(self.root, style="$text-muted", drop=2),
            Column(self.word),
            Column(self.problems, drop=1 if width < _NARROW else 0),
            Column(self.shadows if width >= _NARROW else 0, style="$state-shadowed", drop=1),
            Column(self.figure, align="right", style="$text-muted"),
            Column(3 if width >= _BARRED else 0, style="$text-muted", drop=3),
        )


def layout_of(rows: Sequence[CatalogRow]) -> Layout:
    """Measure the columns over all rows, so that they stand still while one scrolls and types."""
    roots = {row.root.shown for row in rows}
    shadows = max((row.shadows for row in rows), default=0)
    words = {row.word for row in rows}
    problems = max((row.problems for row in rows), default=0)
    most = max((row.tokens for row in rows), default=0)
    return Layout(
        root=0 if len(roots) < 2 else min(_MOST_ROOT, max(map(_width, roots))),
        word=min(_MOST_WORD, max(map(_width, words), default=0)),
        problems=_width(_problems(problems, Severity.ERROR)) if problems else 0,
        shadows=_width(_shadows(shadows)) if shadows else 0,
        figure=max(4, _width(tokens(most))),
        most_tokens=most,
    )


class CatalogLines:
    """Draws lines for the list; holds what they have in common."""

    def __init__(self, now: Callable[[], float] | None = None) -> None:
        self.layout = Layout()
        self.terms: tuple[Term, ...] = ()
        self.sort: Sort = "name"
        self._now = now or clock.now

    def draw(self, item: Item, before: Item | None, width: int) -> Content:
        """Draw an item; `before` is the one above it."""
        if isinstance(item, GroupHeader):
            return _header(item, width)
        hangs = item.depth > 0 and isinstance(before, CatalogRow) and before.name == item.name and _is_copy(before)
        sign = glyphs().states[item.state]
        cells: list[CellText] = [
            ("", "") if hangs else ("!" if item.word == "outside" else sign.glyph, sign.style),
            self._name(item, hangs, width),
            tail_of(item.root.shown, self.layout.root),
            _word(item),
            (_problems(item.problems, item.gravest), style_of(item.gravest)) if item.gravest is not None else "",
            _shadows(item.shadows) if item.shadows else "",
            self._figure(item),
            glyphs().bar(item.tokens, self.layout.most_tokens) if self.sort != "changed" else "",
        ]
        return _joined(cells, self.layout.columns(width), width)

    def _name(self, row: CatalogRow, hangs: bool, width: int) -> Content:
        style = "$text-muted" if row.depth else ""
        # Far more than fits is never looked at, nor is a letter marked there.
        name = row.name[: 4 * width]
        content = _with_marks(name, marked(name, self.terms) if self.terms else (), style)
        return Content.styled(f"{glyphs().branch} ", "$state-shadowed") + content if hangs else content

    def _figure(self, row: CatalogRow) -> str:
        if self.sort == "changed":
            return age(self._now() - row.modified) if row.modified else ""
        return tokens(row.tokens) if row.tokens else ""


def tail_of(text: str, room: int) -> str:
    """Cut a root's name at its front: folders of one place differ at their ends."""
    return text if len(text) <= room else glyphs().ellipsis + text[len(text) - max(0, room - 1) :]


def _joined(cells: list[CellText], columns: tuple[Column, ...], width: int) -> Content:
    shown = [(cell, column) for cell, column in zip(cells, columns, strict=True) if column.width]
    return aligned([cell for cell, _ in shown], tuple(column for _, column in shown), width)


def _is_copy(row: CatalogRow) -> bool:
    return row.depth > 0 or row.shadows > 0


def _header(header: GroupHeader, width: int) -> Content:
    title = safe(header.title, "bold $primary")
    if header.source != header.title:
        title += Content.styled("  ") + safe(header.source, "$text-muted")
    count = Content.styled(str(header.count), "$text-muted")
    room = width - count.cell_length - 1
    if room < 1:
        return title.truncate(width, ellipsis=True)
    return title.truncate(room, ellipsis=True).pad_right(max(0, room - title.cell_length)) + Content(" ") + count


def _with_marks(name: str, places: Sequence[int], style: str) -> Content:
    if not places:
        return safe(name, style)
    parts: list[Content] = []
    at = 0
    for place in places:
        if place > at:
            parts.append(safe(name[at:place], style))
        parts.append(safe(name[place], MATCH_STYLE))
        at = place + 1
    parts.append(safe(name[at:], style))
    return Content.assemble(*parts)


def _width(text: str) -> int:
    return cell_len(visible(text))


def _word(row: CatalogRow) -> tuple[str, str]:
    return row.word, "$text-muted" if row.word == "ok" else glyphs().states[row.state].style


def _problems(count: int, gravest: Severity) -> str:
    return f"{sign_of(gravest)}{count if count < _MANY else f'{_MANY - 1}+'}"


def _shadows(count: int) -> str:
    return f"{glyphs().opened}{count}"


def tokens(count: int) -> str:
    """Write an estimate in five cells at most: `~48`, `~1.2k`, `~12k`."""
    if count < 1_000:
        return f"~{count}"
    thousands = count / 1_000
    return f"~{thousands:.1f}k" if thousands < 9.95 else f"~{thousands:.0f}k"


def age(seconds: float) -> str:
    """Write how long ago something was, in the largest unit that fits: `5m`, `3h`, `12d`, `2y`."""
    return next((f"{int(seconds // size)}{unit}" for size, unit in _UNITS if seconds >= size), "now")

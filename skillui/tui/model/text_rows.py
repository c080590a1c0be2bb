"""Text of any length as rows of a virtual list: folded to a width, each row drawn when it is seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from skillui.tui.safe_text import safe, visible

# The longest stand-in for one character, `<U+10FFFF>`: shorter lines need no measuring.
_WIDEST = 10


@dataclass(frozen=True, slots=True)
class TextRow:
    """One row: raw text that fits the width as it is, or content that was folded to it."""

    text: str | Content
    number: int | None = None
    """Line number, 1-based; None for the rest of a folded line and for what has no numbers."""

    def content(self, gutter: int = 0) -> Content:
        """Return the row through the gate, behind a gutter of `gutter` cells."""
        shown = self.text if isinstance(self.text, Content) else safe(self.text, tabs="    ")
        if not gutter:
            return shown
        number = "" if self.number is None else str(self.number)
        return Content.assemble((number.rjust(gutter - 2) + "  ", "$text-muted"), shown)


def text_rows(text: str, width: int, *, numbered: bool = False) -> Iterator[TextRow]:
    """Yield the rows of a text, exactly as it is: folded at the last cell, never between words."""
    for number, line in enumerate(text.split("\n"), 1):
        shown_number = number if numbered else None
        if len(line) * _WIDEST <= width or _fits(line, width):
            yield TextRow(line, shown_number)
            continue
        for index, part in enumerate(safe(line, tabs="    ").fold(width)):
            yield TextRow(part, shown_number if index == 0 else None)


def _fits(line: str, width: int) -> bool:
    return len(line) <= width * 8 and cell_len(visible(line, tabs="    ")) <= width


def gutter_of(text: str) -> int:
    """Return the cells that the line numbers of a text need, with the space behind them."""
    return max(3, len(str(text.count("\n") + 1))) + 2


def fact_rows(label: str, value: str | Content, width: int, label_width: int = 12, style: str = "") -> list[TextRow]:
    """Return a labelled value, folded beside its label where it is long."""
    content = value if isinstance(value, Content) else safe(value, style, newlines=True, tabs="    ")
    room = max(8, width - label_width)
    lines = [part for line in content.split("\n", allow_blank=True) for part in line.wrap(room)] or [Content("")]
    return [
        TextRow(Content.assemble(((label if index == 0 else "").ljust(label_width), "$text-muted"), line))
        for index, line in enumerate(lines)
    ]


def words_rows(text: str | Content, width: int, style: str = "") -> list[TextRow]:
    """Return a sentence, wrapped between words."""
    content = text if isinstance(text, Content) else safe(text, style, newlines=True, tabs=" ")
    return [TextRow(line) for line in content.wrap(max(8, width))]


def heading(text: str) -> TextRow:
    """Return a heading of a part."""
    return TextRow(Content.styled(text, "bold $accent"))


BLANK = TextRow("")
"""An empty row."""

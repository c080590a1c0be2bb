"""Cells of a row in aligned columns, measured in terminal cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from textual.content import Content

from skillui.tui.safe_text import safe_line

CellText = str | Content | tuple[str, str]
"""A cell: any text, text with a style, or content that already went through `safe`."""


@dataclass(frozen=True, slots=True)
class Column:
    """How wide a column is and what gives way when there is no room."""

    width: int = 0
    """Cells; for a growing column the least it is shown with."""
    grow: int = 0
    """Share of the room that is left over; 0 keeps the column at its width."""
    align: Literal["left", "right"] = "left"
    style: str = ""
    """Style of a cell that brings none of its own."""
    drop: int = 0
    """Columns with the highest number leave first in a narrow pane; 0 never leaves."""


@lru_cache(maxsize=256)
def column_widths(columns: tuple[Column, ...], width: int, gap: int = 1) -> tuple[int, ...]:
    """Divide `width` cells among the columns; a column that has no room gets 0 and no gap."""
    shown = [True] * len(columns)

    def needed() -> int:
        kept = [column.width for column, keep in zip(columns, shown, strict=True) if keep]
        return sum(kept) + gap * max(0, len(kept) - 1)

    for index in sorted(range(len(columns)), key=lambda i: (-columns[i].drop, -i)):
        if needed() <= width or columns[index].drop == 0:
            break
        shown[index] = False
    spare = max(0, width - needed())
    shares = sum(column.grow for column, keep in zip(columns, shown, strict=True) if keep)
    widths = []
    for column, keep in zip(columns, shown, strict=True):
        extra = 0
        if keep and column.grow:
            # Dividing what is left by the shares that are left spends the last cell too.
            extra = spare * column.grow // shares
            spare -= extra
            shares -= column.grow
        widths.append(column.width + extra if keep else 0)
    return tuple(widths)


def aligned(cells: Sequence[CellText], columns: tuple[Column, ...], width: int, gap: int = 1) -> Content:
    """Lay `cells` out as one line of content; text is cut with an ellipsis, never wrapped."""
    parts: list[Content | str] = []
    for cell, column, cell_width in zip(cells, columns, column_widths(columns, width, gap), strict=True):
        if not cell_width:
            continue
        if parts:
            parts.append(" " * gap)
        parts.append(_fitted(cell, column, cell_width))
    return Content.assemble(*parts)


def _fitted(cell: CellText, column: Column, width: int) -> Content:
    if isinstance(cell, Content):
        content = cell.truncate(width, ellipsis=True)
        if column.style:
            content = content.stylize_before(column.style)
    else:
        text, style = cell if isinstance(cell, tuple) else (cell, column.style)
        content = safe_line(text, width, style)
    padding = width - content.cell_length
    return content.pad_left(padding) if column.align == "right" else content.pad_right(padding)

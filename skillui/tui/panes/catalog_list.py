"""The list of the catalog: a virtual list whose cursor passes over the headers of groups."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from skillui.tui.model.arrange import GroupHeader, Item
from skillui.tui.widgets.line_list import LineList, RowState

if TYPE_CHECKING:
    from skillui.tui.panes.catalog_lines import CatalogLines


class CatalogList(LineList[Item]):
    """Shows rows and headers; only rows can be highlighted."""

    DEFAULT_CSS = """
    CatalogList { height: 1fr; }
    """

    def __init__(self, lines: CatalogLines) -> None:
        super().__init__(self._draw)
        self._lines = lines

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        before = self.rows[index - 1] if index else None
        return self._lines.draw(self.rows[index], before, width)

    def set_rows(self, rows: Sequence[Item], keep: Callable[[Item], Hashable] | None = None) -> None:
        """Show other rows, see `LineList.set_rows`; a cursor that would be on a header goes to the row below."""
        super().set_rows(rows, keep)
        if isinstance(self.current, GroupHeader) and self.cursor is not None:
            self.move_to(self.cursor + 1)
        self._show_first_header()

    def move_to(self, index: int) -> None:
        """Put the cursor on a row, or past a header in the direction it was going."""
        if not self.rows:
            return
        target = max(0, min(index, len(self.rows) - 1))
        step = -1 if target < (self.cursor or 0) else 1
        if isinstance(self.rows[target], GroupHeader):
            target += step
            if target < 0:
                target = 1
        super().move_to(target)
        self._show_first_header()

    def _show_first_header(self) -> None:
        if self.cursor == 1 and isinstance(self.rows[0], GroupHeader):
            self.scroll_to(y=0, animate=False)

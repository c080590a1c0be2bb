"""Rows of text to read: keys scroll, nothing is highlighted, only what is in view is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.content import Content

from skillui.tui.model.text_rows import TextRow
from skillui.tui.widgets.line_list import LineList, RowState


class TextList(LineList[TextRow]):
    """A virtual list that reads like a page."""

    DEFAULT_CSS = """
    TextList {
        scrollbar-gutter: stable;
        & > .line-list--cursor { background: transparent; }
        & > .line-list--hover { background: transparent; }
        &:focus > .line-list--cursor { background: transparent; color: $foreground; text-style: none; }
    }
    """

    def __init__(self, *, id: str | None = None, fold: Callable[[], None] | None = None) -> None:
        """Make an empty one; `fold` is called where the rows were made for another width."""
        super().__init__(self._draw, id=id)
        self._gutter = 0
        self._fold = fold
        self._made_for = 0

    def show(self, rows: Sequence[TextRow], gutter: int = 0, *, keep_place: bool = False) -> None:
        """Show other rows, from the top or from where the reader is."""
        top = self.scroll_offset.y
        self._gutter = gutter
        self._made_for = self.scrollable_content_region.width
        self.set_rows(rows)
        if keep_place:
            self.scroll_to(y=top, animate=False)

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        return self.rows[index].content(self._gutter)

    def _move(self, by: int) -> None:
        self.scroll_to(y=self.scroll_offset.y + by, animate=False)

    def action_first(self) -> None:
        """To the first row."""
        self.scroll_home(animate=False)

    def action_last(self) -> None:
        """To the last row."""
        self.scroll_end(animate=False)

    def action_select_cursor(self) -> None:
        """There is nothing to choose in a text."""

    def on_resize(self) -> None:
        """Stay where the reader is."""
        if self._fold is not None and not self._fits():
            self._fold()

    def _fits(self) -> bool:
        return self._fold is None or self._made_for == self.scrollable_content_region.width

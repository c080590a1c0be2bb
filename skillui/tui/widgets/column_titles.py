"""The titles above the columns of a list."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from skillui.tui.widgets.columns import Column, aligned


class ColumnTitles(Widget):
    """One quiet line that divides its width as the rows below it do."""

    DEFAULT_CSS = """
    ColumnTitles { height: 1; color: $text-muted; }
    """

    def __init__(self, titles: Sequence[str], columns: tuple[Column, ...], *, id: str | None = None) -> None:
        """Take a title for each column."""
        super().__init__(id=id)
        self._titles = titles
        self._columns = columns

    def render(self) -> Content:
        """Draw the titles."""
        return aligned(tuple((title, "") for title in self._titles), self._columns, self.content_size.width)

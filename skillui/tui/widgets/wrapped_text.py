"""A text of any length, wrapped, on the virtual list."""

from __future__ import annotations

from dataclasses import dataclass

from textual import work
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from skillui.tui.glyphs import glyphs
from skillui.tui.model.marked_text import MarkedText, Row, lay_out, row_at
from skillui.tui.safe_text import safe
from skillui.tui.widgets.line_list import LineList, RowState

_AT_ONCE = 32_768
"""Plain characters that are wrapped without a thread: less than a frame's time."""
_AT_ONCE_OTHER = 4_096


class WrappedText(LineList[Row]):
    """Shows a `MarkedText`; rows that continue a line are marked in a narrow margin."""

    DEFAULT_CSS = """
    WrappedText {
        background: $surface;
        & > .line-list--cursor { background: $surface; }
        & > .line-list--hover { background: $surface; }
        &:focus > .line-list--cursor { background: $block-cursor-background; color: $foreground; text-style: none; }
    }
    """

    @dataclass
    class LaidOut(Message):
        """Rows were computed in the background."""

        view: WrappedText
        rows: list[Row]
        marked: MarkedText
        generation: int

        @property
        def control(self) -> WrappedText:
            """The view they are for."""
            return self.view

    def __init__(self, *, empty: str | Content = "", id: str | None = None, classes: str | None = None) -> None:
        super().__init__(self._draw_row, empty=empty, id=id, classes=classes)
        self.wanted = MarkedText("")
        """The text to show; `shown` is the one whose rows are drawn."""
        self.shown = MarkedText("")
        self._generation = 0
        self._width = 0
        self._keep = False
        self._reveal: int | None = None
        self._bring: int | None = None

    def show(self, marked: MarkedText, *, keep: bool = False) -> None:
        """Show another text; `keep` stays at the line that is in view."""
        self.wanted = marked
        self._keep = keep
        self._lay_out()

    def reveal(self, position: int) -> None:
        """Put the cursor on the row of a character."""
        if self.shown is self.wanted and self.rows:
            self.move_to(row_at(self.rows, position))
        else:
            self._reveal = position

    def bring(self, position: int) -> None:
        """Scroll so that a character of the wanted text can be seen; nothing moves where it can already."""
        self._bring = position
        if self.shown is self.wanted:
            self._bring_now()

    def _bring_now(self) -> None:
        if self._bring is None:
            return
        row, self._bring = row_at(self.rows, self._bring), None
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if not top <= row < top + height:
            self.scroll_to(y=max(0, row - 3), animate=False)

    def on_resize(self) -> None:
        """Wrap anew for another width; the text at the top stays at the top."""
        if not self._fits():
            self._keep = True
            self._lay_out()

    def _fits(self) -> bool:
        return self._text_width == self._width

    @property
    def _text_width(self) -> int:
        # The margin and the scroll bar, which is counted whether it shows or not: wrapping must not depend on it.
        return max(1, self.size.width - 2)

    def _lay_out(self) -> None:
        self._generation += 1
        self._width = self._text_width if self.size.width else 0
        if not self._width:  # out of sight: laid out when it comes back, even at the width it had
            return
        text = self.wanted
        if len(text.text) <= (_AT_ONCE if text.plain else _AT_ONCE_OTHER):
            self._take(text, lay_out(text, self._width) or [])
        else:
            self._lay_out_long(text, self._width, self._generation)

    @work(thread=True, exclusive=True, group="wrap", exit_on_error=False, description="wrapping a long text")
    def _lay_out_long(self, text: MarkedText, width: int, generation: int) -> None:
        worker = get_current_worker()
        rows = lay_out(text, width, lambda: worker.is_cancelled)
        if rows is not None and not worker.is_cancelled:
            self.post_message(self.LaidOut(self, rows, text, generation))

    def on_wrapped_text_laid_out(self, event: LaidOut) -> None:
        """Take rows from the background, unless others are wanted by now."""
        event.stop()
        if event.generation == self._generation:
            self._take(event.marked, event.rows)

    def _take(self, text: MarkedText, rows: list[Row]) -> None:
        old, cursor, top = self.rows, self.cursor, self.scroll_offset.y
        rewrapped = self.shown is text
        self.shown = text
        self.set_rows(rows if text.text else [])
        if self._keep and old and cursor is not None and rows:
            if rewrapped:
                cursor, top = row_at(rows, old[cursor][0]), row_at(rows, old[min(top, len(old) - 1)][0])
            self.cursor = cursor
            self.scroll_to(y=min(top, max(0, len(rows) - 1)), animate=False)
        self._keep = True
        if self._reveal is not None:
            position, self._reveal = self._reveal, None
            self.move_to(row_at(rows, position))
        # The scroll above is done after the next refresh.
        self.call_after_refresh(self._bring_now)

    def _draw_row(self, index: int, width: int, state: RowState) -> Content:
        row = self.rows[index]
        text = self.shown.text
        goes_on = row[0] > 0 and text[row[0] - 1] != "\n"
        margin = safe(glyphs().branch, "$text-disabled") if goes_on else Content(" ")
        return Content.assemble(margin, self.shown.draw(row))

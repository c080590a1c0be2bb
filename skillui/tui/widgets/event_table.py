"""The calls of a session as a table, the newest at its foot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from skillui.core import CallRecord
from skillui.tui.glyphs import glyphs
from skillui.tui.model.session_rows import EVENT_COLUMNS, EVENT_HEADER, MUTED, event_cells
from skillui.tui.safe_text import safe
from skillui.tui.widgets.columns import aligned
from skillui.tui.widgets.line_list import LineList, RowState

_GAP = 2


class EventTable(Vertical):
    """A header and a virtual list of calls; follows the newest until the cursor is taken elsewhere."""

    DEFAULT_CSS = """
    EventTable {
        border: round $border-blurred;
        border-title-color: $foreground;
        border-subtitle-color: $text-muted;
        padding: 0 1;
        & > #event-header { height: 1; color: $text-muted; }
        & > LineList { height: 1fr; scrollbar-gutter: stable; }
        & > #no-events { display: none; height: auto; margin: 1 2; color: $text-muted; }
        &.-empty > #no-events { display: block; }
        &.-empty > #event-header { display: none; }
        &:focus-within { border: round $border; border-title-color: $accent; }
    }
    """

    @dataclass
    class EventHighlighted(Message):
        """The cursor came to another call; None where there is none."""

        record: CallRecord | None

    @dataclass
    class EventOpened(Message):
        """The person chose a call."""

        record: CallRecord

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.list = LineList[CallRecord](self._draw, id="events")
        self.following = True
        """Whether the cursor goes to each new call."""
        self._source: str | None = None
        self._title = ""

    def compose(self) -> ComposeResult:
        """Lay out header, list and what is said where there is nothing."""
        yield Static(id="event-header")
        yield Static(self._nothing(), id="no-events")
        yield self.list

    @property
    def current(self) -> CallRecord | None:
        """The call under the cursor."""
        return self.list.current

    def set_records(self, records: Sequence[CallRecord], source: str, title: str) -> None:
        """Show the calls of a session; `source` is its key, `title` what a person calls it."""
        same = source == self._source
        self._source, self._title = source, title
        if not same:
            self.following = True
        self.set_class(not records, "-empty")
        # The list of a living session grows; the virtual list needs one that stands still.
        self.list.set_rows(list(records), keep=(lambda record: record.event.seq) if same else None)
        if self.following and records:
            self.list.move_to(len(records) - 1)
        self._draw_frame()
        if not records:
            self.post_message(self.EventHighlighted(None))

    def go_to(self, number: int) -> None:
        """Put the cursor on the call with this number."""
        for index, record in enumerate(self.list.rows):
            if record.event.seq == number:
                self.list.move_to(index)

    def toggle_follow(self) -> None:
        """Follow the newest call, or stay."""
        self.following = not self.following
        if self.following and self.list.rows:
            self.list.move_to(len(self.list.rows) - 1)
        self._draw_frame()

    @on(LineList.Highlighted)
    def _highlighted(self, message: LineList.Highlighted) -> None:
        message.stop()
        # Rows may have come since the message was sent: what counts is where the cursor is now.
        if self.following and self.list.cursor != len(self.list.rows) - 1:
            self.following = False
            self._draw_frame()
        self.post_message(self.EventHighlighted(self.list.current))

    @on(LineList.Selected)
    def _selected(self, message: LineList.Selected) -> None:
        message.stop()
        if self.list.current is not None:
            self.post_message(self.EventOpened(self.list.current))

    def on_mount(self) -> None:
        """Begin with what stands around the calls."""
        self._draw_frame()

    def on_resize(self) -> None:
        """Align the header with the columns that have room now."""
        self.call_after_refresh(self._draw_header)

    def _draw_header(self) -> None:
        width = self.list.scrollable_content_region.width
        titles = [(title, MUTED) for title in EVENT_HEADER]
        self.query_one("#event-header", Static).update(aligned(titles, EVENT_COLUMNS, width, _GAP))

    def _draw_frame(self) -> None:
        count = len(self.list.rows)
        events = "no events yet" if not count else f"{count:,} event{'' if count == 1 else 's'}"
        self.border_title = Content.assemble(safe(self._title), f" {glyphs().separator} {events}")
        sign = glyphs().more_below
        self.border_subtitle = Content(f"{sign} following" if self.following and count else "")
        self._draw_header()

    @staticmethod
    def _nothing() -> Content:
        return Content.assemble(
            "Each activation will stand here: who asked, what came of it, what you decided.\n\n",
            ("a", "bold $accent"),
            " in Browse activates the selected skill as the model would.",
        )

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        return aligned(event_cells(self.list.rows[index]), EVENT_COLUMNS, width, _GAP)

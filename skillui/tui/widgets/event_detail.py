"""One call of a session in parts: the call, the exact output, the decision, the content on disk."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from skillui.core import CallRecord
from skillui.tui.model.event_facts import (
    PARTS,
    DiskState,
    call_rows,
    content_rows,
    decision_rows,
    disk_sign,
    output_rows,
)
from skillui.tui.model.session_rows import MUTED, call_content, outcome_of
from skillui.tui.widgets.line_list import LineList
from skillui.tui.widgets.tab_bar import TabBar, TabSelected
from skillui.tui.widgets.text_list import TextList

_READING = DiskState("reading")
_LONGEST_CALL = 40


class EventDetail(Vertical):
    """Shows one call; which part is shown stays from call to call."""

    DEFAULT_CSS = """
    EventDetail {
        border: round $border-blurred;
        border-title-color: $foreground;
        border-subtitle-color: $text-muted;
        padding: 0 1;
        & > TextList { height: 1fr; margin-top: 1; }
        &.-empty > TabBar { visibility: hidden; }
        &:focus-within { border: round $border; border-title-color: $accent; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.bar = TabBar(PARTS)
        self.text = TextList(id="event-text", fold=self._fold)
        self.record: CallRecord | None = None
        self.disk = _READING

    def compose(self) -> ComposeResult:
        """Lay out the bar and the text."""
        yield self.bar
        yield self.text

    def show(self, record: CallRecord | None) -> None:
        """Show another call, or none."""
        same = record is not None and record is self.record
        self.record = record
        if not same:
            self.disk = _READING
        self.set_class(record is None, "-empty")
        self._draw_frame()
        self._draw(keep_place=same)

    def show_disk(self, state: DiskState) -> None:
        """Say how the content of the call compares with what is on disk now."""
        self.disk = state
        self._draw_frame()
        if self.bar.active == "content":
            self._draw(keep_place=True)

    def open_part(self, part: str) -> None:
        """Show a part: `call`, `output`, `decision` or `content`."""
        self.bar.active = part
        self._draw()

    @on(TabSelected)
    def _part_chosen(self, message: TabSelected) -> None:
        message.stop()
        self._draw()

    @on(LineList.Highlighted)
    def _keep_to_itself(self, message: LineList.Highlighted) -> None:
        message.stop()

    def _fold(self) -> None:
        self._draw(keep_place=True)

    def _draw(self, keep_place: bool = False) -> None:
        width = self.text.scrollable_content_region.width
        record = self.record
        if record is None or width <= 0:
            self.text.show([])
        elif self.bar.active == "output":
            self.text.show(*output_rows(record, width), keep_place=keep_place)
        elif self.bar.active == "decision":
            self.text.show(decision_rows(record, width), keep_place=keep_place)
        elif self.bar.active == "content":
            self.text.show(content_rows(record, self.disk, width), keep_place=keep_place)
        else:
            self.text.show(call_rows(record, width), keep_place=keep_place)

    def _draw_frame(self) -> None:
        record = self.record
        if record is None:
            self.border_title = self.border_subtitle = Content("")
            return
        call, came = call_content(record, _LONGEST_CALL), outcome_of(record)
        number = (f"#{record.event.seq}  ", MUTED)
        self.border_title = Content.assemble(number, call, "  ", (f"{came.glyph} {came.word}", came.style))
        glyph, word, style = disk_sign(self.disk)
        self.border_subtitle = Content.assemble(("on disk ", MUTED), (f"{glyph} {word}", style))
        self.bar.set_badge("content", Content.styled(glyph, style))

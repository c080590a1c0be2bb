"""The foot of Browse: the last calls of the session, on one line where the terminal is small."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.geometry import Size

from skillui.core import CallRecord, Ok
from skillui.tui.glyphs import glyphs
from skillui.tui.messages import ModeRequested
from skillui.tui.model.session_rows import (
    MUTED,
    STRIP_COLUMNS,
    call_content,
    outcome_of,
    strip_cells,
    who,
)
from skillui.tui.widgets.columns import aligned, column_widths
from skillui.tui.widgets.line_list import LineList, RowState

SHOWN = 3
"""Calls that the strip shows."""
ROOMY = 30
"""Lines a terminal has when the strip may take more than one of them."""
_GAP = 2
_LONGEST_CALL = 34


class SessionStrip(LineList[CallRecord]):
    """The newest calls, newest last; a click or Enter on one asks for Session mode at this call."""

    DEFAULT_CSS = """
    SessionStrip {
        height: auto;
        max-height: 5;
        border: round $border-blurred;
        border-title-color: $text-muted;
        padding: 0 1;
        & > .line-list--cursor { background: transparent; }
        &:focus { border: round $border; border-title-color: $accent; }
        &.-folded { height: 1; border: none; padding: 0 1; background: $surface; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(self._draw, id=id)
        self.number = 1
        self.total = 0
        self._records: tuple[CallRecord, ...] = ()
        self._skill = True
        self.border_title = self._title()

    @property
    def folded(self) -> bool:
        """Whether there is but one line."""
        return self.has_class("-folded")

    def set_records(self, records: Sequence[CallRecord], session_number: int) -> None:
        """Show the newest of a session's calls."""
        self.number, self.total = session_number, len(records)
        self.border_title = self._title()
        self._records = tuple(records[-SHOWN:])
        self._lay_out()

    def set_skill(self, there: bool) -> None:
        """Say whether there is a skill that could be activated."""
        if there != self._skill:
            self._skill = there
            self.set_empty(self._nothing())

    def on_mount(self) -> None:
        """Follow the size of the terminal: it is its height that decides."""
        self.screen.screen_layout_refresh_signal.subscribe(self, lambda _: self._fold(), immediate=True)
        self.set_empty(self._nothing())
        self._fold()

    def _fold(self) -> None:
        folded = self.app.size.height < ROOMY
        if folded != self.folded:
            self.set_class(folded, "-folded")
            self._lay_out()

    def _lay_out(self) -> None:
        # A folded strip is one row, whatever is on it.
        rows = self._records[-1:] if self.folded else self._records
        self.set_rows(rows, keep=lambda record: record.event.seq)
        self.move_to(len(rows) - 1)
        self.set_empty(self._nothing())
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Take a line a call, one for the word that there is none."""
        return max(1, len(self.rows))

    def _title(self) -> Content:
        return Content.assemble(f"Session {self.number} ", (f"{glyphs().separator} {self._events()}", MUTED))

    def _events(self) -> str:
        return "no events yet" if not self.total else f"{self.total:,} event{'' if self.total == 1 else 's'}"

    def _nothing(self) -> Content:
        lead = f"session {self.number} {glyphs().separator} no events yet   " if self.folded else ""
        if not self._skill:
            return Content.styled(f"{lead}what is activated shows here", MUTED)
        how = " activates the selected skill as the model would"
        return Content.assemble((lead, MUTED), ("a", "bold $accent"), (how, MUTED))

    # Drawing

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        if self.folded:
            return self._folded_line(width)
        call_width = min(_LONGEST_CALL, column_widths(STRIP_COLUMNS, width, _GAP)[3])
        return aligned(strip_cells(self.rows[index], call_width), STRIP_COLUMNS, width, _GAP)

    def _folded_line(self, width: int) -> Content:
        lead = Content.assemble((f"session {self.number} {glyphs().separator} {self._events()}", MUTED))
        sign = Content.styled(f" {glyphs().more_above}", MUTED)
        room = width - lead.cell_length - sign.cell_length
        newest: list[Content] = []
        for record in reversed(self._records):
            short = self._short(record, _LONGEST_CALL)
            if (over := short.cell_length + 3 - room) > 0:
                if newest:
                    break
                # The newest call is always there, with as much of its name as there is room for.
                short = self._short(record, max(len("skill(x…)"), _LONGEST_CALL - over))
            newest.insert(0, short)
            room -= short.cell_length + 3
        line = Content("   ").join([lead, *newest]).truncate(width - sign.cell_length, ellipsis=True)
        return Content.assemble(line, " " * (width - sign.cell_length - line.cell_length), sign)

    @staticmethod
    def _short(record: CallRecord, width: int) -> Content:
        came = outcome_of(record)
        tail = f" {record.result.bytes:,} B" if isinstance(record.result, Ok) else ""
        head = f"t{record.event.turn} {who(record.event)} "
        call = call_content(record, width)
        return Content.assemble((head, MUTED), call, f" {glyphs().arrow} ", (came.word, came.style), (tail, MUTED))

    # Choosing

    def on_line_list_highlighted(self, message: LineList.Highlighted) -> None:
        """Keep to itself what no list of the screen above should hear."""
        message.stop()

    def on_line_list_selected(self, message: LineList.Selected) -> None:
        """Enter on a call asks for Session mode."""
        message.stop()
        if message.index < len(self.rows):
            self.post_message(ModeRequested("session", self.rows[message.index].event.seq))

    def on_click(self, event: events.Click) -> None:
        """One click on a call asks for Session mode."""
        event.prevent_default()
        event.stop()
        index = self._row_at(event)
        if index is not None:
            self.move_to(index)
            self.action_select_cursor()

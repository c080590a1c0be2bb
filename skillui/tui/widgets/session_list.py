"""The sessions there are, the current one first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.message import Message

from skillui.tui.glyphs import glyphs
from skillui.tui.model.session_log import ShownSession
from skillui.tui.model.session_rows import MUTED
from skillui.tui.widgets.columns import Column, aligned
from skillui.tui.widgets.line_list import LineList, RowState

_COLUMNS = (Column(1), Column(9, grow=1), Column(5, style=MUTED, drop=1), Column(4, align="right"))


class SessionList(LineList[ShownSession]):
    """One session a row: whether calls go to it, its name, when it began, how many calls it has."""

    DEFAULT_CSS = """
    SessionList {
        border: round $border-blurred;
        border-title-color: $foreground;
        padding: 0 1;
        &:focus { border: round $border; border-title-color: $accent; }
    }
    """

    @dataclass
    class SessionHighlighted(Message):
        """The cursor came to another session."""

        session: ShownSession

    @dataclass
    class SessionOpened(Message):
        """The person chose a session."""

        session: ShownSession

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(self._draw, empty="no session yet", id=id)
        self._current: str | None = None
        self.border_title = Content("Sessions")

    def set_sessions(self, sessions: Sequence[ShownSession], current: str | None) -> None:
        """Show these sessions; `current` is the key of the one that calls go to."""
        begun = current != self._current
        self._current = current
        self.set_rows(sessions, keep=lambda session: session.key)
        if begun:
            self.go_to(current)
        self.border_title = Content(f"Sessions {len(sessions)}")

    def go_to(self, key: str | None) -> None:
        """Put the cursor on a session."""
        for index, session in enumerate(self.rows):
            if session.key == key:
                self.move_to(index)

    def on_line_list_highlighted(self, message: LineList.Highlighted) -> None:
        """Say it in words of its own."""
        message.stop()
        if self.current is not None:
            self.post_message(self.SessionHighlighted(self.current))

    def on_line_list_selected(self, message: LineList.Selected) -> None:
        """Say it in words of its own."""
        message.stop()
        if self.current is not None:
            self.post_message(self.SessionOpened(self.current))

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        session = self.rows[index]
        sign = (glyphs().dot, "$state-ok") if session.key == self._current else " "
        began = session.started.astimezone().strftime("%H:%M") if session.started is not None else ""
        return aligned((sign, session.title, began, f"{len(session.records):,}"), _COLUMNS, width)

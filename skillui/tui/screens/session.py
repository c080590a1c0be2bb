"""The Session mode: the sessions, the calls of one of them, and one call in parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import get_current_worker

from skillui.core import AskedElsewhere, CallRecord, ContentDigest
from skillui.tui.glyphs import glyphs
from skillui.tui.keymap import binding
from skillui.tui.messages import CopyRequested, ExportRequested, NewSessionRequested, ReplayRequested
from skillui.tui.model.event_facts import DiskState, compare
from skillui.tui.model.session_log import SessionLog, ShownSession
from skillui.tui.model.top_line import TopLine
from skillui.tui.widgets.event_detail import EventDetail
from skillui.tui.widgets.event_table import EventTable
from skillui.tui.widgets.key_bar import KeyBar
from skillui.tui.widgets.session_list import SessionList
from skillui.tui.widgets.top_bar import TopBar

DigestNow = Callable[[CallRecord], ContentDigest | None]
"""Digests the folder of a call as it is now, None where it is gone; called in a thread."""

_OF_A_CALL = frozenset({"replay", "copy_output", "export", "follow"})
SETTLE = 0.05
"""Seconds the cursor rests on a call before its folder is read."""


@dataclass
class DiskRead(Message):
    """A folder was compared with a call; `generation` tells whether that call is still the one shown."""

    state: DiskState
    generation: int
    bubble = False


class BackLine(Static):
    """Where Escape leads, for the mouse."""

    @dataclass
    class Clicked(Message):
        """The person wants back."""

    def on_click(self, event: events.Click) -> None:
        """Ask for the way back."""
        event.stop()
        self.post_message(self.Clicked())


class SessionScreen(Screen[None]):
    """Shows a `SessionLog`; asks the app for everything that does something."""

    CSS_PATH = "session.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (160, "-wide")]
    BINDINGS = [
        binding("session.new", "new_session"),
        binding("session.replay", "replay"),
        binding("session.copy-output", "copy_output"),
        binding("session.export", "export"),
        binding("session.follow", "follow"),
        binding("session.next-part", "move_part(1)", show=False),
        binding("session.previous-part", "move_part(-1)", show=False),
        binding("session.back", "back", show=False),
        binding("app.next-pane", "app.focus_next", show=False),
        binding("app.previous-pane", "app.focus_previous", show=False),
    ]

    def __init__(
        self, log: SessionLog, digest_now: DigestNow, line: TopLine | None = None, *, id: str = "session"
    ) -> None:
        super().__init__(id=id)
        self._line = line
        self._session_log = log
        self._digest_now = digest_now
        self._shown: str | None = None
        self._wanted: int | None = None
        self._generation = 0
        self._timer: Timer | None = None
        self._composed = False

    def compose(self) -> ComposeResult:
        """Lay out the three parts."""
        yield TopBar(self._line)
        yield BackLine(id="session-back")
        with Container(id="session-panes"):
            yield SessionList()
            with Container(id="session-calls"):
                yield EventTable()
                yield EventDetail()
        yield KeyBar()

    @property
    def top_bar(self) -> TopBar:
        """The top line."""
        return self.query_one(TopBar)

    @property
    def sessions(self) -> SessionList:
        """The sessions."""
        return self.query_one(SessionList)

    @property
    def table(self) -> EventTable:
        """The calls of the shown session."""
        return self.query_one(EventTable)

    @property
    def detail(self) -> EventDetail:
        """The call under the cursor."""
        return self.query_one(EventDetail)

    @property
    def shown(self) -> ShownSession | None:
        """The session whose calls are shown."""
        return self.sessions.current

    def on_mount(self) -> None:
        """Show what there is, with the keyboard on the calls."""
        self._composed = True
        self.top_bar.set_active("session")
        self.update_log()
        self.table.list.focus()

    # What is shown

    def update_log(self) -> None:
        """Show what changed in the log: a call ended, a session began."""
        if not self._composed:
            return
        current = self._session_log.current
        listed = self._session_log.listed()
        self.set_class(len(listed) < 2, "-single")
        self.set_class(len(listed) > 1, "-several")
        self.sessions.set_sessions(listed, current.key if current is not None else None)
        self._show_session()

    def go_to_event(self, number: int) -> None:
        """Show a call of the current session."""
        if not self._composed:
            self._wanted = number
            return
        current = self._session_log.current
        self.sessions.go_to(current.key if current is not None else None)
        self._show_session()
        self.table.go_to(number)

    def read_disk(self) -> None:
        """Compare the shown call with the disk once more: files changed."""
        if not self._composed:
            return
        self._generation += 1
        if (record := self.detail.record) is None:
            return
        if record.event.digest is None:
            self.detail.show_disk(compare(record, None))
            return
        if self._timer is not None:
            self._timer.stop()
        generation = self._generation
        self._timer = self.set_timer(SETTLE, lambda: self._compare(record, generation))

    def _show_session(self) -> None:
        session = self.shown
        self.set_class(session is None or not session.records, "-empty")
        if session is None:
            self.table.set_records([], "", "Session")
            return
        self._shown = session.key
        self.table.set_records(session.records, session.key, session.title)
        if self._wanted is not None:
            self.table.go_to(self._wanted)
            self._wanted = None
        self._draw_back()

    def _draw_back(self) -> None:
        sign = "<" if glyphs().ascii_only else "‹"
        place = "events" if self.has_class("-detail") else "sessions"
        self.query_one("#session-back", Static).update(Content.assemble(f"{sign} {place}  ", ("esc", "bold $accent")))

    @work(thread=True, exclusive=True, group="digest", exit_on_error=False, description="reading the folder of a call")
    def _compare(self, record: CallRecord, generation: int) -> None:
        worker = get_current_worker()
        if worker.is_cancelled:
            return
        try:
            state = compare(record, self._digest_now(record))
        except Exception as error:  # a folder that cannot be read is an answer, not a fault of the app
            state = DiskState("fault", None, f"the folder could not be read: {type(error).__name__}: {error}")
        if not worker.is_cancelled:
            self.post_message(DiskRead(state, generation))

    @on(DiskRead)
    def _disk_read(self, message: DiskRead) -> None:
        if message.generation == self._generation:
            self.detail.show_disk(message.state)

    @on(SessionList.SessionHighlighted)
    def _session_highlighted(self, message: SessionList.SessionHighlighted) -> None:
        message.stop()
        if self.shown is not None and self.shown.key != self._shown:
            self._show_session()

    @on(SessionList.SessionOpened)
    def _session_opened(self, message: SessionList.SessionOpened) -> None:
        message.stop()
        self.remove_class("-sessions")
        self.table.list.focus()

    @on(EventTable.EventHighlighted)
    def _event_highlighted(self, message: EventTable.EventHighlighted) -> None:
        message.stop()
        record = self.table.current
        if record is None or record is not self.detail.record:
            self.detail.show(record)
            self.read_disk()
            self.refresh_bindings()

    @on(EventTable.EventOpened)
    def _event_opened(self, message: EventTable.EventOpened) -> None:
        message.stop()
        self.add_class("-detail")
        self._draw_back()
        self.detail.text.focus()

    @on(BackLine.Clicked)
    def _back_clicked(self, message: BackLine.Clicked) -> None:
        message.stop()
        self.action_back()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is a call for, and its output where this app has it."""
        if action not in _OF_A_CALL or not self._composed:
            return True
        record = self.table.current
        if record is not None and action == "copy_output":
            return not isinstance(record.result, AskedElsewhere)
        return record is not None

    def action_back(self) -> None:
        """From the call to the calls, from the calls to the sessions where there are several."""
        narrow = self.has_class("-narrow")
        inside = self.has_class("-detail") if narrow else self.detail.has_focus_within
        if inside or not self.has_class("-several"):
            self.remove_class("-detail")
            self._draw_back()
            self.table.list.focus()
            return
        self.add_class("-sessions")
        self.sessions.focus()

    def action_move_part(self, by: int) -> None:
        """Show the next or the previous part of the call."""
        self.detail.bar.move(by)

    def action_new_session(self) -> None:
        """Ask for a new session."""
        self.post_message(NewSessionRequested())

    def action_export(self) -> None:
        """Ask for the shown session as JSON lines."""
        self.post_message(ExportRequested(self.shown.key if self.shown is not None else None))

    def action_replay(self) -> None:
        """Ask for the call once more."""
        if (record := self.table.current) is not None:
            self.post_message(ReplayRequested(record))

    def action_copy_output(self) -> None:
        """Ask for the exact output on the clipboard."""
        if (record := self.table.current) is not None:
            self.post_message(CopyRequested(record.result.output, "output"))

    def action_follow(self) -> None:
        """Follow the newest call, or stay."""
        self.table.toggle_follow()

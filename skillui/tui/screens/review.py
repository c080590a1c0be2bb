"""The Review mode: the queue, the files of one skill, their text, the decision."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import get_current_worker

from skillui.tui import faults
from skillui.tui.keymap import binding
from skillui.tui.messages import CopyRequested, EditRequested, Notice, ReviewCounted
from skillui.tui.model.review_rows import ReviewRow
from skillui.tui.model.review_sheet import ReviewSheet, SheetFile
from skillui.tui.model.review_text import FileText, text_of_file
from skillui.tui.model.top_line import TopLine
from skillui.tui.panes.review_bar import ReviewBar
from skillui.tui.panes.review_files import ReviewFilesPane
from skillui.tui.panes.review_queue import ReviewQueuePane
from skillui.tui.panes.review_text import ReviewTextPane
from skillui.tui.review_desk import ReviewDesk
from skillui.tui.screens.review_deciding import Deciding
from skillui.tui.widgets.back_line import BackLine
from skillui.tui.widgets.key_bar import KeyBar
from skillui.tui.widgets.top_bar import TopBar

_log = logging.getLogger(__name__)
SETTLE: Final = 0.05
"""Seconds the cursor rests on a skill before it is read."""
_OF_A_SKILL: Final = frozenset(
    {"approve", "deny", "revoke", "reason", "move_file", "move_finding", "toggle_diff", "compare", "edit", "copy_path"}
)
_ALWAYS: Final = frozenset({"back", "app.focus_next", "app.focus_previous"})


@dataclass
class QueueRead(Message):
    """The queue was read, or a part of it: `done` skills of `total`."""

    rows: list[ReviewRow]
    done: int = 1
    total: int = 1
    bubble = False


@dataclass
class SheetRead(Message):
    """A skill was read; None where it is gone."""

    sheet: ReviewSheet | None
    generation: int
    bubble = False


@dataclass
class TextRead(Message):
    """What to show of a file was made."""

    file: SheetFile
    text: FileText
    same: bool
    generation: int
    bubble = False


class ReviewScreen(Deciding):
    """Shows what a `ReviewDesk` reads, and hands decisions to it."""

    CSS_PATH = "review.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (160, "-wide")]
    BINDINGS = [
        binding("review.approve", "approve"),
        binding("review.deny", "deny"),
        binding("review.next-file", "move_file(1)"),
        binding("review.previous-file", "move_file(-1)", show=False),
        binding("review.next-finding", "move_finding(1)"),
        binding("review.previous-finding", "move_finding(-1)", show=False),
        binding("review.reason", "reason"),
        binding("review.revoke", "revoke"),
        binding("review.diff", "toggle_diff"),
        binding("review.compare", "compare"),
        binding("review.filter", "move_filter(1)"),
        binding("review.previous-filter", "move_filter(-1)", show=False),
        binding("review.log", "show_log"),
        binding("review.edit", "edit", show=False),
        binding("review.copy-path", "copy_path", show=False),
        binding("review.back", "back", show=False),
        binding("app.next-pane", "app.focus_next", show=False),
        binding("app.previous-pane", "app.focus_previous", show=False),
    ]

    def __init__(
        self, desk: ReviewDesk, line: TopLine | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(desk, clock)
        self._line = line
        self._generation = 0
        self._text_generation = 0
        self._timer: Timer | None = None
        self._composed = False
        self._part = "queue"
        self.queue = ReviewQueuePane()
        self.files = ReviewFilesPane()
        self.text = ReviewTextPane()
        self.bar = ReviewBar()

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield TopBar(self._line)
        yield BackLine(id="review-back")
        with Container(id="review-panes"):
            with Container(id="review-lists"):
                yield self.queue
                yield self.files
            yield self.text
        yield self.bar
        yield KeyBar()

    @property
    def top_bar(self) -> TopBar:
        """The top line."""
        return self.query_one(TopBar)

    def on_mount(self) -> None:
        """Show what there is, with the keyboard on the queue."""
        self._composed = True
        self.top_bar.set_active("review")
        self._show_bar()
        self.queue.list.focus()
        self.read_queue()

    def on_screen_resume(self) -> None:
        """Seen, for the first time or again: be quiet first."""
        self.quiet.restart()

    async def _dispatch_message(self, message: Message) -> None:
        # What fails here must not end the app: a question of the engine may wait in it.
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            _log.exception("the review failed at %s", type(message).__name__)
            self.post_message(Notice(faults.words_of("The review", error), "error"))

    # Reading

    def read_queue(self) -> None:
        """Read the queue again: skills or decisions changed."""
        if self._composed:
            self._read_queue()

    @work(thread=True, exclusive=True, group="review-queue", exit_on_error=False, description="reading the queue")
    def _read_queue(self) -> None:
        worker = get_current_worker()
        rows = self.desk.read_queue(
            lambda: worker.is_cancelled, lambda rows, done, total: self.post_message(QueueRead(rows, done, total))
        )
        if not worker.is_cancelled:
            self.post_message(QueueRead(rows))

    @on(QueueRead)
    def _queue_read(self, event: QueueRead) -> None:
        self.queue.set_rows(event.rows, done=event.done == event.total)
        self.top_bar.set_reading(event.done, event.total)
        row = self.queue.current
        if row is not None and self.sheet is not None and row.key == self.sheet.key and _differs(row, self.sheet):
            self.read_sheet()
        self._show_bar()
        if event.done == event.total:
            self.post_message(ReviewCounted(sum(row.open for row in event.rows)))

    @on(ReviewQueuePane.Highlighted)
    def _row_highlighted(self, event: ReviewQueuePane.Highlighted) -> None:
        event.stop()
        self.base = None
        self.bar.clear()
        self.quiet.restart()
        self.read_sheet()

    def read_sheet(self) -> None:
        """Read the skill under the cursor once it rests there."""
        self._generation += 1
        generation, row = self._generation, self.queue.current
        if self._timer is not None:
            self._timer.stop()
        if row is None:
            self._show_sheet(None)
        else:
            self._timer = self.set_timer(SETTLE, lambda: self._read_sheet(row, generation))

    @work(thread=True, exclusive=True, group="review-sheet", exit_on_error=False, description="reading a skill")
    def _read_sheet(self, row: ReviewRow, generation: int) -> None:
        sheet = self.desk.read_sheet(row.entry, self.base)
        if not get_current_worker().is_cancelled:
            self.post_message(SheetRead(sheet, generation))

    @on(SheetRead)
    def _sheet_read(self, event: SheetRead) -> None:
        if event.generation == self._generation:
            self._show_sheet(event.sheet)

    def _show_sheet(self, sheet: ReviewSheet | None) -> None:
        old, self.sheet = self.sheet, sheet
        same = old is not None and sheet is not None and old.key == sheet.key
        if not same or (old and sheet and old.item.content.digest != sheet.item.content.digest):
            self.quiet.restart()
            if same and sheet is not None:
                self.post_message(Notice(f"{sheet.item.place.name} changed on disk: its new content is shown"))
        self.files.show(sheet, same=same)
        self._show_read()
        self._show_bar()
        self._show_file(same=same)
        self.refresh_bindings()
        if old is None:  # its keys work from now on
            self.bar.name_keys()

    @on(ReviewFilesPane.Highlighted)
    def _file_highlighted(self, event: ReviewFilesPane.Highlighted) -> None:
        event.stop()
        file = self._file()
        if file is None or self.text.file is None or file.place != self.text.file.place:
            self._show_file(same=False)

    def _file(self) -> SheetFile | None:
        at = self.files.index
        return (
            self.sheet.files[at] if self.sheet is not None and at is not None and at < len(self.sheet.files) else None
        )

    def _show_file(self, *, same: bool) -> None:
        file, sheet = self._file(), self.sheet
        before = self.text.file
        same = same and file is not None and before is not None and before.place == file.place
        self._text_generation += 1
        self.text.begin(file, sheet.base.title if sheet is not None else "", same=same)
        if file is not None and sheet is not None:
            self._make_text(file, sheet.base.title, same, self._text_generation)

    @work(thread=True, exclusive=True, group="review-text", exit_on_error=False, description="comparing a file")
    def _make_text(self, file: SheetFile, base: str, same: bool, generation: int) -> None:
        text = text_of_file(file, base)
        if not get_current_worker().is_cancelled:
            self.post_message(TextRead(file, text, same, generation))

    @on(TextRead)
    def _text_read(self, event: TextRead) -> None:
        if event.generation == self._text_generation:
            self.text.show(event.text, same=event.same)

    @on(ReviewTextPane.EndSeen)
    def _end_seen(self, event: ReviewTextPane.EndSeen) -> None:
        event.stop()
        if self.sheet is not None and self.note_read(self.sheet.key, event.file.key):
            self._show_read()

    def _show_read(self) -> None:
        self.files.show_read(self.read_of(self.sheet.key) if self.sheet is not None else frozenset())

        self._show_back()

    def _show_back(self) -> None:
        place = "files" if self._part == "text" else "queue"
        self.query_one("#review-back", BackLine).say(place, self.files.title() if self._part == "text" else None)

    def _show_bar(self) -> None:
        self.bar.show(self.sheet, self.queue.marked_rows, self.desk.fault)

    # Moving

    @on(ReviewQueuePane.Opened)
    def _queue_opened(self, event: ReviewQueuePane.Opened) -> None:
        event.stop()
        self._go_to("files")

    @on(ReviewFilesPane.Opened)
    def _files_opened(self, event: ReviewFilesPane.Opened) -> None:
        event.stop()
        self._go_to("text")

    @on(ReviewQueuePane.MarksChanged)
    def _marks_changed(self, event: ReviewQueuePane.MarksChanged) -> None:
        event.stop()
        self._show_bar()

    @on(ReviewBar.ReasonDone)
    def _reason_done(self, event: ReviewBar.ReasonDone) -> None:
        event.stop()
        self._go_to(self._part)

    @on(BackLine.Clicked)
    def _back_clicked(self, event: BackLine.Clicked) -> None:
        event.stop()
        self.action_back()

    def _go_to(self, part: str) -> None:
        """Bring a part to the front, where there is room for one only, and give it the keyboard."""
        self._part = part
        self.set_class(part == "files", "-files")
        self.set_class(part == "text", "-text")
        self._show_back()
        target: Widget = self.queue.list
        if part != "queue":
            target = self.files.list if part == "files" else self.text.view
        target.focus()

    def on_descendant_focus(self) -> None:
        """Remember which part has the keyboard."""
        for part, pane in (("queue", self.queue), ("files", self.files), ("text", self.text)):
            if pane.has_focus_within:
                self._part = part
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is a skill for, and no letter while letters are text."""
        if isinstance(self.focused, Input):
            return action in _ALWAYS
        if action == "edit" and self.desk.read_only:
            return False
        return action not in _OF_A_SKILL or self.sheet is not None

    def action_back(self) -> None:
        """From the reason to where one was, from the text to the files, from there to the queue."""
        if isinstance(self.focused, Input):
            self._go_to(self._part)
        elif self._part == "queue":
            self.queue.clear_marks()
        else:
            self._go_to("files" if self._part == "text" else "queue")

    def action_move_file(self, by: int) -> None:
        """Show the next or the previous file."""
        self.files.move(by)

    def action_move_finding(self, by: int) -> None:
        """Go to the next or the previous finding, in whatever file it is."""
        if self.sheet is None:
            return
        places = sorted({(stop.file, stop.problem.line or 1) for stop in self.sheet.stops})
        here = (self.files.index or 0, self.text.line or 1)
        ahead = [place for place in places if (place > here if by > 0 else place < here)]
        if not ahead:
            what = "no finding" if not places else "no further finding" if by > 0 else "no finding before this one"
            self.post_message(Notice(f"There is {what}."))
            return
        file, line = ahead[0] if by > 0 else ahead[-1]
        if file != self.files.index:
            self.files.go_to(file)
            self._show_file(same=False)
        self.text.go_to_line(line)
        if self.has_class("-narrow"):
            self._go_to("text")

    def action_toggle_diff(self) -> None:
        """Show the whole text, or the difference."""
        self.text.toggle()

    def action_move_filter(self, by: int) -> None:
        """Show other states of the queue."""
        self.queue.move_filter(by)

    def action_reason(self) -> None:
        """Write the reason."""
        self.bar.field.focus()

    def action_edit(self) -> None:
        """Open the file in the editor, at the line under the cursor."""
        if (file := self._file()) is not None and self.sheet is not None and file.change.now is not None:
            self.post_message(EditRequested(f"{self.sheet.item.place.dir}/{file.file.path}", self.text.line))

    def action_copy_path(self) -> None:
        """Copy the path of the skill's folder."""
        if self.sheet is not None:
            self.post_message(CopyRequested(self.sheet.item.place.dir, "path"))


def _differs(row: ReviewRow, sheet: ReviewSheet) -> bool:
    item = sheet.item
    return (row.digest, row.state, row.decision) != (item.content.digest, item.state, item.decision)

"""The files of the skill under review: how each stands beside its last approval, what was found, what was read."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from skillui.core import Severity
from skillui.tui.glyphs import glyphs
from skillui.tui.model.review_rows import FileKey
from skillui.tui.model.review_sheet import ReviewSheet, SheetFile
from skillui.tui.model.review_words import severities
from skillui.tui.model.top_line import middle_cut
from skillui.tui.safe_text import safe, safe_line
from skillui.tui.widgets.columns import Column, aligned, column_widths
from skillui.tui.widgets.line_list import LineList, RowState

_COLUMNS: Final = (Column(1), Column(10, grow=1), Column(9), Column(7, align="right", drop=1))
_PATH: Final = 1
_STYLES: Final = {
    "new": "$state-ok", "changed": "$state-untrusted", "removed": "$state-broken", "unchanged": "$text-muted",
}  # fmt: skip
_LONGEST_NAME: Final = 40


class ReviewFilesPane(Vertical):
    """Shows the files of a `ReviewSheet`; says which one the cursor is on."""

    DEFAULT_CSS = """
    ReviewFilesPane {
        border: round $border-blurred;
        border-title-color: $foreground;
        border-subtitle-color: $text-muted;
        padding: 0 1;
        &:focus-within { border: round $border; border-title-color: $accent; }
        & > LineList { height: 1fr; }
    }
    """

    @dataclass
    class Highlighted(Message):
        """The cursor rests on another file."""

        index: int

    @dataclass
    class Opened(Message):
        """The person wants to read the file."""

    def __init__(self) -> None:
        super().__init__(id="review-files")
        self._sheet: ReviewSheet | None = None
        self._read: Set[FileKey] = frozenset()
        self._told: object = None
        self.list: LineList[SheetFile] = LineList(self._draw, empty="Its files cannot be read.")

    def compose(self) -> ComposeResult:
        """Only the list."""
        yield self.list

    @property
    def index(self) -> int | None:
        """Index of the file under the cursor."""
        return self.list.cursor

    def show(self, sheet: ReviewSheet | None, *, same: bool) -> None:
        """Show the files of a skill; `same` keeps the cursor on its file."""
        self._sheet = sheet
        if sheet is None:
            self.list.set_rows([])
        elif same:
            self.list.set_rows(sheet.files, keep=lambda file: file.place)
        else:
            self.list.set_rows(sheet.files)
            self.list.move_to(sheet.first)
        self._draw_title()

    def show_read(self, read: Set[FileKey]) -> None:
        """Show which files were read to their end."""
        self._read = read
        self._draw_title()
        self.list.refresh()

    def move(self, by: int) -> None:
        """Go to the next file, or to the one before."""
        self.list.move_to((self.list.cursor or 0) + by)

    def go_to(self, index: int) -> None:
        """Go to a file."""
        self.list.move_to(index)

    def title(self) -> Content:
        """Return what skill this is, and how much of it was read."""
        sheet = self._sheet
        if sheet is None:
            return Content("Files")
        name = safe_line(sheet.item.place.name, _LONGEST_NAME, "bold")
        wanted = sheet.to_read
        read = sum(key in self._read for key in wanted)
        style = "$state-ok" if read == len(wanted) else "$state-untrusted"
        count = Content.styled(f"read {read:,}/{len(wanted):,}", style) if wanted else Content("")
        return Content.assemble(name, "  " if wanted else "", count)

    def _draw_title(self) -> None:
        self.border_title = self.title()
        base = self._sheet.base if self._sheet is not None else None
        shown = base is not None and not base.approval
        self.border_subtitle = safe_line(f"against {base.title}", 60, "$primary") if base and shown else Content("")

    @on(LineList.Highlighted)
    def _highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        if self.list.cursor is not None:
            self.post_message(self.Highlighted(self.list.cursor))

    @on(LineList.Selected)
    def _selected(self, event: LineList.Selected) -> None:
        event.stop()
        self.post_message(self.Opened())

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        file = self.list.rows[index]
        signs = glyphs()
        read: tuple[str, str] | str = " "
        if file.to_read:
            read = (signs.check, "$state-ok") if file.key in self._read else (signs.dot, "$accent")
        path = safe(file.title, "" if file.change.state != "unchanged" else "$text-muted")
        path = middle_cut(path, column_widths(_COLUMNS, width)[_PATH])
        found = severities(file.count(Severity.ERROR), file.count(Severity.WARNING))
        return aligned((read, path, (file.change.state, _STYLES[file.change.state]), found), _COLUMNS, width)

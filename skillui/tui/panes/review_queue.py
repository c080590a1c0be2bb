"""The queue: the untrusted skills of all roots, what needs a decision first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from skillui.tui.glyphs import glyphs
from skillui.tui.keymap import binding
from skillui.tui.model.review_rows import FILTERS, Filter, ReviewRow, counts_of, passing
from skillui.tui.model.review_words import look_of, queue_title, severities
from skillui.tui.safe_text import safe
from skillui.tui.widgets.columns import Column, aligned
from skillui.tui.widgets.line_list import LineList, RowState
from skillui.tui.widgets.tab_bar import Tab, TabBar, TabSelected

_COLUMNS: Final = (
    Column(1),
    Column(1),
    Column(10, grow=1),
    Column(8, style="$text-muted", drop=2),
    Column(10),
    Column(7, align="right", drop=1),
)
_ROOMY: Final = 64
"""Cells from which filters are words."""
_EMPTY: Final = "Nothing to review.\n\nOnly skills of roots that nobody trusts are: those a project brings."


class QueueList(LineList[ReviewRow]):
    """The rows; Space marks one for a decision about several."""

    BINDINGS = [binding("review.mark", "mark")]
    DEFAULT_CSS = """
    QueueList { height: 1fr; }
    """

    @dataclass
    class Marked(Message):
        """The person marked a row, or took the mark away."""

        row: ReviewRow

    def action_mark(self) -> None:
        """Mark the row under the cursor, or no longer, and go on to the next."""
        if self.current is not None:
            self.post_message(self.Marked(self.current))
            self.move_to((self.cursor or 0) + 1)


class ReviewQueuePane(Vertical):
    """Shows rows under a line of filters; says which one the cursor is on."""

    DEFAULT_CSS = """
    ReviewQueuePane {
        border: round $border-blurred;
        border-title-color: $foreground;
        border-subtitle-color: $text-muted;
        padding: 0 1;
        &:focus-within { border: round $border; border-title-color: $accent; }
        & TabBar { margin-bottom: 1; }
    }
    """

    @dataclass
    class Highlighted(Message):
        """The cursor rests on another skill; None where the list is empty."""

        row: ReviewRow | None

    @dataclass
    class Opened(Message):
        """The person wants to read the skill."""

        row: ReviewRow

    @dataclass
    class MarksChanged(Message):
        """Other rows are marked now."""

    def __init__(self) -> None:
        super().__init__(id="review-queue")
        self._all: list[ReviewRow] = []
        self._filter: Filter = "all"
        self._told: str | None = None
        self._wanted: str | None = None
        self.marked: set[str] = set()
        """Keys of the marked rows."""
        self.list = QueueList(self._draw, empty="reading the skills" + glyphs().ellipsis)

    def compose(self) -> ComposeResult:
        """Filters, rows."""
        yield TabBar([Tab(name, name) for name in FILTERS])
        yield self.list

    @property
    def current(self) -> ReviewRow | None:
        """The row under the cursor."""
        return self.list.current

    @property
    def rows(self) -> Sequence[ReviewRow]:
        """All rows, those too that the filter hides."""
        return self._all

    @property
    def marked_rows(self) -> list[ReviewRow]:
        """The marked rows, in order."""
        return [row for row in self._all if row.key in self.marked]

    def set_rows(self, rows: list[ReviewRow], *, done: bool = True) -> None:
        """Show other rows; the cursor stays on its skill."""
        self._all = rows
        self.marked &= {row.key for row in rows}
        if done:
            self.list.set_empty(_EMPTY if not rows else "None of these.")
        self._show()

    def replace_row(self, row: ReviewRow) -> None:
        """Show one row as it is now, in its place."""
        self._all = [row if one.key == row.key else one for one in self._all]
        self._show()

    def go_to(self, key: str) -> None:
        """Put the cursor on a skill as soon as it is in the list; a filter that hides it is given up."""
        self._wanted = key
        hidden = any(row.key == key for row in self._all) and all(row.key != key for row in self.list.rows)
        if hidden:
            self._set_filter("all")
        self._go_to_wanted()

    def clear_marks(self) -> None:
        """Mark nothing any more."""
        self.marked.clear()
        self.list.refresh()
        self.post_message(self.MarksChanged())

    def move_filter(self, by: int) -> None:
        """Go on to the next filter."""
        self.query_one(TabBar).move(by)

    def _set_filter(self, name: Filter) -> None:
        self._filter = name
        self.query_one(TabBar).active = name
        self._show()

    def _show(self) -> None:
        counts = counts_of(self._all)
        shown = [name for name in FILTERS if name in ("all", "open", self._filter) or counts[name]]
        bar = self.query_one(TabBar)
        bar.set_tabs(
            [Tab(name, self._title_of(name), Content.styled(f"{counts[name]:,}", "$text-muted")) for name in shown]
        )
        bar.active = self._filter
        self.border_subtitle = Content("" if self._filter == "all" else f"only {self._filter}")
        self.border_title = queue_title(self._all)
        self.list.set_rows(passing(self._all, self._filter), keep=lambda row: row.key)
        self._go_to_wanted()
        self._tell()

    def _title_of(self, name: Filter) -> str:
        """Name a filter by its word where there is room, else by the sign that its rows have before their word."""
        if self.size.width >= _ROOMY or name == "all":
            return name
        return glyphs().flag if name == "open" else look_of(name).glyph

    def on_resize(self) -> None:
        """Write the filters as there is room."""
        self._show()

    def _go_to_wanted(self) -> None:
        for index, row in enumerate(self.list.rows):
            if row.key == self._wanted:
                self._wanted = None
                self.list.move_to(index)
                break

    def _tell(self) -> None:
        row = self.current
        key = None if row is None else row.key
        if key != self._told:
            self._told = key
            self.post_message(self.Highlighted(row))

    @on(TabSelected)
    def _tab_selected(self, event: TabSelected) -> None:
        event.stop()
        self._filter = next(name for name in FILTERS if name == event.tab)
        self._show()

    @on(LineList.Highlighted)
    def _list_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._tell()

    @on(LineList.Selected)
    def _list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        if self.current is not None:
            self.post_message(self.Opened(self.current))

    @on(QueueList.Marked)
    def _row_marked(self, event: QueueList.Marked) -> None:
        event.stop()
        self.marked ^= {event.row.key}
        self.list.refresh()
        self.post_message(self.MarksChanged())

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        row = self.list.rows[index]
        look = look_of(row.state)
        mark = (glyphs().check, "bold $accent") if row.key in self.marked else " "
        found = severities(row.errors, row.warnings)
        style = "bold" if row.open else ""
        cells = (mark, (look.glyph, look.style), safe(row.name, style), row.root, (row.state, look.style), found)
        return aligned(cells, _COLUMNS, width)

"""`FactTable`: labelled text that wraps, on the virtual list; a line may lead somewhere."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from textual.content import Content
from textual.message import Message

from skillui.tui.widgets.line_list import LineList, RowState

_MOST_ROWS: Final = 60
# Rows one fact may take; what is longer is to be read in its source.
_NOTHING: Final = Content("")


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to say. `text` wraps beside `lead`, which stands on its first row only.

    All content went through `safe`.
    """

    text: Content
    lead: Content = _NOTHING
    target: object = None
    """What Enter on it hands over; None where it leads nowhere."""
    key: Hashable = None
    """Names it from one showing to the next; by default its place does."""
    indent: int = 0
    """Cells that the second row and those after it stand further in."""
    tail: Content = _NOTHING
    """What stands behind the text where there is room on its one row, and nowhere else."""


@dataclass(frozen=True, slots=True)
class FactRow:
    """One row of a fact on the screen."""

    content: Content
    fact: Fact
    key: Hashable
    first: bool = True
    """Whether it is the first row of its fact."""


class FactTable(LineList[FactRow]):
    """Facts one below the other, their labels in a column of their own."""

    # A stable gutter: what wraps by whether a scrollbar shows would decide whether one shows.
    DEFAULT_CSS = """
    FactTable {
        scrollbar-gutter: stable;
        &:focus > .line-list--cursor {
            background: $block-cursor-blurred-background;
            color: $foreground;
            text-style: none;
        }
        & > .line-list--cursor { background: transparent; }
        & > .line-list--hover { background: transparent; }
    }
    """

    @dataclass
    class Chosen(Message):
        """Enter or a double click on a fact that leads somewhere."""

        table: FactTable
        target: object

        @property
        def control(self) -> FactTable:
            """The table it happened in."""
            return self.table

    def __init__(
        self, lead_width: int, *, empty: str | Content = "", start_on_target: bool = False, id: str | None = None
    ) -> None:
        """Make an empty table whose labels take `lead_width` cells.

        With `start_on_target` the cursor begins on the first fact that leads somewhere.
        """
        super().__init__(self._draw, empty=empty, id=id)
        self._lead_width = lead_width
        self._facts: Sequence[Fact] | None = None
        self._wrapped_to = 0
        self._others = False
        """Whether other facts came while there was no room for any."""
        self._start_on_target = start_on_target
        self._early = False
        """Whether Enter came before there was a row to follow."""

    def show_facts(self, facts: Sequence[Fact], *, same: bool = False) -> None:
        """Show other facts; `same` keeps cursor and scroll on the fact they are at."""
        self._facts = facts
        self._wrap(same)

    def on_resize(self) -> None:
        """Wrap for the new width; the same fact stays in view."""
        if not self._fits():
            self._wrap(True)
        super().on_resize()

    def on_blur(self) -> None:
        """Forget an Enter that came too early: the person went elsewhere."""
        self._early = False

    def _fits(self) -> bool:
        return self.scrollable_content_region.width == self._wrapped_to

    def action_select_cursor(self) -> None:
        """Follow the fact under the cursor."""
        row = self.current
        self._early = self._facts is None or (bool(self._facts) and not self._wrapped_to)
        if not self._early and row is not None and row.fact.target is not None:
            self.post_message(self.Chosen(self, row.fact.target))

    def _wrap(self, same: bool) -> None:
        width = self.scrollable_content_region.width if self.size.width else 0
        self._wrapped_to = width
        if not width:  # out of sight: wrapped when it comes back, even at the width it had
            self._others = self._others or not same
            return
        same, self._others = same and not self._others, False
        rows = [row for place, fact in enumerate(self._facts or ()) for row in self._rows_of(fact, place, width)]
        fresh = not same or not self._rows
        self.set_rows(rows, None if fresh else (lambda row: row.key))
        if fresh and self._start_on_target:
            self.cursor = next((at for at, row in enumerate(rows) if row.fact.target is not None), self.cursor)
        if self._early:
            self.action_select_cursor()

    def _rows_of(self, fact: Fact, place: int, width: int) -> list[FactRow]:
        room = max(10, width - self._lead_width - 1)
        whole = Content.assemble(fact.text, fact.tail)
        lines = _wrapped(whole if whole.cell_length <= room else fact.text, room, fact.indent)
        lead = fact.lead.truncate(self._lead_width - 1, ellipsis=True)
        lead = lead.pad_right(self._lead_width - lead.cell_length)
        blank = Content(" " * self._lead_width)
        key = place if fact.key is None else fact.key
        return [
            FactRow(Content.assemble(blank if number else lead, line), fact, (key, number), not number)
            for number, line in enumerate(lines)
        ]

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        return self._rows[index].content


def _wrapped(text: Content, room: int, indent: int) -> list[Content]:
    if text.cell_length <= room and "\n" not in text.plain:
        return [text]
    lines = list(text.wrap(room))[:_MOST_ROWS] if not indent else _hanging(text, room, indent)
    return lines or [Content("")]


def _hanging(text: Content, room: int, indent: int) -> list[Content]:
    lines = list(text.wrap(max(8, room - indent)))[:_MOST_ROWS]
    return [line if not number else Content.assemble(" " * indent, line) for number, line in enumerate(lines)]

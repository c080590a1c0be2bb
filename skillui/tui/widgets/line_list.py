"""A list that draws only the lines on the screen, so that 100,000 rows cost what 30 do."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style

from skillui.tui.keymap import binding
from skillui.tui.safe_text import safe
from skillui.tui.widgets.drawing import Drawn, to_strip
from skillui.tui.widgets.following import Place, follow

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class RowState:
    """What the list knows of a row when it is drawn."""

    cursor: bool
    hover: bool
    focused: bool
    """Whether the list has the keyboard."""


RenderRow = Callable[[int, int, RowState], Drawn]
"""Draws the row at an index into a width in cells; called for visible rows alone."""


class LineList(ScrollView, Generic[Row], can_focus=True):
    """One line a row, a cursor, and messages for what is highlighted and what is chosen."""

    ALLOW_SELECT = False
    BINDINGS = [
        binding("list.up", "cursor_up", show=False),
        binding("list.down", "cursor_down", show=False),
        binding("list.page-up", "page_up", show=False),
        binding("list.page-down", "page_down", show=False),
        binding("list.first", "first", show=False),
        binding("list.last", "last", show=False),
        binding("list.select", "select_cursor", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line-list--row",
        "line-list--cursor",
        "line-list--hover",
        "line-list--muted",
        "line-list--fault",
    }
    DEFAULT_CSS = """
    LineList {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        color: $foreground;
        & > .line-list--hover { background: $block-hover-background; }
        & > .line-list--cursor { background: $block-cursor-blurred-background; }
        & > .line-list--muted { color: $text-muted; }
        & > .line-list--fault { color: $state-broken; }
        &:focus > .line-list--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
            text-style: $block-cursor-text-style;
        }
    }
    """

    cursor: reactive[int | None] = reactive(None, repaint=False)
    """Index of the highlighted row, None while there are no rows."""
    hovered: reactive[int | None] = reactive(None, repaint=False)
    """Index of the row under the mouse."""

    @dataclass
    class Highlighted(Message):
        """The cursor came to another row."""

        line_list: LineList[object]
        index: int
        row: object

        @property
        def control(self) -> LineList[object]:
            """The list it happened in."""
            return self.line_list

        def can_replace(self, message: Message) -> bool:
            """Only the newest place of the cursor matters."""
            return isinstance(message, LineList.Highlighted) and message.line_list is self.line_list

    @dataclass
    class Selected(Message):
        """A row was chosen with Enter or a double click."""

        line_list: LineList[object]
        index: int
        row: object

        @property
        def control(self) -> LineList[object]:
            """The list it happened in."""
            return self.line_list

    def __init__(
        self,
        render_row: RenderRow,
        rows: Sequence[Row] = (),
        *,
        empty: str | Content = "",
        id: str | None = None,
        classes: str | None = None,
        disabled: bool = False,
    ) -> None:
        super().__init__(id=id, classes=classes, disabled=disabled)
        self._render_row = render_row
        self._rows: Sequence[Row] = rows
        self._empty = self._as_content(empty)
        self._height = 0
        self.virtual_size = Size(0, len(rows))
        if rows:
            self.set_reactive(LineList.cursor, 0)

    @property
    def rows(self) -> Sequence[Row]:
        """The rows as they were given."""
        return self._rows

    @property
    def current(self) -> Row | None:
        """The highlighted row."""
        return None if self.cursor is None else self._rows[self.cursor]

    def set_rows(self, rows: Sequence[Row], keep: Callable[[Row], Hashable] | None = None) -> None:
        """Show other rows.

        Args:
            rows: What to show; kept, not copied.
            keep: Names a row's identity. With it the cursor stays on the same row at the same height of the
                screen, wherever that row is now; a row that is gone hands the cursor to the one in its place.
                Without it the list begins at its top.
        """
        old, old_rows, top = self.cursor, self._rows, self.scroll_offset.y
        self._rows = rows
        self.set_reactive(LineList.hovered, None)
        new, same, new_top = (0 if rows else None), False, 0
        if keep and old is not None and rows:
            place = follow(old_rows, rows, keep, Place(old, top), self.scrollable_content_region.height)
            new, same, new_top = place.cursor, place.same, place.top
        self.set_reactive(LineList.cursor, new)
        self.virtual_size = Size(0, len(rows))
        self.scroll_to(y=new_top, animate=False, force=True)
        self.refresh()
        if new is not None and not same:
            self._post_highlighted(new)

    def set_empty(self, text: str | Content) -> None:
        """Change what is said where there are no rows."""
        self._empty = self._as_content(text)
        self.refresh()

    def move_to(self, index: int) -> None:
        """Put the cursor on a row, the nearest one there is, and bring it into view."""
        self.cursor = index
        self._show_cursor()

    def validate_cursor(self, cursor: int | None) -> int | None:
        """Hold the cursor within the rows."""
        if cursor is None or not self._rows:
            return None
        return max(0, min(cursor, len(self._rows) - 1))

    def watch_cursor(self, old: int | None, new: int | None) -> None:
        """Draw the two rows concerned and tell of the new one."""
        for index in (old, new):
            if index is not None:
                self.refresh_line(index)
        if new is not None:
            self._show_cursor()
            self._post_highlighted(new)

    def watch_hovered(self, old: int | None, new: int | None) -> None:
        """Draw the two rows concerned."""
        for index in (old, new):
            if index is not None:
                self.refresh_line(index)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Forget the row under the mouse: another one is there now."""
        super().watch_scroll_y(old_value, new_value)
        self.hovered = None

    def _post_highlighted(self, index: int) -> None:
        self.post_message(self.Highlighted(self, index, self._rows[index]))  # type: ignore[arg-type]

    def _show_cursor(self) -> None:
        height = self.scrollable_content_region.height
        if self.cursor is None or not height:
            return
        top = self.scroll_offset.y
        # The scrollbar comes with the next layout; until then only force scrolls.
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, force=True)
        elif self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False, force=True)

    def on_resize(self) -> None:
        """Keep the cursor in view at any size, unless the person has scrolled away from it."""
        before, self._height = self._height, self.scrollable_content_region.height
        top = self.scroll_offset.y
        if not before or self.cursor is None or top <= self.cursor < top + before:
            self._show_cursor()

    # Keys

    def _move(self, by: int) -> None:
        self.move_to((self.cursor or 0) + by)

    def action_cursor_up(self) -> None:
        """One row up."""
        self._move(-1)

    def action_cursor_down(self) -> None:
        """One row down."""
        self._move(1)

    def action_page_up(self) -> None:
        """One screen up; a line stays for the eye."""
        self._move(-max(1, self.scrollable_content_region.height - 1))

    def action_page_down(self) -> None:
        """One screen down; a line stays for the eye."""
        self._move(max(1, self.scrollable_content_region.height - 1))

    def action_first(self) -> None:
        """To the first row."""
        self.move_to(0)

    def action_last(self) -> None:
        """To the last row."""
        self.move_to(len(self._rows) - 1)

    def action_select_cursor(self) -> None:
        """Choose the highlighted row."""
        if self.cursor is not None:
            self.post_message(self.Selected(self, self.cursor, self._rows[self.cursor]))  # type: ignore[arg-type]

    # Mouse

    def _row_at(self, event: events.MouseEvent) -> int | None:
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        index = offset.y + self.scroll_offset.y
        return index if index < len(self._rows) else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow the mouse."""
        self.hovered = self._row_at(event)

    def on_leave(self) -> None:
        """The mouse is gone."""
        self.hovered = None

    def on_click(self, event: events.Click) -> None:
        """A click highlights; the second one on the same row chooses it."""
        index = self._row_at(event)
        if index is None:
            return
        event.stop()
        chosen = event.chain == 2 and index == self.cursor
        self.move_to(index)
        if chosen:
            self.action_select_cursor()

    # Drawing

    def _fits(self) -> bool:
        """Tell whether the rows were made for the width there is now; lists that wrap say more."""
        return True

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw what is in view; rows for another width are made anew."""
        if not self._fits():  # not every list that comes back into sight is told of a new size
            self.call_next(self.on_resize)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw the line `y` of the screen."""
        width = self.scrollable_content_region.width
        if not self._rows:
            return self._empty_line(y, width)
        index = y + self.scroll_offset.y
        if index >= len(self._rows):
            return Strip.blank(width, self.visual_style.rich_style)
        state = RowState(cursor=index == self.cursor, hover=index == self.hovered, focused=self.has_focus)
        try:
            drawn = self._render_row(index, width, state)
        except Exception as error:  # one row that cannot be drawn must not take the app down
            self.log.error(f"row {index} cannot be drawn: {error!r}")
            drawn = Content.styled(f"this row cannot be drawn ({type(error).__name__})", self._fault_style())
        return to_strip(drawn, width, self._style_of(state), self.app)

    def _style_of(self, state: RowState) -> Style:
        names = ["line-list--row"]
        if state.hover:
            names.append("line-list--hover")
        if state.cursor:
            names.append("line-list--cursor")
        return self.get_visual_style(*names)

    def _fault_style(self) -> Style:
        return self.get_visual_style("line-list--fault", partial=True)

    def _empty_line(self, y: int, width: int) -> Strip:
        style = self.get_visual_style("line-list--muted")
        lines = self._empty.wrap(width) if width else []
        return to_strip(lines[y] if y < len(lines) else Content(""), width, style, self.app)

    @staticmethod
    def _as_content(text: str | Content) -> Content:
        return text if isinstance(text, Content) else safe(text, newlines=True, tabs=" ")

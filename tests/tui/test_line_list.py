"""The virtual list by keys, by mouse and with many rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.content import Content
from textual.events import MouseScrollDown
from textual.message import Message
from textual.pilot import Pilot
from textual.strip import Strip

from skillui.tui.safe_text import safe
from skillui.tui.themes import SEMANTIC_DEFAULTS
from skillui.tui.widgets.drawing import Drawn
from skillui.tui.widgets.line_list import LineList, RowState
from tests.tui.conftest import wait_until
from tests.tui.hostile import HOSTILE

HEIGHT = 10


class ListApp(App[None]):
    """A list of texts and what it tells."""

    CSS = f"LineList {{ width: 40; height: {HEIGHT}; }} LineList.framed {{ border: round red; padding: 1 2; }}"

    def __init__(self, rows: list[str], classes: str = "") -> None:
        super().__init__()
        self.told: list[Message] = []
        self.drawn: list[tuple[int, RowState]] = []
        self.list = LineList[str](self.draw_row, rows, empty="nothing\nhere", classes=classes)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(SEMANTIC_DEFAULTS)

    def compose(self) -> ComposeResult:
        yield self.list

    def draw_row(self, index: int, width: int, state: RowState) -> Drawn:
        self.drawn.append((index, state))
        return safe(self.list.rows[index])

    def on_line_list_highlighted(self, message: LineList.Highlighted) -> None:
        self.told.append(message)

    def on_line_list_selected(self, message: LineList.Selected) -> None:
        self.told.append(message)

    @property
    def selected(self) -> list[int]:
        return [message.index for message in self.told if isinstance(message, LineList.Selected)]

    @property
    def highlighted(self) -> list[int]:
        return [message.index for message in self.told if isinstance(message, LineList.Highlighted)]

    def screen_text(self) -> list[str]:
        return [self.list.render_line(y).text.rstrip() for y in range(self.list.scrollable_content_region.height)]


def numbered(count: int, first: int = 0) -> list[str]:
    return [f"row {number}" for number in range(first, first + count)]


def identity(row: str) -> str:
    return row


async def settled(pilot: Pilot[Any], top: int) -> None:
    app = pilot.app
    assert isinstance(app, ListApp)
    await wait_until(pilot, lambda: app.list.scroll_offset.y == top)


@pytest.mark.parametrize(
    ("keys", "cursor"),
    [
        (["down"], 1),
        (["j", "j", "k"], 1),
        (["up"], 0),
        (["end"], 99),
        (["end", "down"], 99),
        (["end", "up"], 98),
        (["end", "home"], 0),
        (["pagedown"], HEIGHT - 1),
        (["pagedown", "pagedown", "pageup"], HEIGHT - 1),
    ],
)
async def test_keys_move_the_cursor(keys: list[str], cursor: int) -> None:
    app = ListApp(numbered(100))
    async with app.run_test() as pilot:
        await pilot.press(*keys)
        assert app.list.cursor == cursor
        assert app.list.current == f"row {cursor}"
        assert f"row {cursor}" in app.screen_text()


async def test_moving_tells_of_the_row_and_enter_chooses_it() -> None:
    app = ListApp(numbered(5))
    async with app.run_test() as pilot:
        await pilot.press("down", "down", "enter")
        await wait_until(pilot, lambda: app.selected == [2])
        assert app.highlighted[-1] == 2
        last = app.told[-1]
        assert isinstance(last, LineList.Selected)
        assert (last.row, last.control) == ("row 2", app.list)


@pytest.mark.parametrize("count", [10_000, 100_000])
async def test_the_cost_does_not_depend_on_the_number_of_rows(count: int) -> None:
    app = ListApp(numbered(count))
    async with app.run_test() as pilot:
        await pilot.press("end")
        await settled(pilot, count - HEIGHT)
        app.drawn.clear()
        await pilot.press("home", "down", "pagedown", "end")
        await settled(pilot, count - HEIGHT)
        # Each of the four keys paints at most a screen, and each screen once or twice.
        assert len(app.drawn) <= 4 * 2 * HEIGHT
        app.drawn.clear()
        app.list.set_rows(numbered(count, first=7))
        await settled(pilot, 0)
        assert len(app.drawn) <= 3 * HEIGHT


async def test_a_step_draws_the_two_rows_concerned() -> None:
    app = ListApp(numbered(100))
    async with app.run_test() as pilot:
        await pilot.press("down")
        app.drawn.clear()
        await pilot.press("down")
        await wait_until(pilot, lambda: app.drawn)
        assert {index for index, _ in app.drawn} == {1, 2}


async def test_other_rows_keep_the_cursor_on_the_same_row_at_the_same_height() -> None:
    app = ListApp(numbered(100))
    async with app.run_test() as pilot:
        app.list.move_to(50)
        await settled(pilot, 41)
        app.list.move_to(45)
        await wait_until(pilot, lambda: app.highlighted[-1:] == [45])
        app.told.clear()
        app.list.set_rows(["new 1", "new 2", *numbered(100)], keep=identity)
        await settled(pilot, 43)
        assert (app.list.cursor, app.list.current) == (47, "row 45")
        await pilot.pause()
        assert app.highlighted == []


async def test_rows_may_be_filtered_and_come_back() -> None:
    app = ListApp(numbered(100))
    async with app.run_test() as pilot:
        app.list.move_to(50)
        app.list.set_rows(["row 5", "row 50"], keep=identity)
        await settled(pilot, 0)
        assert app.list.current == "row 50"
        app.list.set_rows(numbered(100), keep=identity)
        await wait_until(pilot, lambda: "row 50" in app.screen_text())
        assert app.list.current == "row 50"


async def test_a_row_that_is_gone_hands_the_cursor_to_its_place() -> None:
    app = ListApp(numbered(5))
    async with app.run_test() as pilot:
        app.list.move_to(4)
        await wait_until(pilot, lambda: app.highlighted[-1:] == [4])
        app.list.set_rows(numbered(4), keep=identity)
        await wait_until(pilot, lambda: app.highlighted[-1:] == [3])
        assert app.list.current == "row 3"


async def test_who_scrolled_away_keeps_looking_at_the_same_lines() -> None:
    app = ListApp(numbered(100))
    async with app.run_test() as pilot:
        app.list.scroll_to(y=60, animate=False)
        await settled(pilot, 60)
        app.list.set_rows(["new", *numbered(100)], keep=identity)
        await settled(pilot, 61)
        assert app.screen_text()[0] == "row 60"
        assert app.list.current == "row 0"


async def test_other_rows_without_identity_begin_at_the_top() -> None:
    app = ListApp(numbered(100))
    async with app.run_test() as pilot:
        app.list.move_to(70)
        app.list.set_rows(numbered(50, first=200))
        await settled(pilot, 0)
        assert app.list.current == "row 200"
        await wait_until(pilot, lambda: app.highlighted[-1:] == [0])


async def test_no_rows_show_the_text_for_it_and_have_no_cursor() -> None:
    app = ListApp(numbered(3))
    async with app.run_test() as pilot:
        app.list.set_rows([], keep=identity)
        await pilot.press("down", "end", "pagedown", "enter")
        assert (app.list.cursor, app.list.current, app.selected) == (None, None, [])
        assert app.screen_text()[:3] == ["nothing", "here", ""]
        app.list.set_empty(Content("other"))
        assert app.screen_text()[0] == "other"
        app.list.set_rows(["back"], keep=identity)
        await wait_until(pilot, lambda: app.highlighted[-1:] == [0])


@pytest.mark.parametrize(("classes", "left", "top"), [("", 0, 0), ("framed", 3, 2)])
async def test_a_click_highlights_and_a_double_click_chooses(classes: str, left: int, top: int) -> None:
    app = ListApp(numbered(30), classes)
    async with app.run_test() as pilot:
        await pilot.click(LineList, offset=(left + 2, top + 3))
        await wait_until(pilot, lambda: app.list.cursor == 3)
        assert app.selected == []
        await pilot.click(LineList, offset=(left + 2, top + 1), times=2)
        await wait_until(pilot, lambda: app.selected == [1])
        assert app.list.has_focus


async def test_a_click_below_the_rows_does_nothing() -> None:
    app = ListApp(numbered(2))
    async with app.run_test() as pilot:
        await pilot.click(LineList, offset=(2, 6), times=2)
        await pilot.pause()
        assert (app.list.cursor, app.selected) == (0, [])


async def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    app = ListApp(numbered(100))
    async with app.run_test() as pilot:
        for _ in range(3):
            app.list.post_message(_wheel(app.list))
        await wait_until(pilot, lambda: app.list.scroll_offset.y > 0)
        assert app.list.cursor == 0
        clicked = app.list.scroll_offset.y + 2
        await pilot.click(LineList, offset=(1, 2))
        await wait_until(pilot, lambda: app.list.cursor == clicked)


def _wheel(target: LineList[str]) -> Message:
    return MouseScrollDown(target, 1, 1, 0, 1, 0, False, False, False)


async def test_the_row_under_the_mouse_is_told_to_its_renderer() -> None:
    app = ListApp(numbered(30))
    async with app.run_test() as pilot:
        await pilot.hover(LineList, offset=(2, 4))
        await wait_until(pilot, lambda: app.list.hovered == 4)
        app.screen_text()
        assert [index for index, state in app.drawn[-HEIGHT:] if state.hover] == [4]
        assert [index for index, state in app.drawn[-HEIGHT:] if state.cursor] == [0]
        await pilot.hover(offset=(60, 20))
        await wait_until(pilot, lambda: app.list.hovered is None)


async def test_a_resize_keeps_the_cursor_in_view() -> None:
    app = ListApp(numbered(100))
    async with app.run_test() as pilot:
        app.list.move_to(9)
        app.list.styles.height = 4
        await settled(pilot, 6)
        assert "row 9" in app.screen_text()


async def test_a_resize_leaves_who_scrolled_away_where_they_are() -> None:
    app = ListApp([f"row {index}" for index in range(200)])
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        app.list.scroll_to(y=100, animate=False)
        app.list.styles.height = HEIGHT - 2
        await wait_until(pilot, lambda: app.list.size.height == HEIGHT - 2)
        await pilot.pause()
        assert app.list.scroll_offset.y == 100


async def test_lines_are_clipped_by_cells() -> None:
    app = ListApp(["漢" * 100, "a" + "漢" * 100])
    async with app.run_test() as pilot:
        await pilot.pause()
        width = app.list.scrollable_content_region.width
        assert [app.list.render_line(y).cell_length for y in range(HEIGHT)] == [width] * HEIGHT
        assert app.screen_text()[0] == "漢" * (width // 2)


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_renderer_that_forgets_the_gate_leaks_nothing(name: str) -> None:
    app = ListApp([HOSTILE[name]])
    async with app.run_test() as pilot:
        await pilot.pause()
        app.draw_row = lambda index, width, state: [Segment(HOSTILE[name])]  # type: ignore[method-assign]
        app.list._render_row = app.draw_row
        line = app.list.render_line(0)
        assert not [c for c in line.text if ord(c) < 0x20 or 0x7F <= ord(c) <= 0x9F or c in "\u202e\u200b\u2028"]
        assert line.cell_length == app.list.scrollable_content_region.width


async def test_one_row_that_cannot_be_drawn_leaves_the_others() -> None:
    app = ListApp(numbered(3))

    def fail_on_second(index: int, width: int, state: RowState) -> Drawn:
        if index == 1:
            raise ValueError("[/x]")
        return Strip([Segment(f"row {index}")])

    app.list._render_row = fail_on_second
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.screen_text()[:3] == ["row 0", "this row cannot be drawn (ValueError)", "row 2"]


async def test_a_style_that_no_theme_knows_costs_its_colour_alone() -> None:
    app = ListApp(["x"])

    def segments() -> Iterator[Segment]:
        yield Segment("x")

    async with app.run_test() as pilot:
        await pilot.pause()
        app.list._render_row = lambda index, width, state: Content.styled("text", "$no-such-variable")
        assert app.screen_text()[0] == "text"
        app.list._render_row = lambda index, width, state: segments()
        assert app.screen_text()[0] == "x"

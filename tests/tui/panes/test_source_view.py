import time
from collections.abc import Callable
from typing import Any

import pytest
from textual.color import Color

from skillui.core import Severity
from skillui.tui.themes import DEFAULT_THEME
from skillui.tui.widgets.source_view import Mark, SourceView
from tests.tui.hostile import HOSTILE, LONG_BODY
from tests.tui.panes.stage import Stage, screen_text


def cells(view: SourceView, y: int) -> list[tuple[str, Any]]:
    """The characters of a screen line with their styles."""
    return [(char, segment.style) for segment in view.render_line(y) for char in segment.text]


def styles_of(view: SourceView, y: int, text: str) -> list[Any]:
    row = cells(view, y)
    at = "".join(char for char, _ in row).index(text)
    return [style for _, style in row[at : at + len(text)]]


async def test_lines_carry_the_numbers_of_their_file() -> None:
    view = SourceView("one\ntwo\nthree\n", "x.md", first_line=9)
    async with Stage(view).stage() as pilot:
        await pilot.pause()
        lines = screen_text(view.app).splitlines()
        assert [line.split() for line in lines[:4]] == [["9", "one"], ["10", "two"], ["11", "three"], []]


async def test_a_long_line_continues_below_without_a_number() -> None:
    view = SourceView("word " * 40 + "\nnext")
    async with Stage(view).stage(40, 10) as pilot:
        await pilot.pause()
        lines = screen_text(view.app).splitlines()
        assert lines[0].split()[0] == "1"
        assert lines[1].split()[0] == "word"
        assert "".join(lines).count("word") == 40


async def test_colours_stay_right_behind_replaced_characters(wait_for: Callable[..., Any]) -> None:
    view = SourceView("a\u202eb \x1b `code` end", "x.md")
    async with Stage(view).stage() as pilot:
        await wait_for(pilot, lambda: styles_of(view, 0, "code")[0].color != styles_of(view, 0, "end")[0].color)
        shown = "".join(char for char, _ in cells(view, 0))
        assert "a⟨U+202E⟩b ␛ `code` end" in shown
        code = {style.color for style in styles_of(view, 0, "`code`")}
        plain = {style.color for style in [*styles_of(view, 0, "end"), *styles_of(view, 0, "b ")]}
        assert len(code) == 1
        assert code.isdisjoint(plain)
        assert all(style.reverse for style in styles_of(view, 0, "⟨U+202E⟩"))
        assert not styles_of(view, 0, "a")[0].reverse


async def test_a_problem_stands_in_the_gutter_and_its_word_is_underlined() -> None:
    marks = [Mark(5, 7, Severity.WARNING, "odd"), Mark(5, 1, Severity.ERROR, "wrong"), Mark(99, 1, Severity.NOTE, "-")]
    view = SourceView("key: value\nabc: wrong thing\n", "x.yaml", first_line=4, marks=marks)
    async with Stage(view).stage() as pilot:
        await pilot.pause()
        row = "".join(char for char, _ in cells(view, 1))
        assert row.startswith("✗ 5")
        assert not "".join(char for char, _ in cells(view, 0)).strip().startswith("✗")
        assert all(style.underline for style in styles_of(view, 1, "rong"))
        assert all(style.underline for style in styles_of(view, 1, "abc"))
        assert not any(style.underline for style in styles_of(view, 1, "thing"))
        broken = Color.parse(view.app.theme_variables["state-broken"]).rich_color.triplet
        assert cells(view, 1)[0][1].color.triplet == broken
        view.go_to_line(5)
        assert [mark.message for mark in view.current_marks] == ["wrong", "odd"]


async def test_go_to_line_works_before_there_is_a_screen_and_after() -> None:
    view = SourceView(LONG_BODY, first_line=9)
    view.go_to_line(5_008)
    async with Stage(view).stage() as pilot:
        await pilot.pause()
        assert view.current_line == 5_008
        assert "5008" in screen_text(view.app)
        view.go_to_line(9_999, 3)
        await pilot.pause()
        assert view.current_line == 9_999
        view.go_to_line(10**9)
        assert view.current_line == 10_008
        view.go_to_line(1)
        assert view.current_line == 9


async def test_keys_and_mouse_move_the_cursor() -> None:
    view = SourceView("\n".join(str(number) for number in range(100)))
    async with Stage(view).stage() as pilot:
        view.focus()
        await pilot.press("j", "j", "down", "k")
        assert view.current_line == 3
        await pilot.press("end")
        assert view.current_line == 100
        await pilot.press("home", "pagedown")
        assert view.current_line == 24
        await pilot.press("home")
        await pilot.click(view, offset=(10, 5))
        assert view.current_line == 6


async def test_a_newer_state_of_the_same_text_keeps_the_place() -> None:
    text = "\n".join(f"line {number}" for number in range(200))
    view = SourceView(text)
    async with Stage(view).stage() as pilot:
        view.focus()
        view.go_to_line(120)
        await pilot.pause()
        top = view.scroll_offset.y
        view.show_source(text.replace("line 3", "changed"), same=True)
        await pilot.pause()
        assert (view.current_line, view.scroll_offset.y) == (120, top)
        view.show_source(text)
        await pilot.pause()
        assert (view.current_line, view.scroll_offset.y) == (1, 0)


async def test_a_resize_keeps_the_line_in_view() -> None:
    view = SourceView("some words that need room " * 4_000 + "\n" + "x\n" * 500)
    async with Stage(view).stage() as pilot:
        view.go_to_line(300)
        await pilot.pause()
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        assert view.current_line == 300
        assert "300" in screen_text(view.app)


@pytest.mark.parametrize("text", ["x" * 4_000_000, "word " * 800_000, "line\n" * 800_000], ids=["x", "words", "lines"])
async def test_four_megabytes_are_shown_without_holding_the_screen(text: str, wait_for: Callable[..., Any]) -> None:
    view = SourceView()
    async with Stage(view).stage() as pilot:
        await pilot.pause()
        start = time.process_time()
        view.show_source(text, "x.txt")
        held = time.process_time() - start
        assert held < 1.0, "laying out belongs to a thread"
        await wait_for(pilot, lambda: len(view.rows) > 10_000)
        view.focus()
        await pilot.press("end")
        assert view.cursor == len(view.rows) - 1


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("name", ["x.md", "x.yaml", "x.txt"])
async def test_hostile_text_is_drawn_inside_its_cells(text: str, name: str) -> None:
    marks = [Mark(1, column, Severity.ERROR, text) for column in (1, 2, 3_000)]
    view = SourceView(f"{text}\n- {text}\n", name, marks=marks)
    app = Stage(view)
    async with app.stage() as pilot:
        await pilot.pause()
        await app.workers.wait_for_complete()
        for y in range(24):
            strip = view.render_line(y)
            assert strip.cell_length == view.scrollable_content_region.width
            assert all(segment.text.isprintable() for segment in strip)
            assert "cannot be drawn" not in strip.text
        assert app.theme == DEFAULT_THEME

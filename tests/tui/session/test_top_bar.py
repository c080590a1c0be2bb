"""The top line: what it says, what gives way, where a click leads."""

from __future__ import annotations

import pytest
from textual.content import Content

from skillui.tui.messages import ModeRequested
from skillui.tui.model.top_line import Mode, Reading, TopLine, facts, middle_cut
from skillui.tui.safe_text import safe
from skillui.tui.widgets.top_bar import TopBar
from tests.tui.conftest import wait_until
from tests.tui.hostile import HOSTILE
from tests.tui.session.session_records import WidgetApp, listen

LINE = TopLine(
    modes=(
        Mode("browse", "1", "Browse"),
        Mode("review", "2", "Review", Content.styled("⚑3", "$state-untrusted")),
        Mode("session", "3", "Session", Content.styled("●", "$state-ok")),
    ),
    path="~/work/shop",
    roots=3,
    lens="engine",
    watching=True,
)
LONG_PATH = "~/work/a-company/with/many/folders/and/a/long/name/shop"


def asked(app: WidgetApp) -> list[str]:
    return [message.mode for message in app.asked if isinstance(message, ModeRequested)]


async def first_line(line: TopLine, width: int) -> str:
    app = WidgetApp(TopBar(line))
    async with app.run_test(size=(width, 5)):
        return app.text().split("\n")[0]


async def test_everything_is_said_where_there_is_room() -> None:
    text = await first_line(LINE, 120)
    assert text.startswith(" skillui   1 Browse  2 Review ⚑3  3 Session ●  ")
    assert text.endswith("~/work/shop   roots 3   lens engine   ⟳ watching ")


async def test_only_modes_that_exist_are_shown() -> None:
    modes = (Mode("browse", "1", "Browse"), Mode("session", "3", "Session"))
    text = await first_line(TopLine(modes=modes), 80)
    assert "1 Browse" in text
    assert "3 Session" in text
    assert "2" not in text
    assert "watching" not in text


async def test_eighty_columns_keep_modes_path_and_watching() -> None:
    text = await first_line(LINE, 80)
    for part in ("1 Browse", "2 Review ⚑3", "3 Session ●", "~/work/shop", "⟳ watching"):
        assert part in text
    assert "lens" not in text


async def test_a_long_path_loses_its_middle() -> None:
    text = await first_line(TopLine(modes=LINE.modes, path=LONG_PATH, watching=True), 100)
    assert "~/" in text
    assert "…" in text
    assert "name/shop" in text


@pytest.mark.parametrize(("watching", "words"), [(True, "⟳ watching"), (False, "not watching")])
async def test_the_watcher_is_said_in_words(watching: bool, words: str) -> None:
    assert words in await first_line(TopLine(watching=watching), 80)


async def test_a_scan_is_counted_and_ends() -> None:
    app = WidgetApp(bar := TopBar(LINE))
    async with app.run_test(size=(120, 5)) as pilot:
        bar.set_reading(1_234, 10_000)
        await wait_until(pilot, lambda: "reading 1,234 / 10,000" in app.text())
        bar.set_reading(10_000, 10_000)
        await wait_until(pilot, lambda: "⟳ watching" in app.text())


async def test_a_demo_is_marked() -> None:
    assert "demo" in await first_line(TopLine(path="/tmp/x", demo=True), 80)


async def test_a_click_on_a_mode_asks_for_it() -> None:
    app = WidgetApp(TopBar(LINE))
    async with app.run_test(size=(120, 5), message_hook=listen(app)) as pilot:
        await pilot.click(TopBar, offset=(app.text().index("Review"), 0))
        await pilot.click(TopBar, offset=(app.text().index("3 Session"), 0))
        await pilot.click(TopBar, offset=(60, 0))
        await wait_until(pilot, lambda: len(asked(app)) >= 2)
        assert asked(app) == ["review", "session"]


async def test_the_active_mode_is_filled() -> None:
    app = WidgetApp(bar := TopBar(LINE))
    async with app.run_test(size=(120, 5)):
        bar.set_active("session")
        (filled,) = [part for part in bar.render_line(0) if part.text == " 3 Session ● "]
        (other,) = [part for part in bar.render_line(0) if "Browse" in part.text]
        assert filled.style is not None
        assert other.style is not None
        assert filled.style.bgcolor != other.style.bgcolor


async def test_badges_follow_what_waits() -> None:
    app = WidgetApp(bar := TopBar(LINE))
    async with app.run_test(size=(120, 5)) as pilot:
        bar.set_badge("review", Content("⚑12"))
        await wait_until(pilot, lambda: "2 Review ⚑12" in app.text())


@pytest.mark.parametrize("width", [24, 32, 40, 60])
async def test_small_lines_keep_the_active_mode(width: int) -> None:
    text = await first_line(LINE, width)
    assert "1 Browse" in text
    assert len(text) == width


@pytest.mark.parametrize("width", range(0, 90, 3))
def test_facts_never_take_more_than_they_have(width: int) -> None:
    for line in (LINE, TopLine(path=LONG_PATH, demo=True, reading=Reading(5, 10_000), roots=3)):
        assert facts(line, width).cell_length <= width


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_path_is_cut_by_cells(text: str) -> None:
    for width in range(30):
        cut = middle_cut(safe(text * 3), width)
        assert cut.cell_length <= width
        assert cut.plain.isprintable()


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_text_stays_on_the_line(text: str) -> None:
    line = await first_line(TopLine(modes=LINE.modes, path=text, lens=text, watching=True), 120)
    assert line.isprintable()
    assert "1 Browse" in line

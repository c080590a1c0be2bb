"""The line of tabs by mouse, by its owner's keys, and with too little room."""

from __future__ import annotations

from itertools import pairwise

import pytest
from textual.content import Content

from skillui.tui.widgets.tab_bar import Tab, TabBar, TabSelected, place_tabs
from tests.tui.conftest import wait_until
from tests.tui.hostile import HOSTILE
from tests.tui.session.session_records import WidgetApp, listen

TABS = [
    ("overview", "Overview"),
    ("frontmatter", "Frontmatter"),
    ("body", "Body"),
    ("resources", "Resources"),
    ("problems", "Problems"),
    ("preview", "Preview"),
]


def bar() -> TabBar:
    tabs = TabBar(TABS)
    tabs.set_badge("resources", Content("4"))
    return tabs


def chosen(app: WidgetApp) -> list[str]:
    return [message.tab for message in app.asked if isinstance(message, TabSelected)]


async def test_the_first_tab_is_active_and_badges_are_shown() -> None:
    app = WidgetApp(tabs := bar())
    async with app.run_test(size=(100, 5)):
        assert tabs.active == "overview"
        assert "Overview    Frontmatter    Body    Resources 4    Problems    Preview" in app.text()


async def test_a_click_chooses_a_tab() -> None:
    app = WidgetApp(tabs := bar())
    async with app.run_test(size=(100, 5), message_hook=listen(app)) as pilot:
        await pilot.click(TabBar, offset=(app.text().split("\n")[0].index("Problems") + 2, 0))
        await wait_until(pilot, lambda: chosen(app) == ["problems"])
        assert tabs.active == "problems"


async def test_a_click_beside_the_tabs_chooses_nothing() -> None:
    app = WidgetApp(tabs := bar())
    async with app.run_test(size=(100, 5), message_hook=listen(app)) as pilot:
        await pilot.click(TabBar, offset=(98, 0))
        await pilot.pause()
        assert tabs.active == "overview"
        assert chosen(app) == []


async def test_the_owner_moves_round_the_ends() -> None:
    app = WidgetApp(tabs := bar())
    async with app.run_test(size=(100, 5), message_hook=listen(app)) as pilot:
        tabs.move(-1)
        tabs.move(1)
        await wait_until(pilot, lambda: chosen(app) == ["preview", "overview"])


async def test_setting_the_active_tab_tells_nobody_and_unknown_names_change_nothing() -> None:
    app = WidgetApp(tabs := bar())
    async with app.run_test(size=(100, 5), message_hook=listen(app)) as pilot:
        tabs.active = "body"
        tabs.active = "nowhere"
        await pilot.pause()
        assert tabs.active == "body"
        assert chosen(app) == []


async def test_the_active_tab_is_set_apart_without_colour() -> None:
    tabs = bar()
    tabs.active = "body"
    app = WidgetApp(tabs)
    async with app.run_test(size=(100, 5)):
        assert [
            segment.text for segment in tabs.render_line(0) if segment.style is not None and segment.style.underline
        ] == ["Body"]


@pytest.mark.parametrize("width", [6, 12, 20, 30, 44, 52, 60, 76, 120])
@pytest.mark.parametrize("active", [name for name, _ in TABS])
def test_the_active_tab_is_always_in_view(width: int, active: str) -> None:
    placed = place_tabs([Tab(*tab) for tab in TABS], active, width)
    assert placed[-1].end <= width
    assert all(one.end < other.start for one, other in pairwise(placed))
    (shown,) = [one for one in placed if one.name == active]
    if width >= 20:
        assert shown.label.plain == dict(TABS)[active]


def test_a_sign_at_each_end_leads_to_the_nearest_hidden_tab() -> None:
    placed = place_tabs([Tab(*tab) for tab in TABS], "resources", 24)
    assert placed[0].label.plain == placed[-1].label.plain == "…"
    names = [name for name, _ in TABS]
    shown = [one.name for one in placed]
    assert shown == names[names.index(shown[0]) : names.index(shown[-1]) + 1]


def test_no_tabs_are_no_fault() -> None:
    assert place_tabs([], "", 80) == []
    TabBar().move(1)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_titles_stay_on_the_line(text: str) -> None:
    placed = place_tabs([Tab("a", text), Tab("b", text), Tab("c", "Problems")], "c", 40)
    assert placed[-1].end <= 40
    assert all(one.label.plain.isprintable() for one in placed)

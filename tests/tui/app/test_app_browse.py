"""Browse as a whole: rows, search, tabs, sort, compare, sizes, by keys and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.geometry import Offset
from textual.screen import Screen

from skillui.tui.dialogs.diff import CompareDialog
from skillui.tui.model.rows import CatalogRow
from skillui.tui.panes.catalog_list import CatalogList
from skillui.tui.panes.catalog_search import SearchInput
from skillui.tui.screens.browse import BrowseScreen
from skillui.tui.screens.review import ReviewScreen
from skillui.tui.screens.session import SessionScreen
from skillui.tui.widgets.session_strip import SessionStrip
from skillui.tui.widgets.tab_bar import TabBar, place_tabs
from skillui.tui.widgets.top_bar import TopBar
from tests.tui.app.whole_app import Run, Shop, preview_of, running
from tests.tui.conftest import at_rest

ALL = ["deploy", "half", "notes", "review", "ticket"]


async def test_every_skill_is_in_one_list_with_its_state_and_the_first_is_shown(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        assert run.names == ALL
        assert [run.row(name).state for name in ALL] == ["untrusted", "broken", "untrusted", "ok", "untrusted"]
        await run.shows("Catalog  5", "1 broken", "3 untrusted", "Does deploy. Use when deploy is wanted.")


async def test_rows_stream_in_before_the_scan_ends(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skillui.tui.reading.PAINT_EVERY", 0.0)
    for number in range(400):
        shop.skill(f"skill-{number:03}")
    async with running(shop.launch(), skills=False) as run:
        counts: list[int] = []

        def done() -> bool:
            counts.append(len(run.browse.catalog.rows))
            return counts[-1] == 405 and not run.browse.catalog._scanning

        await run.until(done)
        assert counts[0] < 405
        assert counts == sorted(counts)


async def test_the_search_ranks_and_enter_leaves_with_the_best_match_selected(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.press("slash", *"ticke")
        await run.until(lambda: run.names[:1] == ["ticket"])
        await run.press("enter")
        await run.until(lambda: run.browse.catalog.list.has_focus)
        await run.viewed("ticket")
        await run.press("slash")
        await run.until(lambda: run.screen.query_one(SearchInput).has_focus)
        await run.press("escape")
        await run.until(lambda: run.names == ALL)
        assert run.screen.query_one(SearchInput).has_focus
        await run.press("escape")
        await run.until(lambda: run.browse.catalog.list.has_focus)


async def test_every_printable_key_is_text_in_the_search(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.press("slash", *"aAepvngs?13[]xR")
        assert run.screen.query_one(SearchInput).value == "aAepvngs?13[]xR"
        assert run.screen is run.browse
        assert run.records == []


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("is:broken", ["half"]),
        ("is:untrusted", ["deploy", "notes", "ticket"]),
        ("root:project", ["deploy", "half", "notes", "ticket"]),
        ("tool:Bash", ["deploy"]),
        ("key:arguments", ["ticket"]),
        ("is:untrusted not", ["notes"]),
    ],
)
async def test_filters(shop: Shop, query: str, names: list[str]) -> None:
    async with running(shop.launch()) as run:
        await run.press("slash", *query)
        await run.until(lambda: run.names == names)


async def test_filters_of_the_disk_and_of_the_session(shop: Shop) -> None:
    scripts = shop.project_root / "notes" / "scripts"
    scripts.mkdir()
    (scripts / "run.sh").write_text("true\n", encoding="utf-8")
    shop.skill("notes", user=True)
    async with running(shop.launch()) as run:
        run.app.search_for("has:scripts")
        await run.until(lambda: run.names == ["notes"])
        run.app.search_for("is:shadowed")
        await run.until(lambda: run.names == ["notes"] and run.browse.catalog.query_text == "is:shadowed")
        run.app.search_for("")
        await run.until(lambda: len(run.names) == 6)
        await run.activate("review")
        run.app.search_for("is:loaded")
        await run.until(lambda: run.names == ["review"])
        await run.shows("loaded")


async def test_the_palette_searches_skills_and_runs_commands(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.press("ctrl+p")
        await run.until(lambda: type(run.screen).__name__ == "CommandPalette")
        await run.press(*"Skill ticket")
        await run.shows("Skill ticket")
        await run.press("enter")
        await run.until(lambda: run.screen is run.browse)
        await run.viewed("ticket")
        await run.press("ctrl+p")
        await run.press(*"broken")
        await run.shows("Show broken skills")
        await run.press("enter")
        await run.until(lambda: run.names == ["half"])


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_every_tab_is_opened_by_key_and_by_mouse(shop: Shop, size: tuple[int, int]) -> None:
    async with running(shop.launch(), size) as run:
        await run.go("deploy")
        await run.press("enter")
        await run.until(lambda: run.browse.has_class("-detail"))
        tabs = ["overview", "frontmatter", "body", "resources", "problems", "preview"]
        for tab in [*tabs[1:], tabs[0]]:
            await run.press("]")
            await run.until(lambda tab=tab: run.browse.area.active == tab and run.browse.area.pane is not None)  # type: ignore[misc]
            await at_rest(run.pilot)
        await run.press("[")
        await run.until(lambda: run.browse.area.active == "preview")
        bar = run.screen.query_one(TabBar)
        for tab in tabs:
            placed = place_tabs(bar.tabs, bar.active, bar.size.width)
            start = next(one.start for one in placed if one.name == tab)
            await run.pilot.click(TabBar, offset=(start, 0))
            await run.until(lambda tab=tab: run.browse.area.active == tab)  # type: ignore[misc]


@pytest.mark.parametrize(("keys", "screen"), [("2", ReviewScreen), ("3", SessionScreen), ("21", BrowseScreen)])
async def test_every_mode_comes_to_rest(shop: Shop, keys: str, screen: type[Screen[object]]) -> None:
    async with running(shop.launch()) as run:
        await run.activate("deploy")
        await run.press(*keys)
        await run.until(lambda: isinstance(run.screen, screen))
        await at_rest(run.pilot)


async def test_a_click_selects_and_a_double_click_opens(shop: Shop) -> None:
    async with running(shop.launch(), (80, 24)) as run:
        await run.pilot.click(CatalogList, offset=(5, 2))
        await run.viewed("notes")
        assert not run.browse.has_class("-detail")
        await run.pilot.click(CatalogList, offset=(5, 0), times=2)
        await run.until(lambda: run.browse.has_class("-detail"))
        await run.viewed("deploy")


async def test_a_narrow_terminal_shows_one_pane_at_a_time(shop: Shop) -> None:
    async with running(shop.launch(), (80, 24)) as run:
        assert run.browse.catalog.display
        assert not run.browse.area.display
        await run.go("notes")
        await run.press("enter")
        await run.until(lambda: run.browse.area.display and not run.browse.catalog.display)
        await run.shows("notes", "Does notes.")
        await run.press("escape")
        await run.until(lambda: run.browse.catalog.display and run.browse.catalog.list.has_focus)
        assert run.browse.entry is not None
        assert run.browse.entry.name == "notes"


async def test_a_resize_loses_nothing(shop: Shop) -> None:
    for number in range(60):
        shop.skill(f"skill-{number:03}")
    async with running(shop.launch()) as run:
        run.app.search_for("skill")
        await run.until(lambda: len(run.names) == 60)
        await run.press("end")
        await run.until(lambda: run.browse.catalog.list.cursor == 59)
        name = run.browse.catalog.current and run.browse.catalog.current.name
        await run.press("p")
        await preview_of(run)
        await run.press(*"typed")
        for size in ((80, 24), (40, 10), (200, 50), (20, 5), (120, 36)):
            await run.pilot.resize_terminal(*size)
            await run.pilot.pause()
            run.text()
        assert run.browse.catalog.current is not None
        assert run.browse.catalog.current.name == name
        assert run.browse.catalog.query_text == "skill"
        assert run.browse.area.active == "preview"
        assert run.browse.area.call[0] == "typed"


async def test_group_and_sort(shop: Shop) -> None:
    shop.skill("aardvark", about="Short.", user=True)
    async with running(shop.launch()) as run:
        await run.press("g")
        await run.until(lambda: run.browse.catalog.grouped)
        assert [item.name for item in run.browse.catalog.list.rows if isinstance(item, CatalogRow)][-2:] == [
            "aardvark",
            "review",
        ]
        await run.press("g", "s")
        await run.until(lambda: run.browse.catalog.sort == "tokens")
        tokens = [run.row(name).tokens for name in run.names]
        assert tokens == sorted(tokens, reverse=True)


async def test_a_shadowed_copy_is_opened_and_compared_with_its_winner(shop: Shop) -> None:
    shop.skill("notes", "Write other notes.\n", user=True)
    async with running(shop.launch()) as run:
        await run.go("notes")
        await run.press("down")
        await run.until(lambda: run.browse.area.view is not None and not run.browse.area.view.winner)
        await run.press("c")
        await run.until(lambda: isinstance(run.screen, CompareDialog))
        await run.shows("Write notes.", "Write other notes.", "wins over")
        await run.press("escape")
        await run.until(lambda: run.screen is run.browse)
        assert run.browse.area.view is not None
        assert run.browse.area.view.entry.dir.startswith(str(shop.user_root))


async def _in_mode(run: Run, mode: str) -> None:
    await run.until(lambda: run.app.current_mode == mode)


async def test_modes_by_key_and_by_mouse_and_back(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("notes")
        ways = [
            ("session", "3", "1"),
            ("session", "3 Session", "click"),
            ("review", "2", "1"),
            ("review", "2 Review", "click"),
        ]
        for mode, go, back in ways:
            if len(go) > 1:
                await run.pilot.click(TopBar, offset=Offset(run.text().splitlines()[0].index(go), 0))
            else:
                await run.press(go)
            await _in_mode(run, mode)
            await run.shows("1 Browse")
            if back == "click":
                await run.pilot.click(TopBar, offset=Offset(run.text().splitlines()[0].index("1 Browse"), 0))
            else:
                await run.press(back)
            await run.until(lambda: run.screen is run.browse)
        assert run.browse.entry is not None
        assert run.browse.entry.name == "notes"


async def test_a_call_shows_in_browse_after_coming_back_from_session(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.press("3")
        await run.until(lambda: run.app.current_mode == "session")
        run.app.call_engine({"name": "notes"}, False)
        await run.answer("notes", "o")
        await run.shows("notes", "ok")
        await run.press("1")
        await run.until(lambda: run.row("notes").state == "loaded")
        await run.shows("loaded", "1 event")


async def test_problems_lead_to_their_line(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("half")
        await run.press("v")
        await run.until(lambda: run.browse.area.active == "problems")
        await run.shows("SKL-03", "description")
        await run.until(lambda: run.browse.area.has_focus_within)
        await run.press("enter")
        await run.until(lambda: run.browse.area.active in ("frontmatter", "body"))


async def test_the_strip_hides_and_comes_back(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        strip = run.screen.query_one(SessionStrip)
        await run.press("t")
        await run.until(lambda: not strip.display)
        await run.press("t")
        await run.until(lambda: bool(strip.display))


async def test_a_project_without_skills_says_where_it_looked_and_n_makes_one(
    tmp_path_factory: pytest.TempPathFactory, fake_home: Path
) -> None:
    shop = Shop(tmp_path_factory.mktemp("e"), fake_home)
    async with running(shop.launch(), skills=False) as run:
        await run.shows("No skills here yet.", "Looked in", ".skills", "~/.claude/skills", "skillui --demo")
        await run.press("n")
        await run.until(lambda: type(run.screen).__name__ == "NewSkillDialog")
        await run.press(*"first", "enter", *"Does it.", "ctrl+s")
        made = shop.project_root / "first" / "SKILL.md"
        await run.until(made.exists)
        await run.until(lambda: run.names == ["first"])
        await run.viewed("first")
        assert run.row("first").state == "untrusted"


async def test_keys_of_the_detail_work_from_the_list_and_nothing_happens_without_a_skill(
    tmp_path_factory: pytest.TempPathFactory, fake_home: Path
) -> None:
    shop = Shop(tmp_path_factory.mktemp("e"), fake_home)
    async with running(shop.launch(), (80, 24), skills=False) as run:
        await run.shows("No skills here yet.")
        await run.press(
            "a", "A", "y", "o", "e", "c", "v", "p", "]", "enter", "escape", "g", "s", "x", "3", "R", "o", "1"
        )
        await run.until(lambda: run.screen is run.browse)
        assert run.records == []
        await _works(run)


async def _works(run: Run) -> None:
    """The app still listens."""
    await run.press("question_mark")
    await run.until(lambda: type(run.screen).__name__ == "HelpDialog")
    await run.press("escape")
    await run.until(lambda: run.screen is run.browse)

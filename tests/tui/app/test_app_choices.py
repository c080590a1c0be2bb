"""What the person chose: themes, keys, configuration, plain terminals; and what the app says of mistakes in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from skillui.tui.dialogs.help import HelpDialog
from skillui.tui.dialogs.theme import ThemeDialog
from skillui.tui.glyphs import glyphs
from skillui.tui.panes.body import BodyPane
from skillui.tui.panes.frontmatter import FrontmatterPane
from skillui.tui.panes.problems import ProblemsPane
from skillui.tui.plain_lines import _TABLE
from skillui.workspace.launch import open_launch
from tests.tui.app.whole_app import Run, Shop, running


def colours(run: Run) -> set[str]:
    """Return every colour on the screen that is more than a shade of grey."""
    styles = [segment.style for strip in run.screen._compositor.render_strips() for segment in strip]
    shades = [shade.triplet for style in styles if style for shade in (style.color, style.bgcolor) if shade]
    return {shade.hex for shade in shades if shade is not None and len({*shade}) > 1}


async def choose_theme(run: Run, *keys: str) -> None:
    run.app.action_choose_theme()
    await run.until(lambda: isinstance(run.screen, ThemeDialog))
    await run.press(*keys)
    await run.until(lambda: run.screen is run.browse)


async def test_a_theme_is_seen_at_once_and_remembered_across_a_restart(shop: Shop, fake_home: Path) -> None:
    async with running(shop.launch()) as run:
        first = run.app.theme
        run.app.action_choose_theme()
        await run.until(lambda: isinstance(run.screen, ThemeDialog))
        await run.press("down")
        await run.until(lambda: run.app.theme != first)
        await run.press("escape")
        await run.until(lambda: run.app.theme == first)
        await choose_theme(run, "down", "enter")
        chosen = run.app.theme
        assert chosen != first
    state = json.loads((fake_home / ".local/state/skillui/state.json").read_text(encoding="utf-8"))
    assert state["theme"] == chosen
    async with running(shop.launch()) as run:
        assert run.app.theme == chosen
    assert not any("state" in path.name for path in shop.path.rglob("*"))


async def test_a_theme_of_the_persons_own_is_worn_and_a_bad_one_is_told(shop: Shop, fake_home: Path) -> None:
    folder = fake_home / ".config/skillui/themes"
    folder.mkdir(parents=True)
    (folder / "bad.yaml").write_text("name: bad\ndark: true\ncolors: {primary: nonsense}\n", encoding="utf-8")
    async with running(shop.launch()) as run:
        await run.told("theme bad.yaml")
        assert run.app.theme == "skillui-dark"


async def test_keys_of_the_configuration_work_and_bad_ones_are_told(shop: Shop) -> None:
    shop.config("keys:\n  skill.activate: ctrl+y\n  skill.nonsense: z\n  app.session: nokey\n  skill.edit: a\n")
    async with running(shop.launch()) as run:
        await run.told("skill.nonsense")
        await run.told("there is no key `nokey`; write one such as")
        await run.told("config.yaml:4:16: key of app.session")
        await run.go("notes")
        await run.press("ctrl+y")
        await run.answer("notes", "o")
        await run.calls(1)
        assert run.activated == {"notes"}
        await run.press("3")
        await run.until(lambda: run.app.current_mode == "session")
        await run.press("1", "question_mark")
        await run.until(lambda: isinstance(run.screen, HelpDialog))
        await run.press(*["pagedown"] * 2)
        await run.until(lambda: "^y" in run.text() and "yours" in run.text())


async def test_an_unknown_theme_of_the_configuration_is_told_with_its_line(shop: Shop) -> None:
    shop.config("watch: false\ntheme: papre\n")
    async with running(shop.launch()) as run:
        await run.told("config.yaml:2:8: there is no theme `papre`; did you mean `paper`?")


async def test_an_unknown_key_of_the_configuration_is_named(shop: Shop) -> None:
    shop.config("theem: skillui-light\n")
    async with running(shop.launch()) as run:
        await run.told("unknown key `theem`")
        await run.told("theme")


async def test_a_broken_configuration_starts_all_the_same(shop: Shop) -> None:
    shop.config("theme: [\n")
    async with running(shop.launch()) as run:
        await run.told("config.yaml")
        assert len(run.names) == 5


async def test_the_help_lists_all_keys_and_leaves_by_the_key_that_opened_it(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        for key in ("question_mark", "f1"):
            await run.press(key)
            await run.until(lambda: isinstance(run.screen, HelpDialog))
            await run.shows("Everywhere", "Quit")
            await run.press(key)
            await run.until(lambda: run.screen is run.browse)


async def test_the_footer_shows_what_the_focused_pane_can_do(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.shows("a Activate", "/ Search", "? Help", "^p Palette")
        await run.press("3")
        await run.shows("n New session", "? Help")
        assert "R Replay" not in run.text()  # there is no call to replay yet
        await run.press("1")
        await run.activate("review")
        await run.press("3")
        await run.shows("n New session", "x Export", "R Replay")


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_ascii_alone_is_drawn_where_nothing_else_can_be(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setenv("SKILLUI_ASCII", "1")
    glyphs.cache_clear()
    shop.skill("wide", "漢字 \u202e\n", about="漢字 and \u202e.")
    async with running(shop.launch(), size) as run:
        problems: dict[str, str] = {}

        def look(place: str) -> None:
            odd = {character for character in run.text() if ord(character) > 126} - set("漢字")
            if odd:
                problems[place] = "".join(sorted(odd))

        look("catalog")
        await run.go("wide")
        await run.press("enter")
        for tab in ("frontmatter", "body", "resources", "problems", "preview"):
            await run.browse.area.open_tab(tab)
            await run.pilot.pause(0.05)
            look(tab)
        run.app.call_engine({"name": "wide"}, False)
        await run.prompt("wide")
        look("prompt")
        await run.press("d")
        await run.calls(1)
        await run.press("escape", "3")
        await run.until(lambda: run.app.current_mode == "session")
        await run.pilot.pause(0.05)
        look("session")
        await run.press("question_mark")
        await run.until(lambda: isinstance(run.screen, HelpDialog))
        look("help")
        assert problems == {}


async def test_colour_is_there_where_nobody_forbids_it(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        assert colours(run)


def test_a_plain_sign_is_as_wide_as_what_it_stands_for() -> None:
    assert {code: plain for code, plain in _TABLE.items() if cell_len(chr(code)) != cell_len(plain)} == {}
    assert all(plain.isascii() for plain in _TABLE.values())


async def test_without_colour_states_are_told_by_glyph_and_word(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(shop.launch()) as run:
        assert colours(run) == set()
        await run.shows("◌ deploy", "✗ half", "untrusted", "✓ review")
        run.app.call_engine({"name": "notes"}, False)
        await run.answer("notes", "o")
        await run.calls(1)
        await run.shows("● notes", "loaded")


async def test_after_a_search_that_found_nothing_the_overview_is_of_the_skill_it_names() -> None:
    async with running(open_launch(demo=True)) as run:
        await run.press("end")
        last = run.browse.entry
        assert last is not None
        await run.viewed(last.name)
        await run.press("slash", *"zzzz")
        await run.until(lambda: run.browse.area.view is None and not run.names)
        await run.press("escape", "escape")
        await run.until(lambda: len(run.names) > 1)
        await run.press("home")
        first = run.names[0]
        assert first != last.name
        await run.viewed(first)
        await run.shows(f"model sees   {first}:")
        assert f"model sees   {last.name}:" not in run.text()


async def test_escape_in_a_filtered_list_clears_the_search(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        every = run.names
        assert "Clear search" not in run.text()
        await run.press("slash", *"notes", "enter")
        await run.until(lambda: run.browse.catalog.list.has_focus and run.names[:1] == ["notes"])
        assert run.names != every
        await run.shows("esc Clear search")
        await run.press("escape")
        await run.until(lambda: run.names == every)
        assert run.browse.entry is not None
        assert run.browse.entry.name == "notes"
        assert run.browse.catalog.list.has_focus
        await run.until(lambda: "Clear search" not in run.text())


async def test_r_in_the_catalog_renders_the_body(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("notes")
        await run.press("r")
        await run.until(lambda: isinstance(run.browse.area.pane, BodyPane) and run.browse.area.pane.rendered)
        assert run.browse.catalog.list.has_focus


async def test_the_first_enter_on_a_problem_shows_its_line(shop: Shop) -> None:
    filler = "".join(f"key-{number}: value\n" for number in range(60))
    folder = shop.project_root / "wrong"
    folder.mkdir()
    text = f"---\nname: wrong\ndescription: Does it.\n{filler}user-invocable: perhaps\n---\nDo it.\n"
    (folder / "SKILL.md").write_text(text, encoding="utf-8")
    async with running(shop.launch()) as run:
        await run.go("wrong")
        await run.press("v")
        await run.until(lambda: isinstance(run.browse.area.pane, ProblemsPane) and run.browse.area.has_focus_within)
        await run.press("enter")
        await run.until(lambda: isinstance(run.browse.area.pane, FrontmatterPane))
        pane = run.browse.area.pane
        assert isinstance(pane, FrontmatterPane)
        await run.until(lambda: pane.source.has_focus)
        await run.until(lambda: pane.source.current_line == 64)
        for _ in range(5):
            await run.pilot.pause(0.02)
        assert pane.source.current_line == 64
        assert pane.source.has_focus

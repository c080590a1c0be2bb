"""The catalog by keys and by mouse: what it shows and what it asks for."""

from __future__ import annotations

import string
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot

from skillui.core import AnyEntry
from skillui.core.catalog import assemble
from skillui.tui.messages import CompareRequested, NewSkillRequested, SkillHighlighted, SkillOpened
from skillui.tui.model.arrange import GroupHeader
from skillui.tui.model.catalog_inputs import CatalogInputs
from skillui.tui.model.rows import CatalogRow
from skillui.tui.panes.catalog import CatalogPane
from skillui.tui.panes.catalog_search import SearchInput
from skillui.tui.themes import SEMANTIC_DEFAULTS
from skillui.tui.widgets.scan_bar import ScanBar
from tests.tui.catalog.made import ROOTS, broken, gate_of, rows_of, skill
from tests.tui.conftest import wait_until
from tests.tui.hostile import HOSTILE

ENTRIES: list[AnyEntry] = [
    skill("alpha"),
    skill("deploy", 0, "Ships the shop"),
    skill("deploy", 1, "Another one"),
    broken("ghost", line=3),
    skill("release", 1, "Writes what changed before a deploy"),
    skill("zeta"),
]


class PaneApp(App[None]):
    """The pane alone, and what it asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.pane = CatalogPane()
        self.asked: list[Message] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(SEMANTIC_DEFAULTS)

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_skill_highlighted(self, message: SkillHighlighted) -> None:
        self.asked.append(message)

    def on_skill_opened(self, message: SkillOpened) -> None:
        self.asked.append(message)

    def on_compare_requested(self, message: CompareRequested) -> None:
        self.asked.append(message)

    def on_new_skill_requested(self, message: NewSkillRequested) -> None:
        self.asked.append(message)

    @property
    def names(self) -> list[str]:
        return [row.name if isinstance(row, CatalogRow) else f"[{row.title}]" for row in self.pane.list.rows]

    @property
    def current(self) -> str | None:
        return self.pane.current.name if self.pane.current else None

    @property
    def search(self) -> SearchInput:
        return self.pane.query_one(SearchInput)

    def lines(self) -> list[str]:
        height = self.pane.list.scrollable_content_region.height
        return [self.pane.list.render_line(y).text.rstrip() for y in range(height)]

    def frame(self) -> tuple[str, str]:
        # What the public properties return is markup.
        title, subtitle = self.pane._border_title, self.pane._border_subtitle
        return title.plain if title else "", subtitle.plain if subtitle else ""


def inputs(entries: list[AnyEntry], **rest: Any) -> CatalogInputs:
    return CatalogInputs(assemble(entries), ROOTS, gate_of, **rest)


def many(count: int) -> list[AnyEntry]:
    return [skill(f"skill-{number:05}") for number in range(count)]


def told_of(app: PaneApp) -> str | None:
    last = app.asked[-1] if app.asked else None
    return last.entry.name if isinstance(last, SkillHighlighted) and last.entry else None


async def shown(pilot: Pilot[Any], entries: list[AnyEntry] = ENTRIES) -> PaneApp:
    app = pilot.app
    assert isinstance(app, PaneApp)
    app.pane.set_catalog(inputs(entries))
    await wait_until(pilot, lambda: len(app.pane.rows) == len(entries))
    app.pane.focus_list()
    await wait_until(pilot, lambda: app.pane.list.has_focus)
    return app


async def test_every_state_is_in_the_list_with_glyph_and_word() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        assert app.names == ["alpha", "deploy", "deploy", "ghost", "release", "zeta"]
        lines = [line.split() for line in app.lines()[:6]]
        assert lines[0][:4] == ["✓", "alpha", "user", "ok"]
        assert lines[1][:5] == ["◌", "deploy", "project", "untrusted", "▾1"]
        assert lines[2] == ["└", "deploy", "user", "shadowed"]
        assert lines[3] == ["✗", "ghost", "project", "line", "3", "✗1"]


async def test_the_frame_counts() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        assert app.frame() == ("Catalog  6", "1 broken · 1 shadowed · 1 untrusted")
        await pilot.press("/", *"alpha")
        await wait_until(pilot, lambda: app.frame()[0] == "Catalog  1 of 6")


async def test_typing_ranks_and_down_leaves_with_the_best_match() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        await pilot.press("end", "/", *"deploy")
        await wait_until(pilot, lambda: app.names == ["deploy", "deploy", "release"])
        assert app.search.has_focus
        await pilot.press("down")
        await wait_until(pilot, lambda: app.pane.list.has_focus)
        assert app.pane.list.cursor == 0
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.asked[-1], SkillOpened))
        opened = app.asked[-1]
        assert isinstance(opened, SkillOpened)
        assert opened.entry == app.pane.rows[1].entry


async def test_enter_leaves_the_search_too() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        await pilot.press("/", *"zet", "enter")
        await wait_until(pilot, lambda: app.pane.list.has_focus)
        assert app.current == "zeta"
        assert not any(isinstance(message, SkillOpened) for message in app.asked)


async def test_escape_clears_first_and_leaves_then() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        await pilot.press("/", *"zeta")
        await wait_until(pilot, lambda: app.names == ["zeta"])
        await pilot.press("escape")
        await wait_until(pilot, lambda: len(app.names) == 6)
        assert app.search.has_focus
        assert app.current == "zeta"
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.pane.list.has_focus)


async def test_every_printable_key_is_text_in_the_search() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        await pilot.press("/")
        for character in (*string.printable[:94], " "):
            await pilot.press("space" if character == " " else character)
        assert app.search.value == string.printable[:94] + " "
        assert app.search.has_focus
        assert (app.pane.sort, app.pane.grouped) == ("name", False)
        assert not any(isinstance(message, NewSkillRequested) for message in app.asked)


async def test_a_filter_keeps_the_selection_where_it_can() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        await pilot.press("end", "/", *"-is:broken")
        await wait_until(pilot, lambda: "ghost" not in app.names)
        assert app.current == "zeta"


async def test_what_is_no_filter_is_told_in_the_frame() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        await pilot.press("/", *"is:odd")
        await wait_until(pilot, lambda: app.frame()[1] == "no filter is:odd")
        assert len(app.names) == 6


async def test_nothing_found_says_so() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        await pilot.press("/", *"qqqq")
        await wait_until(pilot, lambda: app.names == [])
        assert app.lines()[0] == "Nothing fits qqqq."
        await wait_until(pilot, lambda: getattr(app.asked[-1], "entry", 0) is None)


async def test_folders_are_looked_into_when_somebody_asks(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    entries: list[AnyEntry] = [skill("alpha"), replace(skill("beta"), dir=str(tmp_path))]
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot, entries)
        await pilot.press("/", *"has:scripts")
        await wait_until(pilot, lambda: app.names == ["beta"])
        (tmp_path / "scripts").rmdir()
        app.pane.set_catalog(inputs([*entries, skill("gamma")]))
        await wait_until(pilot, lambda: app.names == [])


async def test_a_skill_that_is_only_told_of_once() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        await pilot.press("down")
        await wait_until(pilot, lambda: told_of(app) == "deploy")
        before = len(app.asked)
        app.pane.set_catalog(inputs([*ENTRIES, skill("beta")]))
        await wait_until(pilot, lambda: "beta" in app.names)
        await pilot.pause()
        assert app.current == "deploy"
        assert len(app.asked) == before


async def test_a_changed_entry_is_told_of_again() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        changed = skill("alpha", 1, "Another description")
        app.pane.set_catalog(inputs([changed, *ENTRIES[1:]]))
        await wait_until(pilot, lambda: app.asked and getattr(app.asked[-1], "entry", None) is changed)


async def test_sorting_is_said_and_goes_to_the_top() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        await pilot.press("end", "s")
        assert app.pane.sort == "tokens"
        assert app.frame()[1].startswith("by tokens · ")
        assert app.pane.list.cursor == 0


async def test_groups_have_headers_that_the_cursor_passes_over() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        await pilot.press("g")
        assert app.names == ["[project]", "deploy", "ghost", "[user]", "alpha", "deploy", "release", "zeta"]
        visited = []
        await pilot.press("home")
        for _ in range(6):
            visited.append(app.current)
            await pilot.press("down")
        assert visited == ["deploy", "ghost", "alpha", "deploy", "release", "zeta"]
        await pilot.press("up", "up", "up", "up")
        assert app.current == "ghost"
        await pilot.press("home", "up")
        assert app.current == "deploy"
        assert not isinstance(app.pane.list.current, GroupHeader)
        assert app.pane.list.scroll_offset.y == 0
        await pilot.click(app.pane.list, offset=(2, 3))
        assert app.current == "alpha"


@pytest.mark.parametrize("downs", [1, 2])
async def test_winner_and_copy_are_compared_from_either(downs: int) -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        await pilot.press(*["down"] * downs, "c")
        await wait_until(pilot, lambda: isinstance(app.asked[-1], CompareRequested))
        request = app.asked[-1]
        assert isinstance(request, CompareRequested)
        assert (request.winner.root_index, request.other.root_index) == (0, 1)


async def test_what_has_no_copy_cannot_be_compared() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        assert not app.pane.check_action("compare", ())
        await pilot.press("c", "n")
        await wait_until(pilot, lambda: isinstance(app.asked[-1], NewSkillRequested))
        assert not any(isinstance(message, CompareRequested) for message in app.asked)


async def test_rows_stream_in_without_moving_the_selection() -> None:
    everything = many(600)
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot, everything[300:400])
        await pilot.press("pagedown")
        chosen = app.current
        for end in (450, 600):
            app.pane.set_catalog(inputs(everything[600 - end :], done=end, total=600))
        await wait_until(pilot, lambda: len(app.names) == 600)
        assert app.current == chosen
        assert app.pane.list.cursor is not None
        assert app.pane.list.cursor > 300


@pytest.mark.parametrize("last", [300, 5], ids=["built in the background", "built at once"])
async def test_a_catalog_that_comes_while_rows_are_built_is_the_one_shown(last: int) -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        for count in (1_000, 900, 800, last):
            app.pane.set_catalog(inputs(many(count)))
        await wait_until(pilot, lambda: len(app.names) == last)
        await wait_until(pilot, lambda: all(worker.is_finished for worker in app.workers))
        await pilot.pause()
        assert len(app.pane.rows) == last


async def test_a_long_scan_shows_how_far_it_is() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        bar = app.pane.query_one(ScanBar)
        app.pane.set_catalog(inputs(ENTRIES, done=200, total=1_000))
        assert not bar.display
        await wait_until(pilot, lambda: bar.display)
        assert bar.render_line(0).text.startswith("200 of 1,000 ━")
        app.pane.set_catalog(inputs(ENTRIES, done=1, total=1))
        assert not bar.display


async def test_an_empty_catalog_says_what_to_do() -> None:
    async with PaneApp().run_test() as pilot:
        app = pilot.app
        assert isinstance(app, PaneApp)
        await wait_until(pilot, lambda: app.lines()[0] == "Looking for skills")
        app.pane.set_empty("No skills below /shop.")
        app.pane.set_catalog(inputs([]))
        await wait_until(pilot, lambda: app.lines()[0] == "No skills below /shop.")
        app.pane.set_catalog(inputs(ENTRIES))
        app.pane.set_catalog(inputs([]))
        await wait_until(pilot, lambda: app.asked and getattr(app.asked[-1], "entry", 0) is None)


@pytest.mark.parametrize("width", [24, 40, 52, 100])
async def test_figures_and_words_are_whole_at_any_width(width: int) -> None:
    long = skill("a-name-that-is-much-longer-than-any-pane-could-show-without-cutting", description="words " * 90)
    async with PaneApp().run_test(size=(width, 20)) as pilot:
        app = await shown(pilot, [long, *ENTRIES])
        text = "\n".join(app.lines())
        assert "~152" in text
        assert "untrusted" in text
        assert ("project" in text) == (width >= 40)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_hostile_text_is_shown_and_stays_in_its_row(size: tuple[int, int]) -> None:
    texts = [text or " " for text in HOSTILE.values()]
    entries: list[AnyEntry] = [broken(f"{number:02}{text}", line=number) for number, text in enumerate(texts)]
    async with PaneApp().run_test(size=size) as pilot:
        app = await shown(pilot, entries)
        for number in range(len(texts)):
            app.pane.list.move_to(number)
            strip = app.pane.list.render_line(number - app.pane.list.scroll_offset.y)
            assert strip.text.isprintable()
            assert strip.cell_length == app.pane.list.scrollable_content_region.width
            assert "cannot be drawn" not in strip.text
        for text in texts:
            app.pane.search(text[:200])
            await pilot.pause()
            assert all(line.isprintable() for line in app.lines())
            assert all(part.isprintable() for part in app.frame())
        await pilot.press("g", "s")


async def test_matched_letters_look_different() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        app.pane.search("plo")
        await wait_until(pilot, lambda: app.names[:1] == ["deploy"])
        strip = app.pane.list.render_line(app.names.index("deploy"))
        marked = [segment.text for segment in strip if segment.style and segment.style.underline]
        assert "".join(marked) == "plo"


async def test_rows_that_were_built_elsewhere_can_be_shown() -> None:
    async with PaneApp().run_test() as pilot:
        app = await shown(pilot)
        app.pane.show_rows(rows_of(*ENTRIES[:2]))
        assert app.names == ["alpha", "deploy"]
        assert app.pane.select(ENTRIES[1].location)
        assert not app.pane.select("/nowhere")
        assert app.current == "deploy"

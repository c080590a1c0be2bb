"""What each tab says and does, on skills that lie on a disk."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Markdown

from skillui.review.records import Place, StoredDecision, Verdict
from skillui.tui.messages import (
    CompareRequested,
    FileRequested,
    LinkRequested,
    SkillOpened,
    TabRequested,
)
from skillui.tui.model.file_content import read_file_content
from skillui.tui.model.skill_view import SkillView
from skillui.tui.panes.base import SkillPane
from skillui.tui.panes.body import BodyPane, RenderedBody
from skillui.tui.panes.frontmatter import FrontmatterPane
from skillui.tui.panes.overview import OverviewPane
from skillui.tui.panes.overview_facts import overview_facts
from skillui.tui.panes.problems import ProblemsPane
from skillui.tui.panes.resources import ResourcesPane
from skillui.tui.widgets.fact_table import FactTable
from skillui.tui.widgets.source_view import SourceView
from tests.tui.panes.stage import Shelf, Stage, sample_shelf, screen_text, shelf_with, show

WaitFor = Callable[..., Any]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return sample_shelf(tmp_path)


def said(view: SkillView) -> str:
    return "\n".join(f"{fact.lead.plain} {fact.text.plain}" for fact in overview_facts(view, 2e9))


# Overview


def test_the_overview_says_what_a_call_would_meet(shelf: Shelf) -> None:
    text = said(shelf.view("api-conventions"))
    assert "model sees api-conventions: Checks and drafts" in text
    assert "will ask you: untrusted project skill" in text
    assert "not trusted: it came with the project" in text
    assert "advisory" in text
    assert "DISABLED: only the user may invoke it" in said(shelf.view("publish-release"))
    assert "in a sensitive place" in said(shelf.view("secrets"))
    assert "loads another copy" in said(shelf.view(shelf.entry("api-conventions", 1)))
    assert "will ask you: permission, the skill is trusted" in said(shelf.view("write-tests"))
    assert "already loaded since turn 3" in said(shelf.view("write-tests", loaded_at=3))
    assert "stale" in said(shelf.view("write-tests", loaded_at=3, stale=True))


def test_the_overview_knows_what_was_decided_of_the_content(shelf: Shelf) -> None:
    def decided(name: str, verdict: Verdict, reason: str = "") -> str:
        place = Place(name, "/somewhere", ".skills")
        when = "2026-11-30T10:00:00Z"
        return said(
            shelf.view(name, decision=StoredDecision("sha256:0", verdict, "ada", when, place, reason, (), "app"))
        )

    assert "loads: this content was approved by ada on 2026-11-30" in decided("api-conventions", "approved")
    denied = decided("api-conventions", "denied", "asks for keys")
    assert "is refused: this content was denied by ada on 2026-11-30: asks for keys" in denied
    assert "will ask you" not in denied
    # Approved bytes in a place that they should not lie in are asked about all the same.
    assert "will ask you: in a sensitive place" in decided("secrets", "approved")
    assert "is refused" in decided("secrets", "denied")
    assert "DISABLED" in decided("publish-release", "approved")


def test_the_overview_shows_the_chain_of_copies_in_order(shelf: Shelf) -> None:
    view = shelf.view("api-conventions")
    lines = [line for line in said(view).splitlines() if line.endswith(("this copy", "/api-conventions"))]
    assert [".skills" in lines[0], ".claude" in lines[1], ".agents" in lines[2]] == [True] * 3
    assert "wins" in lines[0]
    assert "shadowed" in lines[1]
    assert "broken" in said(shelf.view("meeting-notes"))


def test_broad_tools_are_marked(shelf: Shelf) -> None:
    text = said(shelf.view("quick-setup"))
    assert "▲ Bash(*)" in text
    assert "any command" in text
    assert "▲ Read" not in said(shelf.view("api-conventions"))


def test_a_broken_skill_says_first_what_is_wrong_and_then_what_could_be_read(shelf: Shelf) -> None:
    view = shelf.view("reset-database")
    lines = said(view).splitlines()
    assert lines[0].startswith("wrong ✗ field 'disable-model-invocation' is neither true nor false")
    assert "line 6, column 27" in lines[0]
    assert "write `disable-model-invocation: true`" in lines[1]
    assert "description Drops the local database" in said(view)
    assert "INVALID_FRONTMATTER: the call is refused" in said(view)


def test_a_switch_that_cannot_be_read_does_not_pass_for_off(shelf: Shelf) -> None:
    assert "cannot be told" in said(shelf.view("reset-database"))
    assert "the model and the user" in said(shelf.view("write-tests"))


def test_every_sample_has_an_overview(shelf: Shelf) -> None:
    for entry in shelf.entries():
        assert "model call" in said(shelf.view(entry)), entry.name


async def test_a_line_of_the_overview_leads_where_it_says(shelf: Shelf) -> None:
    pane = OverviewPane()
    app = Stage(pane)
    async with app.stage() as pilot:
        view = shelf.view("reset-database")
        await show(pane, view)
        pane.focus_inside()
        await pilot.press("enter")
        assert [(m.tab, m.line, m.column) for m in app.kept(TabRequested)] == [("frontmatter", 6, 27)]
        view = shelf.view("api-conventions")
        await show(pane, view)
        table = pane.query_one(FactTable)
        table.move_to(next(at for at, row in enumerate(table.rows) if row.fact.target == view.chain[1]))
        await pilot.press("enter")
        await pilot.pause()
        assert [(m.winner, m.other) for m in app.kept(CompareRequested)] == [(view.chain[0], view.chain[1])]
        view = shelf.view("meeting-notes")
        await show(pane, view)
        table.move_to(next(at for at, row in enumerate(table.rows) if row.fact.target == view.chain[1]))
        await pilot.press("enter")
        await pilot.pause()
        assert [m.entry for m in app.kept(SkillOpened)] == [view.chain[1]]


async def test_scroll_and_cursor_stay_when_the_same_skill_is_shown_again(shelf: Shelf) -> None:
    pane = OverviewPane()
    async with Stage(pane).stage(60, 12) as pilot:
        await show(pane, shelf.view("api-conventions"))
        table = pane.query_one(FactTable)
        pane.focus_inside()
        await pilot.press("end", "up")
        place = (table.cursor, table.scroll_offset.y)
        assert place[1] > 0
        await show(pane, shelf.view("api-conventions"))
        assert (table.cursor, table.scroll_offset.y) == place
        await show(pane, shelf.view("write-tests"))
        await pilot.pause()
        assert (table.cursor, table.scroll_offset.y) == (0, 0)


# Frontmatter


async def test_a_field_under_the_cursor_brings_its_line(shelf: Shelf) -> None:
    pane = FrontmatterPane()
    async with Stage(pane).stage(120, 36) as pilot:
        await show(pane, shelf.view("weekly-report"))
        pane.focus_inside()
        await pilot.press("down", "down")
        await pilot.pause()
        assert pane.fields.current is not None
        assert pane.fields.current.key == "version"
        assert pane.source.current_line == 4
        text = screen_text(pane.app)
        assert "read by" in text
        assert "▲  4  version: 2026.4" in text
        await pilot.press("enter")
        assert pane.source.has_focus


async def test_source_and_table_stand_one_above_the_other_where_it_is_narrow(shelf: Shelf) -> None:
    pane = FrontmatterPane()
    async with Stage(pane).stage(120, 36) as pilot:
        await show(pane, shelf.view("weekly-report"))
        await pilot.pause()
        assert pane.fields.region.x > pane.source.region.x
        await pilot.resize_terminal(70, 24)
        await pilot.pause()
        assert pane.fields.region.x == pane.source.region.x
        assert pane.fields.region.y > pane.source.region.y


async def test_an_unreadable_frontmatter_shows_the_file_and_says_why_there_are_no_fields(shelf: Shelf) -> None:
    pane = FrontmatterPane()
    async with Stage(pane).stage() as pilot:
        await show(pane, shelf.view("menu-copy"))
        await pilot.pause()
        text = screen_text(pane.app)
        assert "no frontmatter that could be read" in text
        assert "# Menu copy" in text
        await show(pane, shelf.view("gift-cards"))
        await pilot.pause()
        assert "The file cannot be read" in screen_text(pane.app)


# Body


async def test_the_body_has_the_lines_of_the_file_and_is_rendered_on_request(shelf: Shelf, wait_for: WaitFor) -> None:
    pane = BodyPane()
    async with Stage(pane).stage() as pilot:
        view = shelf.view("api-conventions")
        await show(pane, view)
        pane.focus_inside()
        assert view.parsed is not None
        assert pane.source.current_line == view.parsed.body_line
        await pilot.press("r")
        await wait_for(pilot, lambda: pane.rendered)
        await wait_for(pilot, lambda: "## What this sample" not in screen_text(pane.app))
        assert pane.query_one(RenderedBody).has_focus
        await pilot.press("r")
        await wait_for(pilot, lambda: pane.source.has_focus)
        assert not pane.rendered


async def test_a_body_past_the_limit_stays_source_and_says_so(tmp_path: Path) -> None:
    text = "---\nname: big\ndescription: d\n---\n" + "word " * 2_000
    pane = BodyPane(render_limit_kib=4)
    async with Stage(pane).stage() as pilot:
        await show(pane, shelf_with(tmp_path, "big", text).view("big"))
        pane.focus_inside()
        await pilot.press("r")
        await pilot.pause()
        assert not pane.rendered
        assert "it is rendered up to 4.0 KiB" in screen_text(pane.app)


async def test_a_link_is_asked_about_and_not_opened(
    tmp_path: Path, wait_for: WaitFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url, *_, **__: opened.append(url))
    text = "---\nname: x\ndescription: d\n---\n[click](https://evil.invalid/a)\n"
    pane = BodyPane()
    app = Stage(pane)
    async with app.stage() as pilot:
        await show(pane, shelf_with(tmp_path, "x", text).view("x"))
        pane.focus_inside()
        await pilot.press("r")
        await wait_for(pilot, lambda: pane.rendered and "click" in screen_text(app))
        await pilot.click(pane.query_one(Markdown), offset=(2, 0))
        await wait_for(pilot, lambda: app.kept(LinkRequested))
        assert [message.url for message in app.kept(LinkRequested)] == ["https://evil.invalid/a"]
        assert opened == []


async def test_going_to_a_line_of_the_body_leaves_the_rendered_text(shelf: Shelf, wait_for: WaitFor) -> None:
    pane = BodyPane()
    async with Stage(pane).stage() as pilot:
        await show(pane, shelf.view("api-conventions"))
        pane.focus_inside()
        await pilot.press("r")
        await wait_for(pilot, lambda: pane.rendered)
        pane.go_to_line(15, 1)
        await wait_for(pilot, lambda: pane.source.has_focus)
        assert not pane.rendered
        assert pane.source.current_line == 15


# Resources


async def test_the_tree_folds_and_keeps_its_place(shelf: Shelf) -> None:
    pane = ResourcesPane()
    async with Stage(pane).stage() as pilot:
        await show(pane, shelf.view("design-system"))
        pane.focus_inside()
        tree = pane.file_tree
        everything = len(tree.rows)
        await pilot.press("down", "space")
        assert len(tree.rows) == everything - 6
        await pilot.press("right")
        assert len(tree.rows) == everything
        await pilot.press("right", "left")
        assert tree.current is not None
        assert tree.current.path == "assets"
        await pilot.press("left")
        await show(pane, shelf.view("design-system"))
        assert len(tree.rows) == everything - 6
        assert tree.current is not None
        assert tree.current.path == "assets"
        assert pane.badge(shelf.view("design-system")).plain == "22"


async def test_the_tree_says_what_is_listed_mentioned_executable_and_leaves(shelf: Shelf) -> None:
    pane = ResourcesPane()
    async with Stage(pane).stage() as pilot:
        await show(pane, shelf.view("quick-setup"))
        await pilot.pause()
        lines = screen_text(pane.app).splitlines()
        link = next(line for line in lines if "machine.md" in line)
        assert "▲ leaves the skill" in link
        assert link.split()[-2:] == ["-", "-"]
        script = next(line for line in lines if "finish.sh" in line)
        assert script.split()[-3:] == ["rwx", "✓", "✓"]
        assert "1 link out of the skill" in " ".join(" ".join(lines).split())
        pane.focus_inside()
        await pilot.press("down", "down")
        await pilot.pause()
        assert "machine.md → ../../../README.md" in screen_text(pane.app)


async def test_enter_asks_for_a_file_and_escape_leaves_it(shelf: Shelf) -> None:
    pane = ResourcesPane()
    app = Stage(pane)
    async with app.stage() as pilot:
        view = shelf.view("design-system")
        await show(pane, view)
        pane.focus_inside()
        await pilot.press("down", "down", "down", "enter")
        await pilot.pause()
        (request,) = app.kept(FileRequested)
        assert request.path == "assets/tokens.json"
        pane.show_file(read_file_content(view.entry.dir, request.path))
        await pilot.pause()
        assert "assets/tokens.json   JSON text" in screen_text(app)
        assert pane.query_one("#file-source", SourceView).has_focus
        await show(pane, view)
        await pilot.pause()
        assert [message.path for message in app.kept(FileRequested)] == ["assets/tokens.json"] * 2
        await pilot.press("escape")
        await pilot.pause()
        assert pane.file_tree.has_focus
        assert pane.file_tree.current is not None
        assert pane.file_tree.current.path == "assets/tokens.json"
        await show(pane, view)
        await pilot.pause()
        assert len(app.kept(FileRequested)) == 2


async def test_a_refused_or_binary_file_says_why(shelf: Shelf, tmp_path: Path) -> None:
    pane = ResourcesPane()
    app = Stage(pane)
    async with app.stage() as pilot:
        view = shelf.view("quick-setup")
        await show(pane, view)
        pane.show_file(read_file_content(view.entry.dir, "references/machine.md"))
        await pilot.pause()
        assert "Not shown: it is a link that leaves the skill" in screen_text(app)
        (tmp_path / "x.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
        pane.show_file(read_file_content(str(tmp_path), "x.png"))
        await pilot.pause()
        assert "PNG image" in screen_text(app)
        assert "89 50 4e 47" in screen_text(app)


async def test_a_folder_of_many_files_is_shown_folded(tmp_path: Path) -> None:
    shelf = shelf_with(tmp_path, "x", "---\nname: x\ndescription: d\n---\nbody\n")
    folder = tmp_path / "skills" / "x" / "scripts"
    folder.mkdir()
    for number in range(2_000):
        (folder / f"{number}.py").touch()
    os.mkfifo(folder.parent / "pipe")
    pane = ResourcesPane()
    async with Stage(pane).stage() as pilot:
        await show(pane, shelf.view("x"))
        await pilot.pause()
        assert [row.path for row in pane.file_tree.rows] == ["SKILL.md", "pipe", "scripts"]
        text = screen_text(pane.app)
        assert "2,000 files" in text
        assert "is a named pipe" in text
        assert "1,990 only counted" in " ".join(text.split())


# All


@pytest.mark.parametrize("factory", [OverviewPane, FrontmatterPane, BodyPane, ResourcesPane, ProblemsPane])
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_every_pane_shows_every_sample(
    factory: Callable[[], SkillPane], size: tuple[int, int], shelf: Shelf
) -> None:
    pane = factory()
    async with Stage(pane).stage(*size) as pilot:
        for entry in shelf.entries():
            await show(pane, shelf.view(entry))
            await pilot.pause()
            assert "cannot be drawn" not in screen_text(pane.app), entry.name

"""The Problems tab alone: by severity and family, one of them at length, and what each key asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.content import Content

from skillui.checks.run import check_skill
from skillui.checks.subject import subject_of
from skillui.core import Problem, Severity
from skillui.core.problems import Fix
from skillui.tui.messages import ExplainRequested, FixRequested, ReportRequested, TabRequested
from skillui.tui.model.findings import Excerpt, Findings, Summaries, excerpts_of, families_in, of_family, spelt
from skillui.tui.model.skill_view import SkillView
from skillui.tui.panes.problem_lines import caret, where
from skillui.tui.panes.problems import ProblemsPane
from skillui.tui.widgets.tab_bar import TabBar, place_tabs
from tests.tui.hostile import TAGS
from tests.tui.panes.stage import Shelf, Stage, sample_shelf, screen_text, shelf_with, show


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return sample_shelf(tmp_path_factory.mktemp("samples"))


def checked(view: SkillView) -> SkillView:
    """Return the view as the app would have it, with what the gate finds."""
    assert view.loaded is not None
    subject = subject_of(view.loaded)
    problems = check_skill(subject)
    found = Findings(problems, excerpts_of(problems, subject))
    return replace(view, problems=found.problems, excerpts=found.excerpts, checked=True)


def family(pane: ProblemsPane) -> str | None:
    return pane.family


def tidy(app: Any) -> list[str]:
    return [" ".join(line.split()) for line in screen_text(app).splitlines()]


async def test_problems_stand_by_severity_the_one_under_the_cursor_at_length(shelf: Shelf) -> None:
    pane = ProblemsPane()
    app = Stage(pane)
    async with app.stage() as pilot:
        view = shelf.view("weekly-report")
        await show(pane, view)
        pane.focus_inside()
        await pilot.pause()
        lines = tidy(app)
        assert lines[0] == "▲ 3 warnings"
        assert lines[1].startswith("4:10 VERSION_NOT_SEMVER")
        assert "→ write three numbers, for example 1.2.0" in lines
        assert "no fix is safe here: edit it by hand" in lines
        assert pane.badge(view).plain == "3"
        first = pane.current
        await pilot.press("down")
        assert pane.current not in (None, first)
        assert "→ write three numbers, for example 1.2.0" not in tidy(app)
        await pilot.press("up", "up", "enter")
        await pilot.pause()
        assert [(m.tab, m.line, m.column, m.path) for m in app.kept(TabRequested)] == [("frontmatter", 4, 10, "")]


async def test_keys_ask_for_fix_explanation_and_report(shelf: Shelf) -> None:
    pane = ProblemsPane()
    app = Stage(pane)
    async with app.stage() as pilot:
        view = checked(shelf.view("deploy-preview"))
        await show(pane, view)
        pane.focus_inside()
        await pilot.press("f", "x", "X")
        await pilot.pause()
        (fix,) = app.kept(FixRequested)
        assert (fix.problem.code, fix.problem.fix is not None, fix.view) == ("SKL-01", True, view)
        assert [m.problem for m in app.kept(ExplainRequested)] == [fix.problem]
        assert len(app.kept(ReportRequested)) == 1


async def test_families_are_told_apart_by_key_and_by_mouse(shelf: Shelf) -> None:
    pane = ProblemsPane()
    app = Stage(pane)
    async with app.stage(100, 30) as pilot:
        view = checked(shelf.view("quick-setup"))
        await show(pane, view)
        pane.focus_inside()
        families = families_in(view.problems)
        assert list(families) == ["SKL", "SEC", "YML"]
        await pilot.press("F")
        await pilot.pause()
        assert family(pane) == "SKL"
        assert "SEC-07" not in screen_text(app)
        bar = pane.query_one("#families", TabBar)
        placed = next(tab for tab in place_tabs(bar.tabs, bar.active, bar.size.width) if tab.name == "SEC")
        await pilot.click(bar, offset=(placed.start, 0))
        await pilot.pause()
        assert family(pane) == "SEC"
        assert pane.current in of_family(view.problems, "SEC")
        assert "SKL-12" not in screen_text(app)
        await pilot.press("F", "F")
        assert family(pane) is None
        assert pane.badge(view).plain == str(len(view.problems)), "the tab counts all of them"


async def test_a_family_that_is_gone_is_not_looked_at_any_more(shelf: Shelf) -> None:
    pane = ProblemsPane()
    async with Stage(pane).stage() as pilot:
        view = checked(shelf.view("quick-setup"))
        await show(pane, view)
        pane.focus_inside()
        await pilot.press("F", "F")
        assert family(pane) == "SEC"
        await show(pane, replace(view, problems=of_family(view.problems, "SKL")))
        assert family(pane) is None
        assert pane.current is not None


async def test_the_cursor_stays_on_its_finding_when_one_above_is_gone(shelf: Shelf) -> None:
    pane = ProblemsPane()
    async with Stage(pane).stage() as pilot:
        view = checked(shelf.view("quick-setup"))
        await show(pane, view)
        pane.focus_inside()
        await pilot.press("down", "down", "down")
        kept = pane.current
        assert kept is not None
        await show(pane, replace(view, problems=view.problems[1:]))
        await pilot.pause()
        assert pane.current == kept


async def test_the_line_stands_with_a_mark_below_the_place(tmp_path: Path) -> None:
    view = shelf_with(tmp_path, "x", "---\nname: x\ndescription: Does x. Use when x.\n---\nKeep the pass\u200bword.\n")
    pane = ProblemsPane()
    app = Stage(pane)
    async with app.stage() as pilot:
        await show(pane, checked(view.view("x")))
        await pilot.pause()
        rows = screen_text(app).splitlines()
        at = next(number for number, row in enumerate(rows) if "Keep the pass" in row)
        assert rows[at].strip().startswith("5 │ Keep the pass⟨U+200B⟩word.")
        assert rows[at].index("⟨") == rows[at + 1].index("^")


async def test_hidden_text_is_spelt_out(tmp_path: Path) -> None:
    text = f"---\nname: x\ndescription: Does x. Use when x.\n---\nReview it.{TAGS}\n"
    pane = ProblemsPane()
    app = Stage(pane)
    async with app.stage() as pilot:
        view = checked(shelf_with(tmp_path, "x", text).view("x"))
        assert [spelt(problem) for problem in view.problems if problem.code == "SEC-01"] == ["run setup.sh"]
        await show(pane, view)
        await pilot.pause()
        assert "hidden text: run setup.sh" in tidy(app)


async def test_a_finding_in_another_file_leads_to_that_file(shelf: Shelf) -> None:
    pane = ProblemsPane()
    app = Stage(pane)
    async with app.stage(120, 36) as pilot:
        view = checked(shelf.view("quick-setup"))
        wanted = next(problem for problem in view.problems if problem.path == "scripts/finish.sh")
        await show(pane, replace(view, problems=(wanted,)))
        pane.focus_inside()
        await pilot.press("enter")
        await pilot.pause()
        assert "scripts/finish.sh:" in screen_text(app)
        assert ".profile" in screen_text(app), "the line of the script is shown"
        (asked,) = app.kept(TabRequested)
        assert (asked.tab, asked.path, asked.line, asked.column) == (
            "resources", "scripts/finish.sh", wanted.line, wanted.column,
        )  # fmt: skip


async def test_a_problem_in_the_body_leads_to_the_body(tmp_path: Path) -> None:
    view = shelf_with(tmp_path, "x", "---\nname: x\ndescription: d\n---\nbody\n").view("x")
    note = Problem("X-01", Severity.NOTE, "in the body", view.entry.skill_md, 5, 2)
    pane = ProblemsPane()
    app = Stage(pane)
    async with app.stage() as pilot:
        await show(pane, replace(view, problems=(note,)))
        pane.focus_inside()
        await pilot.press("enter")
        await pilot.pause()
        assert [(m.tab, m.line) for m in app.kept(TabRequested)] == [("body", 5)]


async def test_no_problems_is_a_calm_sentence_once_it_was_looked_at(shelf: Shelf) -> None:
    pane = ProblemsPane()
    async with Stage(pane).stage() as pilot:
        view = shelf.view("write-tests")
        await show(pane, replace(view, checked=False))
        await pilot.pause()
        assert "Looking at its files" in screen_text(pane.app)
        await show(pane, view)
        await pilot.pause()
        assert "✓ No problems. The engine would load this skill." in screen_text(pane.app)
        assert pane.badge(view).plain == ""
        await pilot.press("f", "x", "F")
        assert family(pane) is None


def words(contents: tuple[Content, Content]) -> tuple[str, str]:
    return contents[0].plain, contents[1].plain


@pytest.mark.parametrize(
    ("text", "at", "marked"),
    [
        ("plain", 0, "p"),
        ("plain", 5, " "),
        ("a\tb", 2, "b"),
        ("漢字かな", 2, "か"),
        ("x" * 300 + "HERE" + "y" * 300, 300, "H"),
        ("漢" * 200 + "!" + "字" * 30, 200, "!"),
        ("", 0, " "),
    ],
)
@pytest.mark.parametrize("width", [30, 60, 120])
def test_the_mark_stands_below_the_place_at_any_width(text: str, at: int, marked: str, width: int) -> None:
    line, mark = caret(Excerpt(text, at), 12, width, "$state-broken")
    assert line.cell_length <= width
    assert mark.cell_length <= width
    before = mark.plain.index("^")
    cells, index = 0, 0
    while cells < before:
        cells += Content(line.plain[index]).cell_length
        index += 1
    assert (line.plain + " ")[index] == marked


def test_summaries_count_by_severity_and_share_their_codes() -> None:
    summaries = Summaries()
    found = [
        Problem("SKL-04", Severity.WARNING, "a", "SKILL.md"),
        Problem("sec-07", Severity.ERROR, "b", "x.sh"),
        Problem("SKL-11", Severity.NOTE, "c", "x.sh"),
    ]
    one, other = summaries.of(found), summaries.of(reversed(found))
    assert (one.errors, one.warnings, one.notes, one.gravest) == (1, 1, 1, Severity.ERROR)
    assert one.codes == {"SKL-04", "SEC-07", "SKL-11"}
    assert one.codes is other.codes
    assert summaries.of([]).gravest is None


def test_a_place_names_its_file_only_where_it_is_another() -> None:
    assert where(Problem("A", Severity.NOTE, "m", "SKILL.md", 3, 4)) == "3:4"
    assert where(Problem("A", Severity.NOTE, "m", "/x/y/SKILL.md", 3)) == "3:1"
    assert where(Problem("A", Severity.NOTE, "m", "SKILL.md")) == ""
    assert where(Problem("A", Severity.NOTE, "m", "a.sh", 3, 4, fix=Fix("f", "a.sh"))) == "a.sh:3:4"

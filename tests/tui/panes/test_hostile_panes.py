"""Hostile text in every place a skill has, on every tab: nothing acts, nothing leaves its cell, all of it shows."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult

from skillui.core import Problem, Severity
from skillui.core.problems import Fix
from skillui.tui.dialogs.link import LinkChoice, LinkDialog
from skillui.tui.model.file_content import content_of
from skillui.tui.model.findings import Excerpt, path_of
from skillui.tui.model.skill_view import SkillFile, SkillView
from skillui.tui.panes.base import SkillPane
from skillui.tui.panes.body import BodyPane
from skillui.tui.panes.frontmatter import FrontmatterPane
from skillui.tui.panes.overview import OverviewPane
from skillui.tui.panes.problems import ProblemsPane
from skillui.tui.panes.resources import ResourcesPane
from skillui.tui.themes import SEMANTIC_DEFAULTS
from skillui.tui.widgets.source_view import SourceView
from tests.tui.hostile import HOSTILE, SIZED
from tests.tui.panes.stage import Stage, screen_text, shelf_with, show

PANES = [OverviewPane, FrontmatterPane, BodyPane, ResourcesPane, ProblemsPane]
SYMBOLS = {
    "window title": "␛",
    "clear screen": "␛[2J",
    "nul": "␀",
    "right to left override": "⟨U+202E⟩",
    "zero width": "⟨U+200B⟩",
    "backspaces": "␈",
}


def quoted(text: str) -> str:
    """Write any text as a YAML double-quoted scalar, itself where YAML lets it be."""
    plain = (char if char.isprintable() and char not in '"\\' else f"\\U{ord(char):08x}" for char in text)
    return f'"{"".join(plain)}"'


def hostile_view(folder: Path, text: str) -> SkillView:
    """A skill whose fields, body, problems and files all say `text`; valid where the engine lets it be."""
    clean = text.encode("utf-8", "replace").decode()
    skill = (
        f"---\nname: x\ndescription: {quoted(clean[:900] or 'd')}\nlicense: {quoted(clean)}\n"
        f"allowed-tools: [{quoted(clean)}, Bash]\nargument-hint: {quoted(clean[:150])}\n"
        f"metadata: {{k: {quoted(clean)}}}\n---\n# {clean}\n\n{clean} $1 ${{{clean}}}\n"
    )
    view = shelf_with(folder, "x", skill).view("x")
    fix = Fix(text, text)
    problems = [Problem(text, severity, text, text, 3, 9, text, "license", fix=fix) for severity in Severity]
    problems.append(Problem("SEC-01", Severity.ERROR, f'hidden that spell "{text}"', "SKILL.md", 3, 9))
    place = path_of(problems[0]), 3, 9
    files = [
        SkillFile(f"scripts/{text or '-'}", 12, 0o100755, link=text, leaves=True, odd=text),
        SkillFile(text or "-", 5, 0o100666),
    ]
    return replace(
        view,
        root=replace(view.root, source=text),
        problems=tuple(problems),
        excerpts={place: Excerpt(text, min(2, len(text)), True, True), ("SKILL.md", 3, 9): Excerpt(text, len(text))},
        files=(*view.files, *files),
        chain=(*view.chain, replace(view.entry, location=f"/tmp/{text}", dir=f"/tmp/{text}")),
    )


def check_screen(app: App[Any]) -> None:
    """Every character on the screen may go to a terminal, and no line is wider than it."""
    for strip in app.screen._compositor.render_strips():
        assert strip.cell_length == app.size.width
        assert all(segment.text.isprintable() for segment in strip), strip.text
        assert "cannot be drawn" not in strip.text


@pytest.mark.parametrize("factory", PANES)
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
async def test_nothing_hostile_gets_past_a_pane(
    factory: Callable[[], SkillPane], size: tuple[int, int], tmp_path: Path
) -> None:
    pane = factory()
    app = Stage(pane)
    async with app.stage(*size) as pilot:
        for name in (name for name, one in SIZED if one == size):
            await show(pane, hostile_view(tmp_path / name, HOSTILE[name]))
            pane.focus_inside()
            await pilot.pause()
            check_screen(app)
            await pilot.press("end")
            check_screen(app)
            await pilot.click(pane, offset=(20, 3))
        assert app.is_running


@pytest.mark.parametrize("name", SYMBOLS)
@pytest.mark.parametrize("factory", PANES)
async def test_the_reader_sees_that_the_character_is_there(
    factory: Callable[[], SkillPane], name: str, tmp_path: Path
) -> None:
    pane = factory()
    app = Stage(pane)
    async with app.stage(120, 36) as pilot:
        await show(pane, hostile_view(tmp_path, HOSTILE[name]))
        pane.focus_inside()
        await pilot.press("down", "down")
        await pilot.pause()
        assert SYMBOLS[name] in screen_text(app)


async def test_a_rendered_body_is_made_visible_first(tmp_path: Path, wait_for: Callable[..., Any]) -> None:
    pane = BodyPane()
    app = Stage(pane)
    async with app.stage() as pilot:
        for number, text in enumerate(HOSTILE.values()):
            await show(pane, hostile_view(tmp_path / str(number), text))
            pane.focus_inside()
            await pilot.press("r")
            await wait_for(pilot, lambda: pane.rendered)
            await pilot.pause()
            for strip in app.screen._compositor.render_strips():
                assert all(segment.text.isprintable() for segment in strip), strip.text


async def test_an_opened_file_is_shown_as_it_is(tmp_path: Path) -> None:
    pane = ResourcesPane()
    app = Stage(pane)
    async with app.stage() as pilot:
        await show(pane, hostile_view(tmp_path, "x"))
        for text in HOSTILE.values():
            encoded = text.encode("utf-8", "replace")
            for data in (encoded, b"\x00" + encoded):
                pane.show_file(content_of(text, data, len(data)))
                await pilot.pause()
                check_screen(app)
            assert pane.query_one("#file-source", SourceView).line_count > 0


class Asking(App[None]):
    """Asks about one address."""

    CSS = ""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        self.answers: list[LinkChoice | None] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(SEMANTIC_DEFAULTS)

    def compose(self) -> ComposeResult:
        return iter(())

    def on_mount(self) -> None:
        self.push_screen(LinkDialog(self.url), self.answers.append)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_an_address_is_shown_whole_and_left_alone_by_default(text: str) -> None:
    app = Asking(f"https://example.org/{text}")
    async with app.run_test() as pilot:
        await pilot.pause()
        check_screen(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.answers == [None]


@pytest.mark.parametrize(
    ("url", "words", "can_open"),
    [
        ("https://example.org/a", "It leads to example.org.", True),
        ("https://example.org@evil.invalid/", "What stands before the @ is not the host.", True),
        ("http://example.org", "It is not encrypted", True),
        ("https://ex\u0430mple.org", "letters beyond ASCII", True),
        ("https://xn--exmple-cua.org", "letters beyond ASCII", True),
        ("javascript:alert(1)", "Only http and https", False),
        ("file:///etc/passwd", "Only http and https", False),
        ("https://example.org/\u202etxt", "Invisible characters", False),
        ("https://[::1", "Only http and https", False),
    ],
)
async def test_what_is_odd_about_an_address_is_said(url: str, words: str, can_open: bool) -> None:
    app = Asking(url)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert words in screen_text(app)
        await pilot.press("tab", "tab", "enter")
        await pilot.pause()
        assert (LinkChoice.OPEN in app.answers) is can_open


async def test_escape_leaves_the_link_and_copy_copies_it() -> None:
    app = Asking("https://example.org")
    async with app.run_test() as pilot:
        await pilot.press("escape")
        await pilot.pause()
        app.push_screen(LinkDialog("https://example.org"), app.answers.append)
        await pilot.pause()
        await pilot.click("#copy")
        await pilot.pause()
        assert app.answers == [None, LinkChoice.COPY]

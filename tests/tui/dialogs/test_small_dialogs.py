"""Every dialog by keys and by mouse: one value comes out, and Escape always leads out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.widgets import Button, Input, Static

from skillui.checks.explain import Explanation
from skillui.core.problems import Fix
from skillui.tui.actions import ACTIONS, GROUPS
from skillui.tui.dialogs.base import Dialog
from skillui.tui.dialogs.choose_fix import ChooseFixDialog
from skillui.tui.dialogs.confirm import ConfirmDialog
from skillui.tui.dialogs.diff import CompareDialog, FixDialog
from skillui.tui.dialogs.error_details import ErrorDialog
from skillui.tui.dialogs.explain import ExplainDialog
from skillui.tui.dialogs.export_path import ExportDialog
from skillui.tui.dialogs.help import HelpDialog, help_rows
from skillui.tui.dialogs.new_skill import NewSkill, NewSkillDialog
from skillui.tui.dialogs.report import ReportDialog
from skillui.tui.dialogs.theme import ThemeDialog
from skillui.tui.messages import CopyRequested
from skillui.tui.model.diff import diff_texts
from skillui.tui.widgets.diff_view import DiffView
from skillui.tui.widgets.line_list import LineList
from skillui.workspace.project import Root
from tests.tui.conftest import at_rest, wait_until
from tests.tui.hostile import HOSTILE, SIZED
from tests.tui.skill_bench import BenchApp, on_screen

PROJECT = Root("/work/.skills", "project", False, True, ".skills")
USER = Root("/home/.claude/skills", "user", True, False, "~/.claude/skills")
NOTHING = object()


class DialogApp(BenchApp):
    def __init__(self, make: Callable[[], Dialog[Any]]) -> None:
        super().__init__()
        self.make = make
        self.result: object = NOTHING
        self.told: list[Message] = []

    def compose(self) -> ComposeResult:
        yield Static("behind")

    def on_mount(self) -> None:
        self.open(self.make)

    def open(self, make: Callable[[], Dialog[Any]]) -> None:
        """Show a dialog, once the one before has its answer."""
        self.result = NOTHING
        self.push_screen(make(), self.take)

    def take(self, result: object) -> None:
        assert self.result is NOTHING
        self.result = result

    def on_copy_requested(self, message: CopyRequested) -> None:
        self.told.append(message)

    async def ready(self, pilot: Pilot[Any]) -> None:
        await wait_until(pilot, lambda: isinstance(self.screen, Dialog) and self.screen.focused is not None)

    async def result_of(self, pilot: Pilot[Any]) -> object:
        await wait_until(pilot, lambda: self.result is not NOTHING)
        return self.result


def name_problem(name: str, root: Root) -> str:
    return "" if name.islower() else f"'{name}' will not do in {root.source}"


def hostile_dialogs(text: str) -> dict[str, Callable[[], Dialog[Any]]]:
    """Return one of each dialog with `text` in all of its fields."""
    root = Root(f"/{text}", text, False, False, text)
    lines = diff_texts(f"{text}\nb\n", f"{text}\nc{text}\n", text, text)
    return {
        "confirm": lambda: ConfirmDialog(text, text, yes=text, no=text),
        "error": lambda: ErrorDialog(text, text, text),
        "compare": lambda: CompareDialog(text, text, DiffView(lines)),
        "fix": lambda: FixDialog(text, text, DiffView(lines), apply=text),
        "new": lambda: NewSkillDialog([root], lambda *_: text, text),
        "export": lambda: ExportDialog(text, f"/{text}", text, text),
        "report": lambda: ReportDialog(f"/{text}", text, 3),
        "choose": lambda: ChooseFixDialog(text, [Fix(text, text), Fix(text, text)]),
        "explain": lambda: ExplainDialog(Explanation(text, text, text, (text, text), ((text, (text, text)),))),
        "theme": lambda: ThemeDialog([text], "textual-dark"),
    }


@pytest.mark.parametrize("kind", list(hostile_dialogs("")))
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_hostile_text_in_every_dialog(kind: str, size: tuple[int, int]) -> None:
    names = [name for name, one in SIZED if one == size]
    app = DialogApp(hostile_dialogs(HOSTILE[names[0]])[kind])
    async with app.run_test(size=size) as pilot:
        for name in names:
            if name != names[0]:
                app.open(hostile_dialogs(HOSTILE[name])[kind])
            await app.ready(pilot)
            await at_rest(pilot)
            on_screen(app)
            await pilot.press("escape")
            assert not await app.result_of(pilot), name


async def test_hostile_text_is_shown_as_it_is() -> None:
    app = DialogApp(lambda: ConfirmDialog("Replay", "[@click=app.quit]x[/] \x1b[2J \u202e"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.ready(pilot)
        assert "[@click=app.quit]x[/] ␛[2J ⟨U+202E⟩" in on_screen(app)


@pytest.mark.parametrize(
    ("keys", "answer"), [("y", True), ("n", False), ("escape", False), ("enter", False), ("tab,enter", True)]
)
async def test_confirm(keys: str, answer: bool) -> None:
    app = DialogApp(lambda: ConfirmDialog("Sure?", "Really"))
    async with app.run_test() as pilot:
        await app.ready(pilot)
        await pilot.press(*(["shift+tab", "enter"] if keys == "tab,enter" else [keys]))
        assert await app.result_of(pilot) is answer


@pytest.mark.parametrize(("button", "answer"), [("#yes", True), ("#no", False)])
async def test_confirm_by_mouse(button: str, answer: bool) -> None:
    app = DialogApp(lambda: ConfirmDialog("Sure?", "Really"))
    async with app.run_test() as pilot:
        await app.ready(pilot)
        await pilot.click(button)
        assert await app.result_of(pilot) is answer


def test_the_help_has_every_action_under_its_group() -> None:
    rows = help_rows()
    assert [row.id for row in rows if not isinstance(row, str)] == sorted(
        ACTIONS, key=lambda id: list(GROUPS).index(ACTIONS[id].group)
    )


async def test_the_help_shows_the_keys_as_they_are_set() -> None:
    app = DialogApp(lambda: HelpDialog({"app.browse": "ctrl+b,f2"}))
    async with app.run_test(size=(100, 40)) as pilot:
        await app.ready(pilot)
        (line,) = [line for line in on_screen(app).splitlines() if "Browse" in line]
        assert "^b" in line
        assert "f2" in line
        assert "yours" in line
        assert "?  f1" in on_screen(app)
        await pilot.press("end")
        await wait_until(pilot, lambda: "Prompts" in on_screen(app))
        await pilot.press("question_mark")
        assert await app.result_of(pilot) is None


async def test_the_help_can_be_left_by_mouse() -> None:
    app = DialogApp(HelpDialog)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.ready(pilot)
        await pilot.click("#close")
        assert await app.result_of(pilot) is None


async def test_error_details_can_be_copied() -> None:
    app = DialogApp(lambda: ErrorDialog("It failed", "because\n[/x]", "/state/log"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.ready(pilot)
        assert "[/x]" in on_screen(app)
        assert "The log: /state/log" in on_screen(app)
        await pilot.click("#copy")
        await wait_until(pilot, lambda: app.told)
        assert isinstance(app.told[0], CopyRequested)
        assert app.told[0].text == "because\n[/x]\n/state/log"
        await pilot.press("enter")
        await pilot.press("escape")
        assert await app.result_of(pilot) is None


async def test_comparing_shows_the_difference() -> None:
    lines = diff_texts("a\nb\n", "a\nc\n", "winner", "shadowed")
    app = DialogApp(lambda: CompareDialog("deploy", "they differ", DiffView(lines)))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.ready(pilot)
        assert app.screen.focused is app.screen.query_one(DiffView)
        assert "they differ" in on_screen(app)
        await pilot.click("#close")
        assert await app.result_of(pilot) is None


@pytest.mark.parametrize(("key", "answer"), [("ctrl+s", True), ("escape", False), ("enter", False)])
async def test_a_fix_is_applied_only_when_told(key: str, answer: bool) -> None:
    lines = diff_texts("name: A\n", "name: a\n", "SKILL.md", "SKILL.md, fixed")
    app = DialogApp(lambda: FixDialog("Fix", "Write the name in small letters", DiffView(lines)))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.ready(pilot)
        assert "name: a" in on_screen(app)
        await pilot.press(key)
        assert await app.result_of(pilot) is answer


async def test_a_new_skill_by_keys() -> None:
    app = DialogApp(lambda: NewSkillDialog([PROJECT, USER], name_problem))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.ready(pilot)
        assert app.screen.query_one("#create", Button).disabled
        await pilot.press(*"Bad")
        await wait_until(pilot, lambda: "'Bad' will not do in .skills" in on_screen(app))
        await pilot.press("ctrl+s")
        assert app.result is NOTHING
        await pilot.press("backspace", "backspace", "backspace", *"good")
        await wait_until(pilot, lambda: ".skills/good/SKILL.md" in on_screen(app))
        await pilot.press("tab", "down")
        await wait_until(pilot, lambda: "~/.claude/skills/good/SKILL.md" in on_screen(app))
        await pilot.press("enter", *"does it", "enter")
        assert await app.result_of(pilot) == NewSkill("good", USER, "does it")


async def test_a_new_skill_by_mouse_and_without_a_description() -> None:
    app = DialogApp(lambda: NewSkillDialog([PROJECT], name_problem, "good"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.ready(pilot)
        await pilot.click("#create")
        assert await app.result_of(pilot) == NewSkill("good", PROJECT, None)


async def test_a_new_skill_needs_a_root() -> None:
    app = DialogApp(lambda: NewSkillDialog([], name_problem, "good"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.ready(pilot)
        assert "there is no root to make it in" in on_screen(app)
        await pilot.press("ctrl+s")
        assert app.result is NOTHING
        await pilot.click("#cancel")
        assert await app.result_of(pilot) is None


async def test_an_export_goes_where_it_is_told(tmp_path: Path) -> None:
    app = DialogApp(lambda: ExportDialog("Export", str(tmp_path), "session-1.jsonl"))
    async with app.run_test(size=(100, 24)) as pilot:
        await app.ready(pilot)
        await pilot.press("enter")
        assert await app.result_of(pilot) == str(tmp_path / "session-1.jsonl")


async def test_an_export_writes_over_a_file_only_when_told_again(tmp_path: Path) -> None:
    (tmp_path / "there.jsonl").write_text("mine")
    app = DialogApp(lambda: ExportDialog("Export", str(tmp_path), "there.jsonl"))
    async with app.run_test(size=(100, 24)) as pilot:
        await app.ready(pilot)
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: "Save once more to write over it" in on_screen(app))
        assert app.result is NOTHING
        app.screen.query_one(Input).value = "other.jsonl"
        await wait_until(pilot, lambda: "Save once more" not in on_screen(app))
        app.screen.query_one(Input).value = "there.jsonl"
        await pilot.pause()
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: "Save once more to write over it" in on_screen(app))
        await pilot.press("ctrl+s")
        assert await app.result_of(pilot) == str(tmp_path / "there.jsonl")


async def test_a_held_enter_never_writes_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "there.jsonl").write_text("mine")
    app = DialogApp(lambda: ExportDialog("Export", str(tmp_path), "there.jsonl"))
    async with app.run_test(size=(100, 24)) as pilot:
        await app.ready(pilot)
        await pilot.press("enter", "enter", "enter")
        assert await app.result_of(pilot) is None


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "a name is missing"),
        ("sub", "that is a folder"),
        ("no/file", "there is no folder"),
        ("a\u202eb", "characters that cannot be seen"),
        ("link", "that is no regular file"),
    ],
)
async def test_an_export_says_what_is_wrong(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    app = DialogApp(lambda: ExportDialog("Export", str(tmp_path), name))
    async with app.run_test(size=(120, 24)) as pilot:
        await app.ready(pilot)
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: problem in on_screen(app))
        assert app.result is NOTHING


async def test_a_theme_is_worn_while_choosing_and_put_back_on_escape() -> None:
    names = ["textual-dark", "nord", "gruvbox"]
    app = DialogApp(lambda: ThemeDialog(names, "nord"))
    async with app.run_test(size=(80, 24)) as pilot:
        app.theme = "nord"
        await app.ready(pilot)
        assert app.screen.query_one(LineList).current == "nord"
        await pilot.press("down")
        await wait_until(pilot, lambda: app.theme == "gruvbox")
        await pilot.press("escape")
        assert await app.result_of(pilot) is None
        assert app.theme == "nord"


async def test_a_chosen_theme_stays() -> None:
    worn: list[str] = []
    app = DialogApp(lambda: ThemeDialog(["one", "two"], "one", worn.append))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.ready(pilot)
        await pilot.press("down", "enter")
        assert await app.result_of(pilot) == "two"
        assert worn[-1] == "two"

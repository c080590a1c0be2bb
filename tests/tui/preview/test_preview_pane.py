"""The Preview tab by keys and by mouse: exact output, nothing activated, nothing lost."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.widgets import Input

from skillui.core import BrokenSkill, LoadedSkill, SkillResult
from skillui.tui.messages import ActivateRequested, Notice
from skillui.tui.panes.preview import PreviewPane
from skillui.tui.widgets.line_list import LineList
from tests.tui.conftest import wait_until
from tests.tui.hostile import HOSTILE, LONG_BODY
from tests.tui.skill_bench import BenchApp, SkillBench, on_screen

NAMED = "arguments:\n  path: {required: true, description: the file}\n  mode: {description: how}\n"


class PreviewApp(BenchApp):
    CSS = "PreviewPane { height: 1fr; }"

    def __init__(self, bench: SkillBench) -> None:
        super().__init__()
        self.bench = bench
        self.told: list[Message] = []
        self.computed: list[object] = []
        self.pane = PreviewPane(self.compute)

    def compute(self, skill: LoadedSkill | BrokenSkill, arguments: object, as_user: bool) -> SkillResult:
        self.computed.append(arguments)
        return self.bench.session.preview(skill, arguments, user_initiated=as_user)

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_activate_requested(self, message: ActivateRequested) -> None:
        self.told.append(message)

    def on_notice(self, message: Notice) -> None:
        self.told.append(message)

    async def show(self, pilot: Pilot[Any], name: str) -> None:
        view = await asyncio.to_thread(self.bench.view, name)
        before = self.pane.preview
        await self.pane.show(view)
        await wait_until(pilot, lambda: self.pane.preview is not before)

    @property
    def output(self) -> str:
        return self.pane.output.wanted.text

    def fields(self) -> list[Input]:
        return [field.input for field in self.pane.form.fields]


@pytest.fixture
def bench(tmp_path: Path) -> SkillBench:
    bench = SkillBench(tmp_path)
    bench.write("words", "First $1 then $2 of $ARGUMENTS\n")
    bench.write("named", "Read ${path} with ${mode}, report to ${channel}\n", NAMED)
    bench.write("other", "Nothing to fill\n")
    bench.write("manual", "By hand\n", "disable-model-invocation: true\n")
    bench.write("broken", "x\n", "version: [\n")
    return bench


async def test_typing_shows_the_exact_output_and_numbers_the_words(bench: SkillBench) -> None:
    app = PreviewApp(bench)
    async with app.run_test(size=(100, 36)) as pilot:
        await app.show(pilot, "words")
        app.pane.focus_inside()
        await pilot.press(*"src", "space", *"--fast")
        await wait_until(pilot, lambda: "First src then --fast of src --fast" in app.output)
        expected = bench.session.preview(bench.load("words"), "src --fast").output
        assert app.output == expected
        await wait_until(pilot, lambda: "First src then --fast" in on_screen(app))
        assert "1 src   2 --fast" in on_screen(app)
        assert "nothing is activated here" in on_screen(app)
        assert f"{len(expected.encode()):,} bytes" in on_screen(app)
    assert bench.session.state.calls == 0


async def test_an_empty_form_passes_no_arguments(bench: SkillBench) -> None:
    app = PreviewApp(bench)
    async with app.run_test() as pilot:
        await app.show(pilot, "words")
        app.pane.focus_inside()
        await pilot.press("x")
        await wait_until(pilot, lambda: app.computed[-1] == "x")
        await pilot.press("backspace")
        await wait_until(pilot, lambda: app.computed[-1] is None)
        assert app.computed[0] is None


async def test_named_fields_leave_out_what_is_empty(bench: SkillBench) -> None:
    app = PreviewApp(bench)
    async with app.run_test(size=(100, 40)) as pilot:
        await app.show(pilot, "named")
        assert "requires the argument 'path'" in app.output
        screen = on_screen(app)
        assert "path" in screen
        assert "* required" in screen
        assert "optional" in screen
        assert "the file" in screen
        app.pane.focus_inside()
        await pilot.press(*"a.py")
        await wait_until(pilot, lambda: "Read a.py with ${mode}" in app.output)
        assert app.computed[-1] == {"path": "a.py"}
        await wait_until(pilot, lambda: "the skill declares no argument of this name" in on_screen(app))
        assert "not given" in on_screen(app)


async def test_the_caller_can_be_changed_by_key_and_by_mouse(bench: SkillBench) -> None:
    app = PreviewApp(bench)
    async with app.run_test(size=(100, 36)) as pilot:
        await app.show(pilot, "manual")
        assert app.output.startswith("Error [DISABLED]")
        app.pane.focus_inside()
        await pilot.press("ctrl+t")
        await wait_until(pilot, lambda: "By hand" in app.output)
        assert "as user" in on_screen(app)
        await pilot.click("CallerSwitch")
        await wait_until(pilot, lambda: "DISABLED" in app.output)


async def test_broken_skills_show_what_a_call_would_return(bench: SkillBench) -> None:
    app = PreviewApp(bench)
    async with app.run_test(size=(100, 36)) as pilot:
        await app.show(pilot, "broken")
        assert "Error [INVALID_FRONTMATTER]" in on_screen(app)


async def test_activate_posts_the_arguments_and_the_caller(bench: SkillBench) -> None:
    app = PreviewApp(bench)
    async with app.run_test(size=(100, 36)) as pilot:
        await app.show(pilot, "named")
        await pilot.click("#preview-activate")
        await wait_until(pilot, lambda: app.told)
        assert isinstance(app.told[0], Notice)
        assert app.fields()[0].has_focus
        await pilot.press(*"a.py", "ctrl+t", "ctrl+g")
        await wait_until(pilot, lambda: len(app.told) == 2)
        asked = app.told[1]
        assert isinstance(asked, ActivateRequested)
        assert (asked.entry.name, asked.arguments, asked.as_user) == ("named", {"path": "a.py"}, True)
    assert bench.session.state.calls == 0


async def test_values_stay_for_each_skill_and_through_a_live_reload(bench: SkillBench) -> None:
    app = PreviewApp(bench)
    async with app.run_test(size=(100, 36)) as pilot:
        await app.show(pilot, "named")
        app.pane.focus_inside()
        await pilot.press(*"a.py")
        await wait_until(pilot, lambda: "Read a.py" in app.output)
        field = app.fields()[0]
        bench.write("named", "Now ${path}\n", NAMED)
        await app.show(pilot, "named")
        assert "Now a.py" in app.output
        assert app.fields()[0] is field
        assert field.has_focus
        await app.show(pilot, "words")
        assert [one.value for one in app.fields()] == [""]
        await app.show(pilot, "named")
        assert [one.value for one in app.fields()] == ["a.py", ""]


async def test_other_arguments_rebuild_the_form_and_keep_what_fits(bench: SkillBench) -> None:
    app = PreviewApp(bench)
    async with app.run_test(size=(100, 36)) as pilot:
        await app.show(pilot, "named")
        app.pane.focus_inside()
        await pilot.press(*"a.py")
        await wait_until(pilot, lambda: "Read a.py" in app.output)
        bench.write("named", "Now ${path}\n", "arguments: [extra, path]\n")
        await app.show(pilot, "named")
        assert [field.argument.name for field in app.pane.form.fields] == ["extra", "path"]
        assert [one.value for one in app.fields()] == ["", "a.py"]
        assert app.fields()[1].has_focus


async def test_escape_leaves_the_form_for_the_output(bench: SkillBench) -> None:
    app = PreviewApp(bench)
    async with app.run_test(size=(100, 36)) as pilot:
        await app.show(pilot, "words")
        app.pane.focus_inside()
        await pilot.press("escape")
        assert app.pane.output.has_focus


async def test_a_literal_that_is_chosen_is_shown_in_the_output(bench: SkillBench) -> None:
    bench.write("long", "line\n" * 200 + "here $9\n")
    app = PreviewApp(bench)
    async with app.run_test(size=(100, 30)) as pilot:
        await app.show(pilot, "long")
        await wait_until(pilot, lambda: len(app.pane.output.rows) > 200)
        assert "here $9" not in on_screen(app)
        app.pane.query_one("#preview-literals", LineList).focus()
        await pilot.press("enter")
        await wait_until(pilot, lambda: "here $9" in on_screen(app))


async def test_ten_thousand_lines_and_a_gone_folder(bench: SkillBench) -> None:
    bench.write("long", LONG_BODY)
    app = PreviewApp(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.show(pilot, "long")
        await wait_until(pilot, lambda: len(app.pane.output.rows) > 10_000)
        app.pane.output.focus()
        await pilot.press("end")
        await wait_until(pilot, lambda: "(Skill" in on_screen(app))
        view = bench.view("other")
        await app.pane.show(type(view)(**{**view.__dict__, "loaded": None}))
        await wait_until(pilot, lambda: "folder of this skill is gone" in on_screen(app))


async def test_a_fault_of_the_app_shows_in_the_pane(bench: SkillBench) -> None:
    app = PreviewApp(bench)

    def fail(*_: object) -> SkillResult:
        raise RuntimeError("no [/x] luck")

    app.pane._compute = fail
    async with app.run_test(size=(80, 24)) as pilot:
        await app.pane.show(bench.view("words"))
        await wait_until(pilot, lambda: "This pane failed: RuntimeError: no [/x] luck" in on_screen(app))


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_hostile_text_is_shown_and_not_obeyed(tmp_path: Path, size: tuple[int, int]) -> None:
    bench = SkillBench(tmp_path)
    texts = [text for text in HOSTILE.values() if not any(0xD800 <= ord(char) <= 0xDFFF for char in text)]
    bench.write("evil", "\n".join(texts) + "\n$1\n", 'argument-hint: "[/x] \\e[2J \\u202e"\n')
    app = PreviewApp(bench)
    async with app.run_test(size=size) as pilot:
        await app.show(pilot, "evil")
        await wait_until(pilot, lambda: app.pane.output.rows)
        app.pane.output.focus()
        seen = ""
        for _ in range(40):
            await pilot.press("pagedown")
            seen += on_screen(app)
        assert "[@click=app.quit]x[/]" in seen
        assert "␛" in seen
        assert "⟨U+202E⟩" in seen
        app.fields()[0].value = "\x1b]0;t\x07\u202e[/x]"
        await wait_until(pilot, lambda: app.computed[-1] == "\x1b]0;t\x07\u202e[/x]")
        await wait_until(pilot, lambda: "␛]0;t␇" in on_screen(app).split("as model")[0])

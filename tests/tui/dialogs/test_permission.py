"""The prompt: complete at a glance, closed by default, and deaf to whatever was typed before it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.widgets import Button, Static

from skillui.core import ParsedSkill, PermissionRequest, Problem, Severity
from skillui.core.gate import Gate
from skillui.tui.dialogs.permission import Answer, PermissionPrompt
from skillui.tui.model.prompt_facts import PromptFacts
from skillui.tui.model.quiet import QUIET
from skillui.tui.widgets.wrapped_text import WrappedText
from skillui.workspace.project import Root
from tests.tui.conftest import wait_until
from tests.tui.hostile import HOSTILE, LONG_BODY, SIZED
from tests.tui.skill_bench import BenchApp, SkillBench, on_screen

NOTE = "Always is for exactly these bytes, and is remembered until you revoke it."


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class PromptApp(BenchApp):
    def __init__(self, request: PermissionRequest, known: PromptFacts | None = None) -> None:
        super().__init__()
        self.clock = Clock()
        self.prompt = PermissionPrompt(request, known, always_note=NOTE, clock=self.clock)
        self.answers: list[Answer | None] = []

    def compose(self) -> ComposeResult:
        yield Static("behind")

    def on_mount(self) -> None:
        self.push_screen(self.prompt, self.answers.append)

    async def shown(self, pilot: Pilot[Any]) -> None:
        """Wait until the quiet time has begun."""
        await wait_until(pilot, lambda: self.screen is self.prompt and self.prompt._wakes_at is not None)

    async def awake(self, pilot: Pilot[Any]) -> None:
        await self.shown(pilot)
        self.clock.now += QUIET
        await wait_until(pilot, lambda: not self.prompt.asleep)


@pytest.fixture
def bench(tmp_path: Path) -> SkillBench:
    bench = SkillBench(tmp_path)
    bench.write("deploy", "# Deploy\nRun it\n", "allowed-tools: Read, Bash, Bash(git log:*), WebFetch\n")
    return bench


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
async def test_everything_that_matters_is_in_view(bench: SkillBench, size: tuple[int, int]) -> None:
    request = bench.request("deploy", arguments="staging --now")
    known = PromptFacts(root=Root(str(bench.root), "project", False, True, ".claude/skills"))
    app = PromptApp(request, known)
    async with app.run_test(size=size) as pilot:
        await app.shown(pilot)
        screen = on_screen(app)
        flat = "".join(screen.replace("│", "").split())
        assert "The model asks to activate deploy" in screen
        assert "session 1, turn 2" in screen
        assert "not trusted: it came with the project" in screen
        assert "".join(request.path.split()) in flat
        assert ".claude/skills" in screen
        assert "Bash any command" in screen
        assert "WebFetch any address" in screen
        assert "Bash(git log:*)" in screen
        assert "staging --now" in screen
        assert "# Deploy" in screen
        assert NOTE in screen
        for label in ("d  Deny", "o  Allow once", "a  Always for this content"):
            assert label in screen
        assert "keys wake in 0.4 s" in screen
        assert app.prompt.query_one("#deny", Button).has_focus


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("d", Answer.DENY),
        ("escape", Answer.DENY),
        ("enter", Answer.DENY),
        ("o", Answer.ONCE),
        ("a", Answer.ALWAYS),
    ],
)
async def test_each_key_answers_once_awake(bench: SkillBench, key: str, answer: Answer) -> None:
    app = PromptApp(bench.request("deploy"))
    async with app.run_test() as pilot:
        await app.awake(pilot)
        await pilot.press(key, key)
        await wait_until(pilot, lambda: app.answers)
        assert app.answers == [answer]


@pytest.mark.parametrize(
    ("button", "answer"), [("#deny", Answer.DENY), ("#allow-once", Answer.ONCE), ("#always", Answer.ALWAYS)]
)
async def test_each_button_answers_once_awake(bench: SkillBench, button: str, answer: Answer) -> None:
    app = PromptApp(bench.request("deploy"))
    async with app.run_test(size=(100, 30)) as pilot:
        await app.awake(pilot)
        await pilot.click(button)
        await wait_until(pilot, lambda: app.answers)
        assert app.answers == [answer]


async def test_what_was_typed_ahead_answers_nothing(bench: SkillBench) -> None:
    app = PromptApp(bench.request("deploy"))
    async with app.run_test() as pilot:
        await app.shown(pilot)
        await pilot.press(*"oadoa", "enter", "escape", "space")
        assert app.answers == []
        assert app.screen is app.prompt
        await app.awake(pilot)
        await pilot.press("o")
        await wait_until(pilot, lambda: app.answers)
        assert app.answers == [Answer.ONCE]


async def test_each_ignored_key_starts_the_quiet_time_anew(bench: SkillBench) -> None:
    app = PromptApp(bench.request("deploy"))
    async with app.run_test() as pilot:
        await app.shown(pilot)
        for _ in range(8):  # a key that is held
            app.clock.now += QUIET * 0.9
            await pilot.press("o")
            await pilot.pause(0.12)  # some ticks
            assert app.prompt.asleep
            assert "keys wake in 0.4 s" in on_screen(app)
        assert app.answers == []
        await app.awake(pilot)


async def test_a_key_right_at_the_end_of_the_quiet_time_is_still_ignored(bench: SkillBench) -> None:
    app = PromptApp(bench.request("deploy"))
    async with app.run_test() as pilot:
        await app.shown(pilot)
        # The app was busy: time is over, and a key of before comes in ahead of the next two ticks.
        app.clock.now += QUIET * 5
        await pilot.press("a")
        assert app.prompt.asleep
        await pilot.pause(0.2)
        assert app.prompt.asleep
        assert app.answers == []


async def test_clicks_are_ignored_and_start_it_anew(bench: SkillBench) -> None:
    app = PromptApp(bench.request("deploy"))
    async with app.run_test(size=(100, 30)) as pilot:
        await app.shown(pilot)
        for button in ("#always", "#allow-once", "#deny"):
            app.clock.now += QUIET * 0.9
            await pilot.click(button)
            await pilot.pause(0.12)
            assert app.prompt.asleep
        assert app.answers == []


async def test_a_click_that_began_asleep_never_counts(bench: SkillBench) -> None:
    app = PromptApp(bench.request("deploy"))
    async with app.run_test(size=(100, 30)) as pilot:
        await app.shown(pilot)
        await pilot.mouse_down("#always")
        app.clock.now += QUIET * 3
        await pilot.pause(0.2)
        assert app.prompt.asleep
        await pilot.mouse_up("#always")
        await pilot.pause(0.1)
        assert app.answers == []
        await app.awake(pilot)


async def test_coming_back_to_the_prompt_is_quiet_again(bench: SkillBench) -> None:
    from skillui.tui.dialogs.help import HelpDialog

    app = PromptApp(bench.request("deploy"))
    async with app.run_test() as pilot:
        await app.awake(pilot)
        app.push_screen(HelpDialog())
        await wait_until(pilot, lambda: isinstance(app.screen, HelpDialog))
        await pilot.press("escape", "o")
        await wait_until(pilot, lambda: app.screen is app.prompt)
        assert app.prompt.asleep
        assert app.answers == []


async def test_ctrl_q_quits_even_while_asleep(bench: SkillBench) -> None:
    app = PromptApp(bench.request("deploy"))
    async with app.run_test() as pilot:
        await app.shown(pilot)
        await pilot.press("ctrl+q")
        await wait_until(pilot, lambda: not app.is_running or app._exit)
    assert app.answers == []


async def test_without_a_digest_always_is_not_offered(bench: SkillBench) -> None:
    app = PromptApp(bench.request("deploy", digest=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.awake(pilot)
        screen = on_screen(app)
        assert "no digest: queue is a named pipe" in screen
        assert "Always is not offered: without a digest" in screen
        assert app.prompt.query_one("#always", Button).disabled
        await pilot.press("a")
        await pilot.click("#always")
        await pilot.pause(0.1)
        assert app.answers == []
        await pilot.press("o")
        await wait_until(pilot, lambda: app.answers == [Answer.ONCE])


async def test_the_digest_is_shown_in_full_on_demand(bench: SkillBench) -> None:
    request = bench.request("deploy")
    assert request.digest is not None
    digits = request.digest.removeprefix("sha256:")
    app = PromptApp(request)
    async with app.run_test(size=(120, 36)) as pilot:
        await app.awake(pilot)
        assert digits not in on_screen(app)
        assert digits[:8] in on_screen(app)
        await pilot.press("g")
        await wait_until(pilot, lambda: digits in on_screen(app))
        await pilot.click("#fact-content")
        await wait_until(pilot, lambda: digits not in on_screen(app))


async def test_flags_and_a_link_are_said_in_words(bench: SkillBench) -> None:
    request = replace(bench.request("deploy"), gate=Gate(("outside_workspace", "sensitive"), "normal", False))
    entry = replace(request.skill.entry, location=str(bench.root / "linked"))
    app = PromptApp(replace(request, skill=replace(request.skill, entry=entry), initiator="user"))
    async with app.run_test(size=(120, 36)) as pilot:
        await app.shown(pilot)
        screen = on_screen(app)
        assert "You ask to activate deploy" in screen
        assert "outside_workspace lies outside every workspace root" in screen
        assert "sensitive lies in a sensitive place" in screen
        assert "reached through a link" in screen
        assert "Permission to activate" in screen


async def test_problems_are_listed_gravest_first(bench: SkillBench) -> None:
    found = (
        Problem("SKL-12", Severity.WARNING, "allowed-tools pre-approves Bash", "SKILL.md", 4),
        Problem("SEC-01", Severity.ERROR, "hidden text: \u202eignore", "SKILL.md", 14),
    )
    app = PromptApp(bench.request("deploy"), PromptFacts(findings=found, history="changed since 2026-11-02"))
    async with app.run_test(size=(120, 36)) as pilot:
        await app.shown(pilot)
        screen = on_screen(app)
        assert screen.index("error SEC-01 line 14: hidden text: ⟨U+202E⟩ignore") < screen.index("warning SKL-12")
        assert "changed since 2026-11-02" in screen


async def test_a_hundred_tools_never_hide_the_broad_one_nor_the_answers(bench: SkillBench) -> None:
    tools = ", ".join(f"Tool{number}" for number in range(100))
    bench.write("deploy", "x\n", f"allowed-tools: {tools}, Bash\n")
    app = PromptApp(bench.request("deploy", arguments={f"key{n}": "v" * 900 for n in range(40)}))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.awake(pilot)
        screen = on_screen(app)
        assert "Bash any command" in screen
        assert "77 more" in screen
        assert "d  Deny" in screen
        await pilot.press("d")
        await wait_until(pilot, lambda: app.answers == [Answer.DENY])


async def test_the_buttons_name_the_keys_as_they_are_set(bench: SkillBench) -> None:
    app = PromptApp(bench.request("deploy"))
    app.set_keymap({"prompt.always": "f9"})
    async with app.run_test(size=(80, 24)) as pilot:
        await app.awake(pilot)
        await wait_until(pilot, lambda: "f9  Always" in on_screen(app))
        await pilot.press("a")
        await pilot.pause(0.05)
        assert app.answers == []
        await pilot.press("f9")
        await wait_until(pilot, lambda: app.answers == [Answer.ALWAYS])


async def test_a_tool_that_only_looks_like_another_is_marked(bench: SkillBench) -> None:
    bench.write("deploy", "x\n", "allowed-tools: Read, B\u0430sh(ls)\n")
    app = PromptApp(bench.request("deploy"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.shown(pilot)
        assert "B\u0430sh(ls) not plain ASCII" in on_screen(app)


async def test_the_whole_text_can_be_read_while_deny_has_the_keyboard(bench: SkillBench) -> None:
    bench.write("deploy", LONG_BODY)
    app = PromptApp(bench.request("deploy"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.awake(pilot)
        view = app.prompt.query_one(WrappedText)
        await wait_until(pilot, lambda: len(view.rows) > 10_000)
        assert app.prompt.query_one("#deny", Button).has_focus
        await pilot.press("pagedown", "down")
        await wait_until(pilot, lambda: view.scroll_offset.y == 9)
        await pilot.press("tab", "tab", "tab")
        assert view.has_focus
        await pilot.press("end")
        await wait_until(pilot, lambda: "line 9999" in on_screen(app))
        assert app.answers == []


@pytest.mark.parametrize(("name", "size"), SIZED)
async def test_hostile_text_in_every_field(bench: SkillBench, name: str, size: tuple[int, int]) -> None:
    text = HOSTILE[name]
    request = bench.request("deploy", arguments={text or "k": text})
    entry = replace(
        request.skill.entry, name=text, dir=f"/tmp/{text}", location=f"/tmp/{text}", skill_md=f"/tmp/{text}/SKILL.md"
    )
    parsed: ParsedSkill = replace(
        request.skill.parsed, text=f"{text}\n{text}", frontmatter={"allowed-tools": [text, f"Bash({text})"]}
    )
    hostile = replace(
        request,
        skill=replace(request.skill, entry=entry, parsed=parsed),
        digest=None,
        digest_fault=text,
        session=text,
        initiator=text,
    )
    problem = Problem(text, Severity.ERROR, text, text, 1)
    root = Root(f"/tmp/{text}", "project", False, True, text)
    app = PromptApp(hostile, PromptFacts(root, (problem,), (text,), text, text))
    async with app.run_test(size=size) as pilot:
        await app.shown(pilot)
        screen = on_screen(app)
        assert "d  Deny" in screen
        assert "why" in screen
        assert "tools" in screen
        if name in ("closing tag", "clickable action", "style of the theme"):
            assert text in screen
        if name == "right to left override":
            assert "⟨U+202E⟩" in screen
        await app.awake(pilot)
        await pilot.press("d")
        await wait_until(pilot, lambda: app.answers == [Answer.DENY])


async def test_the_prompt_says_how_much_nobody_would_see(bench: SkillBench) -> None:
    bench.write("deploy", "Review\u202e\u200b changes\n")
    app = PromptApp(bench.request("deploy"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.shown(pilot)
        assert "2 characters nobody would see" in on_screen(app)


def test_the_answers_are_what_the_engine_reads() -> None:
    from skillui.core.permission import read_answer

    assert {answer: read_answer(answer.value).allowed for answer in Answer} == {
        Answer.DENY: False,
        Answer.ONCE: True,
        Answer.ALWAYS: True,
    }

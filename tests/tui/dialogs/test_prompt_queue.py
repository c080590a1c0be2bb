"""Questions of the engine come one at a time, and whatever ends without an answer is a denial."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from skillui.core import PermissionRequest
from skillui.tui.dialogs.help import HelpDialog
from skillui.tui.dialogs.permission import PermissionPrompt
from skillui.tui.model.prompt_facts import PromptFacts
from skillui.tui.model.quiet import QUIET
from skillui.tui.prompts import PromptQueue
from tests.tui.conftest import wait_until
from tests.tui.skill_bench import BenchApp, SkillBench, on_screen

NAMES = ("alpha", "beta", "gamma")


class QueueApp(BenchApp):
    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.prompts = PromptQueue(self, clock=lambda: self.now)

    def compose(self) -> ComposeResult:
        yield Static("behind")

    @property
    def asked(self) -> str | None:
        return self.screen.request.name if isinstance(self.screen, PermissionPrompt) else None

    async def answer(self, pilot: Pilot[Any], name: str, key: str) -> None:
        await wait_until(pilot, lambda: self.asked == name)
        prompt = self.screen
        assert isinstance(prompt, PermissionPrompt)
        await wait_until(pilot, lambda: prompt._wakes_at is not None)
        self.now += QUIET
        await wait_until(pilot, lambda: not prompt.asleep)
        await pilot.press(key)
        await wait_until(pilot, lambda: self.asked != name)


@pytest.fixture
def bench(tmp_path: Path) -> SkillBench:
    bench = SkillBench(tmp_path)
    for name in NAMES:
        bench.write(name, f"# {name}\n")
    return bench


def put(app: QueueApp, bench: SkillBench, *names: str) -> list[asyncio.Task[str]]:
    return [asyncio.create_task(app.prompts.ask(bench.request(name))) for name in names]


async def test_three_requests_are_asked_in_order_and_counted(bench: SkillBench) -> None:
    app = QueueApp()
    async with app.run_test(size=(80, 24)) as pilot:
        tasks = put(app, bench, "alpha", "beta")
        await wait_until(pilot, lambda: app.asked == "alpha" and "1 of 2 waiting" in on_screen(app))
        tasks += put(app, bench, "gamma")
        await wait_until(pilot, lambda: "1 of 3 waiting" in on_screen(app))
        assert sum(isinstance(screen, PermissionPrompt) for screen in app.screen_stack) == 1
        await app.answer(pilot, "alpha", "o")
        await wait_until(pilot, lambda: app.asked == "beta" and "1 of 2 waiting" in on_screen(app))
        await app.answer(pilot, "beta", "a")
        await wait_until(pilot, lambda: app.asked == "gamma")
        assert "waiting" not in on_screen(app)
        await app.answer(pilot, "gamma", "escape")
        assert await asyncio.gather(*tasks) == ["allow_once", "allow", "deny"]
        assert app.prompts.waiting == 0
        again = put(app, bench, "alpha")
        await app.answer(pilot, "alpha", "d")
        assert await again[0] == "deny"


async def test_a_key_that_answers_one_prompt_never_answers_the_next(bench: SkillBench) -> None:
    app = QueueApp()
    async with app.run_test(size=(80, 24)) as pilot:
        tasks = put(app, bench, "alpha", "beta")
        await app.answer(pilot, "alpha", "o")
        await pilot.press(*"ooo")
        await wait_until(pilot, lambda: app.asked == "beta")
        await pilot.press(*"ooo")
        await pilot.pause(0.1)
        assert app.asked == "beta"
        assert not tasks[1].done()
        await app.answer(pilot, "beta", "d")
        assert await asyncio.gather(*tasks) == ["allow_once", "deny"]


@pytest.mark.parametrize("way", ["ctrl+q", "exit"])
async def test_closing_the_app_denies_what_waits(bench: SkillBench, way: str) -> None:
    app = QueueApp()
    async with app.run_test(size=(80, 24)) as pilot:
        tasks = put(app, bench, *NAMES)
        await wait_until(pilot, lambda: app.asked == "alpha")
        if way == "exit":
            app.exit()
        else:
            await pilot.press(way)
    assert await asyncio.wait_for(asyncio.gather(*tasks), 5) == ["deny"] * 3
    assert await app.prompts.ask(bench.request("alpha")) == "deny"


async def test_close_denies_at_once(bench: SkillBench) -> None:
    app = QueueApp()
    async with app.run_test(size=(80, 24)) as pilot:
        tasks = put(app, bench, *NAMES)
        await wait_until(pilot, lambda: app.asked == "alpha")
        app.prompts.close()
        assert await asyncio.gather(*tasks) == ["deny"] * 3
        assert await app.prompts.ask(bench.request("alpha")) == "deny"
        await wait_until(pilot, lambda: app.asked is None)


async def test_a_cancelled_call_takes_its_prompt_along(bench: SkillBench) -> None:
    app = QueueApp()
    async with app.run_test(size=(80, 24)) as pilot:
        tasks = put(app, bench, *NAMES)
        await wait_until(pilot, lambda: app.asked == "alpha")
        tasks[1].cancel()
        await wait_until(pilot, lambda: "1 of 2 waiting" in on_screen(app))
        tasks[0].cancel()
        await wait_until(pilot, lambda: app.asked == "gamma")
        for task in tasks[:2]:
            with contextlib.suppress(asyncio.CancelledError):
                await task
            assert task.cancelled()
        await app.answer(pilot, "gamma", "o")
        assert await tasks[2] == "allow_once"


async def test_a_prompt_below_another_dialog_goes_once_that_is_left(bench: SkillBench) -> None:
    app = QueueApp()
    async with app.run_test(size=(80, 24)) as pilot:
        tasks = put(app, bench, "alpha", "beta")
        await wait_until(pilot, lambda: app.asked == "alpha")
        app.push_screen(HelpDialog())
        await wait_until(pilot, lambda: isinstance(app.screen, HelpDialog))
        tasks[0].cancel()
        await pilot.pause(0.1)
        assert isinstance(app.screen, HelpDialog)
        await pilot.press("escape")
        await app.answer(pilot, "beta", "d")
        assert await tasks[1] == "deny"


async def test_the_engine_is_answered_through_its_hook(bench: SkillBench) -> None:
    app = QueueApp()
    bench.session.hook = app.prompts.ask
    async with app.run_test(size=(80, 24)) as pilot:
        call = asyncio.create_task(bench.session.skill({"name": "alpha"}))
        await app.answer(pilot, "alpha", "d")
        assert "NOT_TRUSTED" in (await call).output
        call = asyncio.create_task(bench.session.skill({"name": "alpha"}))
        await app.answer(pilot, "alpha", "o")
        assert (await call).kind == "ok"
        call = asyncio.create_task(bench.session.skill({"name": "beta"}))
        await wait_until(pilot, lambda: app.asked == "beta")
        bench.session.close()
        assert "the permission hook was cancelled" in (await call).output
        await wait_until(pilot, lambda: app.asked is None)


async def test_a_prompt_that_fails_is_a_denial(bench: SkillBench, monkeypatch: pytest.MonkeyPatch) -> None:
    app = QueueApp()

    def fail(*_: object, **__: object) -> PermissionPrompt:
        raise RuntimeError("no prompt")

    async with app.run_test(size=(80, 24)):
        with monkeypatch.context() as patch:
            patch.setattr("skillui.tui.prompts.PermissionPrompt", fail)
            assert await asyncio.gather(*put(app, bench, "alpha", "beta")) == ["deny", "deny"]


async def test_facts_that_cannot_be_found_do_not_stop_the_question(bench: SkillBench) -> None:
    async def describe(request: PermissionRequest) -> PromptFacts:
        if request.name == "alpha":
            raise OSError("gone")
        return PromptFacts(history="denied before")

    app = QueueApp()
    app.prompts = PromptQueue(app, clock=lambda: app.now, describe=describe, always_note="Always is kept.")
    async with app.run_test(size=(80, 24)) as pilot:
        tasks = put(app, bench, "alpha", "beta")
        await app.answer(pilot, "alpha", "d")
        await wait_until(pilot, lambda: app.asked == "beta" and "denied before" in on_screen(app))
        assert "Always is kept." in on_screen(app)
        await app.answer(pilot, "beta", "d")
        assert await asyncio.gather(*tasks) == ["deny", "deny"]


async def test_without_a_running_app_the_answer_is_no(bench: SkillBench) -> None:
    assert await QueueApp().prompts.ask(bench.request("alpha")) == "deny"

"""Another process asks, and the person at the app answers."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest

from skillui.core import AskedElsewhere
from skillui.review.store import DecisionStore
from skillui.tui.screens.session import SessionScreen
from tests.tui.app.whole_app import Run, Shop, running


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A runtime folder with a name short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="sk") as folder:
        monkeypatch.setenv("SKILLUI_RUNTIME_DIR", folder)
        yield folder


class Bridge:
    """A real `skillui rpc` beside the app."""

    def __init__(self, process: asyncio.subprocess.Process, shop: Shop) -> None:
        self._process = process
        self._shop = shop

    @classmethod
    async def start(cls, shop: Shop) -> Bridge:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "skillui", "rpc",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=dict(os.environ),
        )  # fmt: skip
        return cls(process, shop)

    def call(self, name: str, number: int = 1, session: str = "other") -> None:
        settings = {"cwd": str(self._shop.path), "hook": "broker", "id": session}
        request = {"id": number, "method": "skill", "params": {"params": {"name": name}, "session": settings}}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")

    async def answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), 20)
        result: dict[str, Any] = json.loads(line)["result"]
        return result

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        self._process._transport.close()  # type: ignore[attr-defined]


async def listening(run: Run) -> None:
    await run.until(lambda: run.app.listening.path is not None)


@pytest.mark.parametrize(("key", "kind"), [("o", "ok"), ("d", "error"), ("a", "ok")])
async def test_the_dialog_answers_another_process(shop: Shop, key: str, kind: str) -> None:
    shop.skill("deploy")
    async with running(shop.launch()) as run:
        await listening(run)
        bridge = await Bridge.start(shop)
        try:
            bridge.call("deploy")
            await run.shows("Untrusted project skill", "asked by", "by rpc")
            await run.prompt("deploy")
            await run.press(key)
            assert (await bridge.answer())["kind"] == kind
        finally:
            await bridge.end()
        assert run.records == []  # it is the other process's session
    store = DecisionStore(run.app.folders.store_file)
    assert [decision.verdict for decision in store.decisions()] == (["approved"] if key == "a" else [])
    assert any(entry.via == "rpc" for entry in store.audit())


async def test_all_that_wait_can_be_denied_together(shop: Shop) -> None:
    shop.skill("deploy")
    async with running(shop.launch()) as run:
        await listening(run)
        bridges = [await Bridge.start(shop) for _ in range(3)]
        try:
            for bridge in bridges:
                bridge.call("deploy")
            await run.shows("1 of 3 waiting", "D denies all")
            await run.prompt("deploy")
            await run.press("D")
            assert [(await bridge.answer())["kind"] for bridge in bridges] == ["error"] * 3
        finally:
            for bridge in bridges:
                await bridge.end()


async def test_closing_the_app_denies_and_removes_the_socket(shop: Shop, runtime: str) -> None:
    shop.skill("deploy")
    bridge = await Bridge.start(shop)
    try:
        async with running(shop.launch()) as run:
            await listening(run)
            bridge.call("deploy")
            await run.shows("Untrusted project skill")
        answer = await bridge.answer()
    finally:
        await bridge.end()
    assert "skillui was closed" in str(answer)
    assert [name for name in os.listdir(runtime) if name.endswith(".sock")] == []


async def test_questions_of_others_are_seen_live_in_the_session_mode(shop: Shop) -> None:
    shop.skill("deploy")
    async with running(shop.launch(), (120, 36)) as run:
        await listening(run)
        await run.press("3")
        await run.shows("Session 1")
        assert "Others asked" not in run.text()  # as long as nobody asked there is nothing to see
        bridge = await Bridge.start(shop)
        gone = await Bridge.start(shop)
        try:
            bridge.call("deploy")
            await run.prompt("deploy")
            await run.press("d")
            assert (await bridge.answer())["kind"] == "error"
            gone.call("deploy", session="third")
            await run.prompt("deploy")
        finally:
            await bridge.end()
            await gone.end()
        await run.shows("Others asked")
        await run.until(lambda: len(run.app.workbench.log.asked.records) == 2)
        screen = run.screen
        assert isinstance(screen, SessionScreen)
        screen.sessions.go_to("asked")
        await run.shows("deploy", "asked here", "denied by you", "withdrawn")
        assert not screen.check_action("copy_output", ())
        assert screen.check_action("replay", ())
        shown = [row.result for row in screen.table.list.rows]
        assert all(isinstance(result, AskedElsewhere) and "by rpc" in result.asker for result in shown)
        assert run.records == []  # none of them is a call of this session

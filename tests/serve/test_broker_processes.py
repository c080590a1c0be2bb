"""`skillui rpc` as a real second process: it asks at a running app, and both see what came of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from skillui.core import PermissionRequest, SessionConfig
from skillui.review.content import read_content
from skillui.review.records import Place
from skillui.review.store import DecisionStore
from skillui.serve.broker_client import NOBODY
from skillui.serve.broker_request import ask_from_disk
from skillui.serve.broker_server import CLOSED, BrokerServer
from tests.serve.asking import Person, make_skill, short_folder, until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Unix sockets")
TOP = Path(__file__).parents[2]


class Harness:
    """A harness that talks to `skillui rpc`."""

    def __init__(self, top: Path, run: Path) -> None:
        self.shop, self.run, self.data = top / "shop", run, top / "data"
        self.skill = make_skill(self.shop / ".skills")
        self.environ = {
            **os.environ, "HOME": str(top), "SKILLUI_RUNTIME_DIR": str(self.run), "SKILLUI_DATA_DIR": str(self.data),
            "PYTHONPATH": str(TOP),
        }  # fmt: skip
        self.store = DecisionStore(self.data / "decisions.sqlite3")

    async def start(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "skillui", "rpc", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            env=self.environ,
        )  # fmt: skip
        session = {"hook": "broker", "cwd": str(self.shop), "skill_roots": [".skills"]}
        params = {"params": {"name": "deploy", "arguments": "staging"}, "session": session}
        assert process.stdin is not None
        process.stdin.write(json.dumps({"id": 1, "method": "skill", "params": params}).encode() + b"\n")
        await process.stdin.drain()
        return process

    async def answer(self, process: asyncio.subprocess.Process) -> dict[str, Any]:
        assert process.stdout is not None
        assert process.stdin is not None
        line = await asyncio.wait_for(process.stdout.readline(), 60)
        process.stdin.close()
        await process.wait()
        result = json.loads(line)["result"]
        assert isinstance(result, dict)
        return result

    async def result(self) -> dict[str, Any]:
        return await self.answer(await self.start())

    def decide(self, verdict: Any) -> None:
        place = Place("deploy", str(self.skill), str(self.skill.parent))
        self.store.decide(verdict, read_content(str(self.skill)), place, via="cli")

    def log(self) -> list[tuple[str, str, str]]:
        return [(entry.name, entry.answer, entry.via) for entry in self.store.audit() if entry.kind == "prompt"]


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[Harness]:
    with short_folder() as run:
        yield Harness(tmp_path.resolve(), run)


@contextlib.asynccontextmanager
async def running(harness: Harness, person: Person, **options: Any) -> AsyncIterator[BrokerServer]:
    asked: list[Any] = []

    async def dialog(question: PermissionRequest) -> str:
        return await person.ask(asked.pop())

    server = BrokerServer(
        str(harness.run), ask_from_disk(dialog, told=lambda request, _: asked.append(request)), person.counts.append,
        project=str(harness.shop), **options,
    )  # fmt: skip
    await server.start()
    try:
        yield server
    finally:
        await server.close()


async def test_the_answer_of_the_app_is_what_the_other_process_gets(harness: Harness) -> None:
    person = Person().says("allow_once")
    async with running(harness, person):
        process = await harness.start()
        result = await harness.answer(process)
    assert (result["kind"], "Deploy staging." in result["output"]) == ("ok", True)
    asked = person.asked[0]
    assert (asked.asking.pid, asked.asking.via) == (process.pid, "rpc")
    assert "skillui rpc" in asked.asking.program
    assert asked.session == SessionConfig(cwd=str(harness.shop)).session_id
    assert harness.log() == [("deploy", "allow_once", "rpc")]


async def test_always_is_remembered_with_its_place(harness: Harness) -> None:
    person = Person().says("allow")
    async with running(harness, person):
        assert (await harness.result())["kind"] == "ok"
        assert (await harness.result())["kind"] == "ok"
    assert len(person.asked) == 1
    (decision,) = harness.store.decisions()
    assert decision.verdict == "approved"
    assert decision.place == Place("deploy", str(harness.skill), str(harness.skill.parent))


async def test_a_denial_and_its_words_reach_the_other_process(harness: Harness) -> None:
    async with running(harness, Person().says("deny")):
        error = (await harness.result())["error"]
    assert error["code"] == "NOT_TRUSTED"
    assert "the person at skillui denied it" in error["message"]
    assert harness.log() == [("deploy", "deny", "rpc")]


async def test_no_app_is_a_denial_that_says_so(harness: Harness) -> None:
    assert NOBODY in (await harness.result())["error"]["message"]


async def test_what_was_decided_is_not_asked_again(harness: Harness) -> None:
    person = Person()
    async with running(harness, person):
        harness.decide("approved")
        assert (await harness.result())["kind"] == "ok"
        harness.decide("denied")
        assert (await harness.result())["kind"] == "error"
    assert person.asked == []


async def test_a_process_that_is_killed_withdraws_its_question(harness: Harness) -> None:
    person = Person()
    async with running(harness, person) as server:
        process = await harness.start()
        await until(lambda: person.asked)
        process.kill()
        await process.wait()
        await until(lambda: server.waiting == 0 and person.withdrawn == 1)
    assert person.counts[-1] == 0


async def test_time_that_runs_out_and_an_app_that_closes_are_denials(harness: Harness) -> None:
    async with running(harness, Person(), time_limit=0.3):
        assert "nobody answered within 0.3 s" in (await harness.result())["error"]["message"]
    person = Person()
    async with running(harness, person) as server:
        process = await harness.start()
        await until(lambda: person.asked)
        await server.close()
        assert CLOSED in (await harness.answer(process))["error"]["message"]

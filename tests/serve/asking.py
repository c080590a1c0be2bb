"""Questions for the broker: a skill on disk, the request an engine would make, a person who answers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from skillui.core import PermissionRequest, SessionConfig, SkillSession
from skillui.core.catalog import LoadedSkill
from skillui.core.registry import load_folder
from skillui.serve.broker_request import BrokerRequest, to_message

TEXT = "---\nname: {name}\ndescription: Does a thing.\nallowed-tools: Bash(git:*) Read\n---\n{body}\n"


def make_skill(root: Path, name: str = "deploy", body: str = "Deploy $ARGUMENTS.") -> Path:
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(TEXT.format(name=name, body=body), encoding="utf-8")
    return folder


def question(folder: Path, **settings: Any) -> PermissionRequest:
    """Return the request an engine makes for the skill as it lies there."""
    skill = load_folder(str(folder))
    assert isinstance(skill, LoadedSkill)
    config = SessionConfig(cwd=str(folder.parent.parent), skill_roots=(str(folder.parent),), **settings)
    gate = SkillSession(config).judge(skill.entry)
    digest = skill.files.digest()
    return PermissionRequest(skill, gate, digest.value, "model", config.session_id, 3, "staging", digest.reason)


def line_of(folder: Path, **changes: Any) -> bytes:
    """Return the line that a client sends, with some fields changed."""
    ask = {**to_message(question(folder), "rpc", "python -m harness"), **changes}
    return json.dumps({"version": 1, "ask": ask}).encode() + b"\n"


class Person:
    """Answers the server's questions when told to, and remembers them."""

    def __init__(self) -> None:
        self.asked: list[BrokerRequest] = []
        self.withdrawn = 0
        self.counts: list[int] = []
        self._answers: asyncio.Queue[str | Exception] = asyncio.Queue()

    def says(self, *answers: str | Exception) -> Person:
        for answer in answers:
            self._answers.put_nowait(answer)
        return self

    async def ask(self, request: BrokerRequest) -> str:
        self.asked.append(request)
        try:
            answer = await self._answers.get()
        except asyncio.CancelledError:
            self.withdrawn += 1
            raise
        if isinstance(answer, Exception):
            raise answer
        return answer


async def until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - conditions of several parts, on one event loop
            await asyncio.sleep(0.005)


@contextlib.contextmanager
def short_folder() -> Iterator[Path]:
    """Yield a runtime folder that is not there yet; a test's own folder may be too long for a socket."""
    with tempfile.TemporaryDirectory(prefix="skillui-") as top:
        yield Path(top).resolve() / "run"


Ask = Callable[[BrokerRequest], Awaitable[str]]

"""Many calls at once: one question, one load, events in call order, and every silence a denial."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skillui.core import AlreadyLoaded, HookRefusal, NotFound, Ok, PermissionRequest, SkillSession
from skillui.core.problems import ErrorCode
from tests.core.skills import call, loaded, open_session, refused, write_skill


class Hook:
    """Counts questions; answers when `open` is set."""

    def __init__(self, answer: str = "allow") -> None:
        self.answer = answer
        self.asked: list[PermissionRequest] = []
        self.asking = asyncio.Event()
        self.open = asyncio.Event()

    async def __call__(self, request: PermissionRequest) -> str:
        self.asked.append(request)
        self.asking.set()
        await self.open.wait()
        return self.answer


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("foo", "bar", "baz"):
        write_skill(tmp_path / "skills", name)
    return tmp_path


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - conditions of several parts, on one event loop
        await asyncio.sleep(0)


async def test_fifty_calls_for_one_skill_ask_once_and_load_once(root: Path) -> None:
    hook = Hook()
    session = open_session(root, hook)
    calls = [asyncio.ensure_future(session.skill({"name": "foo"})) for _ in range(50)]
    await hook.asking.wait()
    hook.open.set()
    results = await asyncio.gather(*calls)
    assert [result.kind for result in results] == ["ok"] + ["already_loaded"] * 49
    assert results[7] == AlreadyLoaded("foo", 1)
    assert len(hook.asked) == 1
    assert [record.event.seq for record in session.state.records] == list(range(1, 51))


async def test_fifty_calls_share_one_denial_and_a_later_call_asks_again(root: Path) -> None:
    hook = Hook("deny")
    session = open_session(root, hook)
    calls = [asyncio.ensure_future(session.skill({"name": "foo"})) for _ in range(50)]
    await until(lambda: session.state.calls == 50)
    await hook.asking.wait()
    hook.open.set()
    assert {refused(result).code for result in await asyncio.gather(*calls)} == {ErrorCode.NOT_TRUSTED}
    assert len(hook.asked) == 1
    hook.answer = "allow"
    assert loaded(await session.skill({"name": "foo"})).name == "foo"
    assert len(hook.asked) == 2


async def test_a_denial_of_the_model_is_none_of_the_users_call(root: Path) -> None:
    hook = Hook("deny")
    session = open_session(root, hook)
    calls = [asyncio.ensure_future(session.skill({"name": "foo"}, user_initiated=user)) for user in (False, True)]
    await until(lambda: session.state.calls == 2)
    hook.open.set()
    await asyncio.gather(*calls)
    assert [request.initiator for request in hook.asked] == ["model", "user"]


async def test_different_skills_load_in_parallel_and_events_keep_call_order(root: Path) -> None:
    open_order = {name: asyncio.Event() for name in ("foo", "bar", "baz")}
    asked: list[str] = []
    told: list[str | None] = []

    async def hook(request: PermissionRequest) -> str:
        asked.append(request.name)
        await open_order[request.name].wait()
        return "allow"

    session = open_session(root, hook)
    session.state.listeners.append(lambda record: told.append(record.event.name))
    calls = [asyncio.ensure_future(session.skill({"name": name})) for name in ("foo", "bar", "baz")]
    await until(lambda: len(asked) == 3)  # all three wait at once
    for name, future in zip(("baz", "bar"), (calls[2], calls[1]), strict=True):
        open_order[name].set()
        assert (await future).kind == "ok"
    assert told == []
    open_order["foo"].set()
    await calls[0]
    assert told == ["foo", "bar", "baz"]


async def test_closing_the_session_cancels_the_hook_and_denies(root: Path) -> None:
    hook = Hook()
    session = open_session(root, hook)
    waiting = asyncio.ensure_future(session.skill({"name": "foo"}))
    await hook.asking.wait()
    session.close()
    error = refused(await waiting)
    assert error.code is ErrorCode.NOT_TRUSTED
    assert "cancelled" in error.message
    assert not session.state.waiting
    assert "the session is closed" in refused(await session.skill({"name": "bar"})).message
    assert len(hook.asked) == 1


async def test_a_cancelled_caller_leaves_nothing_active_and_its_hook_is_cancelled(root: Path) -> None:
    hook = Hook()
    session = open_session(root, hook)
    waiting = asyncio.ensure_future(session.skill({"name": "foo"}))
    await hook.asking.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    event = session.state.records[0].event
    assert (event.kind, event.code, session.state.activated) == ("error", "NOT_TRUSTED", {})
    await until(lambda: not session.state.waiting)
    hook.open.set()
    assert (await session.skill({"name": "foo"})).kind == "ok"


async def test_a_caller_cancelled_before_the_gates_is_a_permission_denied_event(root: Path) -> None:
    session = open_session(root, Hook())
    async with session.state.lock("foo"):
        waiting = asyncio.ensure_future(session.skill({"name": "foo"}))
        await until(lambda: session.state.calls == 1)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert session.state.records[0].event.code == "PERMISSION_DENIED"


async def raising(request: PermissionRequest) -> Any:
    raise RuntimeError("no")


async def refusing(request: PermissionRequest) -> Any:
    raise HookRefusal("nobody is\nthere")


async def cancelled(request: PermissionRequest) -> Any:
    raise asyncio.CancelledError


async def silent(request: PermissionRequest) -> Any:
    await asyncio.Event().wait()


def answering(answer: Any) -> Any:
    async def hook(request: PermissionRequest) -> Any:
        return answer

    return hook


@pytest.mark.parametrize(
    ("hook", "words"),
    [
        (raising, "the permission hook failed: RuntimeError"),
        (refusing, "nobody is\\nthere"),
        (cancelled, "the permission hook was cancelled"),
        (silent, "did not answer within 0.01 s"),
        (answering(True), "answered True, which is no decision"),
        (answering(None), "answered None, which is no decision"),
        (answering("ALLOW"), "answered 'ALLOW', which is no decision"),
        (answering("yes" * 100), "which is no decision"),
        (answering("deny"), "the permission hook denied it"),
        (answering("ask"), "returned ask, which counts as a denial"),
        (lambda request: "allow", "the permission hook failed: TypeError"),
    ],
)
def test_whatever_is_not_an_allowance_is_a_denial(root: Path, hook: Any, words: str) -> None:
    session = open_session(root, hook, hook_timeout=0.01 if hook is silent else None)
    error = refused(call(session, "foo"))
    assert (error.code, words in error.message) == (ErrorCode.NOT_TRUSTED, True)
    assert session.state.activated == {}
    assert session.state.records[0].event.decision in ("deny", "ask")


@pytest.mark.parametrize("answer", ["allow", "allow_once"])
def test_an_allowance_loads_and_is_logged(root: Path, answer: str) -> None:
    session = open_session(root, answering(answer))
    assert call(session, "foo").kind == "ok"
    record = session.state.records[0]
    assert record.event.decision == answer
    assert record.question is not None
    assert record.question["metadata"]["reason"] == "untrusted_project_skill"
    assert record.body == "Body\n"


class TestChangesSinceDiscovery:
    def change(self, root: Path, text: str) -> SkillSession:
        session = open_session(root)
        assert asyncio.run(session.catalog()).by_name["foo"]
        (root / "skills/foo/SKILL.md").write_text(text)
        return session

    def test_the_bytes_of_now_are_returned(self, root: Path) -> None:
        session = self.change(root, "---\nname: foo\ndescription: New.\n---\nNew body\n")
        result = loaded(call(session, "foo"))
        assert (result.body, result.frontmatter["description"]) == ("New body\n", "New.")

    def test_turned_manual_is_disabled(self, root: Path) -> None:
        session = self.change(root, "---\nname: foo\ndescription: d\ndisable-model-invocation: true\n---\n")
        assert refused(call(session, "foo")).code is ErrorCode.DISABLED
        assert call(session, "foo", user_initiated=True).kind == "ok"

    def test_new_arguments_are_checked(self, root: Path) -> None:
        session = self.change(root, "---\nname: foo\ndescription: d\narguments: {a: {required: true}}\n---\n")
        assert refused(call(session, "foo")).code is ErrorCode.INVALID_PARAM

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("---\nname: foo\n---\n", ErrorCode.INVALID_FRONTMATTER),
            ("---\nname: fob\ndescription: d\n---\n", ErrorCode.NAME_MISMATCH),
        ],
    )
    def test_broken_by_now_is_refused(self, root: Path, text: str, code: ErrorCode) -> None:
        assert refused(call(self.change(root, text), "foo")).code is code

    def test_gone_by_now_is_not_found(self, root: Path) -> None:
        session = self.change(root, "")
        (root / "skills/foo/SKILL.md").unlink()
        assert call(session, "foo") == NotFound("foo")

    def test_what_the_hook_saw_is_what_loads(self, root: Path) -> None:
        async def hook(request: PermissionRequest) -> str:
            (root / "skills/foo/SKILL.md").write_text("---\nname: foo\ndescription: d\n---\nEvil\n")
            return "allow"

        assert loaded(call(open_session(root, hook), "foo")).body == "Body\n"

    def test_a_folder_that_became_a_link_out_of_the_fence_is_outside(self, root: Path) -> None:
        session = open_session(root)
        asyncio.run(session.catalog())
        write_skill(root / "elsewhere", "foo", "Evil\n")
        (root / "skills/foo").rename(root / "old")
        (root / "skills/foo").symlink_to(root / "elsewhere/foo")
        assert refused(call(session, "foo")).code is ErrorCode.OUTSIDE_WORKSPACE


async def test_a_failing_listener_or_registry_never_breaks_a_call(root: Path) -> None:
    session = open_session(root)

    def listener(record: Any) -> None:
        raise RuntimeError

    session.state.listeners.append(listener)
    assert isinstance(await session.skill({"name": "foo"}), Ok)

    class Broken:
        async def discover(self) -> Any:
            raise RuntimeError("disk on fire")

        async def load(self, name: str) -> Any:
            raise AssertionError

    other = SkillSession(session.config, registry=Broken())
    error = refused(await other.skill({"name": "foo"}))
    assert (error.code, "disk on fire" in error.message) == (ErrorCode.IO_ERROR, True)

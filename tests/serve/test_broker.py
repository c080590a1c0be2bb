# ruff: noqa: ASYNC240 - the files of a test are its own, and small
"""The broker: one process asks, the person at another answers; whatever goes wrong is a denial."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import stat
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from skillui.core import HookRefusal
from skillui.serve import broker_client, broker_lines, broker_server
from skillui.serve.broker_client import NOBODY, asking_hook
from skillui.serve.broker_place import BrokerFault, find_runtime_folder, list_sockets
from skillui.serve.broker_request import DIFFERS, ask_from_disk
from skillui.serve.broker_server import CLOSED, DENIED_TOGETHER, BrokerServer
from tests.serve.asking import Ask, Person, line_of, make_skill, question, short_folder, until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Unix sockets")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with short_folder() as runtime:
        monkeypatch.setenv("SKILLUI_RUNTIME_DIR", str(runtime))
        yield runtime


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    return make_skill(tmp_path / "shop" / ".skills")


@contextlib.asynccontextmanager
async def app(folder: Path, person: Person, ask: Ask | None = None, **options: Any) -> AsyncIterator[BrokerServer]:
    server = BrokerServer(str(folder), ask or person.ask, person.counts.append, **options)
    await server.start()
    try:
        yield server
    finally:
        await server.close()


async def refusal(skill: Path, **options: Any) -> str:
    with pytest.raises(HookRefusal) as refused:
        await asking_hook("rpc", **options)(question(skill))
    return str(refused.value)


class Client:
    """A client that says what it likes."""

    def __init__(self, server: BrokerServer) -> None:
        assert server.path is not None
        self.path = server.path

    async def __aenter__(self) -> Client:
        self.reader, self.writer = await asyncio.open_unix_connection(self.path)
        self.hello = json.loads(await self.reader.readline())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self) -> dict[str, Any]:
        answer = json.loads(await asyncio.wait_for(self.reader.readline(), 20))
        assert isinstance(answer, dict)
        return answer


class TestAnswers:
    @pytest.mark.parametrize("answer", ["allow", "allow_once"])
    async def test_the_word_of_the_person_is_the_answer(self, folder: Path, skill: Path, answer: str) -> None:
        person = Person().says(answer)
        async with app(folder, person):
            assert await asking_hook("rpc")(question(skill)) == answer
        assert person.counts[0] == 1
        assert person.counts[-1] == 0

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            ("deny", "the person at skillui denied it"),
            ("yes", "which is no decision"),
            (HookRefusal("read it first"), "read it first"),
            (RuntimeError("boom"), "failed to ask: RuntimeError"),
        ],
    )
    async def test_anything_else_is_a_denial_in_words(
        self, folder: Path, skill: Path, answer: str | Exception, words: str
    ) -> None:
        async with app(folder, Person().says(answer)):
            assert words in await refusal(skill)

    async def test_a_prompt_is_told_all_it_needs(self, folder: Path, skill: Path) -> None:
        person = Person().says("allow_once")
        async with app(folder, person):
            await asking_hook("mcp")(question(skill))
        asked, meant = person.asked[0], question(skill)
        assert (asked.name, asked.dir, asked.root) == ("deploy", str(skill), str(skill.parent))
        assert (asked.reason, asked.flags, asked.digest) == ("untrusted_project_skill", (), meant.digest)
        assert (asked.initiator, asked.session, asked.turn, asked.arguments) == ("model", meant.session, 3, "staging")
        assert asked.allowed_tools == ("Bash(git:*)", "Read")
        assert asked.asking.pid == os.getpid()
        assert asked.asking.via == "mcp"
        assert "py" in asked.asking.program

    async def test_one_is_asked_at_a_time_in_order(self, folder: Path, tmp_path: Path) -> None:
        person = Person()
        skills = [make_skill(tmp_path / ".skills", name) for name in ("one", "two", "three")]
        async with app(folder, person) as server:
            tasks: list[asyncio.Future[str]] = []
            for each in skills:
                tasks.append(asyncio.ensure_future(asking_hook("rpc")(question(each))))
                await until(lambda: server.waiting == len(tasks))
            assert [asked.name for asked in person.asked] == ["one"]
            person.says("allow", "allow_once", "deny")
            results = await asyncio.gather(*tasks, return_exceptions=True)
        assert results[:2] == ["allow", "allow_once"]
        assert isinstance(results[2], HookRefusal)
        assert [asked.name for asked in person.asked] == ["one", "two", "three"]


class TestFromDisk:
    async def test_the_content_is_read_again_from_disk(self, folder: Path, skill: Path) -> None:
        seen: list[str] = []

        async def look(request: Any) -> str:
            seen.append(request.skill.parsed.text)
            return "allow"

        async with app(folder, Person(), ask_from_disk(look)):
            assert await asking_hook("rpc")(question(skill)) == "allow"
        assert seen == [(skill / "SKILL.md").read_text()]

    @pytest.mark.parametrize("change", ["text", "new file", "gone", "broken", "another digest", "moved"])
    async def test_other_content_than_the_client_read_is_denied_unasked(
        self, folder: Path, skill: Path, tmp_path: Path, change: str
    ) -> None:
        line = line_of(skill, **({"digest": "sha256:" + "0" * 64} if change == "another digest" else {}))
        if change == "text":
            make_skill(skill.parent, body="Something else.")
        elif change == "new file":
            (skill / "more.sh").write_text("rm -rf /")
        elif change == "gone":
            (skill / "SKILL.md").unlink()
        elif change == "broken":
            (skill / "SKILL.md").write_text("no frontmatter")
        elif change == "moved":
            skill.rename(tmp_path / "elsewhere")
            skill.symlink_to(tmp_path / "elsewhere")

        async def never(request: Any) -> str:
            raise AssertionError("nobody may be asked")

        async with app(folder, Person(), ask_from_disk(never)) as server, Client(server) as client:
            await client.send(line)
            answer = await client.answer()
        assert answer["answer"] == "deny"
        words = {"gone": "there is no skill", "broken": "is broken"}
        assert words.get(change, DIFFERS) in answer["reason"]

    async def test_the_app_adds_what_it_sees_of_the_place_itself(self, folder: Path, skill: Path) -> None:
        asked: list[Any] = []
        told: list[tuple[int, str]] = []

        async def look(request: Any) -> str:
            asked.append(request.gate)
            return "allow_once"

        own = question(skill, workspace_roots=("elsewhere",)).gate
        ask = ask_from_disk(look, lambda loaded: own, lambda a, b: told.append((a.asking.pid, b.name)))
        async with app(folder, Person(), ask) as server, Client(server) as client:
            await client.send(line_of(skill, trusted=True, reason="normal"))
            assert await client.answer() == {"answer": "allow_once"}
        assert asked[0].flags == ("outside_workspace",)
        assert asked[0].reason == "untrusted_project_skill"
        assert not asked[0].trusted
        assert told == [(os.getpid(), "deploy")]


class TestEnds:
    async def test_silence_is_a_denial_and_withdraws_the_prompt(self, folder: Path, skill: Path) -> None:
        person = Person()
        async with app(folder, person, time_limit=0.2) as server:
            assert "nobody answered within 0.2 s" in await refusal(skill)
            await until(lambda: person.withdrawn == 1)
            assert server.waiting == 0

    async def test_an_app_that_hangs_is_given_up(
        self, folder: Path, skill: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(broker_client, "_GRACE", 0.1)
        async with app(folder, Person()):
            assert "nobody answered" in await refusal(skill, time_limit=0.1)

    async def test_a_client_that_goes_withdraws_its_question(self, folder: Path, skill: Path) -> None:
        person = Person()
        async with app(folder, person) as server:
            task = asyncio.ensure_future(asking_hook("rpc")(question(skill)))
            await until(lambda: person.asked)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await until(lambda: server.waiting == 0 and person.withdrawn == 1)
            person.says("allow")
            assert await asking_hook("rpc")(question(skill)) == "allow"

    async def test_closing_the_app_denies_and_leaves_no_socket(self, folder: Path, skill: Path) -> None:
        person = Person()
        async with app(folder, person) as server:
            task = asyncio.create_task(refusal(skill))
            await until(lambda: person.asked)
            await server.close()
            assert await task == CLOSED
        assert os.listdir(folder) == []
        assert await refusal(skill) == NOBODY

    async def test_an_app_that_is_cut_off_denies(self, folder: Path, skill: Path) -> None:
        async with app(folder, Person()) as server:
            task = asyncio.create_task(refusal(skill))
            await until(lambda: server.waiting == 1)
            for transport in [*server._clients]:
                transport.cancel()
            assert "closed before anybody answered" in await task

    async def test_a_thousand_questions_wait_and_are_denied_together(self, folder: Path, skill: Path) -> None:
        person = Person()
        async with app(folder, person) as server:
            hook, asked = asking_hook("rpc"), question(skill)
            tasks = [asyncio.ensure_future(hook(asked)) for _ in range(1000)]
            await until(lambda: server.waiting == 1000, 60)
            await until(lambda: person.asked)
            assert max(person.counts) == 1000
            assert len(person.asked) == 1
            assert server.deny_all() == 1000
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert {str(result) for result in results} == {DENIED_TOGETHER}
            assert person.counts[-1] == 0
            person.says("allow_once")
            assert await hook(asked) == "allow_once"

    async def test_past_the_queue_is_denied_at_once(
        self, folder: Path, skill: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(broker_server, "MAX_WAITING", 2)
        async with app(folder, Person()) as server:
            tasks = [asyncio.create_task(refusal(skill)) for _ in range(2)]
            await until(lambda: server.waiting == 2)
            assert "2 questions wait" in await refusal(skill)
            server.deny_all()
            assert await asyncio.gather(*tasks) == [DENIED_TOGETHER] * 2


class TestHostileClients:
    @pytest.mark.parametrize(
        "line",
        [
            b"\x00\xff\xfe\n", b"[]\n", b"{}\n", b"[" * 5000 + b"\n", b'{"version":2,"ask":{}}\n',
            b'{"version":1,"ask":null}\n', b'{"version":1}\n', b"x" * (broker_lines.MAX_LINE + 10) + b"\n",
        ],
    )  # fmt: skip
    async def test_nonsense_is_denied_and_nobody_is_asked(self, folder: Path, skill: Path, line: bytes) -> None:
        person = Person().says("allow")
        async with app(folder, person) as server:
            async with Client(server) as client:
                await client.send(line)
                answer = await client.answer()
                assert (answer["answer"], person.asked) == ("deny", [])
                assert "not understood" in answer["reason"]
            assert await asking_hook("rpc")(question(skill)) == "allow"

    @pytest.mark.parametrize(
        "change",
        [
            {"name": 1}, {"name": "x" * 300}, {"dir": "relative"}, {"dir": "/a\0b"}, {"location": "\ud800/x"},
            {"root": None}, {"reason": "because"}, {"reason": []}, {"flags": ["fine"]}, {"flags": "sensitive"},
            {"flags": [{}]}, {"digest": "sha256:0"}, {"digest": 5}, {"turn": -1}, {"turn": True}, {"turn": 1.5},
            {"initiator": "root"}, {"session": 3}, {"allowed_tools": [1]}, {"allowed_tools": None}, {"via": "x"},
            {"program": None},
        ],
    )  # fmt: skip
    async def test_a_field_that_is_wrong_is_named(self, folder: Path, skill: Path, change: dict[str, Any]) -> None:
        person = Person()
        async with app(folder, person) as server, Client(server) as client:
            await client.send(line_of(skill, **change))
            answer = await client.answer()
        assert answer["answer"] == "deny"
        assert next(iter(change)) in answer["reason"]
        assert person.asked == []

    async def test_half_a_line_is_waited_for_only_so_long(
        self, folder: Path, skill: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(broker_server, "HELLO_LIMIT", 0.2)
        async with app(folder, Person()) as server, Client(server) as client:
            await client.send(line_of(skill)[:50])
            assert "did not come within 0.2 s" in (await client.answer())["reason"]

    async def test_half_a_line_and_gone_is_nothing(self, folder: Path, skill: Path) -> None:
        person = Person()
        async with app(folder, person) as server:
            async with Client(server) as client:
                await client.send(line_of(skill)[:50])
            person.says("allow")
            assert await asking_hook("rpc")(question(skill)) == "allow"
            assert len(person.asked) == 1

    async def test_a_slow_client_is_served_and_holds_nobody_up(self, folder: Path, skill: Path) -> None:
        person = Person()
        async with app(folder, person) as server, Client(server) as slow:
            line = line_of(skill)
            await slow.send(line[:40])
            person.says("allow")
            assert await asking_hook("rpc")(question(skill)) == "allow"
            for at in range(40, len(line), 97):
                await slow.send(line[at : at + 97])
            person.says("allow_once")
            assert await slow.answer() == {"answer": "allow_once"}

    async def test_who_speaks_while_it_waits_is_denied(self, folder: Path, skill: Path) -> None:
        person = Person()
        async with app(folder, person) as server, Client(server) as client:
            await client.send(line_of(skill) + line_of(skill))
            assert "spoke while it waited" in (await client.answer())["reason"]
            await until(lambda: server.waiting == 0)

    async def test_arguments_too_long_to_be_shown_are_denied(self, folder: Path, skill: Path) -> None:
        from dataclasses import replace

        async with app(folder, Person()):
            with pytest.raises(HookRefusal, match="longer than"):
                await asking_hook("rpc")(replace(question(skill), arguments="x" * 300_000))


class TestPlaces:
    async def test_the_socket_is_ours_alone(self, folder: Path) -> None:
        async with app(folder, Person()) as server:
            assert server.path is not None
            assert stat.S_IMODE(os.stat(server.path).st_mode) == 0o600
            assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700

    async def test_with_no_app_the_denial_says_so(self, folder: Path, skill: Path) -> None:
        assert await refusal(skill) == NOBODY
        folder.mkdir(mode=0o700)
        assert await refusal(skill) == NOBODY

    async def test_a_dead_apps_socket_is_cleaned_away(self, folder: Path, skill: Path) -> None:
        folder.mkdir(mode=0o700)
        gone = _pid_of_nobody()
        for number in range(2):
            with socket.socket(socket.AF_UNIX) as left:
                left.bind(str(folder / f"broker-{gone}-0000000{number}.sock"))
        assert await refusal(skill) == NOBODY
        assert list_sockets(str(folder)) == []
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(folder / f"broker-{gone}-00000002.sock"))
        async with app(folder, Person().says("allow")) as server:
            assert list_sockets(str(folder)) == [server.path]
            assert await asking_hook("rpc")(question(skill)) == "allow"

    async def test_of_two_apps_one_prompts_the_one_on_the_project(
        self, folder: Path, skill: Path, tmp_path: Path
    ) -> None:
        first, second, third = Person(), Person(), Person()
        other = make_skill(tmp_path / "elsewhere" / ".skills")
        async with (
            app(folder, first, project=str(tmp_path / "other")),
            app(folder, second, project=str(tmp_path / "shop")),
            app(folder, third, project=str(tmp_path / "shop")),
        ):
            for person in (first, second, third):
                person.says("allow")
            assert await asking_hook("rpc")(question(skill)) == "allow"
            assert [len(person.asked) for person in (first, second, third)] == [0, 1, 0]
            assert await asking_hook("rpc")(question(other)) == "allow"
            assert [len(person.asked) for person in (first, second, third)] == [1, 1, 0]

    async def test_when_one_of_two_apps_closes_the_other_is_asked(self, folder: Path, skill: Path) -> None:
        second = Person().says("allow")
        async with app(folder, Person()) as first, app(folder, second):
            await first.close()
            assert await asking_hook("rpc")(question(skill)) == "allow"

    @pytest.mark.parametrize(
        "reply", [b"garbage\n", b"{}\n", b"half", b'{"skillui":"broker","version":9}\n', b"x" * 300_000]
    )
    async def test_a_socket_that_is_no_skillui_is_a_denial(
        self, folder: Path, skill: Path, reply: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(broker_client, "HELLO_LIMIT", 0.3)
        folder.mkdir(mode=0o700)

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(reply)
            with contextlib.suppress(OSError):
                await reader.read(1)
            writer.close()

        path = folder / f"broker-{os.getpid()}-00000000.sock"
        async with await asyncio.start_unix_server(serve, path):
            words = await refusal(skill)
            assert "not understood" in words or "does not answer" in words

    @pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
    async def test_a_folder_others_may_write_to_is_refused(self, folder: Path, skill: Path, mode: int) -> None:
        folder.mkdir()
        folder.chmod(mode)
        assert "others may write" in await refusal(skill)
        with pytest.raises(BrokerFault, match="others may write"):
            await BrokerServer(str(folder), Person().ask).start()

    async def test_a_link_or_a_file_is_no_folder(self, folder: Path, skill: Path, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "real")
        assert "is not a folder" in await refusal(skill)
        folder.unlink()
        folder.write_text("")
        assert "is not a folder" in await refusal(skill)

    async def test_a_path_too_long_for_a_socket_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(BrokerFault, match="too long for a socket"):
            await BrokerServer(str(tmp_path / ("x" * 120)), Person().ask).start()

    def test_the_folder_comes_from_the_users_variables(self, tmp_path: Path) -> None:
        assert find_runtime_folder({"SKILLUI_RUNTIME_DIR": "/run/a", "XDG_RUNTIME_DIR": "/run/b"}) == "/run/a"
        assert find_runtime_folder({"XDG_RUNTIME_DIR": "/run/b"}) == "/run/b/skillui"
        assert os.path.isabs(find_runtime_folder({"XDG_RUNTIME_DIR": "relative"}))
        with pytest.raises(BrokerFault, match="not an absolute path"):
            find_runtime_folder({"SKILLUI_RUNTIME_DIR": "here"})


@pytest.fixture
def open_folder(folder: Path) -> Path:
    """Return a runtime folder on a way that other users may take."""
    folder.parent.chmod(0o711)
    return folder


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be another user")
class TestForeignUsers:
    async def test_a_foreign_client_is_not_answered(self, open_folder: Path, skill: Path) -> None:
        person = Person().says("allow")
        async with app(open_folder, person) as server:
            assert server.path is not None
            open_folder.chmod(0o711)
            os.chmod(server.path, 0o666)
            child, said = _as_nobody(_read_all, server.path)
            assert await asyncio.to_thread(_result, child, said) == b"said:"
            assert person.asked == []

    async def test_a_foreign_users_socket_is_not_asked(self, open_folder: Path, skill: Path) -> None:
        open_folder.mkdir()
        open_folder.chmod(0o777)
        child, said = _as_nobody(_listen, str(open_folder / f"broker-{os.getpid()}-00000000.sock"))
        try:
            assert os.read(said, 5) == b"ready"
            open_folder.chmod(0o700)
            assert "belongs to another user" in await refusal(skill)
        finally:
            os.kill(child, signal.SIGKILL)
            _result(child, said)

    async def test_a_foreign_users_folder_is_refused(self, folder: Path, skill: Path) -> None:
        folder.mkdir(mode=0o700)
        os.chown(folder, 65534, 65534)
        assert "belongs to another user" in await refusal(skill)
        with pytest.raises(BrokerFault, match="belongs to another user"):
            await BrokerServer(str(folder), Person().ask).start()


def _read_all(path: str, into: int) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(path)
        os.write(into, b"said:" + client.recv(4096))


def _listen(path: str, into: int) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    os.chmod(path, 0o666)
    listener.listen()
    os.write(into, b"ready")
    signal.pause()


def _as_nobody(work: Callable[[str, int], None], path: str) -> tuple[int, int]:
    """Do something as another user; return the child and what it writes to."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setuid(65534)
            work(path, into)
        finally:
            os._exit(0)
    os.close(into)
    return child, out


def _result(child: int, said: int) -> bytes:
    with os.fdopen(said, "rb") as result:
        text = result.read()
    os.waitpid(child, 0)
    return text


def _pid_of_nobody() -> int:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child

"""`skillui mcp` byte by byte: the output is the protocol alone, and nothing on the input ends it but its end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import mcp_types
import pytest
import pytest_asyncio
from mcp.shared.message import SessionMessage

from skillui.serve.mcp_wire import encode, read_message
from skillui.serve.rpc_requests import MAX_LINE
from tests.serve.mcp_world import TOP, Pipe, Shop, request

STRAY = """
import logging, os, subprocess, sys
from skillui.core.registry import FilesystemSkillRegistry
scan = FilesystemSkillRegistry.scan
def noisy(self, observer=None):
    print("stray print", flush=True)
    sys.stdout.write("unflushed")
    sys.__stdout__.write("the other name")
    os.write(1, b"stray write\\n")
    subprocess.run(["echo", "stray child"], check=True)
    assert sys.stdin.read() == ""
    logging.getLogger("x").warning("stray log")
    return scan(self, observer)
FilesystemSkillRegistry.scan = noisy
from skillui.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    made = Shop(tmp_path.resolve())
    made.skill(made.trusted, "guide")
    return made


@pytest_asyncio.fixture
async def pipe(shop: Shop) -> AsyncIterator[Pipe]:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL) if os.name == "posix" else None  # `nohup pytest` hands it on
    made = await shop.start()
    if before is not None:
        signal.signal(signal.SIGHUP, before)
    yield made
    made.kill()
    await made.process.wait()


async def test_the_output_is_the_protocol_whatever_else_is_printed(shop: Shop) -> None:
    pipe = await shop.start(program=("-c", STRAY))
    await pipe.greet()
    assert (await pipe.ask(1, "tools/list"))["result"]["tools"][0]["name"] == "skill"
    assert (await pipe.call(2, {"name": "guide"}))["result"]["isError"] is True
    out, err, code = await pipe.end()
    assert (out, code) == (b"", 0)
    for words in ("stray print", "unflushed", "the other name", "stray write", "stray child", "stray log"):
        assert words in err


async def test_it_ends_quietly_with_its_input(pipe: Pipe) -> None:
    await pipe.greet()
    assert await pipe.end() == (b"", "", 0)


async def test_an_input_that_never_says_anything_is_fine(pipe: Pipe) -> None:
    assert await pipe.end() == (b"", "", 0)


GARBAGE: list[tuple[bytes, int, Any]] = [
    (b"no json", mcp_types.PARSE_ERROR, None),
    (b"\xff\xfe\x00", mcp_types.PARSE_ERROR, None),
    (b"[" * 100_000, mcp_types.PARSE_ERROR, None),
    (b"{}", mcp_types.INVALID_REQUEST, None),
    (b"[]", mcp_types.INVALID_REQUEST, None),
    (b"17", mcp_types.INVALID_REQUEST, None),
    (b'{"jsonrpc": "2.0", "id": 7, "method": 3}', mcp_types.INVALID_REQUEST, 7),
    (b'{"jsonrpc": "1.0", "id": "a", "method": "ping"}', mcp_types.INVALID_REQUEST, "a"),
    (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', mcp_types.INVALID_REQUEST, None),
    (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', mcp_types.INVALID_REQUEST, None),
]


async def test_garbage_is_answered_and_the_next_line_served(pipe: Pipe) -> None:
    for greeted in (False, True):
        for line, code, number in GARBAGE:
            await pipe.send(line)
            answer = await pipe.receive()
            assert (answer["id"], answer["error"]["code"]) == (number, code), line[:50]
        for line in (
            b"",
            b" \t ",
            b'{"jsonrpc": "2.0", "id": 99, "result": {}}',
            b'{"jsonrpc": "2.0", "method": "nope"}',
        ):
            await pipe.send(line)
        if not greeted:
            await pipe.greet()
    assert (await pipe.call(1, {"name": "nothing"}))["result"]["isError"] is True
    out, _, code = await pipe.end()
    assert (out, code) == (b"", 0)


async def test_a_line_without_an_end_is_not_held_in_memory(pipe: Pipe) -> None:
    await pipe.send(b'{"x": "' + b"x" * MAX_LINE + b'"}')
    answer = await pipe.receive()
    assert "longer than" in answer["error"]["message"]
    await pipe.greet()


@pytest.mark.parametrize("arguments", [None, "guide", ["guide"], 3, True])
async def test_arguments_that_are_no_object_are_the_engines_to_refuse(pipe: Pipe, arguments: Any) -> None:
    await pipe.greet()
    result = (await pipe.call(1, arguments))["result"]
    assert result["isError"] is True
    assert result["structuredContent"]["error"]["code"] == "INVALID_PARAM"
    assert "object" in result["content"][0]["text"]


async def test_a_call_without_arguments_lacks_a_name(pipe: Pipe) -> None:
    await pipe.greet()
    result = (await pipe.ask(1, "tools/call", {"name": "skill"}))["result"]
    assert result["content"][0]["text"].startswith("Error [INVALID_PARAM]: ")


async def test_nothing_is_served_before_the_greeting(pipe: Pipe) -> None:
    assert "error" in await pipe.ask(1, "tools/list")
    await pipe.greet()


async def test_unknown_methods_and_wrong_parameters_are_errors(pipe: Pipe) -> None:
    await pipe.greet()
    assert (await pipe.ask(1, "no/such"))["error"]["code"] == mcp_types.METHOD_NOT_FOUND
    for method, params in (("tools/call", {"name": 3}), ("resources/read", {}), ("resources/list", {"cursor": []})):
        assert (await pipe.ask(2, method, params))["error"]["code"] == mcp_types.INVALID_PARAMS


async def test_a_client_that_disappears_ends_it_without_a_word(shop: Shop, pipe: Pipe) -> None:
    for number in range(300):
        shop.skill(shop.trusted, f"skill-{number}", description="x" * 900)
    await pipe.greet()
    # Nobody reads the answers any more, though the input stays open.
    transport: Any = pipe.process._transport  # type: ignore[attr-defined]
    transport.get_pipe_transport(1).close()
    for number in range(1, 20):
        await pipe.send(request(number, "resources/list"))
    assert await asyncio.wait_for(pipe.process.wait(), 30) == 0
    assert await pipe.told() == ""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)])
async def test_a_signal_ends_it_though_the_input_stays_open(pipe: Pipe, number: int, code: int) -> None:
    await pipe.greet()
    pipe.process.send_signal(number)
    assert await asyncio.wait_for(pipe.process.wait(), 30) == code
    assert await pipe.told() == ""


async def test_the_samples_are_removed_when_the_client_goes(shop: Shop) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "skillui", "mcp", "--demo", env={**os.environ, **shop.environ},
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    pipe = Pipe(process)
    await pipe.greet()
    assert "skill://house-style" in json.dumps(await pipe.ask(1, "resources/list"))
    assert os.listdir(shop.top / "tmp") != []
    assert (await pipe.end())[2] == 0
    assert os.listdir(shop.top / "tmp") == []


def run(shop: Shop, *arguments: str, program: tuple[str, ...] = ("-m", "skillui")) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *program, *arguments],
        env={**os.environ, **shop.environ}, cwd=shop.top, capture_output=True, text=True, input="", timeout=60,
    )  # fmt: skip


def test_without_the_extra_one_line_says_what_to_install(shop: Shop) -> None:
    for absent in ("mcp", "mcp_types", "pydantic"):
        script = f"import sys; sys.modules[{absent!r}] = None; from skillui.cli import main; sys.exit(main(['mcp']))"
        done = run(shop, program=("-c", script))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "skillui: `skillui mcp` needs the extra `mcp`: pip install 'skillui[mcp]'\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--budget", "-1"), "--budget"),
        (("--budget", "many"), "--budget"),
        (("no/such/folder",), "cannot be opened"),
        (("--demo", "."), "--demo opens its own roots"),
        (("",), "the path is empty"),
        (("a", "b"), "unexpected extra argument"),
    ],
)
def test_wrong_usage_is_one_line_on_standard_error(shop: Shop, arguments: tuple[str, ...], words: str) -> None:
    done = run(shop, "mcp", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr


COMMANDS = (["list"], ["show", "guide"], ["check", "."], ["review"], ["activate", "guide"], ["rpc"], ["--help"])


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_no_other_command_loads_the_sdk(shop: Shop, arguments: list[str]) -> None:
    names = ("mcp", "mcp_types", "anyio", "pydantic", "starlette", "uvicorn")
    script = f"import sys; from skillui.cli import main; main({arguments!r}); sys.stdout = sys.stderr; " + (
        f"print('loaded:', [name for name in {names!r} if name in sys.modules])"
    )
    assert run(shop, program=("-c", script)).stderr.splitlines()[-1] == "loaded: []"


def test_the_configuration_in_the_readme_starts_it(shop: Shop) -> None:
    (snippet,) = (
        line
        for line in (TOP / "README.md").read_text(encoding="utf-8").splitlines()
        if line.startswith('{"mcpServers"')
    )
    started = json.loads(snippet)["mcpServers"]["skillui"]
    assert started["command"] == "skillui"
    arguments = [str(shop.top / "shop") if argument.startswith("/srv") else argument for argument in started["args"]]
    done = run(shop, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_message_is_one_line_of_valid_json_whatever_it_holds() -> None:
    odd = {"a\u2028\ud800": ["\n", float("nan"), 10**40, {"\x00": b"bytes"}]}
    line = encode(mcp_types.JSONRPCResponse(jsonrpc="2.0", id=1, result=odd))
    assert line.count(b"\n") == 1
    assert json.loads(line)["result"] == {r"a" + "\u2028" + r"\ud800": ["\n", ".nan", 10**40, {"\x00": "b'bytes'"}]}


def test_a_number_past_what_python_reads_is_a_fault_like_any_other() -> None:
    for line in (b"9" * 5000, b'{"jsonrpc": "2.0", "id": 1e999, "method": "ping"}'):
        assert isinstance(read_message(line), mcp_types.JSONRPCError)
    assert isinstance(read_message(request(1, "ping")), SessionMessage)

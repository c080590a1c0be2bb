"""A project of skills, and the SDK's own client in front of a real `skillui mcp`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import mcp_types
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from skillui.review.content import read_content
from skillui.review.records import Place
from skillui.review.store import DecisionStore

TOP = Path(__file__).parents[2]
PROGRAM = ("-m", "skillui")


class Shop:
    """A project with an untrusted root, and a trusted one beside it."""

    def __init__(self, top: Path, run: Path | None = None) -> None:
        self.top = top
        self.untrusted = top / "shop" / ".skills"
        self.trusted = top / "trusted"
        self.errors = top / "errors.txt"
        for folder in (self.untrusted, self.trusted, top / "home", top / "tmp"):
            folder.mkdir(parents=True)
        kinds = {kind: str(top / "home" / kind.lower()) for kind in ("DATA", "STATE", "CONFIG")}
        self.environ = {
            **{f"SKILLUI_{kind}_DIR": folder for kind, folder in kinds.items()},
            "SKILLUI_RUNTIME_DIR": str(run or top / "run"), "HOME": str(top / "home"), "PYTHONPATH": str(TOP),
            "TMPDIR": str(top / "tmp"), "PYTHONWARNINGS": "error", "PYTHONUTF8": "1",
        }  # fmt: skip
        self.store = DecisionStore(top / "home" / "data" / "decisions.sqlite3")

    def skill(self, root: Path, name: str, /, body: str = "Hello $ARGUMENTS.", more: str = "", **fields: str) -> Path:
        folder = root / name
        folder.mkdir(parents=True)
        shown = {"name": name, "description": "Does a thing. Use when asked."} | fields
        head = "".join(f"{key}: {value}\n" for key, value in shown.items())
        (folder / "SKILL.md").write_text(f"---\n{head}{more}---\n{body}\n", encoding="utf-8")
        return folder

    def decide(self, verdict: Any, folder: Path) -> None:
        self.store.decide(verdict, read_content(str(folder)), Place(folder.name, str(folder), ""), who="Ada")

    def arguments(self, *options: str) -> list[str]:
        roots = ("--root", str(self.untrusted), "--root", str(self.trusted), "--trusted-root", str(self.trusted))
        return ["mcp", *roots, *options, str(self.top / "shop")]

    @contextlib.asynccontextmanager
    async def client(self, *options: str, mode: Any = "legacy", **settings: Any) -> AsyncIterator[Client]:
        """Yield a connected client; nothing may have been said on standard error when it leaves."""
        server = StdioServerParameters(
            command=sys.executable, args=[*PROGRAM, *self.arguments(*options)], env=self.environ
        )
        with self.errors.open("w+", encoding="utf-8") as errors:
            async with (
                asyncio.timeout(60),
                Client(stdio_client(server, errors), mode=mode, read_timeout_seconds=30, **settings) as client,
            ):
                yield client
            errors.seek(0)
            assert errors.read() == ""

    async def start(self, *options: str, program: tuple[str, ...] = PROGRAM) -> Pipe:
        """Start the server with pipes of our own, before any message."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, *program, *self.arguments(*options), env={**os.environ, **self.environ},
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            limit=1 << 24,
        )  # fmt: skip
        return Pipe(process)


class Pipe:
    """A client made of bytes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        await self.process.stdin.drain()

    async def receive(self) -> dict[str, Any]:
        """Return the next message; it must be one line of ASCII that is a JSON-RPC message."""
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), 30)
        assert line.endswith(b"\n"), await self.told()
        message = json.loads(line.decode("ascii"))
        assert message["jsonrpc"] == "2.0"
        assert isinstance(message, dict)
        return message

    async def ask(self, number: Any, method: str, params: Any = None) -> dict[str, Any]:
        await self.send(request(number, method, params))
        return await self.receive()

    async def greet(self) -> None:
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bytes", "version": "1"}}
        assert (await self.ask(0, "initialize", hello))["result"]["serverInfo"]["name"] == "skillui"
        await self.send(request(None, "notifications/initialized"))

    async def call(self, number: Any, arguments: Any) -> dict[str, Any]:
        return await self.ask(number, "tools/call", {"name": "skill", "arguments": arguments})

    async def end(self) -> tuple[bytes, str, int]:
        """Close the input; return what was still said, what went to standard error, and the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        out, err = await asyncio.wait_for(self.process.communicate(), 30)
        assert self.process.returncode is not None
        return out, err.decode(), self.process.returncode

    async def told(self) -> str:
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode()

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()


def request(number: Any, method: str, params: Any = None) -> bytes:
    """Return a request as a line, or a notification without a number."""
    message = {"jsonrpc": "2.0", "method": method}
    if number is not None:
        message["id"] = number
    if params is not None:
        message["params"] = params
    return json.dumps(message).encode()


def text_of(result: mcp_types.CallToolResult) -> str:
    """Return the text that the model gets."""
    (content,) = result.content
    assert isinstance(content, mcp_types.TextContent)
    return content.text

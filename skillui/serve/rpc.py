"""`skillui rpc`: the engine as JSON lines, one request a line on stdin, one response a line on stdout.

Responses come in the order of their requests. A line that cannot be understood gets a JSON-RPC
error object, and the next line is served all the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections import OrderedDict
from typing import Any, BinaryIO

from skillui.core import (
    AnyEntry,
    BrokenSkill,
    Catalog,
    FilesystemSkillRegistry,
    LoadedSkill,
    SkillEntry,
    SkillSession,
    tool_definition,
)
from skillui.core.state import SessionState
from skillui.core.text import escaped
from skillui.serve.rpc_requests import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    UNKNOWN_METHOD,
    Request,
    RpcFault,
    id_of,
    parse_line,
    read_lines,
    read_request,
    refuse_unknown,
)
from skillui.serve.rpc_session import read_flag, read_session

MAX_REGISTRIES = 16
"""Root lists whose files are remembered; the one unused for longest is forgotten first."""
MAX_TURN = 2**53 - 1
"""The largest turn, which every JSON reader can hold."""


class Bridge:
    """Answers requests; holds what calls share: activated sets and turns by session id, files by roots."""

    def __init__(self) -> None:
        self._states: dict[str, SessionState] = {}
        self._registries: OrderedDict[tuple[str, ...], FilesystemSkillRegistry] = OrderedDict()
        self._methods = {"skill": self._skill, "catalog": self._catalog, "tool_definition": self._tool_definition}

    async def answer(self, line: bytes | None) -> bytes:
        """Return the response line to a request line (None for one that was too long); never raises."""
        response: dict[str, Any] = {"id": None}
        try:
            message = parse_line(line)
            response["id"] = id_of(message)
            request = read_request(message)
            if "jsonrpc" in message:
                response = {"jsonrpc": "2.0", **response}
            return _encode({**response, "result": await self._dispatch(request)})
        except RpcFault as fault:
            code, words = fault.code, str(fault)
        except Exception as error:
            code, words = INTERNAL_ERROR, f"the bridge failed: {error.__class__.__name__}: {error}"
        return _encode({**response, "error": {"code": code, "message": escaped(words)}})

    async def _dispatch(self, request: Request) -> dict[str, Any]:
        method = self._methods.get(request.method)
        if method is None:
            raise RpcFault(UNKNOWN_METHOD, f"unknown method '{request.method[:64]}'; known: {', '.join(self._methods)}")
        return await method(request.params)

    async def _skill(self, params: dict[str, Any]) -> dict[str, Any]:
        refuse_unknown(params, ("params", "session", "turn", "user_initiated"))
        if "params" not in params:
            raise RpcFault(INVALID_PARAMS, "'params' of the tool call is missing")
        settings = read_session(params.get("session", {}))
        turn = _turn(params.get("turn"))
        by_user = read_flag("user_initiated", params.get("user_initiated", settings.user_initiated))
        state = self._state(settings.config.session_id)
        registry = _Fresh(self._registry(settings.config.roots))
        session = SkillSession(settings.config, registry=registry, hook=settings.hook, state=state)
        result = await session.skill(params["params"], user_initiated=by_user, turn=turn)
        state.records.clear()  # nobody reads them here, and each holds its body
        return result.to_json()

    async def _catalog(self, params: dict[str, Any]) -> dict[str, Any]:
        refuse_unknown(params, ("session", "for"))
        audience = params.get("for")
        if "for" in params and audience not in ("model", "user"):
            raise RpcFault(INVALID_PARAMS, '\'for\' must be "model" or "user"')
        settings = read_session(params.get("session", {}))
        catalog = await self._registry(settings.config.roots).read_catalog()
        return catalog.to_json(audience)

    async def _tool_definition(self, params: dict[str, Any]) -> dict[str, Any]:
        refuse_unknown(params, ("session",))
        read_session(params.get("session", {}))
        return tool_definition()

    def _state(self, session_id: str) -> SessionState:
        return self._states.setdefault(session_id, SessionState(session_id))

    def _registry(self, roots: tuple[str, ...]) -> FilesystemSkillRegistry:
        registry = self._registries.pop(roots, None) or FilesystemSkillRegistry(roots)
        self._registries[roots] = registry
        if len(self._registries) > MAX_REGISTRIES:
            self._registries.popitem(last=False)
        return registry


class _Fresh:
    """A remembered registry that is scanned again for each call, and only by a call that gets that far."""

    def __init__(self, registry: FilesystemSkillRegistry) -> None:
        self._registry = registry
        self._catalog: Catalog | None = None

    @property
    def catalog(self) -> Catalog | None:
        return self._catalog

    async def read_catalog(self) -> Catalog:
        self._catalog = await self._registry.read_catalog()
        return self._catalog

    async def discover(self) -> tuple[SkillEntry, ...]:
        return (await self.read_catalog()).skills

    async def load(self, name: str) -> LoadedSkill | BrokenSkill | None:
        return await self._registry.load(name)

    def load_entry(self, entry: AnyEntry) -> LoadedSkill | BrokenSkill | None:
        return self._registry.load_entry(entry)


def _turn(turn: Any) -> int | None:
    if turn is None:
        return None
    if not isinstance(turn, int) or isinstance(turn, bool) or not 0 <= turn <= MAX_TURN:
        raise RpcFault(INVALID_PARAMS, "'turn' must be a whole number, not negative")
    return turn


def _encode(response: dict[str, Any]) -> bytes:
    # ASCII alone: no reader takes U+2028 inside a text for the end of the line.
    return json.dumps(response, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def serve(stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve until the input ends or the output is closed; both are quiet."""
    bridge = Bridge()
    try:
        with asyncio.Runner() as runner:
            for line in read_lines(stdin):
                stdout.write(runner.run(bridge.answer(line)))
                stdout.flush()
    except (BrokenPipeError, ConnectionResetError):
        _discard(stdout)


def _discard(stdout: BinaryIO) -> None:
    """Send what is still buffered nowhere, so that the interpreter's own flush at exit stays quiet."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, stdout.fileno())
        finally:
            os.close(nowhere)


def main() -> None:
    """Serve the process's own input and output; without both there is nobody to serve."""
    if sys.stdin is not None and sys.stdout is not None:
        with contextlib.suppress(KeyboardInterrupt):
            serve(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()

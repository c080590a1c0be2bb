"""The asking end of the broker: a permission hook that puts the question to the person at a running skillui."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skillui.core import HookRefusal, PermissionHook, PermissionRequest
from skillui.core.files import is_below
from skillui.core.permission import read_answer
from skillui.core.text import clipped
from skillui.serve.broker_lines import HELLO_LIMIT, MAX_LINE, TIME_LIMIT, VERSION, LineFault, decode, encode
from skillui.serve.broker_place import (
    MAX_SOCKETS,
    BrokerFault,
    check_folder,
    find_runtime_folder,
    is_own_peer,
    is_supported,
    list_sockets,
    remove_if_stale,
)
from skillui.serve.broker_request import Via, to_message

if TYPE_CHECKING:
    from skillui.review.store import DecisionStore

NOBODY = "no skillui is running: open skillui in the project and try again"
UNAVAILABLE = "the broker is unavailable on this system"
FOREIGN = "the skillui that listens belongs to another user, or cannot be told to be yours"
_GRACE = 5.0
"""Seconds beyond the app's own limit before the client gives up by itself."""


@dataclass(slots=True)
class _App:
    """A running app that said hello."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    project: str
    started: float

    def order(self, request: PermissionRequest) -> tuple[int, float]:
        """Sort the app first whose project holds the skill most closely, then the one that began first."""
        inside = bool(self.project) and is_below(request.path, self.project)
        return -len(self.project) if inside else 1, self.started


def broker_hook(via: Via) -> PermissionHook:
    """Return the hook of another process: the store first, then the person at a running skillui.

    Denies in words where nobody can be asked (`HookRefusal`).
    """
    store: DecisionStore | None = None

    async def consult(request: PermissionRequest) -> str:
        nonlocal store
        from skillui.review.decisions import store_hook

        if store is None:
            from skillui.review.store import DecisionStore
            from skillui.workspace.folders import find_folders

            store = DecisionStore(find_folders().store_file)
        entry = request.skill.entry
        roots = ("",) * entry.root_index + (os.path.dirname(entry.location or entry.dir),)
        return await store_hook(store, asking_hook(via), via, roots)(request)

    return consult


def asking_hook(via: Via, time_limit: float = TIME_LIMIT) -> PermissionHook:
    """Return a hook that asks at a running skillui, whatever was decided before; `time_limit` in seconds."""

    async def ask(request: PermissionRequest) -> str:
        if not is_supported():
            raise HookRefusal(UNAVAILABLE)
        try:
            question = encode({"version": VERSION, "ask": to_message(request, via, _own_program())})
        except LineFault as fault:
            raise HookRefusal(f"the question cannot be put to the person: {fault}") from None
        try:
            app = await _find_app(request)
        except BrokerFault as fault:
            raise HookRefusal(str(fault)) from None
        return await _put(app, question, time_limit)

    return ask


async def _put(app: _App, question: bytes, time_limit: float) -> str:
    """Send a question and read its answer. Raises `HookRefusal`."""
    try:
        app.writer.write(question)
        async with asyncio.timeout(time_limit + _GRACE):
            await app.writer.drain()
            line = await app.reader.readline()
        if not line:
            raise HookRefusal("the skillui that was asked was closed before anybody answered")
        answer = decode(line)
    except TimeoutError:
        raise HookRefusal(f"nobody answered within {time_limit + _GRACE:g} s") from None
    except (OSError, ValueError):
        raise HookRefusal("the connection to the running skillui broke") from None
    except LineFault as fault:
        raise HookRefusal(f"the answer of the running skillui was not understood: {fault}") from None
    finally:
        _drop(app.writer)
    decision = read_answer(answer.get("answer"))
    if decision.allowed:
        return decision.answer
    reason = answer.get("reason")
    raise HookRefusal(clipped(reason, 200) if isinstance(reason, str) and reason else decision.words)


async def _find_app(request: PermissionRequest) -> _App:
    """Connect to the running apps and keep the one to be asked. Raises `BrokerFault`."""
    folder = find_runtime_folder()
    try:
        check_folder(folder)
    except FileNotFoundError:
        raise BrokerFault(NOBODY) from None
    faults: list[str] = []
    apps: list[_App] = []
    results = await asyncio.gather(
        *(_greet(path) for path in list_sockets(folder)[:MAX_SOCKETS]), return_exceptions=True
    )
    for result in results:
        if isinstance(result, _App):
            apps.append(result)
        elif isinstance(result, BrokerFault):
            faults.append(str(result))
    if not apps:
        raise BrokerFault(faults[0] if faults else NOBODY)
    apps.sort(key=lambda app: app.order(request))
    for other in apps[1:]:
        _drop(other.writer)
    return apps[0]


async def _greet(path: str) -> _App | None:
    """Connect to one socket and read its hello; None for a socket that nobody serves."""
    connection = await _connect(path)
    if connection is None:
        return None
    if not is_own_peer(connection):
        connection.close()
        raise BrokerFault(FOREIGN)
    reader, writer = await asyncio.open_unix_connection(sock=connection, limit=MAX_LINE)
    try:
        async with asyncio.timeout(HELLO_LIMIT):
            hello = decode(await reader.readline())
        return _App(reader, writer, *_read_hello(hello))
    except BaseException as fault:
        _drop(writer)
        if isinstance(fault, LineFault):
            raise BrokerFault(f"a running skillui was not understood: {fault}") from None
        if isinstance(fault, TimeoutError | OSError | ValueError):
            raise BrokerFault("a running skillui does not answer") from None
        raise


def _read_hello(hello: dict[str, Any]) -> tuple[str, float]:
    if hello.get("skillui") != "broker" or hello.get("version") != VERSION:
        raise LineFault(f"it does not speak version {VERSION} of the broker; update the older of the two")
    project, started = hello.get("project"), hello.get("started")
    if not isinstance(project, str) or not isinstance(started, int | float):
        raise LineFault("its hello is not complete")
    return project, float(started)


async def _connect(path: str) -> socket.socket | None:
    """Connect, waiting where the app's queue of connections is full; None where nobody listens."""
    deadline = time.monotonic() + HELLO_LIMIT
    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    try:
        while True:
            try:
                # Not the loop's own way: it takes a full queue for an open connection.
                connection.connect(path)
                return connection
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise BrokerFault("a running skillui does not answer") from None
                await asyncio.sleep(0.02)
            except ConnectionRefusedError:
                connection.close()
                remove_if_stale(path)
                return None
            except OSError as error:
                if error.errno == errno.EISCONN:  # the attempt before this one came through
                    return connection
                raise
    except BaseException as error:
        connection.close()
        if isinstance(error, PermissionError):
            raise BrokerFault(FOREIGN) from None
        if isinstance(error, OSError):  # gone since it was listed
            return None
        raise


def _drop(writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(Exception):
        writer.transport.abort()


def _own_program() -> str:
    return clipped(" ".join([os.path.basename(sys.executable), *sys.orig_argv[1:]]), 200)

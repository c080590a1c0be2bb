"""`BrokerServer`: the running app's end of the broker. Other processes ask here; one question at a time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from skillui.core import HookRefusal
from skillui.core.files import reason_of
from skillui.core.permission import read_answer
from skillui.core.text import clipped
from skillui.serve.broker_lines import (
    HELLO_LIMIT,
    MAX_LINE,
    TIME_LIMIT,
    VERSION,
    LineFault,
    decode,
    denial,
    encode,
)
from skillui.serve.broker_place import (
    BrokerFault,
    is_own_peer,
    is_supported,
    make_folder,
    new_socket_path,
    peer_of,
    remove_stale,
)
from skillui.serve.broker_request import BrokerRequest, read_message

CLOSED = "skillui was closed before anybody answered"
DENIED_TOGETHER = "the person at skillui denied all that waited"
MAX_WAITING = 4096
"""Questions that may wait; one more is denied at once."""
_BACKLOG = 1024
_FILES = 8192
"""Open files a flood may need: each question holds one."""
_WRITE_LIMIT = 5.0
_log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _Waiting:
    """A question and its answer to be."""

    request: BrokerRequest
    answer: asyncio.Future[dict[str, Any]] = field(repr=False)


class BrokerServer:
    """Listens in the runtime `folder` and puts every question to `ask`, in the order they came.

    `ask` answers like a permission hook, and may raise `HookRefusal` to deny in words; whatever goes
    wrong is a denial. `on_queue` is told how many wait, the one that is asked included. `project` is
    the folder the app is open on: of several apps the one is asked whose project holds the skill.
    For one event loop, and only from it.
    """

    def __init__(
        self,
        folder: str,
        ask: Callable[[BrokerRequest], Awaitable[str]],
        on_queue: Callable[[int], None] = lambda waiting: None,
        *,
        project: str = "",
        time_limit: float = TIME_LIMIT,
    ) -> None:
        self._folder = folder
        self._ask = ask
        self._on_queue = on_queue
        self._project = os.path.realpath(project) if project else ""
        self._time_limit = time_limit
        self._queue: deque[_Waiting] = deque()
        self._wanted = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._asker: asyncio.Task[None] | None = None
        self._clients: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._started = 0.0
        self.path: str | None = None
        """The socket, None while there is none."""

    @property
    def waiting(self) -> int:
        """Questions without an answer, the one that is asked included."""
        return len(self._queue)

    async def start(self) -> None:
        """Listen from now on. Raises `BrokerFault`."""
        if not is_supported():
            raise BrokerFault("the broker is unavailable on this system: it has no Unix sockets")
        make_folder(self._folder)
        await asyncio.to_thread(remove_stale, self._folder)
        _raise_file_limit()
        path, early = new_socket_path(self._folder)
        self._started = time.time()
        listener = socket.socket(socket.AF_UNIX)
        try:
            # Nobody can connect before `listen`, and nobody finds it before it has its name.
            listener.bind(early)
            os.chmod(early, 0o600)
            listener.setblocking(False)
            self._server = await asyncio.start_unix_server(self._serve, sock=listener, backlog=_BACKLOG, limit=MAX_LINE)
            os.replace(early, path)
        except OSError as error:
            listener.close()
            with contextlib.suppress(OSError):
                os.unlink(early)
            raise BrokerFault(f"no socket can be made in {clipped(self._folder, 200)}: {reason_of(error)}") from None
        self.path = path
        self._asker = asyncio.create_task(self._ask_all(), name="broker")

    async def close(self) -> None:
        """Deny what waits, tell the clients so, and remove the socket."""
        self._closed = True
        if self.path is not None:
            with contextlib.suppress(OSError):
                os.unlink(self.path)
            self.path = None
        if self._server is not None:
            self._server.close()
        self._deny_waiting(CLOSED)
        if self._asker is not None:
            self._asker.cancel()
            await asyncio.gather(self._asker, return_exceptions=True)
        if self._clients:
            _, late = await asyncio.wait(self._clients, timeout=_WRITE_LIMIT)
            for task in late:
                task.cancel()

    def deny_all(self) -> int:
        """Deny every question that waits, the one that is asked included; return how many."""
        return self._deny_waiting(DENIED_TOGETHER)

    def _deny_waiting(self, reason: str) -> int:
        pending = list(self._queue)
        self._queue.clear()
        for waiting in pending:
            _settle(waiting, denial(reason))
        self._tell()
        return len(pending)

    def _tell(self) -> None:
        try:
            self._on_queue(len(self._queue))
        except Exception:
            _log.exception("the count of waiting questions could not be shown")

    async def _ask_all(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            while self._queue:
                await self._ask_one(self._queue[0])

    async def _ask_one(self, waiting: _Waiting) -> None:
        """Ask until there is an answer, from the person or from elsewhere: then the prompt is withdrawn."""
        asking = asyncio.ensure_future(self._answer_of(waiting.request))
        try:
            await asyncio.wait({asking, waiting.answer}, return_when=asyncio.FIRST_COMPLETED)
            if asking.cancelled():
                _settle(waiting, denial("the question was cancelled at skillui"))
            elif asking.done():
                _settle(waiting, asking.result())
        finally:
            if not asking.done():
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
            self._leave(waiting)

    async def _answer_of(self, request: BrokerRequest) -> dict[str, Any]:
        try:
            decision = read_answer(await self._ask(request))
        except HookRefusal as refusal:
            return denial(str(refusal))
        except Exception as error:
            _log.exception("a question of another process failed, which counts as a denial")
            return denial(f"the running skillui failed to ask: {error.__class__.__name__}")
        if decision.allowed:
            return {"answer": decision.answer}
        return denial(decision.fault or "the person at skillui denied it")

    def _leave(self, waiting: _Waiting) -> None:
        if waiting in self._queue:
            self._queue.remove(waiting)
            self._tell()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._clients.add(task)
        try:
            await self._talk(reader, writer)
        except (OSError, TimeoutError):
            pass  # it went away, or never spoke
        except asyncio.CancelledError:
            pass  # the loop ends; the task must not be reported as a failure of the server
        except Exception:
            _log.exception("a client of the broker could not be served")
        finally:
            self._clients.discard(task)
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = writer.get_extra_info("socket")
        if self._closed or not is_own_peer(connection):
            return
        hello = {"skillui": "broker", "version": VERSION, "project": self._project, "started": self._started}
        await _send(writer, hello)
        try:
            line = await asyncio.wait_for(reader.readline(), HELLO_LIMIT)
            if not line:
                return  # it asks another app
            request = self._read(line, peer_of(connection)[1])
        except TimeoutError:
            await _send(writer, denial(f"the question did not come within {HELLO_LIMIT:g} s"))
            return
        except (LineFault, BrokerFault) as fault:
            await _send(writer, denial(f"the question was not understood: {fault}"))
            return
        except ValueError:  # the reader's word for a line past its limit
            await _send(writer, denial(f"the question was not understood: it is longer than {MAX_LINE:,} bytes"))
            return
        if (answer := await self._wait(request, reader)) is not None:
            await _send(writer, answer)

    def _read(self, line: bytes, pid: int) -> BrokerRequest:
        message = decode(line)
        if message.get("version") != VERSION:
            raise LineFault(f"this skillui speaks version {VERSION} of the broker; update the older of the two")
        return read_message(message.get("ask"), pid)

    async def _wait(self, request: BrokerRequest, reader: asyncio.StreamReader) -> dict[str, Any] | None:
        """Queue a question and wait for its answer; None where the client went away."""
        if self._closed:
            return denial(CLOSED)
        if len(self._queue) >= MAX_WAITING:
            return denial(f"{MAX_WAITING:,} questions wait at skillui already")
        waiting = _Waiting(request, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._wanted.set()
        self._tell()
        gone = asyncio.ensure_future(reader.read(1))
        either: set[asyncio.Future[Any]] = {gone, waiting.answer}
        try:
            await asyncio.wait(either, timeout=self._time_limit, return_when=asyncio.FIRST_COMPLETED)
            if waiting.answer.done():
                return waiting.answer.result()
            if not gone.done():
                return denial(f"nobody answered within {self._time_limit:g} s")
            return denial("the client spoke while it waited") if _spoke(gone) else None
        finally:
            gone.cancel()
            _settle(waiting, denial("it was withdrawn"))
            self._leave(waiting)


def _spoke(read: asyncio.Future[bytes]) -> bool:
    return read.exception() is None and bool(read.result())


def _settle(waiting: _Waiting, answer: dict[str, Any]) -> None:
    if not waiting.answer.done():
        waiting.answer.set_result(answer)


async def _send(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    writer.write(encode(message))
    await asyncio.wait_for(writer.drain(), _WRITE_LIMIT)


def _raise_file_limit() -> None:
    """Let the process open as many files as a flood of questions needs, where it may."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # not everywhere

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

"""JSON-RPC messages over a pair of descriptors, a line each, for the SDK's server to speak through.

Not the SDK's own way, whose threads keep a process that was told to end waiting for its input. A line
that cannot be understood is answered, and the next one served; what is written is ASCII alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import mcp_types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from skillui.core.text import json_safe
from skillui.serve.mcp_stdio import Stdio
from skillui.serve.rpc_requests import MAX_LINE, read_lines

_DRAIN = 5.0
"""Seconds in which what was already answered may still be written after the client said goodbye."""

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@contextlib.asynccontextmanager
async def connect(stdio: Stdio) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Yield the two ends that a server is run on; leaves quietly when the client is gone.

    The body is cancelled when nothing can be written any more.
    """
    arriving, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
    outgoing, leaving = anyio.create_memory_object_stream[SessionMessage]()
    inbox = _Inbox(asyncio.get_running_loop(), arriving, outgoing.clone())
    with arriving, incoming, outgoing, leaving, inbox.complaints:
        async with anyio.create_task_group() as group:
            written = anyio.Event()

            async def write() -> None:
                try:
                    await _write(stdio.target, leaving)
                except OSError:  # nobody reads any more
                    leaving.close()  # else whoever has something to say would wait
                    group.cancel_scope.cancel()
                written.set()

            group.start_soon(write)
            threading.Thread(target=inbox.fill, args=(stdio.source,), daemon=True).start()
            yield incoming, outgoing
            outgoing.close()
            inbox.complaints.close()
            with anyio.move_on_after(_DRAIN):
                await written.wait()
            group.cancel_scope.cancel()


@dataclass(frozen=True, slots=True)
class _Inbox:
    """Hands lines from a thread to the event loop, one at a time."""

    loop: asyncio.AbstractEventLoop
    arriving: MemoryObjectSendStream[SessionMessage | Exception]
    complaints: Outgoing

    def fill(self, source: int) -> None:
        """Read until the input ends or nobody listens any more (blocking)."""
        with contextlib.suppress(OSError):
            for line in read_lines(os.fdopen(source, "rb", closefd=False)):
                if not self._hand_over(line):
                    return
        self._hand_over(b"")

    def _hand_over(self, line: bytes | None) -> bool:
        delivery = self._deliver(line)
        try:
            asyncio.run_coroutine_threadsafe(delivery, self.loop).result()
        except (RuntimeError, CancelledError, anyio.ClosedResourceError, anyio.BrokenResourceError):
            delivery.close()
            return False
        return True

    async def _deliver(self, line: bytes | None) -> None:
        """Pass a message on, a fault back, or close the stream at the end of the input, which is b""."""
        if line == b"":
            self.arriving.close()
            self.complaints.close()
            return
        found = read_message(line)
        if isinstance(found, SessionMessage):
            await self.arriving.send(found)
        else:
            await self.complaints.send(SessionMessage(found))


def read_message(line: bytes | None) -> SessionMessage | mcp_types.JSONRPCError:
    """Read one line, None for one that was too long; what is no message becomes the error that answers it."""
    if line is None:
        return _fault(mcp_types.INVALID_REQUEST, f"the line is longer than {MAX_LINE:,} bytes")
    message: mcp_types.JSONRPCMessage | None = None
    with contextlib.suppress(ValueError):
        message = mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    if message is not None and not isinstance(message, mcp_types.JSONRPCNotification):
        return SessionMessage(message)
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return _fault(mcp_types.PARSE_ERROR, "the line is not JSON")
    if message is not None and "id" not in found:
        return SessionMessage(message)
    # What has an id waits for an answer; the SDK takes one with an impossible id for a notification.
    asked = found.get("id") if isinstance(found, dict) else None
    usable = isinstance(asked, str | int) and not isinstance(asked, bool)
    return _fault(mcp_types.INVALID_REQUEST, "the line is no JSON-RPC message", asked if usable else None)


def _fault(code: int, words: str, asked: str | int | None = None) -> mcp_types.JSONRPCError:
    return mcp_types.JSONRPCError(jsonrpc="2.0", id=asked, error=mcp_types.ErrorData(code=code, message=words))


def encode(message: mcp_types.JSONRPCMessage) -> bytes:
    """Return the line of a message: whatever it holds, it is one line of valid JSON."""
    fields: dict[str, Any] = json_safe(message.model_dump(by_alias=True, exclude_unset=True))
    return json.dumps(fields, allow_nan=False, separators=(",", ":"), default=str).encode("ascii") + b"\n"


async def _write(target: int, leaving: MemoryObjectReceiveStream[SessionMessage]) -> None:
    async for message in leaving:
        await _in_daemon(partial(_write_all, target, encode(message.message)))


def _write_all(target: int, line: bytes) -> None:
    left = memoryview(line)
    while left:
        left = left[os.write(target, left) :]


async def _in_daemon(function: Callable[[], None]) -> None:
    """Wait for a function in a thread that cannot keep the process from ending. Raises what it raises: `OSError`."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def settle(fault: OSError | None) -> None:
        if done.done():
            return
        if fault is None:
            done.set_result(None)
        else:
            done.set_exception(fault)

    def run() -> None:
        fault = None
        try:
            function()
        except OSError as error:
            fault = error
        with contextlib.suppress(RuntimeError):  # the loop is gone
            loop.call_soon_threadsafe(settle, fault)

    threading.Thread(target=run, daemon=True).start()
    await done

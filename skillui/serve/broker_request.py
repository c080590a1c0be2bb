"""A question that came over the broker's socket, and the skill it is about, read from disk again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from skillui.core import Gate, HookRefusal, PermissionHook, PermissionRequest
from skillui.core.catalog import LoadedSkill
from skillui.core.gate import OUTSIDE, SENSITIVE, Reason
from skillui.core.registry import load_folder
from skillui.core.text import clipped, json_safe
from skillui.serve.broker_lines import LineFault, text_of

Via = Literal["rpc", "mcp"]
"""How the question came: through `skillui rpc` or `skillui mcp`."""
DIFFERS = "the content differs from what the other process read"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_MAX_TOOLS = 1000


@dataclass(frozen=True, slots=True)
class Asking:
    """The process that asks. `pid` is the kernel's word (0: not known), `program` only the process's own."""

    pid: int
    program: str
    via: Via


@dataclass(frozen=True, slots=True)
class BrokerRequest:
    """One question of another process. All but `asking.pid` is that process's own word.

    `location` is the skill's folder as `root` lists it, `dir` the resolved one. `digest` is None
    where the content has none; `digest_fault` then says why.
    """

    name: str
    dir: str
    root: str
    location: str
    reason: Reason
    flags: tuple[str, ...]
    trusted: bool
    digest: str | None
    digest_fault: str | None
    initiator: str
    session: str
    turn: int
    arguments: Any
    allowed_tools: tuple[str, ...]
    asking: Asking

    def load(self, judge: Callable[[LoadedSkill], Gate] | None = None) -> PermissionRequest:
        """Read the skill from disk and return the question about it (blocking).

        `judge` is the app's own view of the place: its flags are added, and what it does not trust
        is not trusted. Raises `HookRefusal` where the skill is gone, broken, elsewhere by now, or
        not the content that the other process read.
        """
        skill = load_folder(self.location)
        if skill is None:
            raise HookRefusal(f"there is no skill in {clipped(self.location)}")
        if not isinstance(skill, LoadedSkill):
            raise HookRefusal(f"the skill in {clipped(self.location)} is broken: {clipped(skill.message)}")
        if skill.entry.dir != self.dir or skill.entry.name != self.name:
            raise HookRefusal(f"{DIFFERS}: {clipped(self.location)} is another skill by now")
        content = skill.files.digest()
        if content.value != self.digest:
            raise HookRefusal(DIFFERS)
        gate = Gate(self.flags, self.reason, self.trusted)
        if judge is not None:
            gate = _stricter(gate, judge(skill))
        return PermissionRequest(
            skill, gate, content.value, self.initiator, self.session, self.turn, self.arguments, content.reason
        )


def ask_from_disk(
    hook: PermissionHook,
    judge: Callable[[LoadedSkill], Gate] | None = None,
    told: Callable[[BrokerRequest, PermissionRequest], None] | None = None,
) -> Callable[[BrokerRequest], Awaitable[str]]:
    """Return what a server asks by: the skill is read from disk in a thread, then `hook` is asked.

    `told` hears of each question right before, so that a dialog can say which process asks.
    """

    async def ask(request: BrokerRequest) -> str:
        question = await asyncio.to_thread(request.load, judge)
        if told is not None:
            told(request, question)
        return await hook(question)

    return ask


def _stricter(claimed: Gate, own: Gate) -> Gate:
    flags = tuple(flag for flag in (OUTSIDE, SENSITIVE) if flag in claimed.flags or flag in own.flags)
    untrusted = "untrusted_project_skill"
    reason: Reason = untrusted if untrusted in (claimed.reason, own.reason) else "normal"
    return replace(own, flags=flags, reason=reason, trusted=claimed.trusted and own.trusted)


def to_message(request: PermissionRequest, via: Via, program: str) -> dict[str, Any]:
    """Return the fields of a question as they go over the socket."""
    entry = request.skill.entry
    location = entry.location or entry.dir
    return {
        "name": entry.name, "dir": entry.dir, "root": os.path.dirname(location), "location": location,
        "reason": request.gate.reason, "flags": list(request.gate.flags), "trusted": request.gate.trusted,
        "digest": request.digest, "digest_fault": request.digest_fault, "initiator": request.initiator,
        "session": clipped(request.session, 1000), "turn": request.turn, "arguments": json_safe(request.arguments),
        "allowed_tools": list(request.skill.parsed.allowed_tools)[:_MAX_TOOLS], "via": via, "program": program,
    }  # fmt: skip


def read_message(message: Any, pid: int) -> BrokerRequest:
    """Read the fields of a question, trusting none. Raises `LineFault`."""
    if not isinstance(message, dict):
        raise LineFault("'ask' is no JSON object")
    digest, fault = message.get("digest"), message.get("digest_fault")
    if digest is not None and not (isinstance(digest, str) and _DIGEST.fullmatch(digest)):
        raise LineFault("'digest' is no digest")
    turn = message.get("turn")
    if not isinstance(turn, int) or isinstance(turn, bool) or turn < 0:
        raise LineFault("'turn' is no number")
    claimed = clipped(text_of(message, "program"), 200)
    return BrokerRequest(
        text_of(message, "name", 256), _path(message, "dir"), _path(message, "root"), _path(message, "location"),
        _one_of(message, "reason", ("normal", "untrusted_project_skill")), _flags(message.get("flags")),
        message.get("trusted") is True, digest, clipped(fault, 200) if isinstance(fault, str) else None,
        _one_of(message, "initiator", ("model", "user")), text_of(message, "session"), turn,
        message.get("arguments"), _tools(message.get("allowed_tools")),
        Asking(pid, program_of(pid) or claimed, _one_of(message, "via", ("rpc", "mcp"))),
    )  # fmt: skip


def _path(message: dict[str, Any], key: str) -> str:
    path = text_of(message, key)
    with contextlib.suppress(UnicodeEncodeError):
        if os.path.isabs(path) and b"\0" not in os.fsencode(path):
            return path
    raise LineFault(f"'{key}' is no absolute path")


def _one_of(message: dict[str, Any], key: str, known: tuple[str, ...]) -> Any:
    value = message.get(key)
    if value not in known:
        raise LineFault(f"'{key}' is none of {', '.join(known)}")
    return value


def _flags(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or any(flag not in (OUTSIDE, SENSITIVE) for flag in value):
        raise LineFault("'flags' holds what is no flag")
    return tuple(value)


def _tools(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MAX_TOOLS or any(not isinstance(tool, str) for tool in value):
        raise LineFault("'allowed_tools' is no list of text")
    return tuple(value)


def program_of(pid: int) -> str | None:
    """Return the command line of a process in one short line, None where the system does not tell."""
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/cmdline", "rb") as file:
        words = file.read(4096).rstrip(b"\0").split(b"\0")
        line = " ".join(os.fsdecode(word) for word in words)
        return clipped(line, 200) or None
    return None

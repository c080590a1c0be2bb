"""Asking the person at the terminal whether a skill may be activated: No unless `yes` is typed in full."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator

from skillui.checks.tools import is_broad
from skillui.cli.out import Out
from skillui.cli.person import NOBODY, drop_typed_ahead, folded, terminal
from skillui.cli.report_text import BROAD_MARK
from skillui.cli.standing import FLAG_WORDS, trust_words
from skillui.core import HookRefusal, PermissionRequest
from skillui.core.files import is_below
from skillui.core.text import clipped
from skillui.core.visible import hidden_count
from skillui.workspace.launch import Launch
from skillui.workspace.width import cells, one_line, wrap

MAX_TOOLS = 20
"""Tools shown by name; a longer list would push what matters off the screen."""
MAX_LINES = 60
"""Lines of SKILL.md that are shown; the question must not push its own facts out of reach."""
MAX_CHARACTERS = 8_000
"""Characters of SKILL.md that are shown, for a text of few and endless lines."""
_BAR = "  | "
# Paths and digests are compared and copied: they stay in one piece.


class TerminalHook:
    """A permission hook that asks at the terminal, and denies where nobody is there."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch

    async def __call__(self, request: PermissionRequest) -> str:
        """Answer `allow_once`. Raises `HookRefusal`."""
        with terminal() as screen:
            if screen is None:
                raise HookRefusal(NOBODY)
            output = Out(screen, "the terminal", self._launch.settings.ascii)
            for line in question(request, self._launch):
                output.lines(folded(line, output))
            skill = request.skill
            output.lines(["", *text_lines(skill.parsed.text, skill.entry.name, output), ""])
            # What was typed before the question was there is no answer to it.
            drop_typed_ahead()
            screen.write("Type yes to allow it this once, anything else denies [no]: ")
            screen.flush()
            answer = await _read_line()
            if not answer.endswith("\n"):
                output.line()
        if answer.strip() != "yes":
            raise HookRefusal("the person at the terminal denied it")
        return "allow_once"


class DigestHook:
    """A permission hook that allows exactly the content whose digest somebody read."""

    def __init__(self, digest: str) -> None:
        self._digest = digest

    async def __call__(self, request: PermissionRequest) -> str:
        """Answer `allow_once` for the very bytes. Raises `HookRefusal` for any other."""
        if request.digest is not None and request.digest == self._digest:
            return "allow_once"
        if request.digest is None:
            raise HookRefusal(f"the content has no digest: {request.digest_fault}")
        raise HookRefusal(f"it is not the content that was read: its digest is {request.digest}")


def question(request: PermissionRequest, launch: Launch) -> Iterator[str]:
    """Yield the lines of the question; who prints them takes them through the gate."""
    entry, gate = request.skill.entry, request.gate
    root = launch.root_of(entry.root_index)
    who = "You ask" if request.initiator == "user" else "The model asks"
    yield f"{who} to activate the skill {entry.name}"
    yield f"  what       {one_line(entry.description)}"
    yield f"  dir        {entry.dir}"
    if not is_below(entry.skill_md, entry.dir):
        yield f"  SKILL.md   is a link to {entry.skill_md}"
    yield f"  root       {root.label}: {root.source}"
    yield f"  why        {trust_words(entry, launch, gate)}"
    for flag in gate.flags:
        yield f"  flag       {flag}: {FLAG_WORDS.get(flag, '')}"
    tools = sorted(request.skill.parsed.allowed_tools, key=lambda tool: not is_broad(tool))
    for tool in tools[:MAX_TOOLS] or ["none declared"]:
        yield f"  tools      {clipped(tool, 200)}{BROAD_MARK if is_broad(tool) else ''}"
    if len(tools) > MAX_TOOLS:
        yield f"  tools      and {len(tools) - MAX_TOOLS} more"
    if request.arguments is not None:
        yield f"  arguments  {clipped(str(request.arguments), 400)}"
    yield f"  digest     {request.digest or f'none: {request.digest_fault}'}"
    yield f"  session    {request.session}, turn {request.turn}"


def text_lines(text: str, name: str, output: Out) -> Iterator[str]:
    """Yield the lines that show a SKILL.md and say how much of it is not shown.

    Each stands behind a bar, so that no line of a skill passes for one of the question.
    """
    lines = text.removesuffix("\n").split("\n")
    kept = "\n".join(lines)[:MAX_CHARACTERS].split("\n")[:MAX_LINES]
    yield f"SKILL.md, {len(lines):,} line{'' if len(lines) == 1 else 's'}"
    room = None if output.width is None else max(20, output.width - len(_BAR))
    for line in kept:
        shown = output.shown(line)
        yield from (_BAR + part for part in ([shown] if room is None or cells(shown) <= room else wrap(shown, room)))
    left = len("\n".join(lines)) - len("\n".join(kept))
    if left:
        more = f"{left:,} more character{'' if left == 1 else 's'}"
        yield f"NOT ALL OF IT: {more} from line {len(kept)} on; read them in the app before you allow {name}"
    if hidden := hidden_count("".join(kept)):
        yield f"{hidden:,} character{' is' if hidden == 1 else 's are'} shown as symbols"


async def _read_line() -> str:
    """Read one line without holding the loop, so that Ctrl-C and the end of a session are heard."""
    handle = sys.stdin.fileno()
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    try:
        loop.add_reader(handle, ready.set)
    except (OSError, NotImplementedError):  # this platform's loop cannot wait for a terminal
        return await asyncio.to_thread(sys.stdin.readline)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(handle)
    # A terminal hands over whole lines.
    return os.read(handle, 4096).decode("utf-8", "replace")

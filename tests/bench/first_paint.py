"""From exec to the first frame on a terminal, through a real pty."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.empty_app import MARK

ROWS, COLUMNS = 36, 120
FRAME = ("Catalog", "Overview", "Palette")
"""What stands in the whole frame that `skillui` draws: both panes and the footer."""
EMPTY_FRAME = (MARK, "palette")
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|[@-Z\\^_=>])")
_PATIENCE = 60.0


def empty_app_command() -> list[str]:
    """Return the command of the app without anything."""
    return [sys.executable, str(Path(__file__).with_name("empty_app.py"))]


def skillui_command() -> list[str]:
    """Return the command of skillui, on the working folder."""
    return [sys.executable, "-m", "skillui"]


@dataclass(frozen=True, slots=True)
class Paint:
    """Seconds from exec."""

    first: float
    """To the first text on the screen."""
    whole: float
    """To all parts of the frame."""


def paint(command: Sequence[str], frame: Sequence[str], cwd: Path, environ: Mapping[str, str]) -> Paint:
    """Run a program in a pty until its output shows every part of `frame`, and end it."""
    import fcntl  # only where there are ptys
    import pty
    import termios

    start = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.chdir(cwd)
        os.execvpe(command[0], list(command), dict(environ))
    try:
        first, whole = _wait_for(terminal, frame)
        return Paint(first - start, whole - start)
    finally:
        _end(child, terminal)


def _wait_for(terminal: int, frame: Sequence[str]) -> tuple[float, float]:
    output, first = b"", 0.0
    deadline = time.perf_counter() + _PATIENCE
    while time.perf_counter() < deadline:
        if not select.select([terminal], [], [], 0.5)[0]:
            continue
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # the program ended
            break
        now = time.perf_counter()
        output += part
        shown = _ESCAPES.sub(b"", output).decode("utf-8", "replace")
        if shown.strip() and not first:
            first = now
        if all(part in shown for part in frame):
            return first, now
    raise RuntimeError(f"{frame} was never drawn: {output[-2000:]!r}")


def _end(child: int, terminal: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)


def compare(project: Path, environ: Mapping[str, str], runs: int) -> tuple[list[Paint], list[Paint]]:
    """Return the times of skillui over `project` and of the empty app, taken in turns."""
    skillui: list[Paint] = []
    empty: list[Paint] = []
    for _ in range(runs):
        empty.append(paint(empty_app_command(), EMPTY_FRAME, project, environ))
        skillui.append(paint(skillui_command(), FRAME, project, environ))
    return skillui, empty

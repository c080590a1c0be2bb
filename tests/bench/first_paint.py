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
from pathlib import Path

from tests.bench.empty_app import MARK

ROWS, COLUMNS = 36, 120
FRAME = "Catalog"
"""What stands in the frame that `skillui` draws first."""
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|[@-Z\\^_=>])")
_PATIENCE = 60.0


def empty_app_command() -> list[str]:
    """Return the command of the app without anything."""
    return [sys.executable, str(Path(__file__).with_name("empty_app.py"))]


def skillui_command() -> list[str]:
    """Return the command of skillui, on the working folder."""
    return [sys.executable, "-m", "skillui"]


def first_paint(command: Sequence[str], mark: str, cwd: Path, environ: Mapping[str, str]) -> float:
    """Run a program in a pty until its output shows `mark`, end it, and return the seconds from exec to then."""
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
        return _wait_for(terminal, mark) - start
    finally:
        _end(child, terminal)


def _wait_for(terminal: int, mark: str) -> float:
    output = b""
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
        if mark in _ESCAPES.sub(b"", output).decode("utf-8", "replace"):
            return now
    raise RuntimeError(f"{mark!r} was never drawn: {output[-2000:]!r}")


def _end(child: int, terminal: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)


def compare(project: Path, environ: Mapping[str, str], runs: int) -> tuple[list[float], list[float]]:
    """Return the times of skillui over `project` and of the empty app, taken in turns."""
    skillui: list[float] = []
    empty: list[float] = []
    for _ in range(runs):
        empty.append(first_paint(empty_app_command(), MARK, project, environ))
        skillui.append(first_paint(skillui_command(), FRAME, project, environ))
    return skillui, empty

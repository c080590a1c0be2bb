"""The real program in a pseudo-terminal: what it writes byte by byte, and how it leaves the terminal."""

from __future__ import annotations

import json
import os
import re
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pexpect
import pytest

_SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|[=>78()][B0]?)")
# What switches something on, and what switches it off again.
MODES = {
    "alternate screen": (b"\x1b[?1049h", b"\x1b[?1049l"),
    "mouse": (b"\x1b[?1000h", b"\x1b[?1000l"),
    "mouse motion": (b"\x1b[?1003h", b"\x1b[?1003l"),
    "mouse coordinates": (b"\x1b[?1006h", b"\x1b[?1006l"),
    "bracketed paste": (b"\x1b[?2004h", b"\x1b[?2004l"),
    "hidden cursor": (b"\x1b[?25l", b"\x1b[?25h"),
}
PATIENCE = 20.0
"""Seconds that anything may take on a busy machine."""


class Terminal:
    """One run of `skillui` with its own home; `raw` is all it wrote so far."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        cwd: Path,
        size: tuple[int, int] = (120, 36),
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.home = folder / "home"
        self.log = folder / "events.jsonl"
        (folder / "tmp").mkdir(exist_ok=True)
        self.home.mkdir(exist_ok=True)
        keep = {
            name: os.environ[name]
            for name in ("PATH", "LANG", "LC_ALL", "COVERAGE_PROCESS_START")
            if name in os.environ
        }
        env = {
            **keep, "HOME": str(self.home), "TMPDIR": str(folder / "tmp"), "TERM": "xterm-256color", "PYTHONUTF8": "1",
            "SKILLUI_CONFIG_DIR": str(self.home / "config"), "SKILLUI_STATE_DIR": str(self.home / "state"),
            "PYTHONPATH": str(Path(__file__).parents[2]), "TEXTUAL_ANIMATIONS": "none", **(environ or {}),
        }  # fmt: skip
        self.raw = b""
        self.mark = 0
        self.code: int | None = None
        width, height = size
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            sys.executable,
            ["-m", "skillui", *arguments],
            cwd=str(cwd),
            env=env,
            dimensions=(height, width),
            timeout=PATIENCE,
        )
        self.before = termios.tcgetattr(self.child.child_fd)

    # What it writes

    def read(self, seconds: float = 0.02) -> None:
        """Take what was written meanwhile; at the end of the program note how it ended."""
        try:
            self.raw += self.child.read_nonblocking(1 << 16, timeout=seconds)
        except pexpect.TIMEOUT:
            return
        except pexpect.EOF:
            if self.code is None:
                self.child.wait()
                signal = self.child.signalstatus
                self.code = -signal if signal is not None else self.child.exitstatus

    @property
    def text(self) -> str:
        """What was written since the last key, without the terminal's own language."""
        return _SEQUENCE.sub(b"", self.raw[self.mark :]).decode("utf-8", "replace")

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Read until a condition holds."""
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end or self.code is not None:
                pytest.fail(f"{what}: not before the end ({self.code}); the last words: {self.text[-3000:]!r}")
            self.read()

    def shows(self, *texts: str) -> None:
        """Read until these texts were written since the last key."""
        self.until(lambda: all(text in self.text for text in texts), f"shows {texts}")

    # What it is told

    def press(self, keys: str) -> None:
        """Type keys."""
        self.read()
        self.mark = len(self.raw)
        self.child.send(keys.encode())

    def escape(self) -> None:
        """Type Escape, and leave the program the moment it needs to tell it from the beginning of another key."""
        self.press("\x1b")
        self.wait(0.3)

    def wait(self, seconds: float) -> None:
        """Take what is written in this time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read()

    def answer(self, key: str) -> dict[str, Any]:
        """Answer a prompt as often as it takes for it to listen; return the event that comes of it."""
        known = len(self.events())
        end = time.monotonic() + PATIENCE
        while len(self.events()) == known:
            if time.monotonic() > end or self.code is not None:
                pytest.fail(f"the prompt was not answered: {self.text[-2000:]!r}")
            self.wait(0.6)  # longer than the time in which a prompt does not listen
            self.child.send(key.encode())
            heard = time.monotonic() + 3.0
            while len(self.events()) == known and time.monotonic() < heard:
                self.read()
        return self.events()[-1]

    def events(self) -> list[dict[str, Any]]:
        """Return the session log."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [json.loads(line) for line in lines]

    def ends(self) -> int:
        """Read to the end of the program; return its exit code."""
        end = time.monotonic() + PATIENCE
        while self.code is None:
            if time.monotonic() > end:
                self.child.terminate(force=True)
                pytest.fail(f"the program did not end: {self.text[-2000:]!r}")
            self.read()
        return self.code

    def left_on(self) -> list[str]:
        """Return what the program switched on and not off again."""
        found = [name for name, (on, off) in MODES.items() if self.raw.rfind(on) > self.raw.rfind(off)]
        try:
            now = termios.tcgetattr(self.child.child_fd)
        except (termios.error, ValueError, OSError):
            return found
        return [*found, *(["line discipline"] if now[:4] != self.before[:4] else [])]

    def close(self) -> None:
        """End the program if it still runs."""
        self.child.close(force=True)

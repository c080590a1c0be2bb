"""A screen that does not move, a home that is nobody's, and waiting for conditions instead of clocks."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import textual._wait
import textual.constants
from textual.message import Message
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from skillui.tui.glyphs import glyphs

_IDLE = 0.005
"""Seconds."""
_FOLDERS = {
    "HOME": "",
    "USERPROFILE": "",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
    "XDG_RUNTIME_DIR": ".runtime",
}


@pytest.fixture(autouse=True)
def fake_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty home, so that nobody's configuration is read or written."""
    home = tmp_path_factory.mktemp("home")
    for variable, below in _FOLDERS.items():
        folder = home / below
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        monkeypatch.setenv(variable, str(folder))
    for variable in ("VISUAL", "EDITOR", "NO_COLOR", *(name for name in os.environ if name.startswith("SKILLUI_"))):
        monkeypatch.delenv(variable, raising=False)
    return home


@pytest.fixture(autouse=True)
def still_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop whatever moves by itself: two pictures of one state are then the same."""
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    # Textual read the variable when it was imported.
    monkeypatch.setattr(textual.constants, "TEXTUAL_ANIMATIONS", "none")
    # A pilot takes the app for idle when it rests this long; its own fiftieth of a second is half of the tests' time.
    monkeypatch.setattr(textual._wait, "SLEEP_GRANULARITY", _IDLE)
    monkeypatch.setattr(textual._wait, "SLEEP_IDLE", _IDLE / 10)
    monkeypatch.setattr(Input.cursor_blink, "_default", False)
    monkeypatch.setattr(TextArea.cursor_blink, "_default", False)


@pytest.fixture(autouse=True)
def utf8_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Choose the signs for a UTF-8 terminal, whatever runs the tests."""
    monkeypatch.setattr("skillui.tui.glyphs.terminal_encoding", lambda: "utf-8")
    glyphs.cache_clear()
    yield
    glyphs.cache_clear()


WaitFor = Callable[..., Any]


@pytest.fixture
def wait_for() -> WaitFor:
    """Return a function that waits until a condition of the running app holds."""
    return wait_until


async def wait_until(pilot: Pilot[Any], condition: Callable[[], object], seconds: float = 10.0) -> None:
    """Let the app work until `condition()` is true; fail with its name when it never is."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not condition():
        if loop.time() > deadline:
            pytest.fail(f"not within {seconds} s: {getattr(condition, '__name__', condition)}")
        await pilot.pause(0.01)


async def at_rest(pilot: Pilot[Any], seconds: float = 5.0) -> None:
    """Wait until no widget has anything to do; fail with what keeps them busy when they never rest."""
    seen: Counter[str] = Counter()
    dispatch = MessagePump._dispatch_message

    async def noted(self: MessagePump, message: Message) -> None:
        seen[f"{type(self).__name__}: {message!r:.100}"] += 1
        await dispatch(self, message)

    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(MessagePump, "_dispatch_message", noted)
        while True:
            before = seen.total()
            await asyncio.sleep(0.05)  # three times what a timer of the screen takes
            if seen.total() == before:
                return
            if loop.time() > deadline:
                pytest.fail(f"not at rest within {seconds} s: {seen.most_common(3)}")

"""Signals that end a terminal program: the terminal is left as it was found."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import Any

from textual.app import App


def leave_on_signals(app: App[Any]) -> None:
    """Leave in good order on SIGTERM, SIGHUP and SIGINT, where Textual would leave the terminal in disarray."""
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):
        number = getattr(signal, name, None)
        if number is not None:
            # Not on Windows, and not where the loop runs outside the main thread, as in some tests.
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, lambda code=128 + number: app.exit(code))  # type: ignore[misc]

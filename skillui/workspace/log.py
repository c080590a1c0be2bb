"""The log file: small, rotating, the owner's alone, and safe to print on a terminal.

Modules log to `logging.getLogger("skillui…")` as usual. Until `open_log` has succeeded nothing is
written anywhere, never on the terminal, which belongs to the interface.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler

from skillui.core.text import escaped
from skillui.core.visible import visible
from skillui.workspace.folders import ensure_folder

LOGGER = logging.getLogger("skillui")
MAX_BYTES = 1024 * 1024
"""Bytes of one log file."""
FILES = 3
"""Log files kept, the current one included."""

# Without a handler of its own, logging would print warnings on the terminal.
LOGGER.addHandler(logging.NullHandler())
LOGGER.propagate = False


class _SafeFormatter(logging.Formatter):
    """One line a record; the lines of a traceback are indented, so that no text can pose as a record."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage()
        head = f"{self.formatTime(record)} {record.levelname} {record.name} {_shown(message)}"
        trace = self.formatException(record.exc_info) if record.exc_info else record.exc_text or ""
        stack = self.formatStack(record.stack_info) if record.stack_info else ""
        lines = [line for text in (trace, stack) if text for line in text.split("\n")]
        return "\n".join([head, *(f"    {_shown(line)}" for line in lines)])


def _shown(text: str) -> str:
    return visible(escaped(text))


class _LogFile(RotatingFileHandler):
    """A rotating file that is private from its first byte and whose faults are silent."""

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        handle = os.open(self.baseFilename, flags, 0o600)
        return TextIOWrapper(open(handle, "ab"), encoding="utf-8", errors="backslashreplace")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # logging's own name
        """Drop the record: a full disk must not draw over the interface."""


def open_log(path: str, level: int = logging.INFO) -> str | None:
    """Begin to log to `path` and return None, or return why that failed, in one line.

    Never raises: a log that cannot be opened stops nothing. A log opened before is closed.
    """
    close_log()
    try:
        ensure_folder(os.path.dirname(path))
        handler = _LogFile(path, mode="a", maxBytes=MAX_BYTES, backupCount=FILES - 1, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return f"the log {_shown(path)} cannot be opened: {_shown(reason or str(error))}"
    handler.setFormatter(_SafeFormatter())
    LOGGER.addHandler(handler)
    LOGGER.setLevel(level)
    return None


def log_path() -> str | None:
    """Return the path of the open log for an error message to name, or None when there is none."""
    handler = _open_handler()
    return None if handler is None else handler.baseFilename


def close_log() -> None:
    """Stop logging to the file."""
    handler = _open_handler()
    if handler is not None:
        LOGGER.removeHandler(handler)
        with contextlib.suppress(OSError):
            handler.close()


def _open_handler() -> _LogFile | None:
    return next((handler for handler in LOGGER.handlers if isinstance(handler, _LogFile)), None)

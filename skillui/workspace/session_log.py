"""A session's events as JSON lines, appended to a file that the person named."""

from __future__ import annotations

import contextlib
import json
import os
import stat

from skillui.core.events import CallRecord
from skillui.core.files import odd_kind, reason_of
from skillui.core.text import escaped

# Only a regular file is written: a pipe without a reader would hold the program for ever.
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


class SessionLogFault(Exception):
    """Why a session log cannot be written, in one line that names the file."""


class SessionLog:
    """An open session log; `record` is a listener for `SessionState.listeners`.

    A new file is the owner's alone (0600); one that exists keeps its mode and is appended to. Raises
    `SessionLogFault` where the file cannot be opened.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.fault: str | None = None
        """Why an event could not be written, None as long as all were."""
        try:
            self._handle = os.open(path, _FLAGS, 0o600)
        except (OSError, ValueError) as error:
            raise SessionLogFault(self._cannot(error)) from None
        if not stat.S_ISREG(mode := os.fstat(self._handle).st_mode):
            self.close()
            raise SessionLogFault(f"the session log {escaped(path)} cannot be used: it {odd_kind(mode)}")
        if os.pread(self._handle, 1, 0) not in (b"", b"{"):
            self.close()
            raise SessionLogFault(f"{escaped(path)} is no session log: its first line is no event; name another file")

    def record(self, call: CallRecord) -> None:
        """Append one event; a fault is kept in `fault` and never raised."""
        try:
            line = json.dumps(call.event.to_json(), ensure_ascii=False, default=str) + "\n"
            # One write a line: lines of several processes that share the file do not mix.
            data = line.encode("utf-8", "backslashreplace")
            if os.write(self._handle, data) != len(data):
                self.fault = f"the session log {escaped(self.path)} was cut short: the disk may be full"
        except OSError as error:
            self.fault = self._cannot(error)
        except (RecursionError, TypeError, ValueError) as error:  # arguments that JSON cannot hold
            self.fault = f"an event could not be written to {escaped(self.path)}: {type(error).__name__}"

    def close(self) -> None:
        """Close the file; what was written stays."""
        with contextlib.suppress(OSError):
            os.close(self._handle)

    def _cannot(self, error: OSError | ValueError) -> str:
        reason = reason_of(error) if isinstance(error, OSError) else "it has an impossible name"
        return f"the session log {escaped(self.path)} cannot be written: {reason}"

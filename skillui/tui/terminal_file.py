"""A terminal that may go away while the app draws on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any, Final

from textual.driver import Driver

HUNG_UP: Final = 129
"""The exit code of a program whose terminal is gone: that of SIGHUP, which says so where it comes."""


class LastingFile:
    """The file of a terminal; once it takes no more text, `lost` is called and what is written is dropped.

    Textual writes in a thread that a failed write ends. Nothing empties its queue then: whoever draws, or asks
    the thread to end, waits for ever, and the program outlives its terminal.
    """

    def __init__(self, file: IO[str], lost: Callable[[], object]) -> None:
        self._file = file
        self._lost = lost
        self.gone = False
        """Whether the terminal took no more."""

    def write(self, text: str) -> int:
        """Write a text, as long as that is possible."""
        if not self.gone:
            try:
                self._file.write(text)
            except (OSError, ValueError):
                self._end()
        return len(text)

    def flush(self) -> None:
        """Hand on what was written, as long as that is possible."""
        if not self.gone:
            try:
                self._file.flush()
            except (OSError, ValueError):
                self._end()

    def _end(self) -> None:
        self.gone = True
        self._lost()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def lasting(driver: type[Driver]) -> type[Driver]:
    """Return a driver that outlives its terminal: of those that write by a thread, others as they are."""
    from textual.drivers.linux_driver import LinuxDriver  # not on Windows

    if not issubclass(driver, LinuxDriver):
        return driver

    class LastingDriver(driver):  # type: ignore[valid-type, misc]
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self._file: Any = LastingFile(self._file, lambda: self._app.exit(HUNG_UP))

    return LastingDriver

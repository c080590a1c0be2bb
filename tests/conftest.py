"""What every test starts from, however the tests were started."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Take an interrupt as a terminal's programs do.

    A shell that starts the tests in the background makes them, and all that they start, deaf to it.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)

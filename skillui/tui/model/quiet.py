"""The quiet time before a key may decide something."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

QUIET: Final = 0.4
"""Seconds without a key or a click after which a decision is taken."""


class Quiet:
    """Ignores what comes too soon; each thing that was ignored starts the time anew.

    So nothing that was typed for something else, and no key that is held, decides.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._wakes_at = 0.0

    @property
    def left(self) -> float:
        """Seconds that are left, 0 where it listens."""
        return max(0.0, self._wakes_at - self.clock())

    def restart(self) -> None:
        """Be quiet from now on."""
        self._wakes_at = self.clock() + QUIET

    def ignored(self) -> bool:
        """Tell whether what just came is ignored."""
        if self.left <= 0:
            return False
        self.restart()
        return True

"""The garbage collector in a run of the program: a full round over 10,000 skills holds the screen for three frames.

Modules and the catalog are no garbage. They are taken out of the rounds once they stand; what goes
after them is freed as ever when nothing refers to it. In a library or a test nothing happens here.
"""

from __future__ import annotations

import gc

_run = False


def hold() -> None:
    """Collect nothing from here to the first picture: a seventh of the time to it."""
    global _run
    _run = True
    gc.disable()


def begin() -> None:
    """Collect again, but look no more at what the start left."""
    if _run:
        gc.freeze()
        gc.enable()


def settle() -> None:
    """Look no more at what stands now, such as a catalog with its rows."""
    if _run:
        gc.freeze()


def end() -> None:
    """Collect as ever."""
    global _run
    _run = False
    gc.enable()

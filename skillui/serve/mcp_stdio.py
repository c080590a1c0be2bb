"""Standard input and output of a process that serves a protocol: the protocol's alone, from now on."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stdio:
    """The two descriptors that lead to the client; nobody else in the process knows them."""

    source: int
    target: int


def claim_stdio() -> Stdio:
    """Take standard input and output away from whatever else runs here, for the rest of the process.

    From then on reading the standard input finds its end, and what is printed goes to standard error,
    by this process, its libraries and its children alike. Raises `OSError` where either is closed.
    """
    _fill_standard_error()
    sys.stdout.flush()
    source, target = os.dup(0), os.dup(1)
    for descriptor in (source, target):
        with contextlib.suppress(OSError, AttributeError):  # a regular file has no such mode
            os.set_blocking(descriptor, True)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Stdio(source, target)


def _fill_standard_error() -> None:
    """Give the process a standard error where it has none, so that no descriptor of ours takes its number."""
    try:
        os.fstat(2)
    except OSError:
        nothing = os.open(os.devnull, os.O_WRONLY)
        if nothing != 2:
            os.dup2(nothing, 2)
            os.close(nothing)

"""The person at the terminal: whether there is one, and what they type in full."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import IO

from skillui.cli.out import Out
from skillui.workspace.width import wrap

LABEL = 13
"""Columns before the value of a question's line."""
_WHOLE = ("dir", "SKILL.md", "digest")
NOBODY = "nobody is at a terminal to be asked"
"""No word of how a script can go on: whoever reads the refusal may be the model that wants to."""


def folded(line: str, output: Out, label: int = LABEL) -> list[str]:
    """Break a long line of a question at words, below where its value begins: at column `label`.

    No value of a skill then reaches the columns where the question's own labels stand.
    """
    width, value = output.width, line[label:]
    # A path is left whole to be copied, unless its blanks could pass for the columns of a line of ours.
    whole = line[:label].strip() in _WHOLE and value.isascii() and " " not in value
    if width is None or not line.startswith("  ") or whole:
        return [line]
    first, *rest = wrap(output.shown(value), max(20, width - label))
    return [line[:label] + first, *(" " * label + part for part in rest)]


@contextlib.contextmanager
def terminal() -> Iterator[IO[str] | None]:
    """Hold what a question is written to: standard error, else the controlling terminal; None without a person.

    The answer is read from standard input, which must be a terminal: whoever redirects it does not sit there.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        yield None
    elif sys.stderr is not None and sys.stderr.isatty():
        yield sys.stderr
    else:
        with contextlib.ExitStack() as stack:
            screen = None
            with contextlib.suppress(OSError):
                screen = stack.enter_context(open("/dev/tty", "w", encoding="utf-8", errors="backslashreplace"))
            yield screen


def drop_typed_ahead() -> None:
    """Forget what was typed before the question was there: it is no answer to it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def types_word(lines: Sequence[str], word: str, does: str, ascii_only: bool | None = None) -> bool | None:
    """Show `lines` and tell whether the person types `word` in full; None where nobody is there."""
    with terminal() as screen:
        if screen is None:
            return None
        output = Out(screen, "the terminal", ascii_only)
        output.lines([part for line in lines for part in folded(line, output)])
        drop_typed_ahead()
        screen.write(f"Type {word} to {does}, anything else leaves all as it is: ")
        screen.flush()
        answer = sys.stdin.readline()
        if not answer.endswith("\n"):
            output.line()
        return answer.strip() == word

"""What reading shell text comes to: commands, their words and redirections, and where they stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final

MAX_COMMANDS: Final = 50_000
"""Commands of one text that are looked at."""
LITERAL_DOLLAR: Final = "\ufdd0"
"""Stands for a `$` that quotes make a plain character."""


@dataclass(slots=True)
class Word:
    """One word without its quotes; substitutions stand in it as written. `start` is its offset in the whole text."""

    text: str
    start: int
    quoted: bool = False
    inner: list[Command] = field(default_factory=list)
    """The commands of its substitutions, those of `$( )` and backticks as of `<( )`."""
    feeds: bool = False
    """Whether it is a process substitution `<( )`."""


@dataclass(slots=True)
class Redirect:
    """A redirection: `operator` without its number (`>`, `>>`, `<`, `<<`, `<<<`, `>&`), and its target."""

    operator: str
    target: Word


@dataclass(slots=True)
class Command:
    """A simple command; `pipe` tells the pipeline it is part of, in the order of the list."""

    words: list[Word] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    assignments: list[tuple[str, Word]] = field(default_factory=list)
    pipe: int = 0
    start: int = 0
    heredoc: Word | None = None


def plain(text: str) -> str:
    """Return a word's text with plain dollars as themselves."""
    return text.replace(LITERAL_DOLLAR, "$")


def every(commands: list[Command]) -> list[Command]:
    """Return commands with those of their substitutions, each behind the command it stands in."""
    found: list[Command] = []
    pending = commands[::-1]
    while pending and len(found) < MAX_COMMANDS:
        command = pending.pop()
        found.append(command)
        words = [*command.words, *(redirect.target for redirect in command.redirects)]
        words += [value for _, value in command.assignments]
        pending += [inner for word in words[::-1] for inner in word.inner[::-1]]
    return found


class Lines:
    """Lines and columns of a text's offsets."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and column of an offset."""
        index = bisect_right(self._starts, max(0, offset)) - 1
        return index + 1, offset - self._starts[index] + 1

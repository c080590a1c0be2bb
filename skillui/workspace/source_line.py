"""A line of a file with a mark below one place, cut on both sides where it is long."""

from __future__ import annotations

from typing import Protocol

from skillui.core.visible import visible
from skillui.workspace.width import cells, clip

PLAIN_WIDTH = 100
"""Columns where the output is no terminal."""
_CONTEXT = 40
"""Characters shown before the place on a long line."""


class Page(Protocol):
    """Where text is written to: a terminal, a pipe, or a file."""

    @property
    def ellipsis(self) -> str:
        """What stands for what was cut."""

    @property
    def width(self) -> int | None:
        """Columns, None where lines may be of any length."""

    def shown(self, text: str) -> str:
        """Return a text on one line, through the gate for hostile text."""


class PlainPage:
    """A text file in UTF-8."""

    ellipsis = "…"
    width: int | None = None

    def shown(self, text: str) -> str:
        """Return a text on one line, through the gate for hostile text."""
        return visible(text)


def caret_lines(text: str, line: int, column: int, page: Page) -> list[str]:
    """Return the source line and the line with the mark; `column` is 1-based and counts characters."""
    text = text.removesuffix("\r")
    at = min(column - 1, len(text))
    start = at - _CONTEXT if at > 2 * _CONTEXT else 0
    before = (page.ellipsis if start else "") + page.shown(text[start:at])
    number = f"    {line:>4} | "
    room = max(cells(before) + 1, (page.width or PLAIN_WIDTH) - len(number))
    after = page.shown(text[at : at + 200])
    return [
        number + clip(before + after, room, page.ellipsis),
        " " * (len(number) - 2) + "| " + " " * cells(before) + "^",
    ]

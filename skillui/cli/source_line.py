"""A line of a file with a mark below one place, cut on both sides where it is long."""

from __future__ import annotations

from skillui.cli.out import Out
from skillui.cli.width import cells, clip

PLAIN_WIDTH = 100
"""Columns where the output is no terminal."""
_CONTEXT = 40
"""Characters shown before the place on a long line."""


def caret_lines(text: str, line: int, column: int, out: Out) -> list[str]:
    """Return the source line and the line with the mark; `column` is 1-based and counts characters."""
    text = text.removesuffix("\r")
    at = min(column - 1, len(text))
    start = at - _CONTEXT if at > 2 * _CONTEXT else 0
    before = (out.ellipsis if start else "") + out.shown(text[start:at])
    number = f"    {line:>4} | "
    room = max(cells(before) + 1, (out.width or PLAIN_WIDTH) - len(number))
    after = out.shown(text[at : at + 200])
    return [
        number + clip(before + after, room, out.ellipsis),
        " " * (len(number) - 2) + "| " + " " * cells(before) + "^",
    ]

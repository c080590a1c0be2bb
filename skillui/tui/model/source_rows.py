"""A text laid out in rows of a width: long lines continue on the next row, so that nothing is out of sight."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, overload

from rich.cells import cell_len

from skillui.tui.safe_text import visible

TAB: Final = "→   "
"""What a tab is shown as in a source: where tabs and blanks differ, the reader must see which it is."""
ASCII_TAB: Final = ">   "
_WORDS: Final = 24
# A row may end this many characters early rather than inside a word.


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One row: characters [start, end) of a line; lines are counted from 0 in the text."""

    line: int
    start: int
    end: int


class SourceRows(Sequence[SourceRow]):
    """The rows of a text. Only lines that take more than one row cost memory beyond the text."""

    def __init__(self, lines: Sequence[str], width: int, tab: str = TAB) -> None:
        self.lines = lines
        self.width = max(8, width)
        self._breaks: dict[int, tuple[int, ...]] = {}
        for number, line in enumerate(lines):
            if len(line) <= self.width and line.isascii() and line.isprintable():
                continue
            if len(starts := row_starts(shown_line(line), self.width, tab)) > 1:
                self._breaks[number] = starts
        self._long = sorted(self._breaks)
        extras = [len(self._breaks[number]) - 1 for number in self._long]
        self._after = list(accumulate(extras))
        """How many extra rows there are up to and with each long line."""
        self._first = [
            number + after - extra for number, after, extra in zip(self._long, self._after, extras, strict=True)
        ]
        """The row each long line begins at."""

    def __len__(self) -> int:
        return len(self.lines) + (self._after[-1] if self._after else 0)

    @overload
    def __getitem__(self, index: int) -> SourceRow: ...
    @overload
    def __getitem__(self, index: slice) -> list[SourceRow]: ...
    def __getitem__(self, index: int | slice) -> SourceRow | list[SourceRow]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index %= len(self)
        at = bisect_right(self._first, index) - 1
        if at < 0:
            return SourceRow(index, 0, len(self.lines[index]))
        line, part = self._long[at], index - self._first[at]
        starts = self._breaks[line]
        if part < len(starts):
            end = starts[part + 1] if part + 1 < len(starts) else len(self.lines[line])
            return SourceRow(line, starts[part], end)
        line = index - self._after[at]
        return SourceRow(line, 0, len(self.lines[line]))

    def __iter__(self) -> Iterator[SourceRow]:
        return (self[index] for index in range(len(self)))

    def row_of(self, line: int, column: int = 0) -> int:
        """Return the row that shows a 0-based place, the nearest one there is."""
        line = max(0, min(line, len(self.lines) - 1))
        at = bisect_right(self._long, line) - 1
        if at < 0:
            return line
        if self._long[at] != line:
            return line + self._after[at]
        return self._first[at] + max(0, bisect_right(self._breaks[line], column) - 1)


def shown_line(line: str) -> str:
    """Return what of a line takes room: all but the carriage return of a CRLF ending."""
    return line.removesuffix("\r")


def row_starts(line: str, width: int, tab: str) -> tuple[int, ...]:
    """Return the characters at which the rows of a line start."""
    plain = line.isascii() and line.isprintable()
    if not plain and len(line) <= width and cell_len(visible(line, tabs=tab)) <= width:
        return (0,)
    starts = [0]
    while True:
        begin = starts[-1]
        end = min(begin + width, len(line)) if plain else _fitting(line, begin, width, tab)
        if end >= len(line):
            return tuple(starts)
        blank = line.rfind(" ", max(begin + width // 2, end - _WORDS), end)
        starts.append(blank + 1 if blank >= 0 else end)


def _fitting(line: str, begin: int, width: int, tab: str) -> int:
    """Return how far a row that starts at `begin` reaches."""
    low, high = begin + 1, min(len(line), begin + width)
    # What is shown of a text never gets narrower as the text goes on, so the end can be searched for.
    while low < high:
        middle = (low + high + 1) // 2
        if cell_len(visible(line[begin:middle], tabs=tab)) <= width:
            low = middle
        else:
            high = middle - 1
    return low

"""Long text with marked places, wrapped into rows that are drawn one by one through the gate."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from rich.cells import cell_len
from textual.content import Content

from skillui.tui.safe_text import safe, visible

Row = tuple[int, int]
"""What one row shows: [start, end) in characters of the text, without the line's end."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a text, [start, end) in characters, and the style it is drawn with."""

    start: int
    end: int
    style: str


@dataclass(frozen=True)
class MarkedText:
    """A text as it is in memory, and marks in order that do not overlap."""

    text: str
    marks: tuple[Mark, ...] = ()

    @cached_property
    def _starts(self) -> list[int]:
        return [mark.start for mark in self.marks]

    @cached_property
    def plain(self) -> bool:
        """Tells whether each character but the line ends takes one cell and is shown as it is."""
        return self.text.isascii() and self.text.replace("\n", "").isprintable()

    def segments(self, start: int, end: int) -> Iterator[tuple[str, str]]:
        """Yield the parts of [start, end) with their styles, "" between marks."""
        at = start
        index = max(0, bisect_right(self._starts, start) - 1)
        while at < end and index < len(self.marks):
            mark = self.marks[index]
            if mark.start >= end:
                break
            if mark.start > at:
                yield self.text[at : mark.start], ""
                at = mark.start
            if mark.end > at:
                stop = min(mark.end, end)
                yield self.text[at:stop], mark.style
                at = stop
            index += 1
        if at < end:
            yield self.text[at:end], ""

    def draw(self, row: Row, base: str = "") -> Content:
        """Return a row as content; every part goes through the gate by itself, so marks end where they should."""
        return Content("").join([safe(text, style or base) for text, style in self.segments(*row)])

    def cells(self, row: Row) -> int:
        """Return how many cells `draw` takes for a row."""
        return sum(cell_len(visible(text)) for text, _ in self.segments(*row))


def lay_out(marked: MarkedText, width: int, cancelled: Callable[[], bool] = bool) -> list[Row] | None:
    """Wrap a text into rows of at most `width` cells, at spaces where it can; None once it is cancelled.

    No character is dropped: a space at which a row ends hangs past its edge.
    """
    width = max(1, width)
    text, rows = marked.text, []
    widths = _Widths()
    start = 0
    for number, line in enumerate(text.split("\n")):
        if not number % 512 and cancelled():
            return None
        end = start + len(line)
        if len(line) <= width and line.isascii() and line.isprintable():
            rows.append((start, end))
        elif line.isascii() and line.isprintable():
            rows += _wrap_plain(text, start, end, width)
        else:
            for done, row in enumerate(_wrap_any(marked, start, end, width, widths)):
                if not done % 512 and cancelled():
                    return None
                rows.append(row)
        start = end + 1
    return rows


def row_at(rows: Sequence[Row], position: int) -> int:
    """Return the index of the row that shows the character at `position`."""
    return max(0, bisect_right(rows, position, key=lambda row: row[0]) - 1)


def _wrap_plain(text: str, start: int, end: int, width: int) -> Iterator[Row]:
    while end - start > width:
        stop = _at_space(text, start, start + width)
        yield start, stop
        start = stop
    yield start, end


def _wrap_any(marked: MarkedText, start: int, end: int, width: int, widths: _Widths) -> Iterator[Row]:
    while True:
        # A character alone is never narrower than among others, save for what hangs on its neighbours.
        sums = list(accumulate(widths[char] for char in marked.text[start : min(end, start + 2 * width)]))
        stop = start + max(1, bisect_right(sums, width)) if sums else end
        while stop > start + 1 and marked.cells((start, stop)) > width:
            stop -= max(1, (stop - start) // 16)
        if stop >= end:
            yield start, end
            return
        stop = _at_space(marked.text, start, stop)
        yield start, stop
        start = stop


def _at_space(text: str, start: int, stop: int) -> int:
    """Move the end of a row back behind its last space, unless that would leave it half empty."""
    space = text.rfind(" ", start, stop + 1)
    return space + 1 if space >= start + (stop - start) // 2 else stop


class _Widths(dict[str, int]):
    """Cells of single characters."""

    def __missing__(self, char: str) -> int:
        self[char] = width = cell_len(visible(char)) if not _hangs(char) else 0
        return width


def _hangs(char: str) -> bool:
    return cell_len(char) == 0 and visible("x" + char) == "x" + char

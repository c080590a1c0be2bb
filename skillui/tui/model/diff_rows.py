"""A difference laid out in rows of a width: what is too long for its row goes on in the next one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from skillui.tui.model.diff import DiffLine, side_by_side
from skillui.tui.model.source_rows import row_starts

Part = tuple[int, int]
"""Characters [start, end) of a line."""
NOTHING: Final[Part] = (0, 0)
LONGEST: Final = 64 * 1024
"""Characters of a line that are laid out; whoever shows more than that shows the text itself."""
_SAID: Final = frozenset({"header", "fold", "note"})


class DiffRow(NamedTuple):
    """One row: a pair of lines, or one line twice where the difference is unified, and what of them it shows."""

    left: DiffLine | None
    right: DiffLine | None
    left_part: Part
    right_part: Part

    @property
    def first(self) -> bool:
        """Whether this row begins its lines."""
        return self.left_part[0] == 0 and self.right_part[0] == 0

    @property
    def changed(self) -> bool:
        """Whether something was added or removed here."""
        return any(line is not None and line.kind in ("added", "removed") for line in self[:2])


def unified_rows(lines: Sequence[DiffLine], width: int, tab: str) -> list[DiffRow]:
    """Lay out one line below the other; `width` is the room of the text, 0 while it is not known."""
    return [DiffRow(line, line, part, part) for line in lines for part in _parts(line, width, tab)]


def paired_rows(lines: Sequence[DiffLine], left_width: int, right_width: int, tab: str) -> list[DiffRow]:
    """Lay out the two texts side by side."""
    return [row for pair in side_by_side(lines) for row in _pair(pair, left_width, right_width, tab)]


def _pair(
    pair: tuple[DiffLine | None, DiffLine | None], left_width: int, right_width: int, tab: str
) -> Iterator[DiffRow]:
    left, right = pair
    lefts = _parts(left, left_width, tab) if left is not None else []
    rights = _parts(right, right_width, tab) if right is not None else []
    for number in range(max(len(lefts), len(rights))):
        yield DiffRow(
            left if number < len(lefts) else None,
            right if number < len(rights) else None,
            lefts[number] if number < len(lefts) else _after(lefts),
            rights[number] if number < len(rights) else _after(rights),
        )


def _parts(line: DiffLine, width: int, tab: str) -> list[Part]:
    text = line.text[:LONGEST]
    if width <= 0 or line.kind in _SAID or (len(text) <= width and text.isascii() and text.isprintable()):
        return [(0, len(text))]
    starts = row_starts(text, max(8, width), tab)
    return list(zip(starts, (*starts[1:], len(text)), strict=True))


def _after(parts: list[Part]) -> Part:
    """Return the empty part behind the last one."""
    return (parts[-1][1], parts[-1][1]) if parts else NOTHING

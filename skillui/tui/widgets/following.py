"""Where the cursor and the view of a list go when its rows are replaced."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Place:
    """A cursor and the first line in view."""

    cursor: int
    top: int
    same: bool = True
    """Whether the cursor is on the row it was on before."""


def follow(
    old_rows: Sequence[Row], rows: Sequence[Row], keep: Callable[[Row], Hashable], old: Place, height: int
) -> Place:
    """Return the place in `rows` that shows what `old` showed in `old_rows`.

    Args:
        old_rows: The rows so far.
        rows: The rows from now on, at least one.
        keep: Names a row's identity.
        old: The place in the rows so far.
        height: Lines in view.
    """
    found = _index(rows, keep, keep(old_rows[old.cursor]))
    cursor = min(old.cursor, len(rows) - 1) if found is None else found
    if old.top <= old.cursor < old.top + height or old.top >= len(old_rows):
        return Place(cursor, max(0, cursor - (old.cursor - old.top)), found is not None)
    # The person scrolled away from the cursor: what must stay is the line they look at.
    first = _index(rows, keep, keep(old_rows[old.top]))
    return Place(cursor, old.top if first is None else first, found is not None)


def _index(rows: Sequence[Row], keep: Callable[[Row], Hashable], wanted: Hashable) -> int | None:
    return next((index for index, row in enumerate(rows) if keep(row) == wanted), None)

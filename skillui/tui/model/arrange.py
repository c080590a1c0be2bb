"""The order of the rows, and the headers between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from skillui.core import AnyEntry, SkillEntry
from skillui.tui.model.rows import CatalogRow

Sort = Literal["name", "tokens", "problems", "changed"]
SORTS: Final[tuple[Sort, ...]] = ("name", "tokens", "problems", "changed")
"""The orders, as the person goes through them."""


@dataclass(frozen=True, slots=True)
class GroupHeader:
    """A line above the skills of one root."""

    key: str
    title: str
    source: str
    count: int


Item = CatalogRow | GroupHeader
"""What a line of the list shows."""


def key_of(item: Item) -> str:
    """Return the identity of a line."""
    return item.key


def arrange(rows: Sequence[CatalogRow], sort: Sort = "name", grouped: bool = False) -> Sequence[Item]:
    """Order rows that come in name order.

    Copies stay below their winner whatever the order; in groups each stands in its own root instead.
    A root without rows has no header.
    """
    if not grouped:
        return rows if sort == "name" else _flat(_sorted_blocks(rows, sort))
    roots: dict[int, list[CatalogRow]] = {}
    for row in rows:
        roots.setdefault(row.root.index, []).append(row)
    items: list[Item] = []
    for index in sorted(roots):
        inside = roots[index] if sort == "name" else sorted(roots[index], key=_KEYS[sort])
        root = inside[0].root
        items.append(GroupHeader(f"root {index}", root.shown, root.source, len(inside)))
        items += inside
    return items


def _sorted_blocks(rows: Iterable[CatalogRow], sort: Sort) -> list[list[CatalogRow]]:
    blocks: list[list[CatalogRow]] = []
    for row in rows:
        if row.depth and blocks and blocks[-1][0].name == row.name:
            blocks[-1].append(row)
        else:
            blocks.append([row])
    key = _KEYS[sort]
    return sorted(blocks, key=lambda block: key(block[0]))


def _flat(blocks: Iterable[list[CatalogRow]]) -> list[Item]:
    return [row for block in blocks for row in block]


def _problem_order(row: CatalogRow) -> tuple[int, int]:
    return (9 if row.gravest is None else row.gravest.rank), -row.problems


_KEYS: Final[dict[Sort, Callable[[CatalogRow], Any]]] = {
    "name": lambda row: row.name,
    "tokens": lambda row: -row.tokens,
    "problems": _problem_order,
    "changed": lambda row: -row.modified,
}


def counterpart(rows: Sequence[CatalogRow], row: CatalogRow) -> tuple[AnyEntry, AnyEntry] | None:
    """Return the winner and the copy of its name that a row can be compared with; None where it stands alone."""
    copies = [other for other in rows if other.name == row.name and other is not row]
    if isinstance(row.entry, SkillEntry) and not row.depth:
        return (row.entry, copies[0].entry) if copies else None
    winner = next((other for other in copies if not other.depth and isinstance(other.entry, SkillEntry)), None)
    return (winner.entry, row.entry) if winner is not None else None

"""Which skills bring scripts, references or assets: looked up only when somebody asks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from skillui.core.resources import RESOURCE_FOLDERS

if TYPE_CHECKING:
    from skillui.core import AnyEntry
    from skillui.tui.model.rows import CatalogRow


FoldersOf = Callable[["AnyEntry"], frozenset[str]]
"""Returns which resource folders a skill has. Blocking."""


def on_disk(entry: AnyEntry) -> frozenset[str]:
    """Return which resource folders a skill on disk has: three looks."""
    return frozenset(folder for folder in RESOURCE_FOLDERS if _is_folder(entry.dir, folder))


def look_into(
    rows: Iterable[CatalogRow], cancelled: Callable[[], bool] = lambda: False, folders_of: FoldersOf = on_disk
) -> dict[str, frozenset[str]] | None:
    """Return the resource folders of each row, by key; None when told to stop. Blocking."""
    found: dict[str, frozenset[str]] = {}
    for row in rows:
        if cancelled():
            return None
        found[row.key] = folders_of(row.entry)
    return found


def _is_folder(directory: str, name: str) -> bool:
    try:
        return os.path.isdir(f"{directory}/{name}")
    except ValueError:
        return False

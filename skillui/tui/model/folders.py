"""Which skills bring scripts, references or assets: looked up only when somebody asks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from skillui.core.resources import RESOURCE_FOLDERS

if TYPE_CHECKING:
    from skillui.tui.model.rows import CatalogRow


def look_into(
    rows: Iterable[CatalogRow], cancelled: Callable[[], bool] = lambda: False
) -> dict[str, frozenset[str]] | None:
    """Return the resource folders of each row, by key; None when told to stop. Blocking: three looks a skill."""
    found: dict[str, frozenset[str]] = {}
    for row in rows:
        if cancelled():
            return None
        directory = row.entry.dir
        found[row.key] = frozenset(folder for folder in RESOURCE_FOLDERS if _is_folder(directory, folder))
    return found


def _is_folder(directory: str, name: str) -> bool:
    try:
        return os.path.isdir(f"{directory}/{name}")
    except ValueError:
        return False

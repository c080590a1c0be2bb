"""Stamps of folders: what tells, without reading a file, that nothing below was changed."""

from __future__ import annotations

import os
from typing import Final

Stamp = int
MAX_ENTRIES: Final = 2_000
"""Entries of a folder past which no stamp is made: looking at them would take as long as checking."""


def stamp_of(directory: str) -> Stamp | None:
    """Return a stamp of names, sizes, modes and times below a folder, None where none can be made. Blocking."""
    seen: list[tuple[str, int, int, int, int, int]] = []
    pending = [directory]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    info = entry.stat(follow_symlinks=False)
                    facts = (info.st_size, info.st_mode, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)
                    seen.append((entry.path, *facts))
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    elif entry.is_symlink():
                        return None  # what it leads to may change unseen
        except OSError:
            return None
        if len(seen) > MAX_ENTRIES:
            return None
    return hash(tuple(sorted(seen)))

"""The files of one skill folder, listed once and within bounds; nothing is opened."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from skillui.core.files import is_below, odd_kind, resolved

MAX_ENTRIES = 5_000
"""Entries of one skill that rules look at."""
PASSED_OVER = frozenset({".git", "__pycache__", "node_modules"})
"""Folders whose insides are not looked at."""


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One entry below a skill's folder, by `lstat`.

    `path` is relative, with `/`. `mode` and `size` (bytes) are a link's target's where that can be
    asked, else the link's own.
    """

    path: str
    size: int
    mode: int
    link: str | None = None
    """What a link says, None for all else."""
    leaves: bool = False
    """Whether a link leads out of the skill's folder."""
    dangling: bool = False
    """Whether a link leads nowhere."""

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file, or a link within the skill to one."""
        return stat.S_ISREG(self.mode) and not self.leaves and not self.dangling

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder itself, not a link to one."""
        return self.link is None and stat.S_ISDIR(self.mode)

    @property
    def odd(self) -> str | None:
        """What it is where it is neither file, folder nor link ("is a named pipe")."""
        return None if self.is_folder or self.link is not None else odd_kind(self.mode)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """The ending of its name with the dot, lower case, "" where there is none."""
        return os.path.splitext(self.name)[1].lower()


@dataclass(frozen=True, slots=True)
class Tree:
    """All entries, sorted by path; `cut` where there are more than `MAX_ENTRIES`.

    The insides of `.git`, `node_modules` and `__pycache__` are passed over, the folders themselves are listed.
    """

    entries: tuple[TreeEntry, ...]
    cut: bool = False
    unread: tuple[str, ...] = ()
    """Folders that could not be listed."""


def list_tree(directory: str) -> Tree:
    """List everything below a resolved directory; links are named and not followed. Never raises."""
    found: list[TreeEntry] = []
    unread: list[str] = []
    pending = [""]
    while pending:
        prefix = pending.pop()
        try:
            with os.scandir(os.path.join(directory, prefix)) as entries:
                for entry in entries:
                    if len(found) >= MAX_ENTRIES:
                        return Tree(sorted_entries(found), True, tuple(unread))
                    if (item := _entry(entry, prefix, directory)) is None:
                        continue
                    found.append(item)
                    if item.is_folder and item.name not in PASSED_OVER:
                        pending.append(item.path + "/")
        except (OSError, ValueError):
            unread.append(prefix)
    return Tree(sorted_entries(found), False, tuple(unread))


def sorted_entries(found: list[TreeEntry]) -> tuple[TreeEntry, ...]:
    """Return entries in the order of their paths."""
    return tuple(sorted(found, key=lambda entry: entry.path))


def _entry(entry: os.DirEntry[str], prefix: str, directory: str) -> TreeEntry | None:
    path = prefix + entry.name
    try:
        info = entry.stat(follow_symlinks=False)
    except OSError:  # gone since the listing
        return None
    if not stat.S_ISLNK(info.st_mode):
        return TreeEntry(path, info.st_size, info.st_mode)
    return _link(entry.path, path, info, directory)


def _link(full: str, path: str, info: os.stat_result, directory: str) -> TreeEntry:
    try:
        says = os.readlink(full)
    except OSError:
        says = ""
    leaves = not is_below(resolved(full), directory)
    try:
        target = os.stat(full)
    except (OSError, ValueError):
        return TreeEntry(path, info.st_size, info.st_mode, says, leaves, True)
    return TreeEntry(path, target.st_size, target.st_mode, says, leaves)

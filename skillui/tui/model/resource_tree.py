"""The files of a skill as a tree whose folders fold."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from skillui.tui.model.skill_view import SkillFile

OPEN_AT_FIRST: Final = 60
"""A skill with no more files than this is shown unfolded."""


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One visible row: a folder with what is in it, or a file."""

    path: str
    name: str
    depth: int
    file: SkillFile | None
    """None for a folder."""
    opened: bool = False
    files: int = 0
    """Files below a folder."""
    size: int = 0
    """Bytes of a file, or of all files below a folder."""


@dataclass(slots=True)
class _Folder:
    folders: dict[str, _Folder] = field(default_factory=dict)
    files: list[SkillFile] = field(default_factory=list)
    count: int = 0
    size: int = 0


class ResourceTree:
    """Folders and files below a skill; rows exist for what is unfolded alone."""

    def __init__(self, files: Iterable[SkillFile] = ()) -> None:
        self._top = _Folder()
        for file in files:
            self._add(file)

    def _add(self, file: SkillFile) -> None:
        folder = self._top
        for part in file.path.split("/")[:-1]:
            folder.count += 1
            folder.size += file.size
            folder = folder.folders.setdefault(part, _Folder())
        folder.count += 1
        folder.size += file.size
        folder.files.append(file)

    def folders(self) -> set[str]:
        """Return the paths of all folders."""
        found: set[str] = set()
        pending = [("", self._top)]
        while pending:
            prefix, folder = pending.pop()
            for name, below in folder.folders.items():
                found.add(prefix + name)
                pending.append((f"{prefix}{name}/", below))
        return found

    def rows(self, opened: set[str]) -> list[TreeRow]:
        """Return the visible rows in order: files of a folder first, as SKILL.md is, then its folders."""
        rows: list[TreeRow] = []
        # A stack rather than recursion: a skill may nest its folders as deep as it likes.
        pending: list[tuple[str, str, int, _Folder]] = [("", "", -1, self._top)]
        while pending:
            path, name, depth, folder = pending.pop()
            if depth >= 0:
                rows.append(TreeRow(path, name, depth, None, path in opened, folder.count, folder.size))
                if path not in opened:
                    continue
            for file in sorted(folder.files, key=lambda file: (file.path != "SKILL.md", file.path)):
                rows.append(TreeRow(file.path, file.path.rpartition("/")[2], depth + 1, file, size=file.size))
            prefix = f"{path}/" if path else ""
            for below in sorted(folder.folders, reverse=True):
                pending.append((prefix + below, below, depth + 1, folder.folders[below]))
        return rows


def mode_text(mode: int) -> str:
    """Write what the owner may do (`rw-`), or all of it in octal where others may write or it changes who runs it."""
    if not mode or stat.S_ISLNK(mode):
        return ""
    if mode & (stat.S_ISUID | stat.S_ISGID | stat.S_IWOTH):
        return f"{stat.S_IMODE(mode):04o}"
    return stat.filemode(mode)[1:4]


def is_executable(mode: int) -> bool:
    """Tell whether anyone may run the file."""
    return stat.S_ISREG(mode) and bool(mode & 0o111)

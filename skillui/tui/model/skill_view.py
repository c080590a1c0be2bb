"""`SkillView`: everything the panes show of one skill, read once in a worker."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from skillui.core import AnyEntry, BrokenSkill, ContentDigest, Gate, LoadedSkill, ParsedSkill, Problem
from skillui.core.files import is_below, odd_kind
from skillui.core.resources import Resources
from skillui.review.records import StoredDecision
from skillui.tui.model.findings import Excerpt, Place
from skillui.workspace.project import Root, shortened

if TYPE_CHECKING:
    from skillui.checks.sources import Source
    from skillui.checks.tree import TreeEntry

MAX_FILES = 20_000
"""Files of one skill that the tree shows; the rest is counted."""
MAX_SEEN = 60_000
"""Entries that are looked at at all: a link to a whole disk must not be walked to its end."""


@dataclass(frozen=True, slots=True)
class SkillFile:
    """One entry of a skill folder. `size` is in bytes, `mode` as `stat` gives it."""

    path: str
    """Relative to the skill folder, with `/`."""
    size: int
    mode: int
    link: str | None = None
    """The target text of a link."""
    leaves: bool = False
    """A link that ends outside the skill folder."""
    odd: str | None = None
    """What it is when it is not a regular file ("is a named pipe")."""
    mentioned: bool = False
    """The body names it."""
    listed: bool = False
    """The engine lists it among the resources (ten a folder)."""


@dataclass(frozen=True)
class SkillView:
    """A skill as it is on disk now, with what the engine makes of it."""

    entry: AnyEntry
    root: Root
    gate: Gate
    loaded: LoadedSkill | BrokenSkill | None
    """What loading gives now; None where the folder is gone."""
    parsed: ParsedSkill | None
    """The file's text and fields, of a broken skill too; None where it cannot be read."""
    problems: tuple[Problem, ...]
    """What is wrong with it: the engine's own problems, and once it is `checked` all that the gate finds."""
    files: tuple[SkillFile, ...]
    files_omitted: int
    resources: Resources
    digest: ContentDigest | None
    chain: tuple[AnyEntry, ...]
    """All copies of the name in order of precedence, the winner first, broken ones where they stand."""
    winner: bool
    """Tells whether a call of this name loads this very copy."""
    loaded_at: int | None = None
    """The turn of this session at which it was activated."""
    stale: bool = False
    """The content changed since it was activated: the session still holds the old text."""

    decision: StoredDecision | None = None
    """What was decided about exactly this content, in whatever place."""
    checked: bool = False
    """Whether the gate looked at it already."""
    excerpts: Mapping[Place, Excerpt] = field(default_factory=dict)
    """The lines that problems name."""
    of_catalog: tuple[Problem, ...] = ()
    """Those of the problems that only the whole catalog shows."""

    project: str = ""
    """The project's folder, "" where it is not known."""
    roots: tuple[Root, ...] = ()
    """All roots, in order of precedence."""

    @property
    def key(self) -> str:
        """Identity of the row: the folder as its root lists it."""
        return self.entry.location

    def written(self, path: str) -> str:
        """Write a path as short as it stays clear: from the project on, or from the home folder."""
        if self.project and path != self.project and is_below(path, self.project):
            return os.path.relpath(path, self.project)
        return shortened(path, os.path.expanduser("~"))

    def place_of(self, entry: AnyEntry) -> str:
        """Write where a copy stands: its root as a person would write it, and its folder below."""
        place = entry.location or entry.dir
        root = self.roots[entry.root_index] if entry.root_index < len(self.roots) else None
        if root is None or not is_below(place, root.path):
            return self.written(place)
        below = place[len(root.path.rstrip("/")) :]
        # `HEAD:` names the top of a revision; what lies there needs no bar between.
        return root.source + below.lstrip("/") if root.source.endswith(":") else root.source.rstrip("/") + below


def read_files(directory: str, body: str, listed: frozenset[str]) -> tuple[tuple[SkillFile, ...], int]:
    """List the files of a skill folder, shallow ones first, bounded; returns (files, how many more)."""
    files: list[SkillFile] = []
    omitted = 0
    pending = [("", directory)]
    seen = 0
    while pending and seen < MAX_SEEN:
        prefix, folder = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        seen += len(entries)
        for entry in entries:
            path = f"{prefix}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in (".git", "__pycache__"):
                    pending.append((f"{path}/", entry.path))
            elif len(files) >= MAX_FILES:
                omitted += 1
            else:
                files.append(_file(entry, path, directory, body, listed))
    return tuple(sorted(files, key=lambda file: (file.path.count("/"), file.path))), omitted


def files_of_source(source: Source, body: str, listed: frozenset[str]) -> tuple[tuple[SkillFile, ...], int]:
    """List the files of a skill that lies in no folder, as `read_files` does of one that does."""
    entries = [entry for entry in source.tree().entries if not entry.is_folder]
    files = [_of_tree(entry, body, listed) for entry in entries[:MAX_FILES]]
    return tuple(sorted(files, key=lambda file: (file.path.count("/"), file.path))), len(entries) - len(files)


def _of_tree(entry: TreeEntry, body: str, listed: frozenset[str]) -> SkillFile:
    mentioned = _mentions(body, entry.path)
    if entry.dangling:
        return SkillFile(entry.path, 0, stat.S_IFLNK, entry.link, entry.leaves, "leads nowhere", mentioned, False)
    return SkillFile(
        entry.path, entry.size, entry.mode, entry.link, entry.leaves, odd_kind(entry.mode), mentioned,
        entry.path in listed,
    )  # fmt: skip


def _file(entry: os.DirEntry[str], path: str, directory: str, body: str, listed: frozenset[str]) -> SkillFile:
    link, leaves = None, False
    if entry.is_symlink():
        link = os.readlink(entry.path)
        leaves = not is_below(os.path.realpath(entry.path), directory)
    try:
        info = entry.stat()
    except OSError:
        return SkillFile(path, 0, stat.S_IFLNK, link, leaves, "leads nowhere", _mentions(body, path), False)
    return SkillFile(
        path, info.st_size, info.st_mode, link, leaves, odd_kind(info.st_mode), _mentions(body, path), path in listed
    )


def _mentions(body: str, path: str) -> bool:
    """Tell whether the body names a file, as a whole word and not as part of a longer path."""
    if path not in body:
        return False
    return re.search(rf"(?<![\w/.-]){re.escape(path)}(?![\w/-])", body) is not None

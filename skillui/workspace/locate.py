"""From a path to the project around it; folders are looked at, nothing is executed or read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from skillui.core.files import SKILL_MD, reason_of
from skillui.core.text import escaped

PROJECT_SOURCES = (
    ".skills",
    ".claude/skills",
    ".agents/skills",
    ".codex/skills",
    ".cursor/skills",
    ".opencode/skills",
    ".pi/skills",
    ".github/skills",
)
"""The skill folders of a project, in order of precedence."""

MAX_LINKS = 40
"""Links followed on the way to one folder, as many as Linux follows."""
MAX_LOOK = 2000
"""Entries of a folder looked at to tell whether it holds skills."""


def resolved_path(path: str) -> str:
    """Follow every link of `path`; one that cannot be followed stays as it is."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path


def links_on_the_way(path: str) -> Iterator[str]:
    """Yield the resolved folder of each link that is followed on the way to the absolute `path`."""
    at, pending, followed = "", list(reversed(Path(path).parts)), 0
    while pending and followed < MAX_LINKS:
        part = pending.pop()  # the first one of an absolute path, the root, takes the place of what was before
        step = os.path.dirname(at) if part == os.pardir else os.path.join(at, part)
        if not os.path.islink(step):
            at = step
            continue
        yield at
        followed += 1
        try:
            pending += reversed(Path(os.readlink(step)).parts)
        except OSError:
            return


def starting_folder(path: str) -> tuple[str, str | None]:
    """Return the folder to start from, resolved, and what is wrong with `path`."""
    try:
        absolute = os.path.abspath(path)
    except OSError:  # the working folder was removed
        return os.sep, "the working folder does not exist any more"
    try:
        if not stat.S_ISDIR(os.stat(absolute).st_mode):
            absolute = os.path.dirname(absolute)
    except ValueError:
        return os.sep, f"{escaped(path)} is not a possible path"
    except OSError as error:
        return absolute, f"{escaped(absolute)} cannot be opened: {reason_of(error)}"
    if not os.access(absolute, os.R_OK | os.X_OK):
        return absolute, f"{escaped(absolute)} cannot be opened: permission denied"
    return resolved_path(absolute), None


def surroundings(start: str) -> tuple[str, bool, str | None]:
    """Return a folder's project, whether it is a repository, and the root that the folder itself names."""
    named: str | None = None
    if os.path.lexists(os.path.join(start, SKILL_MD)):
        named = os.path.dirname(start)
    elif holds_skills(start):
        named = start
    repository = repository_of(start)
    if repository is not None:
        return repository, True, named
    for source in PROJECT_SOURCES:  # inside a project's own skill folder, the project is around it
        around = (named or start).removesuffix(os.sep + os.path.normpath(source))
        if around not in ("", named or start):
            return around, False, named
    return named or start, False, named


def repository_of(start: str) -> str | None:
    """Walk up to the folder that holds `.git`, without leaving the file system, as git itself does."""
    try:
        device = os.stat(start).st_dev
        folder = start
        while os.stat(folder).st_dev == device:
            if _is_git(os.path.join(folder, ".git")):
                return folder
            if (above := os.path.dirname(folder)) == folder:
                return None
            folder = above
    except OSError:
        pass
    return None


def _is_git(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return stat.S_ISDIR(mode) or stat.S_ISREG(mode)  # a worktree and a submodule have a file


def holds_skills(folder: str) -> bool:
    """Tell whether any of the first folders in `folder` is a skill's."""
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(MAX_LOOK), entries, strict=False):
                hidden = entry.name.startswith(".")
                if not hidden and os.path.isdir(entry.path) and os.path.lexists(os.path.join(entry.path, SKILL_MD)):
                    return True
    except OSError:
        pass
    return False

"""Listing of `scripts/`, `references/` and `assets/` (specification §8): names only, never contents."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from skillui.core.files import ReadFault, is_below, link_end

RESOURCE_FOLDERS = ("scripts", "references", "assets")
MAX_LISTED = 10
"""Names listed of one folder."""
MAX_ENTRIES = 50_000
"""Entries looked at below one folder; what lies past them is not counted."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What a skill brings, as `folder/relative/path`, shallow first, then by name.

    `names` holds at most `MAX_LISTED` of each folder, `omitted` how many more each folder has.
    """

    names: tuple[str, ...] = ()
    omitted: dict[str, int] = field(default_factory=dict)


def list_resources(directory: str) -> Resources:
    """List the regular files of the resource folders of a resolved skill directory.

    Hidden files, `__pycache__` and links that leave the skill are left out. Raises OSError where
    the skill directory itself cannot be read.
    """
    present = set(os.listdir(directory))
    names: list[str] = []
    omitted: dict[str, int] = {}
    for folder in RESOURCE_FOLDERS:
        if folder not in present:
            continue
        found = sorted(_files(directory, folder), key=lambda name: (name.count("/"), name))
        names += found[:MAX_LISTED]
        if len(found) > MAX_LISTED:
            omitted[folder] = len(found) - MAX_LISTED
    return Resources(tuple(names), omitted)


def _files(directory: str, folder: str) -> Iterator[str]:
    try:
        top = link_end(os.path.join(directory, folder))
    except ReadFault:
        return
    if not is_below(top, directory) or top == directory or not os.path.isdir(top):
        return
    pending = [(top, folder)]
    seen = 0
    while pending:
        path, prefix = pending.pop()
        try:
            entries = list(os.scandir(path))
        except OSError:
            continue
        for entry in entries:
            seen += 1
            if seen > MAX_ENTRIES:
                return
            if entry.name.startswith(".") or entry.name == "__pycache__":
                continue
            name = f"{prefix}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                pending.append((entry.path, name))
            elif _is_listed_file(entry, directory):
                yield name


def _is_listed_file(entry: os.DirEntry[str], directory: str) -> bool:
    if entry.is_file(follow_symlinks=False):
        return True
    if not entry.is_symlink():
        return False
    try:
        target = link_end(entry.path)
        return is_below(target, directory) and stat.S_ISREG(os.stat(target).st_mode)
    except (OSError, ReadFault):
        return False

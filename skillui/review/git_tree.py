"""The tree of a git revision, each folder read when it is first looked into."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import partial
from typing import Final

from skillui.core.memory_tree import MAX_TARGET, Kind, Listing, Node, TreeFault
from skillui.core.text import clipped
from skillui.review.git_objects import MAX_TREE, GitObjects

MAX_DEPTH: Final = 200
"""Folders within folders that are looked into."""
MAX_SEEN: Final = 500_000
"""Entries of one revision that are taken in."""


class GitTree:
    """Makes the nodes of one revision, within bounds however its objects refer to each other."""

    def __init__(self, objects: GitObjects) -> None:
        self._objects = objects
        self._left = MAX_SEEN

    def folder(self, oid: str, depth: int = 0) -> Node:
        """Return the folder of a tree object; nothing is read yet."""
        if depth > MAX_DEPTH:
            return Node(Kind.ODD, 0, odd="lies in too many folders")
        return Node(Kind.FOLDER, stat.S_IFDIR | 0o755, inside=partial(self._inside, oid, depth))

    def _inside(self, oid: str, depth: int) -> Listing:
        nodes: dict[str, Node] = {}
        faults: list[str] = []
        files: list[tuple[str, str, int]] = []
        for mode, name, child in entries_of(self._objects.read(oid, "tree", MAX_TREE), len(oid) // 2):
            self._left -= 1
            if self._left < 0:
                raise TreeFault(f"the revision holds more than {MAX_SEEN:,} entries")
            shown = os.fsdecode(name)
            if (odd := _impossible(name)) is not None or shown in nodes:
                faults.append(f"an entry '{clipped(shown)}' {odd or 'twice'}")
                continue
            if stat.S_ISDIR(mode):
                nodes[shown] = self.folder(child, depth + 1)
            elif stat.S_ISREG(mode) or stat.S_ISLNK(mode):
                files.append((shown, child, mode))
                nodes[shown] = Node(Kind.ODD, 0)  # keeps the order; its size is asked with all others
            elif mode == 0o160000:
                nodes[shown] = Node(Kind.SUBMODULE, stat.S_IFDIR | 0o755)
            else:
                nodes[shown] = Node(Kind.ODD, 0, odd="has a mode that git does not know")
        sizes = self._objects.sizes([child for _, child, _ in files])
        for (shown, child, mode), size in zip(files, sizes, strict=True):
            nodes[shown] = self._file(child, mode, size)
        return Listing(nodes, tuple(faults))

    def _file(self, oid: str, mode: int, size: int | None) -> Node:
        if size is None:
            return Node(Kind.ODD, 0, odd="is missing from the repository")
        if stat.S_ISREG(mode):
            bits = 0o755 if mode & 0o100 else 0o644
            return Node(Kind.FILE, stat.S_IFREG | bits, size, partial(self._objects.stream, oid, size))
        if size > MAX_TARGET:
            return Node(Kind.ODD, 0, odd="is a link that says too much")
        try:
            target = self._objects.read(oid, "blob", MAX_TARGET)
        except TreeFault as fault:
            return Node(Kind.ODD, 0, odd=str(fault.strerror))
        if b"\0" in target or not target:
            return Node(Kind.ODD, 0, odd="is a link that no file system would take")
        return Node(Kind.LINK, stat.S_IFLNK | 0o777, size, target=os.fsdecode(target))


def entries_of(data: bytes, oid_size: int) -> Iterator[tuple[int, bytes, str]]:
    """Yield mode, name and object id of each entry of a tree object. Raises `TreeFault`."""
    at = 0
    while at < len(data):
        space = data.find(b" ", at, at + 8)
        end = data.find(b"\0", space) if space > 0 else -1
        digits = data[at:space]
        if end < 0 or end + 1 + oid_size > len(data) or not digits or set(digits) - set(b"01234567"):
            raise TreeFault("is a tree that git did not make")
        yield int(digits, 8), data[space + 1 : end], data[end + 1 : end + 1 + oid_size].hex()
        at = end + 1 + oid_size


def _impossible(name: bytes) -> str | None:
    """Say why no checkout would make an entry of this name."""
    if name in (b"", b".", b"..") or b"/" in name:
        return "that leads elsewhere"
    if name.lower() == b".git":
        return "that would be a repository's own folder"
    return "with too long a name" if len(name) > 255 else None

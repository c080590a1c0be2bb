"""Where the files of a skill are read for the rules: a folder on disk, or a tree in memory."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import Protocol

from skillui.checks.tree import MAX_ENTRIES, PASSED_OVER, Tree, TreeEntry, list_tree, sorted_entries
from skillui.core.catalog import SkillFiles
from skillui.core.files import ReadFault, is_below, read_regular, resolved
from skillui.core.memory_files import MemoryFiles
from skillui.core.memory_tree import Kind, Node, TreeFault, below, join

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class Source(Protocol):
    """The files of one skill. Paths are relative to its folder, with `/`; nothing raises."""

    def tree(self) -> Tree:
        """List everything, within bounds."""

    def read(self, path: str, limit: int) -> bytes | None:
        """Return a regular file of at most `limit` bytes, None where it is none or leaves the skill."""

    def head(self, path: str, size: int) -> bytes:
        """Return the first bytes of a regular file."""

    def has_neighbour(self, name: str) -> bool:
        """Tell whether something of this name lies beside the skill's folder."""


def source_of(files: SkillFiles | None) -> Source | None:
    """Return the source of files that lie in no folder, None for those on disk."""
    return MemorySource(files) if isinstance(files, MemoryFiles) else None


@dataclass(frozen=True, slots=True)
class DiskSource:
    """A resolved folder on disk."""

    directory: str

    def tree(self) -> Tree:
        """List everything, within bounds."""
        return list_tree(self.directory)

    def read(self, path: str, limit: int) -> bytes | None:
        """Return a regular file of at most `limit` bytes, None where it is none or leaves the skill."""
        full = os.path.join(self.directory, path)
        if os.path.islink(full) and not is_below(resolved(full), self.directory):
            return None
        try:
            return read_regular(full, limit)[0]
        except ReadFault:
            return None

    def head(self, path: str, size: int) -> bytes:
        """Return the first bytes of a regular file."""
        try:
            handle = os.open(os.path.join(self.directory, path), _FLAGS)
        except (OSError, ValueError):
            return b""
        try:
            return os.read(handle, size) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
        except OSError:
            return b""
        finally:
            os.close(handle)

    def has_neighbour(self, name: str) -> bool:
        """Tell whether something of this name lies beside the skill's folder."""
        return os.path.lexists(os.path.join(os.path.dirname(self.directory), name))


@dataclass(frozen=True, slots=True)
class MemorySource:
    """A folder of a tree in memory."""

    files: MemoryFiles

    def tree(self) -> Tree:
        """List everything, within bounds; a folder that cannot be known in full is told as unread."""
        found: list[TreeEntry] = []
        unread: list[str] = []
        pending = [""]
        while pending:
            prefix = pending.pop()
            try:
                node = self.files.tree.entry(join(self.files.folder, prefix.rstrip("/")))
                listing = node.listing() if node is not None and node.kind is Kind.FOLDER else None
            except TreeFault:
                listing = None
            if listing is None or listing.faults:
                unread.append(prefix)
            for name, child in listing.nodes.items() if listing else ():
                if len(found) >= MAX_ENTRIES:
                    return Tree(sorted_entries(found), True, tuple(unread))
                found.append(self._entry(prefix + name, child))
                if child.kind is Kind.FOLDER and name not in PASSED_OVER:
                    pending.append(f"{prefix}{name}/")
                elif child.kind is Kind.SUBMODULE:
                    unread.append(f"{prefix}{name}/")
        return Tree(sorted_entries(found), False, tuple(unread))

    def read(self, path: str, limit: int) -> bytes | None:
        """Return a regular file of at most `limit` bytes, None where it is none or leaves the skill."""
        try:
            node = self._file(path)
            return node.read(limit) if node is not None else None
        except (ReadFault, TreeFault):
            return None

    def head(self, path: str, size: int) -> bytes:
        """Return the first bytes of a regular file."""
        try:
            node = self._file(path)
            return node.head(size) if node is not None else b""
        except TreeFault:
            return b""

    def has_neighbour(self, name: str) -> bool:
        """Tell whether something of this name lies beside the skill's folder."""
        try:
            return bool(self.files.folder) and self.files.tree.entry(self._beside(name)) is not None
        except TreeFault:
            return True  # nobody can tell: no fix is offered that would need the name

    def _beside(self, name: str) -> str:
        return join(self.files.folder.rpartition("/")[0], name)

    def _file(self, path: str) -> Node | None:
        target = self.files.tree.resolve(join(self.files.folder, path))
        inside = target.node is not None and below(target.path, self.files.folder)
        return target.node if inside and target.node is not None and target.node.kind is Kind.FILE else None

    def _entry(self, path: str, node: Node) -> TreeEntry:
        if node.kind is not Kind.LINK:
            return TreeEntry(path, node.size, node.mode)
        try:
            target = self.files.tree.resolve(join(self.files.folder, path))
        except TreeFault:
            return TreeEntry(path, node.size, node.mode, node.target, False, True)
        leaves = not below(target.path, self.files.folder)
        if target.node is None:
            return TreeEntry(path, node.size, node.mode, node.target, leaves, True)
        return TreeEntry(path, target.node.size, target.node.mode, node.target, leaves)

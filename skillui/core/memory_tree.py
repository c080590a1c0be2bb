"""A tree of files that lies in no folder: what a git revision or an archive holds, links resolved inside it."""

from __future__ import annotations

import errno
import posixpath
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from skillui.core.files import ReadFault

MAX_TARGET = 4096
"""Bytes the text of a link may have, as on Linux."""
MAX_LINKS = 40
"""Links that are followed on the way to one entry, as many as Linux follows."""
MAX_STEPS = 1000
"""Parts of a path and of the links on its way, so that no link keeps the program busy."""


class TreeFault(OSError):
    """A part of the tree cannot be known; the argument is a predicate ("is missing from the repository")."""

    def __init__(self, reason: str) -> None:
        super().__init__(errno.EIO, reason)


class Kind(Enum):
    """What an entry is."""

    FILE = "file"
    LINK = "link"
    FOLDER = "folder"
    SUBMODULE = "submodule"
    ODD = "odd"
    """What no reader may open: `Node.odd` says why."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What one folder holds; `faults` are entries that no file system would take, in words."""

    nodes: dict[str, Node]
    faults: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class Node:
    """One entry. `mode` is what `lstat` would say, `size` counts bytes.

    `chunks` opens a file's content and may raise `TreeFault`; `inside` lists a folder on first use.
    """

    kind: Kind
    mode: int
    size: int = 0
    chunks: Callable[[], Iterator[bytes]] | None = None
    target: str = ""
    """What a link says."""
    odd: str = ""
    """What an odd entry is, as a predicate ("is encrypted")."""
    inside: Callable[[], Listing] | None = None
    _listing: Listing | None = field(default=None, repr=False)

    def listing(self) -> Listing:
        """Return what a folder holds, nothing for all else. Raises `TreeFault`."""
        if self._listing is None:
            self._listing = self.inside() if self.kind is Kind.FOLDER and self.inside is not None else Listing({})
        return self._listing

    def stream(self) -> Iterator[bytes]:
        """Yield a file's content in parts. Raises `TreeFault`."""
        if self.kind is not Kind.FILE or self.chunks is None:
            raise TreeFault(self.odd or "is not a regular file")
        yield from self.chunks()

    def head(self, size: int) -> bytes:
        """Return the first `size` bytes of a file. Raises `TreeFault`."""
        parts, total = [], 0
        for chunk in self.stream():
            parts.append(chunk)
            if (total := total + len(chunk)) >= size:
                break
        return b"".join(parts)[:size]

    def read(self, limit: int) -> bytes:
        """Read a whole file of at most `limit` bytes. Raises `ReadFault`."""
        if self.kind is not Kind.FILE:
            raise ReadFault(_WORDS.get(self.kind) or self.odd)
        if self.size > limit:
            raise ReadFault(f"is {self.size:,} bytes, past the limit of {limit:,}")
        try:
            data = self.head(self.size + 1)
        except TreeFault as fault:
            raise ReadFault(str(fault.strerror)) from None
        if len(data) != self.size:
            raise ReadFault("has another size than it says")
        return data


_WORDS = {Kind.FOLDER: "is a directory", Kind.SUBMODULE: "is a submodule", Kind.LINK: "is a link that leads nowhere"}


def file_node(data: bytes, executable: bool = False) -> Node:
    """Return a file that holds these bytes."""
    mode = stat.S_IFREG | (0o755 if executable else 0o644)
    return Node(Kind.FILE, mode, len(data), lambda: iter((data,)))


def link_node(target: str) -> Node:
    """Return a link."""
    return Node(Kind.LINK, stat.S_IFLNK | 0o777, len(target.encode("utf-8", "surrogateescape")), target=target)


def folder_node(nodes: dict[str, Node]) -> Node:
    """Return a folder of these entries."""
    return Node(Kind.FOLDER, stat.S_IFDIR | 0o755, inside=lambda: Listing(nodes))


@dataclass(frozen=True, slots=True)
class Target:
    """Where a path ends: `path` is free of links, None where it leaves the tree; `node` is None where nothing is."""

    path: str | None
    node: Node | None


@dataclass(frozen=True, slots=True)
class _Resolved:
    """Stands behind the last part of what a link says."""

    link: str


def _unresolved(link: str, pending: list[str | _Resolved]) -> Target:
    """Return where a link that leads in a circle is said to end, as `realpath` says it: by the words of its path."""
    words = [link, *(part for part in reversed(pending) if isinstance(part, str))]
    path = posixpath.normpath("/".join(words))
    if path == ".." or path.startswith("../"):
        return Target(None, None)
    return Target("" if path == "." else path, None)


class MemoryTree:
    """A whole tree below `top`; paths have `/` between their parts and none in front."""

    def __init__(self, top: Node) -> None:
        self.top = top

    def resolve(self, path: str) -> Target:
        """Follow every link on the way of `path`, as `realpath` and `stat` do. Raises `TreeFault`."""
        pending: list[str | _Resolved] = [*path.split("/")[::-1]]
        at: list[str] = []
        nodes: list[Node | None] = [self.top]
        open_links: set[str] = set()
        lost, followed, steps = False, 0, MAX_STEPS
        while pending:
            steps -= 1
            if steps < 0:
                raise TreeFault("is a link through too many folders")
            part, here = pending.pop(), nodes[-1]
            if isinstance(part, _Resolved):
                open_links.discard(part.link)
                continue
            if part in ("", ".", ".."):
                lost = lost or here is None or here.kind is not Kind.FOLDER
                if part == "..":
                    if not at:
                        return Target(None, None)
                    at.pop()
                    nodes.pop()
                continue
            node = here.listing().nodes.get(part) if here is not None else None
            if node is None or node.kind is not Kind.LINK:
                at.append(part)
                nodes.append(node)
                continue
            link = "/".join([*at, part])
            followed += 1
            if link in open_links or followed > MAX_LINKS or not node.target:
                return _unresolved(link, pending)
            if node.target.startswith("/"):
                return Target(None, None)
            open_links.add(link)
            pending += (_Resolved(link), *node.target.split("/")[::-1])
        return Target("/".join(at), None if lost else nodes[-1])

    def entry(self, path: str) -> Node | None:
        """Return what stands at a path without links on its way, a link itself included. Raises `TreeFault`."""
        node: Node | None = self.top
        for part in path.split("/") if path else []:
            node = node.listing().nodes.get(part) if node is not None else None
        return node


def join(folder: str, name: str) -> str:
    """Join two parts of a path in a tree; either may be empty."""
    return f"{folder}/{name}" if folder and name else folder or name


def below(path: str | None, folder: str) -> bool:
    """Tell whether a resolved path is `folder` or lies below it."""
    return path is not None and (not folder or path == folder or path.startswith(folder + "/"))

"""Where skills lie in a tree: the roots that it holds, and the folders of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from skillui.core.files import SKILL_MD
from skillui.core.memory_tree import Kind, MemoryTree, Node, TreeFault, join

MAX_LOOK = 2000
"""Entries of a folder looked at to tell whether it holds skills, as for a folder on disk."""
MAX_FOLDERS = 50_000
"""Folders of an archive that are looked at for skills."""


@dataclass(frozen=True, slots=True)
class MemoryRoot:
    """A folder whose folders are skills; with `only`, one skill of it: its path, and the name it goes by."""

    path: str
    only: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """One candidate folder: where its root lists it, and its name."""

    root_index: int
    folder: str
    path: str


def spots_of(tree: MemoryTree, root: MemoryRoot, index: int) -> list[Spot]:
    """Return the folders of a root that may be skills, by name. Raises `TreeFault`."""
    if root.only is not None:
        return [Spot(index, root.only[1], root.only[0])]
    at = tree.resolve(root.path)
    if at.node is None or at.node.kind is not Kind.FOLDER:
        raise TreeFault("no such file or directory")
    found = [
        Spot(index, name, join(root.path, name))
        for name, node in at.node.listing().nodes.items()
        if not name.startswith(".") and node.kind in (Kind.FOLDER, Kind.LINK)
    ]
    return sorted(found, key=lambda spot: spot.folder)


def single(path: str, top_name: str) -> MemoryRoot:
    """Return the root of one skill alone; the top of the tree goes by `top_name`."""
    parent, _, name = path.rpartition("/")
    return MemoryRoot(parent, (path, name or top_name))


def project_roots(tree: MemoryTree, path: str, sources: Sequence[str], top_name: str) -> tuple[MemoryRoot, ...]:
    """Return the roots that a folder of a project is or holds, as in a working tree. Raises `TreeFault`."""
    at = tree.resolve(path)
    if at.node is not None and at.node.kind is Kind.FILE:  # a file of a skill means the skill
        while path and not _is_skill(tree, path):
            path = path.rpartition("/")[0]
        return (single(path, top_name),) if _is_skill(tree, path) else ()
    if _is_skill(tree, path):
        return (single(path, top_name),)
    roots = [MemoryRoot(path)] if at.node is not None and _holds_skills(tree, at.node, path) else []
    for source in sources:
        if _is_folder(tree, place := join(path, source)):
            roots.append(MemoryRoot(place))
    return tuple(roots)


def found_roots(tree: MemoryTree, top_name: str) -> tuple[MemoryRoot, ...]:
    """Return the roots of all skills of a tree, however deep, shallow first; a skill's insides are not looked at."""
    parents: dict[str, None] = {}
    for path in islice(_skills(tree), MAX_LOOK * 10):
        if not path:
            return (single("", top_name),)
        parents.setdefault(path.rpartition("/")[0])
    return tuple(MemoryRoot(path) for path in sorted(parents, key=lambda path: (path.count("/"), bool(path), path)))


def _skills(tree: MemoryTree) -> Iterator[str]:
    pending: list[tuple[str, Node]] = [("", tree.top)]
    looked_at = 0
    while pending and looked_at < MAX_FOLDERS:
        looked_at += 1
        path, node = pending.pop()
        nodes = node.listing().nodes
        if SKILL_MD in nodes:
            yield path
            continue
        pending += ((join(path, name), child) for name, child in nodes.items() if child.kind is Kind.FOLDER)


def _is_folder(tree: MemoryTree, path: str) -> bool:
    node = tree.resolve(path).node
    return node is not None and node.kind is Kind.FOLDER


def _is_skill(tree: MemoryTree, path: str) -> bool:
    node = tree.resolve(path).node
    return node is not None and SKILL_MD in node.listing().nodes


def _holds_skills(tree: MemoryTree, node: Node, path: str) -> bool:
    for name, child in islice(node.listing().nodes.items(), MAX_LOOK):
        if name.startswith(".") or child.kind not in (Kind.FOLDER, Kind.LINK):
            continue
        try:
            if _is_skill(tree, join(path, name)):
                return True
        except TreeFault:
            return True  # nobody can tell: it is shown, with the fault
    return False

"""The files of a skill that lies in no folder: the same digest and listing as the same content on disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from skillui.core.digest import (
    EXCLUDED,
    MAX_BYTES,
    MAX_ENTRIES,
    ContentDigest,
    FileRecord,
    Keep,
    NoDigest,
    digest_of,
)
from skillui.core.files import reason_of
from skillui.core.memory_tree import Kind, MemoryTree, Node, TreeFault, below, join
from skillui.core.resources import MAX_ENTRIES as MAX_LOOKED_AT
from skillui.core.resources import MAX_LISTED, RESOURCE_FOLDERS, Resources
from skillui.core.text import clipped


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """The files of one skill in a tree.

    `folder` is the skill's resolved path in the tree. `known` maps resolved paths to bytes that were
    read already and stand for the file. `fault` says why this content may not be named by a digest.
    """

    tree: MemoryTree
    folder: str
    known: Mapping[str, bytes] = field(default_factory=dict)
    fault: str | None = None

    def resources(self) -> Resources:
        """List the resources (§8). Raises `TreeFault`."""
        present = self._top().listing().nodes
        names: list[str] = []
        omitted: dict[str, int] = {}
        for folder in RESOURCE_FOLDERS:
            if folder not in present:
                continue
            found = sorted(self._listed(folder), key=lambda name: (name.count("/"), name))
            names += found[:MAX_LISTED]
            if len(found) > MAX_LISTED:
                omitted[folder] = len(found) - MAX_LISTED
        return Resources(tuple(names), omitted)

    def digest(self) -> ContentDigest:
        """Digest the content, as `content_digest` does a folder on disk."""
        try:
            return ContentDigest(digest_of(self.records()))
        except NoDigest as fault:
            return ContentDigest(None, str(fault))

    def records(self, keep: Keep | None = None) -> tuple[FileRecord, ...]:
        """Return what the digest is made of, as `file_records` does. Raises `NoDigest`."""
        if self.fault is not None:
            raise NoDigest(self.fault)
        try:
            records = list(_Records(self, keep or Keep(-1, 0)).all())
        except OSError as error:
            raise NoDigest(reason_of(error)) from None
        return tuple(sorted(records, key=lambda record: (record.path, record.kind)))

    def _top(self) -> Node:
        node = self.tree.entry(self.folder)
        if node is None or node.kind is not Kind.FOLDER:
            raise TreeFault("no such file or directory")
        return node

    def _listed(self, folder: str) -> Iterator[str]:
        top = self.tree.resolve(join(self.folder, folder))
        if not below(top.path, self.folder) or top.path == self.folder or top.node is None:
            return
        pending = [(top.node, str(top.path), folder)]
        seen = 0
        while pending:
            node, path, prefix = pending.pop()
            for name, child in node.listing().nodes.items():
                seen += 1
                if seen > MAX_LOOKED_AT:
                    return
                if name.startswith(".") or name == "__pycache__":
                    continue
                if child.kind is Kind.FOLDER:
                    pending.append((child, join(path, name), f"{prefix}/{name}"))
                elif child.kind is Kind.FILE or (child.kind is Kind.LINK and self._is_file(join(path, name))):
                    yield f"{prefix}/{name}"

    def _is_file(self, path: str) -> bool:
        target = self.tree.resolve(path)
        return below(target.path, self.folder) and target.node is not None and target.node.kind is Kind.FILE


class _Records:
    """One walk over a skill, within the bounds of `core.digest`."""

    def __init__(self, files: MemoryFiles, keep: Keep) -> None:
        self.files = files
        self.keep = keep
        self.entries = MAX_ENTRIES
        self.bytes = MAX_BYTES

    def all(self) -> Iterator[FileRecord]:
        """Yield the record of every file and link, in no order. Raises `NoDigest`, `TreeFault`."""
        for node, place, path in list(self._entries()):  # all are counted before the first is read
            if node.kind is Kind.LINK:
                yield from self._link(node, place, path)
            else:
                yield self._file(node, place, path, "f")

    def _entries(self) -> Iterator[tuple[Node, str, bytes]]:
        """Yield everything but folders, with its place in the tree and its path in the skill."""
        pending = [(self.files._top(), self.files.folder, b"")]
        while pending:
            folder, above, prefix = pending.pop()
            listing = folder.listing()
            if listing.faults:
                raise NoDigest(f"{clipped(os.fsdecode(prefix) or 'the folder')} holds {listing.faults[0]}")
            for name, node in listing.nodes.items():
                if name in EXCLUDED:
                    continue
                self.entries -= 1
                if self.entries < 0:
                    raise NoDigest(f"the folder holds more than {MAX_ENTRIES:,} entries")
                place, path = join(above, name), prefix + os.fsencode(name)
                if node.kind is Kind.FOLDER:
                    pending.append((node, place, path + b"/"))
                else:
                    yield node, place, path

    def _link(self, node: Node, place: str, path: bytes) -> Iterator[FileRecord]:
        text = os.fsencode(node.target)
        kept = text if self.keep.wants(len(text)) else None
        yield FileRecord(path, "l", False, len(text), hashlib.sha256(text).hexdigest(), kept)
        target = self.files.tree.resolve(place)
        if below(target.path, self.files.folder):
            return
        shown = clipped(os.fsdecode(path))
        if target.path is None:
            raise NoDigest(f"{shown} is a link out of the folder to what is not known here")
        if target.node is None:
            raise NoDigest(f"{shown} is a link out of the folder that leads nowhere (no such file or directory)")
        if (odd := _odd(target.node)) is not None:
            raise NoDigest(f"{shown} is a link out of the folder to what {odd}")
        yield self._file(target.node, target.path, path, "t")

    def _file(self, node: Node, place: str, path: bytes, kind: str) -> FileRecord:
        shown = clipped(os.fsdecode(path))
        if (odd := _odd(node)) is not None:
            raise NoDigest(f"{shown} {odd}")
        if node.size > self.bytes:
            raise NoDigest(f"the folder holds more than {MAX_BYTES:,} bytes")
        self.bytes -= node.size
        wanted = self.keep.wants(node.size)
        size, total, parts = 0, hashlib.sha256(), []
        known = self.files.known.get(place)
        try:
            for chunk in node.stream() if known is None else (known,):
                size += len(chunk)
                total.update(chunk)
                if wanted and size <= node.size:
                    parts.append(chunk)
        except TreeFault as fault:
            raise NoDigest(f"{shown} cannot be read: {fault.strerror}") from None
        if size != node.size:
            raise NoDigest(f"{shown} has another size than it says")
        text = b"".join(parts) if wanted else None
        return FileRecord(path, kind, bool(node.mode & 0o111), size, total.hexdigest(), text)


def _odd(node: Node) -> str | None:
    """Say what an entry is when it is not a regular file."""
    if node.kind is Kind.FILE:
        return None
    if node.kind is Kind.SUBMODULE:
        return "is a submodule, whose files are in another repository"
    return node.odd or "is a directory"

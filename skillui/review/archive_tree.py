"""From an archive's members to a tree: names are judged before anything is made of them."""

from __future__ import annotations

import re
import stat
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from skillui.core.memory_tree import Kind, Node, TreeFault, folder_node
from skillui.core.problems import Severity
from skillui.core.text import clipped
from skillui.review.archive_member import MAX_MEMBERS, MAX_UNPACKED, Findings, Member

MAX_PART: Final = 255
MAX_PATH: Final = 1024
MAX_DEPTH: Final = 64
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_ANEW: Final = "pack the archive anew"


@dataclass(slots=True)
class _Builder:
    findings: Findings
    top: dict[str, Node] = field(default_factory=dict)
    folders: dict[str, dict[str, Node]] = field(default_factory=dict)
    spelled: dict[str, str] = field(default_factory=dict)
    """How each name was first written, by what a file system that minds neither case nor form makes of it."""
    unpacked: int = 0
    count: int = 0


def tree_of(members: list[Member], findings: Findings) -> Node:
    """Return the top of an archive's tree; members that no folder could hold are told and left out."""
    made = _Builder(findings)
    made.folders[""] = made.top
    for member in members:
        _place(made, member)
    if made.unpacked > MAX_UNPACKED:
        findings.add("", f"the archive unpacks to {made.unpacked:,} bytes, past the limit of {MAX_UNPACKED:,}")
    else:
        _unpack_once(members, findings)
    return folder_node(made.top)


def _place(made: _Builder, member: Member) -> None:
    name = member.name.removesuffix("/") if member.folder else member.name
    shown = clipped(member.name)
    made.unpacked += member.size
    if (fault := _impossible(name)) is not None:
        made.findings.add(member.name, f"{shown} {fault}", _ANEW)
        return
    folder, _, last = name.rpartition("/")
    nodes = _folder(made, folder)
    if nodes is None or not _spelled_once(made, name):
        return
    if member.folder:
        if member.size or _kind(member) not in (0, stat.S_IFDIR):
            made.findings.add(member.name, f"{shown} is a folder and something else", _ANEW)
        _folder(made, name)
        return
    if last in nodes:
        made.findings.add(member.name, f"{shown} is in the archive twice", _ANEW)
        return
    if "/.git/" in f"/{name}/".lower():
        hint = "leave it out: git would heed what it says"
        made.findings.add(".git", "the archive brings a .git folder", hint, Severity.WARNING)
    nodes[last] = _node(made, member)


def _folder(made: _Builder, path: str) -> dict[str, Node] | None:
    """Return the entries of a folder, made with all above it; None where a file stands in the way."""
    if path in made.folders:
        return made.folders[path]
    above, _, name = path.rpartition("/")
    nodes = _folder(made, above)
    if nodes is None or not _spelled_once(made, path):
        return None
    if name in nodes:
        made.findings.add(path, f"{clipped(path)} is a file and a folder", _ANEW)
        return None
    made.count += 1
    if made.count > MAX_MEMBERS:
        made.findings.add("", f"the archive holds more than {MAX_MEMBERS:,} folders")
        return None
    inside: dict[str, Node] = {}
    nodes[name] = folder_node(inside)
    made.folders[path] = inside
    return inside


def _spelled_once(made: _Builder, path: str) -> bool:
    key = unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
    first = made.spelled.setdefault(key, path)
    if first == path:
        return True
    made.findings.add(path, f"{clipped(path)} and {clipped(first)} are one name to many file systems", _ANEW)
    return False


def _impossible(name: str) -> str | None:
    """Say why no folder should take an entry of this name."""
    parts = name.split("/")
    if "\0" in name:
        return "has a NUL in its name"
    if "\\" in name:
        return "has a backslash in its name, which some programs take for a folder"
    if name.startswith("/") or _DRIVE.match(name):
        return "is an absolute path"
    if ".." in parts:
        return "leads out of the folder it is unpacked to"
    if "" in parts or "." in parts:
        return "has an empty part in its path"
    if (
        len(name) > MAX_PATH
        or len(parts) > MAX_DEPTH
        or any(len(part.encode("utf-8", "replace")) > MAX_PART for part in parts)
    ):
        return "has too long a path"
    return None


def _kind(member: Member) -> int:
    return stat.S_IFMT(member.mode)


def _node(made: _Builder, member: Member) -> Node:
    shown = clipped(member.name)
    if member.odd is not None:
        made.findings.add(member.name, f"{shown} {member.odd}", _ANEW)
        return Node(Kind.ODD, 0, member.size, odd=member.odd)
    kind = _kind(member)
    if kind == stat.S_IFLNK:
        try:
            target = Node(Kind.FILE, 0, member.size, member.chunks).head(4097).decode("utf-8", "surrogateescape")
        except TreeFault:
            target = ""
        made.findings.add(member.name, f"{shown} is a link, to '{clipped(target)}'", "put the file itself in its place")
        odd = "is a link in an archive, of which programs make different things"
        return Node(Kind.ODD, stat.S_IFLNK | 0o777, member.size, odd=odd)
    if kind not in (0, stat.S_IFREG):
        made.findings.add(member.name, f"{shown} is neither a file nor a folder", _ANEW)
        mode = 0 if kind == stat.S_IFDIR else member.mode
        return Node(Kind.ODD, mode, member.size, odd="is not a regular file")
    bits = stat.S_IMODE(member.mode) or 0o644
    return Node(Kind.FILE, stat.S_IFREG | bits, member.size, member.chunks)


def _unpack_once(members: list[Member], findings: Findings) -> None:
    """Unpack everything to nowhere, so that what cannot be unpacked is known before anyone decides."""
    for member in members:
        if member.odd is not None:
            continue
        try:
            for _ in member.chunks():
                pass
        except TreeFault as fault:
            findings.add(member.name, f"{clipped(member.name)} {fault.strerror}", _ANEW)

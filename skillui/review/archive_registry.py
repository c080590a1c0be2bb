"""`ArchiveRegistry`: the skills of a `.skill`, `.zip` or `.tar.gz` file, without unpacking it to disk."""

from __future__ import annotations

import os
from typing import Final

from skillui.core.files import ReadFault, read_regular, reason_of
from skillui.core.memory_tree import MemoryTree
from skillui.core.problems import Severity
from skillui.core.text import clipped
from skillui.review.archive_member import MAX_ARCHIVE, ArchiveFault, Findings, Member
from skillui.review.archive_tree import tree_of
from skillui.review.memory_registry import MemoryRegistry, Opened, SourceFault
from skillui.review.memory_roots import found_roots
from skillui.review.tar_reader import read_tar
from skillui.review.zip_reader import read_zip

MAX_WARNINGS: Final = 10
SUFFIXES: Final = (".skill", ".zip", ".tar.gz", ".tgz", ".tar")
"""The endings of what can be read."""


class ArchiveRegistry(MemoryRegistry):
    """The skills of one archive, at its top or in its folders.

    What an honest archive never has (paths that lead out, links, names twice, hidden bytes, bombs, false sizes
    and checksums, encryption) is a problem, and then no content of the archive has a digest. Each scan reads
    the file anew; entries are read from what the last scan read.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__()
        self.path = os.path.abspath(os.fspath(path))

    def _open(self) -> Opened:
        findings = Findings()
        try:
            data, info = read_regular(self.path, MAX_ARCHIVE)
            members = _members(data, findings)
        except ReadFault as fault:
            raise SourceFault(f"{self.path} {fault.reason}") from None
        except ArchiveFault as fault:
            raise SourceFault(f"{self.path} {fault}") from None
        tree = MemoryTree(tree_of(members, findings))
        try:
            roots = found_roots(tree, _stem(self.path))
        except OSError as error:  # pragma: no cover - the folders of an archive are all in memory
            raise SourceFault(f"{self.path} {reason_of(error)}") from None
        problems = tuple(sorted(findings.problems, key=lambda problem: problem.severity.rank))
        grave = [problem for problem in problems if problem.severity is Severity.ERROR]
        distrust = f"the archive cannot be relied on: {grave[0].message}" if grave else None
        warnings = [f"{self.path}: {problem.message}" for problem in grave[:MAX_WARNINGS]]
        if not roots:
            warnings.append(f"{self.path} holds no skills")
        shown = tuple(clipped(warning, 500) for warning in warnings)
        return Opened(tree, f"archive:{self.path}", roots, info.st_mtime, problems, distrust, shown)


def _members(data: bytes, findings: Findings) -> list[Member]:
    packed_tar = data.startswith(b"\x1f\x8b")
    if packed_tar or (not data.startswith(b"PK") and data[257:262] == b"ustar"):
        return read_tar(data, findings)
    return read_zip(data, findings)


def _stem(path: str) -> str:
    name = os.path.basename(path)
    return next((name[: -len(suffix)] for suffix in SUFFIXES if name.lower().endswith(suffix)), name) or name

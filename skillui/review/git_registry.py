"""`GitRegistry`: the skills of any revision of a git repository, without a checkout."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from skillui.core.files import reason_of
from skillui.core.memory_tree import MemoryTree
from skillui.core.text import clipped
from skillui.review.git_objects import GitObjects
from skillui.review.git_process import GitFault
from skillui.review.git_tree import GitTree
from skillui.review.memory_registry import MemoryRegistry, Opened, SourceFault
from skillui.review.memory_roots import project_roots

_BRACES: Final = re.compile(r"\{[^{}]*\}")
_TIME: Final = re.compile(rb"^committer [^\n]*> (\d{1,12}) [+-]\d{4}$", re.MULTILINE)
MAX_COMMIT: Final = 1024 * 1024


class RevisionFault(ValueError):
    """`REV[:PATH]` cannot be read; one line that says what to write."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision's name as git knows it, and a path from the top of its tree."""

    name: str
    path: str | None = None


def parse_revision(text: str) -> Revision:
    """Read `REV[:PATH]`; a colon in braces (`HEAD^{/fix: it}`) belongs to the name. Raises `RevisionFault`."""
    colon = _BRACES.sub(lambda match: "x" * len(match[0]), text).find(":")
    name, path = (text, None) if colon < 0 else (text[:colon], text[colon + 1 :])
    if not name.strip():
        raise RevisionFault("name a revision before the colon, such as HEAD:skills")
    if any(ord(char) < 32 or ord(char) == 127 for char in text):
        raise RevisionFault("a revision has no control characters in it")
    return Revision(name, None if path is None else _from_top(path))


def _from_top(path: str) -> str | None:
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts:
        raise RevisionFault(
            "the path counts from the top of the repository: write HEAD:folder, without .. or / in front"
        )
    return "/".join(parts) or None


class GitRegistry(MemoryRegistry):
    """The skills of one revision: those of its project roots, or of `path` (a skill, a root, a project).

    `repo` is any folder of the repository, `sources` are the skill folders of a project, in order of
    precedence. Each scan asks anew what the revision's name means. Submodules are not entered, no
    hook, filter or monitor is run, and nothing is fetched.
    """

    def __init__(
        self, repo: str | os.PathLike[str], revision: str, path: str | None = None, sources: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self.repo = os.path.abspath(os.fspath(repo))
        self.revision = revision
        self.path = path
        self.sources = tuple(sources)
        self.commit: str | None = None
        """The object that the revision meant in the last scan, in full."""
        self._objects: GitObjects | None = None

    def close(self) -> None:
        """End git; it is started again when something is read."""
        if self._objects is not None:
            self._objects.close()

    def _asked(self) -> GitObjects:
        if self._objects is None or self._objects.silent:
            self.close()
            self._objects = GitObjects(self.repo)
        return self._objects

    def _open(self) -> Opened:
        try:
            objects = self._asked()
            named = objects.find(self.revision)
            commit = objects.find(f"{named.oid}^{{commit}}") if named else None
            tree = objects.find(f"{named.oid}^{{tree}}") if named else None
        except GitFault as fault:
            raise SourceFault(f"{self.repo}: {fault}") from None
        if tree is None or tree.kind != "tree":
            raise SourceFault(f"there is no revision '{clipped(self.revision)}' in {self.repo}")
        self.commit = (commit or tree).oid
        found = MemoryTree(GitTree(objects).folder(tree.oid))
        base = f"git:{objects.top}@{self.commit[:12]}"
        try:
            path = _from_top(self.path or "") or ""
            if found.resolve(path).node is None:
                raise SourceFault(f"there is no '{clipped(path)}' in the revision '{clipped(self.revision)}'")
            roots = project_roots(found, path, self.sources, os.path.basename(objects.top))
        except RevisionFault as fault:
            raise SourceFault(str(fault)) from None
        except OSError as error:
            raise SourceFault(f"{base}: {reason_of(error)}") from None
        nothing = f"the revision '{clipped(self.revision)}' holds no skills" + (f" in {clipped(path)}" if path else "")
        when = _when(objects, commit.oid) if commit else 0.0
        return Opened(found, base, roots, when, warnings=() if roots else (nothing,))


def _when(objects: GitObjects, oid: str) -> float:
    try:
        match = _TIME.search(objects.read(oid, "commit", MAX_COMMIT))
    except OSError:
        return 0.0
    return float(match[1]) if match else 0.0

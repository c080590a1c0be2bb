"""Skills that lie in no folder, opened in place of a project: those of a git revision, or of an archive."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from skillui.workspace.locate import PROJECT_SOURCES
from skillui.workspace.project import Root

if TYPE_CHECKING:
    from skillui.core.scanned import ScannedRegistry
    from skillui.review.memory_registry import MemoryRegistry


class SourceRefused(Exception):
    """Nothing can be opened there; one line for a person."""


@dataclass(frozen=True, slots=True)
class SkillSource:
    """Where skills come from that are no files on disk. They are read only, and never trusted."""

    title: str
    """What a person calls it: `pack.zip`, `HEAD in shop`."""
    kind: Literal["archive", "revision"]
    beside: str
    """A folder on disk that has to do with it: the archive's, the repository."""
    prefix: str
    """What stands before the path of a root: `pack.zip/`, `HEAD:`."""
    open: Callable[[], MemoryRegistry]
    """Makes the registry, which has scanned nothing yet."""

    @property
    def words(self) -> str:
        """What it is, as part of a sentence."""
        return "an archive" if self.kind == "archive" else "a git revision"

    @property
    def refusal(self) -> str:
        """Why a command that writes cannot do its work."""
        return f"these skills lie in {self.words}: there is no file to change"

    def roots_of(self, registry: ScannedRegistry) -> tuple[Root, ...]:
        """Return the roots that the last scan of a registry of this source found."""
        from skillui.review.memory_registry import MemoryRegistry

        if not isinstance(registry, MemoryRegistry):
            return ()
        return tuple(self._root(name, registry.base) for name in registry.roots)

    def top_of(self, registry: ScannedRegistry) -> str:
        """Return the name of the top in the last scan of a registry of this source; a revision's holds the commit."""
        from skillui.review.memory_registry import MemoryRegistry

        return registry.base if isinstance(registry, MemoryRegistry) else ""

    def fault_of(self, registry: ScannedRegistry) -> str | None:
        """Return why the last scan of a registry of this source could read nothing at all, None where it could."""
        from skillui.review.memory_registry import MemoryRegistry

        return registry.fault if isinstance(registry, MemoryRegistry) else None

    def _root(self, name: str, base: str) -> Root:
        path = name.removeprefix(base).lstrip("/")
        return Root(name, self.kind, False, True, f"{self.prefix}{path}".rstrip("/"))


def archive_source(path: str) -> SkillSource:
    """Return the skills of an archive."""
    from skillui.review.archive_registry import ArchiveRegistry  # zip and tar, which most runs need not

    full = os.path.abspath(path)
    name = os.path.basename(full)
    return SkillSource(name, "archive", os.path.dirname(full), f"{name}/", lambda: ArchiveRegistry(full))


def revision_source(revision: str, repository: str | None = None) -> SkillSource:
    """Return the skills of `REV[:PATH]` in a repository, by default the one around here. Raises `SourceRefused`."""
    from skillui.review.git_registry import GitRegistry, RevisionFault, parse_revision

    try:
        wanted = parse_revision(revision)
    except RevisionFault as fault:
        raise SourceRefused(str(fault)) from None
    folder = os.path.abspath(repository or ".")
    title = f"{revision} in {os.path.basename(folder) or folder}"
    return SkillSource(
        title, "revision", folder, f"{wanted.name}:",
        lambda: GitRegistry(folder, wanted.name, wanted.path, PROJECT_SOURCES),
    )  # fmt: skip

"""What a review is about: the project's folders, a git revision, or an archive."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skillui.cli.faults import Fault
from skillui.core.registry import FilesystemSkillRegistry
from skillui.review.queue import QueueItem, read_queue

if TYPE_CHECKING:
    from skillui.core.catalog import CatalogRegistry
    from skillui.review.git_registry import GitRegistry
    from skillui.review.memory_registry import MemoryRegistry
    from skillui.review.store import DecisionStore
    from skillui.workspace.launch import Launch


@dataclass(frozen=True, slots=True)
class Source:
    """A registry that was scanned, and its roots as written."""

    registry: CatalogRegistry
    roots: tuple[str, ...]
    warnings: tuple[str, ...]
    """One line each: what could not be read, and what is wrong with an archive as a whole."""

    def queue(self, store: DecisionStore, launch: Launch) -> Iterator[QueueItem]:
        """Read the skills one at a time."""
        return read_queue(store, self.registry, launch.config, self.roots)


@contextlib.contextmanager
def opened_source(
    launch: Launch, archive: str | None = None, revision: str | None = None, repository: str | None = None
) -> Iterator[Source]:
    """Hold what is reviewed: an archive, a revision `REV[:PATH]` of a repository, or the project. Raises `Fault`."""
    if archive is not None or revision is not None:
        with opened_registry(archive, revision, repository) as registry:
            yield _scanned(registry)
    else:
        folders = FilesystemSkillRegistry(launch.config.roots)
        warnings = folders.scan().warnings
        yield Source(folders, tuple(root.source for root in launch.project.roots), warnings)


@contextlib.contextmanager
def opened_registry(archive: str | None, revision: str | None, repository: str | None) -> Iterator[MemoryRegistry]:
    """Hold the skills of an archive, or else of a revision, without a scan yet. Raises `Fault`."""
    if archive is not None:
        from skillui.review.archive_registry import ArchiveRegistry

        yield ArchiveRegistry(archive)
    else:
        with contextlib.closing(_git(revision or "", repository)) as registry:
            yield registry


def _git(revision: str, repository: str | None) -> GitRegistry:
    from skillui.review.git_registry import GitRegistry, RevisionFault, parse_revision
    from skillui.workspace.locate import PROJECT_SOURCES

    try:
        wanted = parse_revision(revision)
    except RevisionFault as fault:
        raise Fault(str(fault)) from None
    return GitRegistry(repository or ".", wanted.name, wanted.path, PROJECT_SOURCES)


def _scanned(registry: MemoryRegistry) -> Source:
    catalog = registry.scan()
    if registry.fault is not None:
        raise Fault(registry.fault)
    return Source(registry, registry.roots, catalog.warnings)

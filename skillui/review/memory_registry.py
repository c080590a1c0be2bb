"""Skills that lie in no folder: what registries over git revisions and archives have in common (specification §10)."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace

from skillui.core.catalog import AnyEntry, BrokenSkill, Catalog, LoadedSkill, Observer, assemble
from skillui.core.files import MAX_SKILL_MD, SKILL_MD, ReadFault, reason_of
from skillui.core.loading import SkillPlace, parse_place, unreadable
from skillui.core.memory_files import MemoryFiles
from skillui.core.memory_tree import Kind, MemoryTree, join
from skillui.core.problems import Problem
from skillui.core.scanned import ScannedRegistry
from skillui.core.text import escaped
from skillui.review.content import UNREADABLE, ReviewedContent, skill_content
from skillui.review.memory_roots import MemoryRoot, Spot, spots_of

_BATCH = 256


class SourceFault(Exception):
    """Nothing can be read from where the skills should be; one line for a person."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A source as it stands now.

    `base` names the tree's top: no path on disk, so that nobody reads a working tree in its place.
    `fault` says why no content of it may be approved. `modified` is in seconds since the epoch.
    """

    tree: MemoryTree
    base: str
    roots: tuple[MemoryRoot, ...]
    modified: float = 0.0
    problems: tuple[Problem, ...] = ()
    fault: str | None = None
    warnings: tuple[str, ...] = ()

    def named(self, path: str) -> str:
        """Return the name of a path of the tree, as entries carry it."""
        return f"{self.base}/{path}" if path else self.base


class MemoryRegistry(ScannedRegistry):
    """A `CatalogRegistry` over one source that is looked at as a whole by each scan. Nothing is written anywhere."""

    def __init__(self) -> None:
        self._opened: Opened | None = None
        self._catalog: Catalog | None = None
        self._spots: dict[str, Spot] = {}
        self._fault: str | None = None
        self._lock = threading.RLock()

    @abstractmethod
    def _open(self) -> Opened:
        """Look at the source. Raises `SourceFault`."""

    @property
    def catalog(self) -> Catalog | None:
        """The catalog of the last scan, None before the first."""
        return self._catalog

    @property
    def fault(self) -> str | None:
        """Why the last scan could read nothing at all, in one line."""
        return self._fault

    @property
    def roots(self) -> tuple[str, ...]:
        """The names of the roots that the last scan found, in the order of `root_index`."""
        return tuple(self._opened.named(root.path) for root in self._opened.roots) if self._opened else ()

    @property
    def base(self) -> str:
        """The name of the source's top in the last scan, "" where there is none; no path on disk."""
        return self._opened.base if self._opened else ""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the source itself, by the last scan; their paths are relative to its top."""
        return self._opened.problems if self._opened else ()

    def scan(self, observer: Observer | None = None) -> Catalog:
        """Look at the source and read every skill; faults are entries and warnings."""
        with self._lock:
            entries: list[AnyEntry] = []
            warnings = self._look()
            batch: list[AnyEntry] = []
            for done, spot in enumerate(self._spots.values(), 1):
                if (loaded := self._load(spot)) is not None:
                    batch.append(_kept(loaded))
                if done % _BATCH == 0 or done == len(self._spots):
                    entries += batch
                    if observer is not None:
                        observer(done, len(self._spots), batch)
                    batch = []
            return self._publish(entries, warnings)

    def load_all(self) -> Iterator[LoadedSkill | BrokenSkill]:
        """Read every skill once, handing each over as it is parsed; then `catalog` holds them."""
        with self._lock:
            entries: list[AnyEntry] = []
            warnings = self._look()
            for spot in self._spots.values():
                if (loaded := self._load(spot)) is not None:
                    entries.append(_kept(loaded))
                    yield loaded
            self._publish(entries, warnings)

    def load_entry(self, entry: AnyEntry) -> LoadedSkill | BrokenSkill | None:
        """Read one skill of the catalog, shadowed ones too; None where the last scan did not find it."""
        with self._lock:
            spot = self._spots.get(entry.location)
            return self._load(spot) if spot is not None else None

    def content(self, entry: AnyEntry) -> ReviewedContent:
        """Return the content of a skill of the catalog as a review sees it. Blocking; never raises."""
        skill = self.load_entry(entry)
        return skill_content(skill) if skill is not None else ReviewedContent(None, UNREADABLE)

    def _look(self) -> list[str]:
        """Open the source and find its skills; return the warnings."""
        self._opened, self._spots, self._fault = None, {}, None
        try:
            opened = self._open()
        except SourceFault as fault:
            self._fault = escaped(str(fault))
            return [self._fault]
        self._opened = opened
        warnings = list(opened.warnings)
        for index, root in enumerate(opened.roots):
            try:
                for spot in spots_of(opened.tree, root, index):
                    self._spots.setdefault(opened.named(spot.path), spot)
            except OSError as error:
                warnings.append(escaped(f"skill root {opened.named(root.path)}: {reason_of(error)}"))
        return warnings

    def _publish(self, entries: list[AnyEntry], warnings: list[str]) -> Catalog:
        self._catalog = assemble(entries, warnings)
        return self._catalog

    def _load(self, spot: Spot) -> LoadedSkill | BrokenSkill | None:
        """Read the skill of one folder; None where it holds no SKILL.md."""
        opened = self._opened
        assert opened is not None
        place = SkillPlace(spot.root_index, spot.folder, opened.named(spot.path), opened.named(spot.path))
        files = MemoryFiles(opened.tree, spot.path, fault=opened.fault)
        try:
            at = opened.tree.resolve(spot.path)
            if at.path is None:
                files = replace(files, fault="its folder is a link to what is not known here")
                return unreadable(place, place.location, "the folder is a link to what is not known here", files)
            place = replace(place, directory=opened.named(at.path))
            files = replace(files, folder=at.path)
            if at.node is None or SKILL_MD not in at.node.listing().nodes:
                return None
            return _read(opened, place, files)
        except OSError as error:
            return unreadable(place, place.location, f"the folder cannot be read: {reason_of(error)}", files)


def _read(opened: Opened, place: SkillPlace, files: MemoryFiles) -> LoadedSkill | BrokenSkill:
    listed = opened.named(join(files.folder, SKILL_MD))
    target = opened.tree.resolve(join(files.folder, SKILL_MD))
    if target.path is None:
        return unreadable(place, listed, "SKILL.md is a link to what is not known here", files)
    if target.node is None or target.node.kind is Kind.LINK:
        return unreadable(place, listed, "SKILL.md is a link that leads nowhere", files)
    try:
        data = target.node.read(MAX_SKILL_MD)
    except ReadFault as fault:
        return unreadable(place, listed, f"SKILL.md {fault.reason}", files)
    files = replace(files, known={target.path: data})
    return parse_place(place, data, listed, opened.named(target.path), opened.modified, files)


def _kept(loaded: LoadedSkill | BrokenSkill) -> AnyEntry:
    return loaded.entry if isinstance(loaded, LoadedSkill) else replace(loaded, parsed=None, files=None)

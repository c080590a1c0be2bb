"""`FilesystemSkillRegistry`: skills in folders below roots (specification §5.2 and §10)."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from skillui.core.catalog import AnyEntry, BrokenSkill, Catalog, LoadedSkill, Observer, assemble
from skillui.core.digest import ContentDigest, FileRecord, Keep, content_digest, file_records
from skillui.core.files import CHANGED, MAX_SKILL_MD, SKILL_MD, ReadFault, link_end, read_regular, reason_of, resolved
from skillui.core.loading import SkillPlace, parse_place, unreadable
from skillui.core.resources import Resources, list_resources
from skillui.core.scanned import ScannedRegistry
from skillui.core.text import escaped

_OTHER_CASE = "sKILL.MD"
_BATCH = 256


@dataclass(frozen=True, slots=True)
class _Place:
    """One candidate folder: where its root lists it and where it really is."""

    root_index: int
    folder: str
    location: str
    linked: bool

    def skill(self, directory: str) -> SkillPlace:
        """Return the place of the skill, whose folder resolves to `directory`."""
        return SkillPlace(self.root_index, self.folder, self.location, directory)


_Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Found:
    entry: AnyEntry
    stamp: _Stamp | None


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """The files of a skill folder on disk, SKILL.md's bytes as they were read."""

    directory: str
    skill_md: str
    data: bytes

    def resources(self) -> Resources:
        """List the resources (§8). May raise OSError."""
        return list_resources(self.directory)

    def digest(self) -> ContentDigest:
        """Digest the folder with the bytes that were read for SKILL.md."""
        return content_digest(self.directory, {self.skill_md: self.data})

    def records(self, keep: Keep | None = None) -> tuple[FileRecord, ...]:
        """Return what the digest is made of. Raises `NoDigest`."""
        return file_records(self.directory, {self.skill_md: self.data}, keep)


class FilesystemSkillRegistry(ScannedRegistry):
    """Skills in the immediate subdirectories of `roots`, earlier roots before later ones.

    Roots are made absolute against `cwd`. Scans are safe to run in any thread; the catalog they
    leave behind is immutable. A scan reads again only what changed since the last one.
    """

    def __init__(self, roots: Sequence[str | os.PathLike[str]], cwd: str | None = None) -> None:
        given = [os.fspath(root) for root in roots]
        # The working directory is asked for only where it matters: it may be gone.
        base = cwd or ("" if all(map(os.path.isabs, given)) else os.getcwd())
        self.roots: tuple[str, ...] = tuple(os.path.normpath(os.path.join(base, root)) for root in given)
        # A root that is named again is looked at once, where it was named first.
        first: dict[str, int] = {}
        for index, root in enumerate(self.roots):
            first.setdefault(root, index)
        self._indexes = tuple(first.values())
        self._found: dict[str, _Found] = {}
        self._warnings: dict[int, str] = {}
        self._catalog: Catalog | None = None
        self._lock = threading.Lock()

    @property
    def catalog(self) -> Catalog | None:
        """The catalog of the last scan, None before the first."""
        return self._catalog

    def scan(self, observer: Observer | None = None) -> Catalog:
        """Look at every root; unchanged SKILL.md files are not read again."""
        with self._lock:
            places: list[_Place] = []
            self._warnings = {}
            for index in self._indexes:
                places += self._list_root(index)
            real_roots = {index: self._real_root(index) for index in self._indexes}
            known = self._found
            found: dict[str, _Found] = {}
            batch: list[AnyEntry] = []
            for done, place in enumerate(places, 1):
                if (result := _look(place, real_roots[place.root_index], known.get(place.location))) is not None:
                    found[place.location] = result
                    batch.append(result.entry)
                if observer is not None and (done % _BATCH == 0 or done == len(places)):
                    observer(done, len(places), batch)
                    batch = []
            self._found = found
            return self._publish()

    def load_all(self) -> Iterator[LoadedSkill | BrokenSkill]:
        """Read every skill of every root once, handing each over as it is parsed; then `catalog` holds them.

        Only one is kept in memory at a time, however many there are. Other scans wait until the last is taken.
        """
        with self._lock:
            self._warnings = {}
            found: dict[str, _Found] = {}
            for index in self._indexes:
                real_root = self._real_root(index)
                for place in self._list_root(index):
                    if (loaded := _load(place, real_root)) is None:
                        continue
                    entry = (
                        loaded.entry if isinstance(loaded, LoadedSkill) else replace(loaded, parsed=None, files=None)
                    )
                    found[place.location] = _Found(entry, None)
                    yield loaded
            self._found = found
            self._publish()

    def refresh(self, paths: Iterable[str]) -> Catalog:
        """Read again only the skills that `paths` lie in (changed, new or gone); others keep their entries."""
        if self._catalog is None:
            return self.scan()
        with self._lock:
            for index, folder in sorted(self._touched(paths)):
                self._refresh_one(index, folder)
            return self._publish()

    def load_entry(self, entry: AnyEntry) -> LoadedSkill | BrokenSkill | None:
        """Read one skill of the catalog now, shadowed ones too; None where it is gone."""
        place = _Place(
            entry.root_index, os.path.basename(entry.location), entry.location, os.path.islink(entry.location)
        )
        return _load(place, self._real_root(entry.root_index))

    def _publish(self) -> Catalog:
        warnings = [self._warnings[index] for index in sorted(self._warnings)]
        self._catalog = assemble((found.entry for found in self._found.values()), warnings)
        return self._catalog

    def _real_root(self, index: int) -> str:
        return resolved(self.roots[index])

    def _list_root(self, index: int) -> list[_Place]:
        root = self.roots[index]
        places = []
        try:
            with os.scandir(root) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    linked = entry.is_symlink()
                    if linked or entry.is_dir(follow_symlinks=False):
                        places.append(_Place(index, entry.name, os.path.join(root, entry.name), linked))
        except (OSError, ValueError) as error:
            reason = reason_of(error) if isinstance(error, OSError) else "has an impossible name"
            self._warnings[index] = escaped(f"skill root {root}: {reason}")
        places.sort(key=lambda place: place.folder)
        return places

    def _touched(self, paths: Iterable[str]) -> set[tuple[int, str]]:
        """Map changed paths to the folders that hold them, through links too."""
        touched: set[tuple[int, str]] = set()
        prefixes = [(index, self.roots[index].rstrip(os.sep) + os.sep) for index in self._indexes]
        prefixes += [(index, self._real_root(index).rstrip(os.sep) + os.sep) for index in self._indexes]
        linked = [found.entry for found in self._found.values() if _leads_elsewhere(found.entry)]
        for path in paths:
            for index, prefix in prefixes:
                if path.startswith(prefix):
                    touched.add((index, path[len(prefix) :].split(os.sep, 1)[0]))
                elif path == prefix[:-1]:
                    touched |= {(index, place.folder) for place in self._list_root(index)}
                    touched |= {(e.entry.root_index, os.path.basename(e.entry.location)) for e in self._found.values()}
            for entry in linked:
                if path == entry.skill_md or path.startswith(entry.dir + os.sep) or path == entry.dir:
                    touched.add((entry.root_index, os.path.basename(entry.location)))
        return touched

    def _refresh_one(self, index: int, folder: str) -> None:
        location = os.path.join(self.roots[index], folder)
        self._found.pop(location, None)
        if folder.startswith("."):
            return
        place = _Place(index, folder, location, os.path.islink(location))
        if (result := _look(place, self._real_root(index), None)) is not None:
            self._found[location] = result


def load_folder(directory: str) -> LoadedSkill | BrokenSkill | None:
    """Read the skill of one folder, in no catalog; None where it holds no SKILL.md."""
    location = os.path.abspath(directory)
    root, folder = os.path.split(location)
    return _load(_Place(0, folder, location, os.path.islink(location)), resolved(root))


def _leads_elsewhere(entry: AnyEntry) -> bool:
    """Tell whether a change of the skill may show under another path than its root's."""
    return entry.dir != entry.location or entry.skill_md != f"{entry.dir}/{SKILL_MD}"


def _unchanged(known: _Found, place: _Place, real_root: str) -> bool:
    """Tell whether SKILL.md is the one that was read, and neither folder nor root was moved behind a link."""
    same_file = known.stamp is not None and _stamp_now(place.location) == known.stamp
    return same_file and known.entry.dir == _directory(place, real_root)


def _look(place: _Place, real_root: str, known: _Found | None) -> _Found | None:
    """Return what one folder holds, None where it holds no SKILL.md."""
    if known is not None and _unchanged(known, place, real_root):
        return known
    read = _read(place, real_root)
    if not isinstance(read, _Read):
        return None if read is None else _Found(read, None)
    loaded = _parse(place, read)
    entry = _kept(loaded)
    plain = not place.linked and read.skill_md == read.listed  # a link's target may change behind an unchanged link
    return _Found(entry, _stamp(read.info) if plain else None)


def _kept(loaded: LoadedSkill | BrokenSkill) -> AnyEntry:
    """Return what a catalog keeps of a skill that was read."""
    return loaded.entry if isinstance(loaded, LoadedSkill) else replace(loaded, parsed=None, files=None)


def _stamp(info: os.stat_result) -> _Stamp:
    return info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns


def _stamp_now(location: str) -> _Stamp | None:
    try:
        return _stamp(os.lstat(f"{location}/{SKILL_MD}"))
    except (OSError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class _Read:
    """The bytes of one SKILL.md, and where they came from."""

    data: bytes
    info: os.stat_result
    directory: str
    listed: str
    skill_md: str


def _load(place: _Place, real_root: str) -> LoadedSkill | BrokenSkill | None:
    """Read and parse one candidate folder; the only way from a folder to an entry."""
    read = _read(place, real_root)
    return _parse(place, read) if isinstance(read, _Read) else read


def _directory(place: _Place, real_root: str) -> str:
    """Return the resolved directory of a candidate folder."""
    return os.path.realpath(place.location) if place.linked else f"{real_root.rstrip(os.sep)}/{place.folder}"


def _read(place: _Place, real_root: str) -> _Read | BrokenSkill | None:
    """Read the SKILL.md of one candidate folder; None where it has none."""
    directory = _directory(place, real_root)
    listed = skill_md = f"{directory}/{SKILL_MD}"
    try:
        before: os.stat_result | None = os.lstat(listed)
        if before is not None and stat.S_ISLNK(before.st_mode):
            skill_md, before = link_end(listed), None
        if not _exact_name(directory):
            return None
        data, info = read_regular(skill_md, MAX_SKILL_MD, before)
        if skill_md != listed and os.path.realpath(listed) != skill_md:  # swapped while it was read
            raise ReadFault(CHANGED)
    except ReadFault as fault:
        if fault.missing and not os.path.islink(listed):  # gone since the look above
            return None
        reason = "is a link that leads nowhere" if fault.missing else fault.reason
        return unreadable(place.skill(directory), listed, f"SKILL.md {reason}")
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:
        if not os.path.isdir(directory) and not place.linked:
            return None
        return unreadable(place.skill(directory), listed, f"the folder cannot be read: {reason_of(error)}")
    return _Read(data, info, directory, listed, skill_md)


def _parse(place: _Place, read: _Read) -> LoadedSkill | BrokenSkill:
    files = FolderFiles(read.directory, read.skill_md, read.data)
    found = place.skill(read.directory)
    return parse_place(found, read.data, read.listed, read.skill_md, read.info.st_mtime, files)


def _exact_name(directory: str) -> bool:
    """Tell whether the directory lists `SKILL.md` in exactly this case.

    Where no other spelling opens, the file system minds case and the name is exact; only on one
    that does not is the directory listed.
    """
    if not os.path.lexists(f"{directory}/{_OTHER_CASE}"):
        return True
    return SKILL_MD in os.listdir(directory)

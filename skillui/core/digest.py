"""The content digest: one hash for exactly these bytes, names, modes and links of a skill folder."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from skillui.core.files import is_below, odd_kind, reason_of
from skillui.core.text import clipped

HEADER = b"skillui-content-v1\n"
EXCLUDED = frozenset({".git", "__pycache__", ".DS_Store"})
MAX_ENTRIES = 50_000
"""Entries a skill may have and still have a digest."""
MAX_BYTES = 1 << 30
"""Bytes that are read for one digest, so that a sparse file cannot hold the program."""
_CHUNK = 1 << 20
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


@dataclass(frozen=True, slots=True)
class ContentDigest:
    """`value` is `sha256:<hex>`, None where the content has none; `reason` then says why."""

    value: str | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One entry of a digest.

    `kind` is `f` (file), `l` (link: size and hash of its target text) or `t` (the file outside the folder
    that a link ends at). `text` holds the content where the caller asked to keep it and it is not too long.
    """

    path: bytes
    kind: str
    executable: bool
    size: int
    sha256: str
    text: bytes | None = None

    @property
    def line(self) -> bytes:
        """The bytes that are hashed."""
        mark = "x" if self.executable else "-"
        return f"{self.kind} {mark} {self.size} {self.sha256} ".encode() + self.path + b"\0"


@dataclass(slots=True)
class Keep:
    """How much content is kept beside the digest, in bytes; `total` is counted down."""

    file: int
    total: int

    def wants(self, size: int) -> bool:
        """Tell whether a file of this size is kept, and count it."""
        if size > self.file or size > self.total:
            return False
        self.total -= size
        return True


class NoDigest(Exception):
    """The content cannot be named by one digest; the argument says why."""


def content_digest(directory: str, known: dict[str, bytes] | None = None) -> ContentDigest:
    """Digest the folder `directory` (resolved), streaming, in bounded memory.

    `known` maps resolved paths to bytes that were read already and stand for the file's content,
    so that what was approved is what is loaded.
    """
    try:
        return ContentDigest(digest_of(file_records(directory, known)))
    except NoDigest as fault:
        return ContentDigest(None, str(fault))


def file_records(
    directory: str, known: dict[str, bytes] | None = None, keep: Keep | None = None
) -> tuple[FileRecord, ...]:
    """Return the records of the folder `directory` (resolved) in the order of the digest. Raises `NoDigest`."""
    try:
        records = list(_records(directory, known or {}, keep or Keep(-1, 0)))
    except OSError as error:
        raise NoDigest(reason_of(error)) from None
    return tuple(sorted(records, key=lambda record: (record.path, record.kind)))


def digest_of(records: Iterable[FileRecord]) -> str:
    """Return `sha256:<hex>` of records that are in order."""
    total = hashlib.sha256(HEADER)
    for record in records:
        total.update(record.line)
    return f"sha256:{total.hexdigest()}"


def _records(directory: str, known: dict[str, bytes], keep: Keep) -> Iterator[FileRecord]:
    """Yield the record of every file and link below the folder, in no order."""
    budget = [MAX_ENTRIES, MAX_BYTES]
    pending = [(directory, b"")]
    while pending:
        folder, prefix = pending.pop()
        for entry in _entries(folder, budget):
            path = prefix + os.fsencode(entry.name)
            if entry.is_symlink():
                yield from _link(entry.path, path, directory, known, budget, keep)
            elif entry.is_dir(follow_symlinks=False):
                pending.append((entry.path, path + b"/"))
            else:
                yield _file(entry.path, path, "f", known, budget, keep)


def _entries(folder: str, budget: list[int]) -> list[os.DirEntry[str]]:
    """List one folder, within the budget of entries."""
    entries = []
    with os.scandir(folder) as listing:
        for entry in listing:
            if entry.name in EXCLUDED:
                continue
            budget[0] -= 1
            if budget[0] < 0:
                raise NoDigest(f"the folder holds more than {MAX_ENTRIES:,} entries")
            entries.append(entry)
    return entries


def _file(location: str, path: bytes, kind: str, known: dict[str, bytes], budget: list[int], keep: Keep) -> FileRecord:
    shown = clipped(os.fsdecode(path))
    info = os.stat(location) if kind == "t" else os.lstat(location)
    if (odd := odd_kind(info.st_mode)) is not None:
        raise NoDigest(f"{shown} {odd}")
    wanted = keep.wants(info.st_size)
    text: bytes | None
    if location in known:
        text = known[location]
        size, digest = len(text), hashlib.sha256(text).hexdigest()
    else:
        size, digest, text = _hash(location, shown, budget, wanted)
    return FileRecord(path, kind, bool(info.st_mode & 0o111), size, digest, text if wanted else None)


def _hash(location: str, shown: str, budget: list[int], wanted: bool) -> tuple[int, str, bytes | None]:
    """Return the size and hash of a file, and its content where that is wanted."""
    try:
        handle = os.open(location, _FLAGS)
    except OSError as error:
        raise NoDigest(f"{shown} cannot be read: {reason_of(error)}") from None
    try:
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            raise NoDigest(f"{shown} is not a regular file")
        size, total, parts = 0, hashlib.sha256(), []
        while chunk := os.read(handle, _CHUNK):
            size += len(chunk)
            budget[1] -= len(chunk)
            if budget[1] < 0:
                raise NoDigest(f"the folder holds more than {MAX_BYTES:,} bytes")
            total.update(chunk)
            if wanted and size <= before.st_size:
                parts.append(chunk)
        after = os.fstat(handle)
        if size != before.st_size or (before.st_mtime_ns, before.st_size) != (
            after.st_mtime_ns,
            after.st_size,
        ):
            raise NoDigest(f"{shown} changed while it was read")
        return size, total.hexdigest(), b"".join(parts) if wanted else None
    except OSError as error:
        raise NoDigest(f"{shown} cannot be read: {reason_of(error)}") from None
    finally:
        os.close(handle)


def _link(
    location: str, path: bytes, directory: str, known: dict[str, bytes], budget: list[int], keep: Keep
) -> Iterator[FileRecord]:
    """Yield the record of a link, and of the file it ends at where it leaves the folder."""
    text = os.fsencode(os.readlink(location))
    kept = text if keep.wants(len(text)) else None
    yield FileRecord(path, "l", False, len(text), hashlib.sha256(text).hexdigest(), kept)
    target = os.path.realpath(location)
    if is_below(target, directory):
        return
    shown = clipped(os.fsdecode(path))
    try:  # of the link and not of its target: a circle is said to end at what `open` never comes to
        mode = os.stat(location).st_mode
    except OSError as error:
        raise NoDigest(f"{shown} is a link out of the folder that leads nowhere ({reason_of(error)})") from None
    if (odd := odd_kind(mode)) is not None:
        raise NoDigest(f"{shown} is a link out of the folder to what {odd}")
    yield _file(target, path, "t", known, budget, keep)

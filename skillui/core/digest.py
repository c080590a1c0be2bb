"""The content digest: one hash for exactly these bytes, names, modes and links of a skill folder."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
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


class _NoDigest(Exception):
    """The content cannot be named by one digest; the argument says why."""


def content_digest(directory: str, known: dict[str, bytes] | None = None) -> ContentDigest:
    """Digest the folder `directory` (resolved), streaming, in bounded memory.

    `known` maps resolved paths to bytes that were read already and stand for the file's content,
    so that what was approved is what is loaded.
    """
    try:
        records = sorted(_records(directory, known or {}))
    except _NoDigest as fault:
        return ContentDigest(None, str(fault))
    except OSError as error:
        return ContentDigest(None, reason_of(error))
    total = hashlib.sha256(HEADER)
    for _, _, record in records:
        total.update(record)
    return ContentDigest(f"sha256:{total.hexdigest()}")


def _records(directory: str, known: dict[str, bytes]) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield (path, type, record) of every file and link below the folder, in no order."""
    budget = [MAX_ENTRIES, MAX_BYTES]
    pending = [(directory, b"")]
    while pending:
        folder, prefix = pending.pop()
        for entry in _entries(folder, budget):
            path = prefix + os.fsencode(entry.name)
            if entry.is_symlink():
                yield from _link(entry.path, path, directory, known, budget)
            elif entry.is_dir(follow_symlinks=False):
                pending.append((entry.path, path + b"/"))
            else:
                yield _file(entry.path, path, b"f", known, budget)


def _entries(folder: str, budget: list[int]) -> list[os.DirEntry[str]]:
    """List one folder, within the budget of entries."""
    entries = []
    with os.scandir(folder) as listing:
        for entry in listing:
            if entry.name in EXCLUDED:
                continue
            budget[0] -= 1
            if budget[0] < 0:
                raise _NoDigest(f"the folder holds more than {MAX_ENTRIES:,} entries")
            entries.append(entry)
    return entries


def _file(
    location: str, path: bytes, kind: bytes, known: dict[str, bytes], budget: list[int]
) -> tuple[bytes, bytes, bytes]:
    shown = clipped(os.fsdecode(path))
    info = os.stat(location) if kind == b"t" else os.lstat(location)
    if (odd := odd_kind(info.st_mode)) is not None:
        raise _NoDigest(f"{shown} {odd}")
    if location in known:
        size, digest = len(known[location]), hashlib.sha256(known[location]).hexdigest()
    else:
        size, digest = _hash(location, shown, budget)
    mark = b"x" if info.st_mode & 0o111 else b"-"
    return path, kind, b"%s %s %d %s %s\0" % (kind, mark, size, digest.encode(), path)


def _hash(location: str, shown: str, budget: list[int]) -> tuple[int, str]:
    try:
        handle = os.open(location, _FLAGS)
    except OSError as error:
        raise _NoDigest(f"{shown} cannot be read: {reason_of(error)}") from None
    try:
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            raise _NoDigest(f"{shown} is not a regular file")
        size, total = 0, hashlib.sha256()
        while chunk := os.read(handle, _CHUNK):
            size += len(chunk)
            budget[1] -= len(chunk)
            if budget[1] < 0:
                raise _NoDigest(f"the folder holds more than {MAX_BYTES:,} bytes")
            total.update(chunk)
        after = os.fstat(handle)
        if size != before.st_size or (before.st_mtime_ns, before.st_size) != (
            after.st_mtime_ns,
            after.st_size,
        ):
            raise _NoDigest(f"{shown} changed while it was read")
        return size, total.hexdigest()
    except OSError as error:
        raise _NoDigest(f"{shown} cannot be read: {reason_of(error)}") from None
    finally:
        os.close(handle)


def _link(
    location: str, path: bytes, directory: str, known: dict[str, bytes], budget: list[int]
) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield the record of a link, and of the file it ends at where it leaves the folder."""
    text = os.fsencode(os.readlink(location))
    yield path, b"l", b"l - %d %s %s\0" % (len(text), hashlib.sha256(text).hexdigest().encode(), path)
    target = os.path.realpath(location)
    if is_below(target, directory):
        return
    shown = clipped(os.fsdecode(path))
    try:
        mode = os.stat(target).st_mode
    except OSError as error:
        raise _NoDigest(f"{shown} is a link out of the folder that leads nowhere ({reason_of(error)})") from None
    if (odd := odd_kind(mode)) is not None:
        raise _NoDigest(f"{shown} is a link out of the folder to what {odd}")
    yield _file(target, path, b"t", known, budget)

"""The one reader of files: bounded, never blocking, regular files only."""

from __future__ import annotations

import errno
import os
import stat

SKILL_MD = "SKILL.md"
MAX_SKILL_MD = 4 * 1024 * 1024
"""Bytes a SKILL.md may have."""

# A FIFO or a terminal must never stop the reader, nor become its controlling terminal.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
_BINARY = getattr(os, "O_BINARY", 0)

_KINDS = (
    (stat.S_ISDIR, "is a directory"),
    (stat.S_ISFIFO, "is a named pipe"),
    (stat.S_ISSOCK, "is a socket"),
    (stat.S_ISCHR, "is a device"),
    (stat.S_ISBLK, "is a device"),
)

CHANGED = "changed while it was read"


class ReadFault(Exception):
    """Why a file was not read: `reason` is a predicate without the path ("is a named pipe")."""

    def __init__(self, reason: str, missing: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.missing = missing


def odd_kind(mode: int) -> str | None:
    """Say what a file is when it is not a regular one ("is a named pipe"), else None."""
    if stat.S_ISREG(mode):
        return None
    for test, words in _KINDS:
        if test(mode):
            return words
    return "is not a regular file"


def reason_of(error: OSError) -> str:
    """Name an operating system fault in words, without the path."""
    if error.errno == errno.ELOOP:
        return "is a link that leads in a circle"
    return (error.strerror or error.__class__.__name__).lower()


def read_regular(path: str, limit: int, before: os.stat_result | None = None) -> tuple[bytes, os.stat_result]:
    """Read a whole regular file of at most `limit` bytes; links are followed.

    `before` is what `stat` said of it a moment ago, where the caller has asked. Nothing but a regular
    file is ever opened. Raises `ReadFault`.
    """
    try:
        before = before or os.stat(path)
    except (OSError, ValueError) as error:
        raise _fault(path, error) from None
    if (odd := odd_kind(before.st_mode)) is not None:
        raise ReadFault(odd)
    if before.st_size > limit:
        raise ReadFault(f"is {before.st_size:,} bytes, past the limit of {limit:,}")
    try:
        handle = os.open(path, _FLAGS | _BINARY)
    except OSError as error:
        raise _fault(path, error) from None
    try:
        data, info = _read_open(handle, limit)
    except OSError as error:
        raise ReadFault(reason_of(error)) from None
    finally:
        os.close(handle)
    if (info.st_dev, info.st_ino) != (before.st_dev, before.st_ino):  # the path may lead elsewhere by now
        raise ReadFault(CHANGED)
    return data, info


def _read_open(handle: int, limit: int) -> tuple[bytes, os.stat_result]:
    info = os.fstat(handle)
    if (odd := odd_kind(info.st_mode)) is not None:  # swapped since the look above
        raise ReadFault(odd)
    data = os.read(handle, min(info.st_size, limit) + 1)
    if len(data) != info.st_size:  # it grows, or says no size (as in /proc), or the read was short
        parts = [data]
        total = len(data)
        while total <= limit and (part := os.read(handle, min(1 << 20, limit + 1 - total))):
            parts.append(part)
            total += len(part)
        data = b"".join(parts)
    if len(data) > limit:
        raise ReadFault(f"is more than {limit:,} bytes")
    return data, info


def _fault(path: str, error: OSError | ValueError) -> ReadFault:
    if isinstance(error, ValueError):  # a NUL in a path
        return ReadFault("has an impossible name")
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        if os.path.islink(path):
            return ReadFault("is a link that leads nowhere")
        return ReadFault("does not exist", missing=True)
    return ReadFault(reason_of(error))


def resolved(path: str) -> str:
    """Resolve every link of `path`; what no path can be stays as it is, and is found to be nowhere."""
    try:
        return os.path.realpath(path)
    except ValueError:  # a NUL, or a surrogate that stands for no byte
        return path


def link_end(path: str) -> str:
    """Return the resolved path that the link `path` ends at. Raises `ReadFault` where it leads nowhere.

    `os.path.realpath` alone names a place for a link that leads in a circle, too, by the words of its path.
    """
    try:
        return os.path.realpath(path, strict=True)
    except (OSError, ValueError) as error:
        raise _fault(path, error) from None


def is_below(path: str, root: str) -> bool:
    """Tell whether the resolved `path` is `root` or lies below it, by whole path components."""
    return path == root or path.startswith(root if root.endswith(os.sep) else root + os.sep)

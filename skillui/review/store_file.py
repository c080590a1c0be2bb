"""The file of the store: made for its owner alone, opened with care, never replaced."""

from __future__ import annotations

import contextlib
import itertools
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from skillui.core.files import odd_kind, reason_of
from skillui.core.text import clipped, escaped
from skillui.review import store_schema

BUSY = 10.0
"""Seconds that a writer waits for another."""
_HELD = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class StoreFault(Exception):
    """Why decisions cannot be read or kept, in one line for a person."""


@contextlib.contextmanager
def reading(path: str) -> Iterator[sqlite3.Connection | None]:
    """Open the store to read it, None where there is none yet. Raises `StoreFault`."""
    with _told(path):
        if not _look(path):
            yield None
            return
        with contextlib.closing(_connect(path, _can_write(path))) as connection:
            # Nothing committed yet is no store yet: another process is making it now.
            yield connection if _version(connection, path) else None


@contextlib.contextmanager
def writing(path: str) -> Iterator[sqlite3.Connection]:
    """Open the store for one transaction, making it where there is none. Raises `StoreFault`.

    What happens inside is committed at its end, or not at all.
    """
    with _told(path):
        if not _look(path):
            _make(path)
        with contextlib.closing(_connect(path, True)) as connection:
            _migrate(connection, path)
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()


@contextlib.contextmanager
def _told(path: str) -> Iterator[None]:
    """Turn every fault into one line that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreFault(escaped(f"the decisions in {path} cannot be used: {_words(error)}")) from error
    except OSError as error:
        raise StoreFault(escaped(f"the decisions in {path} cannot be used: {reason_of(error)}")) from error
    except (ValueError, TypeError, OverflowError) as error:  # values that are none of ours, or a path that is none
        raise StoreFault(escaped(f"the decisions in {path} cannot be used: {_words(error)}")) from error


def _words(error: Exception) -> str:
    text = "undecodable text" if isinstance(error, UnicodeDecodeError) else clipped(str(error), 200)
    damaged = isinstance(error, UnicodeDecodeError | TypeError | OverflowError)
    if damaged or "not a database" in text or "malformed" in text:
        return f"the file is damaged ({text}); move it away to begin anew, its approvals are then asked for again"
    if "is full" in text:
        return "there is no space left"
    if "locked" in text or "busy" in text:
        return "another program holds it; try again"
    if "readonly" in text or "read-only" in text:
        return "the file or its folder is read-only"
    return text


def _look(path: str) -> bool:
    """Tell whether there is a store; refuse what is not one, or what others may have written."""
    try:
        info = os.lstat(path)
    except FileNotFoundError:
        return False
    if (odd := "is a link" if stat.S_ISLNK(info.st_mode) else odd_kind(info.st_mode)) is not None:
        raise StoreFault(escaped(f"the decisions in {path} cannot be used: it {odd}; only a plain file is taken"))
    if hasattr(os, "geteuid"):
        _refuse_others(path, info, "file")
        _refuse_others(os.path.dirname(path) or ".", os.stat(os.path.dirname(path) or "."), "folder")
        if info.st_mode & 0o077:  # readable by others: tightened, nothing they could have changed
            with contextlib.suppress(OSError):
                os.chmod(path, 0o600)
    return True


def _refuse_others(path: str, info: os.stat_result, what: str) -> None:
    if info.st_uid not in (os.geteuid(), 0):
        raise StoreFault(escaped(f"the {what} {path} belongs to another user; decisions in it count for nothing"))
    if info.st_mode & 0o022:
        raise StoreFault(
            escaped(
                f"others can write to the {what} {path}: look at it, then run chmod go-w, until then nothing counts"
            )
        )


def _make(path: str) -> None:
    """Create the empty file, for its owner alone, before anything is in it."""
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        os.makedirs(os.path.dirname(folder) or ".", exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_CLOEXEC", 0), 0o600))
    _look(path)


def _can_write(path: str) -> bool:
    return os.access(path, os.W_OK) and os.access(os.path.dirname(path) or ".", os.W_OK)


def _connect(path: str, write: bool) -> sqlite3.Connection:
    """Connect without a transaction of Python's own. A store on a read-only medium can still be read."""
    mode = "rw" if write else "ro"
    if not write and not os.path.exists(path + "-wal"):
        mode = "ro&immutable=1"
    address = f"file:{quote(os.fsencode(os.path.abspath(path)))}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, timeout=BUSY, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection, path: str) -> int:
    """Return the version of the tables, 0 for a file that holds nothing yet."""
    # One statement, and so one state of the file, whoever writes to it meanwhile.
    version, mark, tables = connection.execute(
        "SELECT user_version, application_id, (SELECT COUNT(*) FROM sqlite_master)"
        " FROM pragma_user_version, pragma_application_id"
    ).fetchone()
    if (version, mark, tables) == (0, 0, 0):
        return 0
    if mark != store_schema.APPLICATION or version < 1:
        raise StoreFault(escaped(f"{path} is a database, but none of skillui's decisions; it is left alone"))
    if version > len(store_schema.MIGRATIONS):
        raise StoreFault(escaped(f"{path} was written by a newer skillui; use that one, or name another store"))
    return int(version)


def _migrate(connection: sqlite3.Connection, path: str) -> None:
    """Bring the tables to the newest version, in one transaction, with a copy of the old file beside it."""
    if (version := _version(connection, path)) == len(store_schema.MIGRATIONS):
        return
    if version == 0:
        _use_wal(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection, path)  # another process may have been faster
        if 0 < version < len(store_schema.MIGRATIONS):
            _back_up(path, f"{path}.v{version}")
        for step in store_schema.MIGRATIONS[version:]:
            step(connection)
        connection.execute(f"PRAGMA application_id = {store_schema.APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(store_schema.MIGRATIONS)}")
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging, for which SQLite does not wait by itself when another does it too."""
    deadline = time.monotonic() + BUSY
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _HELD or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _back_up(path: str, target: str) -> None:
    """Copy the store as it is on disk, for its owner alone, beside any earlier copy.

    The caller holds the lock of writers. The copy has its name only once it is whole.
    """
    half = f"{path}.half"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(half)
    handle = os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        with contextlib.closing(_connect(path, False)) as source, contextlib.closing(sqlite3.connect(half)) as copy:
            source.backup(copy)
        os.fsync(handle)
    finally:
        os.close(handle)
    names = itertools.chain((target,), (f"{target}-{number}" for number in itertools.count(2)))
    Path(half).rename(next(name for name in names if not os.path.lexists(name)))

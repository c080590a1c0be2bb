"""The tables of the store, version by version."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

APPLICATION = 0x736B7569
"""Marks the file as ours ("skui")."""


def _first(connection: sqlite3.Connection) -> None:
    """Create what version 1 holds."""
    for statement in _VERSION_1:
        connection.execute(statement)


_VERSION_1 = (
    """
    CREATE TABLE decisions (
        digest TEXT PRIMARY KEY,
        verdict TEXT NOT NULL CHECK (verdict IN ('approved', 'denied')),
        who TEXT NOT NULL, at TEXT NOT NULL,
        name TEXT NOT NULL, dir TEXT NOT NULL, root TEXT NOT NULL,
        reason TEXT NOT NULL, findings TEXT NOT NULL, via TEXT NOT NULL
    )
    """,
    # Every approval, so that a later change of the same place can be shown against it.
    """
    CREATE TABLE approvals (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        digest TEXT NOT NULL, name TEXT NOT NULL, dir TEXT NOT NULL, root TEXT NOT NULL, at TEXT NOT NULL,
        revoked INTEGER NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX approvals_by_dir ON approvals (dir)",
    "CREATE INDEX approvals_by_name ON approvals (name)",
    """
    CREATE TABLE files (
        digest TEXT NOT NULL, path BLOB NOT NULL, kind TEXT NOT NULL,
        executable INTEGER NOT NULL, size INTEGER NOT NULL, sha256 TEXT NOT NULL,
        PRIMARY KEY (digest, path, kind)
    ) WITHOUT ROWID
    """,
    "CREATE TABLE texts (sha256 TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE audit (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL, kind TEXT NOT NULL, digest TEXT, name TEXT NOT NULL, dir TEXT NOT NULL,
        who TEXT NOT NULL, answer TEXT NOT NULL, reason TEXT NOT NULL, via TEXT NOT NULL, pid INTEGER NOT NULL
    )
    """,
    """
    CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END
    """,
    """
    CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END
    """,
)

MIGRATIONS: list[Callable[[sqlite3.Connection], None]] = [_first]
"""What leads from each version to the next; the number of them is the newest version."""

"""Reviewed content in the store: each text once, by its hash, compressed."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import zlib

from skillui.review.content import MAX_TEXT, ReviewedContent, ReviewedFile


def keep_content(connection: sqlite3.Connection, content: ReviewedContent) -> None:
    """Keep the files of this content, unless they are kept already."""
    if connection.execute("SELECT 1 FROM files WHERE digest = ? LIMIT 1", (content.digest,)).fetchone():
        return
    connection.executemany(
        "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?)",
        (
            (content.digest, os.fsencode(file.path), file.kind, file.executable, file.size, file.sha256)
            for file in content.files
        ),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO texts VALUES (?, ?)",
        ((file.sha256, zlib.compress(file.text)) for file in content.files if file.text is not None),
    )


def kept_content(connection: sqlite3.Connection, digest: str) -> ReviewedContent:
    """Return the content that was kept under this digest."""
    rows = connection.execute(
        "SELECT path, kind, executable, size, sha256, data FROM files LEFT JOIN texts USING (sha256)"
        " WHERE digest = ? ORDER BY path, kind",
        (digest,),
    )
    return ReviewedContent(digest, None, tuple(_file(*row) for row in rows))


def _file(path: bytes, kind: str, executable: int, size: int, sha256: str, data: bytes | None) -> ReviewedFile:
    text = None if data is None else _text(data, sha256)
    return ReviewedFile(os.fsdecode(path), kind, bool(executable), size, sha256, text)


def _text(data: bytes, sha256: str) -> bytes | None:
    """Return a kept text, None where it is not what its hash says."""
    try:
        text = zlib.decompressobj().decompress(data, MAX_TEXT + 1)
    except zlib.error:
        return None
    return text if hashlib.sha256(text).hexdigest() == sha256 else None

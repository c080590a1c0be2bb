"""A file of a skill as the interface may show it: bounded, and never from outside the skill's folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from skillui.core.files import MAX_SKILL_MD, ReadFault, is_below, link_end, odd_kind, read_regular
from skillui.tui.model.highlight import language_of

if TYPE_CHECKING:
    from skillui.checks.sources import Source

MAX_FILE: Final = MAX_SKILL_MD
"""Bytes of a file that is shown; a larger one is named and not read."""
_DUMPED: Final = 512

_MAGIC: Final[tuple[tuple[int, bytes, str], ...]] = (
    (0, b"\x89PNG\r\n\x1a\n", "PNG image"),
    (0, b"\xff\xd8\xff", "JPEG image"),
    (0, b"GIF8", "GIF image"),
    (8, b"WEBP", "WebP image"),
    (0, b"BM", "BMP image"),
    (0, b"II*\0", "TIFF image"),
    (0, b"MM\0*", "TIFF image"),
    (0, b"\0\0\1\0", "icon"),
    (4, b"ftyp", "video or image container"),
    (0, b"%PDF-", "PDF document"),
    (0, b"PK\x03\x04", "ZIP archive"),
    (0, b"PK\x05\x06", "ZIP archive, empty"),
    (0, b"\x1f\x8b", "gzip archive"),
    (0, b"BZh", "bzip2 archive"),
    (0, b"\xfd7zXZ\0", "xz archive"),
    (0, b"(\xb5/\xfd", "zstd archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (0, b"Rar!\x1a\x07", "RAR archive"),
    (257, b"ustar", "tar archive"),
    (0, b"\x7fELF", "ELF executable"),
    (0, b"MZ", "Windows executable"),
    (0, b"\xcf\xfa\xed\xfe", "Mach-O executable"),
    (0, b"\xfe\xed\xfa\xcf", "Mach-O executable"),
    (0, b"\xca\xfe\xba\xbe", "Java class or Mach-O executable"),
    (0, b"\0asm", "WebAssembly module"),
    (0, b"SQLite format 3\0", "SQLite database"),
    (0, b"wOFF", "font"),
    (0, b"wOF2", "font"),
    (0, b"OTTO", "font"),
    (0, b"\0\1\0\0\0", "font"),
    (0, b"ID3", "MP3 audio"),
    (0, b"RIFF", "RIFF media"),
)


@dataclass(frozen=True, slots=True)
class FileContent:
    """What can be shown of one file; `path` is relative to the skill's folder.

    `text` is its text, of a binary file its first bytes as a dump, and "" where it was refused.
    """

    path: str
    kind: Literal["text", "binary", "refused"]
    type: str
    """What it is in words ("Python", "PNG image"), "" where it was refused."""
    size: int
    """In bytes; 0 where it is not known."""
    text: str = ""
    reason: str = ""
    """Why it is not shown as text, a predicate without the path ("is a named pipe")."""


def read_file_content(skill_dir: str, relative: str) -> FileContent:
    """Read one file of a skill; never raises. Blocking.

    Links are followed inside the skill's folder and refused where they leave it.
    """
    top = os.path.realpath(skill_dir)
    try:
        target = os.path.realpath(os.path.join(top, relative))
    except (OSError, ValueError):
        return FileContent(relative, "refused", "", 0, reason="has an impossible name")
    if not is_below(target, top) or target == top:
        leads = f"is a link that leaves the skill, to {target}" if not _climbs(relative) else "lies outside the skill"
        return FileContent(relative, "refused", "", 0, reason=leads)
    try:
        link_end(os.path.join(top, relative))  # a circle leads nowhere, whatever its words end at
        data, info = read_regular(target, MAX_FILE)
    except ReadFault as fault:
        return FileContent(relative, "refused", "", _size(target), reason=fault.reason)
    return content_of(relative, data, info.st_size)


def read_source_content(source: Source, relative: str) -> FileContent:
    """Read one file of a skill that lies in no folder; never raises. Blocking."""
    entry = next((entry for entry in source.tree().entries if entry.path == relative), None)
    if entry is None:
        return gone(relative)
    if entry.leaves:
        return FileContent(relative, "refused", "", 0, reason=f"is a link that leaves the skill, to {entry.link}")
    if entry.dangling:
        return FileContent(relative, "refused", "", 0, reason="is a link that leads nowhere")
    if not entry.is_file:
        return FileContent(relative, "refused", "", 0, reason=odd_kind(entry.mode) or "cannot be read")
    data = source.read(relative, MAX_FILE) if entry.size <= MAX_FILE else None
    if data is None:
        reason = f"is larger than {MAX_FILE:,} bytes" if entry.size > MAX_FILE else "cannot be read"
        return FileContent(relative, "refused", "", entry.size, reason=reason)
    return content_of(relative, data, entry.size)


def gone(relative: str) -> FileContent:
    """Return what is said of a file that is not there any more."""
    return FileContent(relative, "refused", "", 0, reason="does not exist")


def content_of(path: str, data: bytes, size: int) -> FileContent:
    """Tell text from binary, by magic, NUL and UTF-8."""
    if (magic := _magic(data)) is not None:
        return FileContent(path, "binary", magic, size, _dump(data))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return FileContent(path, "binary", "UTF-16 text", size, _dump(data), "is UTF-16, not UTF-8")
    if (place := data.find(b"\0")) >= 0:
        return FileContent(path, "binary", "binary data", size, _dump(data), f"holds a NUL byte at offset {place:,}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"is not UTF-8 at offset {error.start:,}"
        return FileContent(path, "binary", "binary data", size, _dump(data), reason)
    language = language_of(path, text)
    return FileContent(path, "text", f"{_NAMES.get(language or '', '')} text".strip(), size, text)


_NAMES: Final = {
    "markdown": "Markdown",
    "yaml": "YAML",
    "json": "JSON",
    "python": "Python",
    "toml": "TOML",
    "bash": "shell",
}


def _magic(data: bytes) -> str | None:
    for offset, magic, words in _MAGIC:
        # Two letters are no proof: a text may well begin with them.
        if data.startswith(magic, offset) and (len(magic) > 3 or not _is_text(data[:1024])):
            return words
    return None


def _is_text(head: bytes) -> bool:
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:
            return False
    return b"\0" not in head


def _dump(data: bytes) -> str:
    rows = []
    for start in range(0, min(len(data), _DUMPED), 16):
        part = data[start : start + 16]
        letters = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in part)
        rows.append(f"{start:04x}  {part.hex(' ', 1):<47}  {letters}")
    return "\n".join(rows)


def _climbs(relative: str) -> bool:
    return os.path.isabs(relative) or ".." in relative.replace("\\", "/").split("/")


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0

"""Reading a tar, packed by gzip or plain: the common formats, strictly. Nothing is extracted."""

from __future__ import annotations

import stat
import zlib
from collections.abc import Iterator
from functools import partial
from typing import Final

from skillui.review.archive_member import MAX_MEMBERS, MAX_UNPACKED, ArchiveFault, Findings, Member

_BLOCK: Final = 512
_CHUNK: Final = 1 << 20
_ROOM: Final = MAX_UNPACKED + MAX_MEMBERS * 2 * _BLOCK
_MAX_NOTE: Final = 64 * 1024
"""Bytes that the names and further fields of one member may take."""
_TYPES: Final = {
    b"0": stat.S_IFREG, b"\0": stat.S_IFREG, b"7": stat.S_IFREG, b"5": stat.S_IFDIR, b"2": stat.S_IFLNK,
    b"3": stat.S_IFCHR, b"4": stat.S_IFBLK, b"6": stat.S_IFIFO,
}  # fmt: skip
_ODD: Final = {b"1": "is a hard link", b"S": "is a file with holes"}


def read_tar(data: bytes, findings: Findings) -> list[Member]:
    """Return the members of a tar. Raises `ArchiveFault`."""
    plain = _gunzipped(data) if data.startswith(b"\x1f\x8b") else data
    members: list[Member] = []
    notes: dict[str, str] = {}
    at = 0
    while at < len(plain):
        head = plain[at : at + _BLOCK].ljust(_BLOCK, b"\0")
        if not head.strip(b"\0"):
            if plain[at:].strip(b"\0"):
                raise ArchiveFault("has hidden bytes behind its end")
            return members
        size, kind = _checked(head), head[156:157]
        noted = kind in b"xgLK"
        if "size" in notes and not noted:
            size = _number(notes["size"].encode(), 10)
        begin, at = at + _BLOCK, at + _BLOCK + -(-size // _BLOCK) * _BLOCK
        if at > len(plain):
            raise ArchiveFault("is cut off")
        if noted:
            if size > _MAX_NOTE:
                raise ArchiveFault("has a name that is too long")
            notes = _noted(notes, kind, plain[begin : begin + size])
            continue
        if len(members) >= MAX_MEMBERS:
            raise ArchiveFault(f"holds more than {MAX_MEMBERS:,} entries")
        if (member := _member(head, kind, notes, plain, begin, size)) is not None:
            members.append(member)
        notes = {}
    raise ArchiveFault("is cut off")


def _gunzipped(data: bytes) -> bytes:
    packer = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        plain = packer.decompress(data, _ROOM)
    except zlib.error:
        raise ArchiveFault("is damaged, or no gzip") from None
    if not packer.eof:
        whole = not packer.unconsumed_tail
        raise ArchiveFault("is cut off" if whole else f"unpacks to more than {MAX_UNPACKED:,} bytes")
    if packer.unused_data:
        raise ArchiveFault("has hidden bytes behind its end")
    return plain


def _checked(head: bytes) -> int:
    """Return a header's size, once its checksum is found to be true."""
    if sum(head[:148]) + sum(head[156:]) + 8 * 32 != _number(head[148:156]):
        raise ArchiveFault("is damaged, or no tar")
    return _number(head[124:136])


def _number(text: bytes, base: int = 8) -> int:
    digits = text.strip(b" \0")
    if not digits:
        return 0
    if not digits.isdigit() or len(digits) > 12:
        raise ArchiveFault("has a number that cannot be read, or too large a file")
    try:
        return int(digits, base)
    except ValueError:
        raise ArchiveFault("has a number that cannot be read") from None


def _noted(notes: dict[str, str], kind: bytes, text: bytes) -> dict[str, str]:
    """Return what is known of the next member, with what one more note says."""
    if kind in b"LK":
        said = text.removesuffix(b"\0").decode("utf-8", "surrogateescape")
        return {**notes, "path" if kind == b"L" else "linkpath": said}
    found = dict(_fields(text))
    if kind == b"g":
        if found.keys() - {"comment"}:
            raise ArchiveFault("changes all its members in one place, which programs heed differently")
        return notes
    return {**notes, **found}


def _fields(text: bytes) -> Iterator[tuple[str, str]]:
    """Yield the fields of a pax header, `<length> <key>=<value>\\n` each."""
    while text:
        digits, space, _ = text.partition(b" ")
        length = _number(digits, 10) if space else 0
        key, equals, value = text[len(digits) + 1 : length].partition(b"=")
        if not equals or length > len(text) or not value.endswith(b"\n"):
            raise ArchiveFault("has a further header that cannot be read")
        yield key.decode("utf-8", "replace"), value[:-1].decode("utf-8", "surrogateescape")
        text = text[length:]


def _member(head: bytes, kind: bytes, notes: dict[str, str], plain: bytes, begin: int, size: int) -> Member | None:
    name = notes.get("path") or _name(head)
    name = name.removeprefix("./")
    form = _TYPES.get(kind, 0)
    folder = form == stat.S_IFDIR
    if folder and name in ("", "."):
        return None
    odd = _ODD.get(kind) or (None if form else "is of a kind that is not known")
    if any(key.startswith("GNU.sparse") or key == "hdrcharset" for key in notes):
        odd = "is a file with holes, or with a name in a special writing"
    chunks = partial(_part, plain, begin, size)
    if form == stat.S_IFLNK:
        target = notes.get("linkpath") or _text(head[157:257])
        chunks = partial(_bytes, target.encode("utf-8", "surrogateescape"))
    mode = form | (_number(head[100:108]) & 0o7777)
    return Member(name.rstrip("/") + "/" if folder else name, folder, mode, size, chunks, odd)


def _name(head: bytes) -> str:
    name = _text(head[:100])
    prefix = _text(head[345:500]) if head[257:263] == b"ustar\0" else ""
    return f"{prefix}/{name}" if prefix else name


def _text(raw: bytes) -> str:
    return raw.partition(b"\0")[0].decode("utf-8", "surrogateescape")


def _part(plain: bytes, begin: int, size: int) -> Iterator[bytes]:
    for at in range(begin, begin + size, _CHUNK):
        yield plain[at : min(at + _CHUNK, begin + size)]


def _bytes(text: bytes) -> Iterator[bytes]:
    yield text

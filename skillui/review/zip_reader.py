"""Reading a zip strictly: every byte belongs to one entry, and both of its headers say the same.

Programs that unpack zips differ in what they make of a file that is not like that, so nobody could say what
was reviewed. Nothing is extracted.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from skillui.core.memory_tree import TreeFault
from skillui.core.problems import Severity
from skillui.core.text import has_surrogate
from skillui.review.archive_member import LARGE, MAX_MEMBERS, MAX_RATIO, ArchiveFault, Findings, Member

_END: Final = b"PK\x05\x06"
_MAX_TAIL: Final = 22 + 0xFFFF
_CENTRAL: Final = struct.Struct("<4s4B4HL2L5H2L")
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_STORED, _DEFLATED = 0, 8
_ENCRYPTED: Final = 0x0001 | 0x0040 | 0x2000
_STREAMED: Final = 0x0008
_UTF_8: Final = 0x0800
_UNIX: Final = (3, 19)
_CHUNK: Final = 1 << 20
_MAX_32: Final = 0xFFFFFFFF


class _Entry(NamedTuple):
    """One line of the directory at the archive's end."""

    raw: bytes
    extra: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    mode: int


def read_zip(data: bytes, findings: Findings) -> list[Member]:
    """Return the members of a zip. Raises `ArchiveFault` where it has no directory to go by."""
    count, size, start = _end(data, findings)
    entries = list(_directory(data, count, size, start))
    starts = _laid_out(data, entries, start, findings)
    return [_member(data, entry, starts[index], findings) for index, entry in enumerate(entries)]


def _end(data: bytes, findings: Findings) -> tuple[int, int, int]:
    """Return the directory's count of entries, its size and its place."""
    tail = max(0, len(data) - _MAX_TAIL)
    found = []
    at = data.find(_END, tail)
    while at >= 0:
        if at + 22 <= len(data) and at + 22 + int.from_bytes(data[at + 20 : at + 22], "little") == len(data):
            found.append(at)
        at = data.find(_END, at + 1)
    if not found:
        raise ArchiveFault("is no zip, is cut off, or has bytes behind its end")
    if len(found) > 1 or _END in data[found[0] + 22 :]:
        raise ArchiveFault("has a comment that imitates an archive's end")
    disk, first, here, count, size, start, _ = struct.unpack_from("<4H2LH", data, found[0] + 4)
    if count == 0xFFFF or _MAX_32 in (size, start) or count > MAX_MEMBERS:
        raise ArchiveFault(f"holds more than {MAX_MEMBERS:,} entries, or is in the format for so many")
    if disk or first or here != count:
        raise ArchiveFault("is one part of several")
    if start + size != found[0]:
        raise ArchiveFault("has other bytes before its first entry or around its directory")
    if len(data) > found[0] + 22:
        findings.add("", "the archive has a comment, which nobody sees", "leave it out", Severity.NOTE)
    return count, size, start


def _directory(data: bytes, count: int, size: int, start: int) -> Iterator[_Entry]:
    at, end = start, start + size
    for _ in range(count):
        if at + 46 > end or data[at : at + 4] != b"PK\x01\x02":
            raise ArchiveFault("has a damaged directory")
        (_, _, system, _, _, flags, method, _, _, crc, packed, full, names, extras, comments, disk, _, attributes,
         offset) = _CENTRAL.unpack_from(data, at)  # fmt: skip
        last = at + 46 + names + extras + comments
        if last > end or disk or _MAX_32 in (packed, full, offset):
            raise ArchiveFault("has a damaged directory")
        raw, extra = data[at + 46 : at + 46 + names], data[at + 46 + names : at + 46 + names + extras]
        mode = attributes >> 16 if system in _UNIX else 0
        yield _Entry(raw, extra, flags, method, crc, packed, full, offset, mode)
        at = last
    if at != end:
        raise ArchiveFault("holds more entries than it says")


def _laid_out(data: bytes, entries: list[_Entry], end: int, findings: Findings) -> list[int]:
    """Tell where each entry's data begins, -1 where it has none; note what is not one entry after the other."""
    starts = [-1] * len(entries)
    expected = 0
    for index in sorted(range(len(entries)), key=lambda index: entries[index].offset):
        entry, shown = entries[index], entries[index].raw.decode("utf-8", "replace")
        if entry.offset != expected:
            what = "shares bytes with another entry" if entry.offset < expected else "has hidden bytes before it"
            findings.add(shown, f"{shown} {what}", "pack the archive anew")
        begin = _local(data, entry)
        if begin is None or begin + entry.packed > end:
            findings.add(shown, f"{shown} is not what the archive's directory says", "pack the archive anew")
            expected = max(expected, min(entry.offset + 30, end))
            continue
        starts[index] = begin
        last = begin + entry.packed
        expected = max(expected, last + _described(data, entry, last) if entry.flags & _STREAMED else last)
    if entries and expected != end:
        findings.add("", "the archive has hidden bytes before its directory", "pack the archive anew")
    return starts


def _local(data: bytes, entry: _Entry) -> int | None:
    """Return where an entry's data begins, None where its own header tells another story than the directory."""
    if entry.offset + 30 > len(data):
        return None
    mark, _, flags, method, _, _, crc, packed, size, names, extras = _LOCAL.unpack_from(data, entry.offset)
    begin = entry.offset + 30 + names
    same = mark == b"PK\x03\x04" and flags == entry.flags and method == entry.method
    told, true = (crc, packed, size), (entry.crc, entry.packed, entry.size)
    later = (0, _MAX_32) if flags & _STREAMED else ()  # what stands for a number that follows the data
    agree = all(one == other or one in later for one, other in zip(told, true, strict=True))
    return begin + extras if same and agree and data[entry.offset + 30 : begin] == entry.raw else None


def _described(data: bytes, entry: _Entry, at: int) -> int:
    """Return the length of the sizes that follow streamed data, 0 where none fit."""
    for mark in (b"PK\x07\x08", b""):
        for layout in ("<3L", "<L2Q"):
            text = mark + struct.pack(layout, entry.crc, entry.packed, entry.size)
            if data[at : at + len(text)] == text:
                return len(text)
    return 0


def _member(data: bytes, entry: _Entry, begin: int, findings: Findings) -> Member:
    name = _name(entry, findings)
    odd = None
    if begin < 0:
        odd = "has no data that belongs to it"
    elif entry.flags & _ENCRYPTED:
        odd = "is encrypted"
    elif entry.method not in (_STORED, _DEFLATED):
        odd = f"is packed by a method that is not read ({entry.method})"
    elif entry.size > LARGE and entry.size > entry.packed * MAX_RATIO:
        odd = f"unpacks to {entry.size:,} bytes from {entry.packed:,}, as a bomb would"
    chunks = partial(_unpacked, data, entry, begin)
    return Member(name, name.endswith("/"), entry.mode, entry.size, chunks, odd)


def _name(entry: _Entry, findings: Findings) -> str:
    """Decode a name; what programs would decode in different ways is told."""
    name = entry.raw.decode("utf-8", "surrogateescape")
    if not entry.raw.isascii() and (not entry.flags & _UTF_8 or has_surrogate(name)):
        findings.add(name, f"the name {name} does not say how it is encoded", "pack the archive anew, with UTF-8 names")
    extra = entry.extra
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<2H", extra)
        if kind == 0x7075 and extra[9 : 4 + size] != entry.raw:
            findings.add(name, f"{name} has a second name", "pack the archive anew")
        extra = extra[4 + size :]
    return name


def _unpacked(data: bytes, entry: _Entry, begin: int) -> Iterator[bytes]:
    """Yield a member's content, never more than its size; sizes and checksum must be true. Raises `TreeFault`."""
    total = crc = 0
    for chunk in _inflated(data, entry, begin) if entry.method == _DEFLATED else _stored(data, entry, begin):
        total += len(chunk)
        if total > entry.size:
            raise TreeFault("is larger than the archive says")
        crc = zlib.crc32(chunk, crc)
        yield chunk
    if total != entry.size:
        raise TreeFault("is smaller than the archive says")
    if crc != entry.crc:
        raise TreeFault("does not match its checksum")


def _stored(data: bytes, entry: _Entry, begin: int) -> Iterator[bytes]:
    for at in range(begin, begin + entry.packed, _CHUNK):
        yield data[at : min(at + _CHUNK, begin + entry.packed)]


def _inflated(data: bytes, entry: _Entry, begin: int) -> Iterator[bytes]:
    packer = zlib.decompressobj(-zlib.MAX_WBITS)
    waiting = data[begin : begin + entry.packed]
    try:
        while not packer.eof:
            chunk = packer.decompress(waiting, _CHUNK)
            if not chunk and not packer.eof:
                raise TreeFault("is cut off")
            waiting = packer.unconsumed_tail
            yield chunk
    except zlib.error:
        raise TreeFault("is damaged") from None
    if packer.unused_data or packer.unconsumed_tail:
        raise TreeFault("has hidden bytes behind its data")

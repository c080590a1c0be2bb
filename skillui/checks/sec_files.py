"""SEC-05: files that do not belong in a skill: links that leave, special files, binaries, archives, giants."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillui.checks.rule import Family, Finding, Rule
from skillui.checks.subject import MAX_TEXT
from skillui.checks.texts import gravest_first
from skillui.core.problems import Severity
from skillui.core.visible import visible

if TYPE_CHECKING:
    from skillui.checks.subject import Subject
    from skillui.checks.tree import TreeEntry

_HEAD: Final = 4_096

_MACH_O: Final = (b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe")
_ARCHIVES: Final = (
    (b"PK\x03\x04", "zip"), (b"PK\x05\x06", "zip"), (b"PK\x07\x08", "zip"), (b"7z\xbc\xaf\x27\x1c", "7-zip"),
    (b"Rar!\x1a\x07\x00", "rar"), (b"Rar!\x1a\x07\x01\x00", "rar"), (b"\x1f\x8b\x08", "gzip"),
    (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"!<arch>\n", "ar"), (b"MSCF\x00\x00\x00\x00", "cabinet"),
)  # fmt: skip
# Office and e-book files are zips by their make; what they hold is a document.
_DOCUMENTS: Final = frozenset(
    {".docx", ".xlsx", ".pptx", ".dotx", ".xltx", ".potx", ".odt", ".ods", ".odp", ".epub", ".vsdx"}
)
_DOCUMENT_PARTS: Final = (b"[Content_Types].xml", b"_rels/", b"mimetype", b"docProps/", b"word/", b"xl/", b"ppt/")


def files(subject: Subject) -> list[Finding]:
    """Return the odd files of a skill, in the order of their paths."""
    return gravest_first(_files(subject))


def _files(subject: Subject) -> Iterator[Finding]:
    for entry in subject.tree.entries:
        yield from _kind(entry)
        if entry.is_file:
            yield from _content(subject, entry)
    for folder in subject.tree.unread:
        yield Finding("a folder that cannot be listed", folder.rstrip("/") or ".", severity=Severity.WARNING)
    if subject.tree.cut:
        yield Finding("more files than are looked at", ".", hint="split the skill", severity=Severity.WARNING)


def _kind(entry: TreeEntry) -> Iterator[Finding]:
    if entry.link is not None and entry.leaves:
        yield Finding(
            f"a link that leaves the skill's folder, to '{visible(entry.link)}'", entry.path, hint="copy the file"
        )
    elif entry.odd is not None:
        yield Finding(f"{entry.odd}, where skills hold regular files".removeprefix("is "), entry.path, hint="delete it")
    if entry.is_file and entry.mode & (stat.S_ISUID | stat.S_ISGID):
        bit = "set-uid" if entry.mode & stat.S_ISUID else "set-gid"
        yield Finding(f"a {bit} bit: it would run as another user", entry.path, hint="chmod ug-s")


def _content(subject: Subject, entry: TreeEntry) -> Iterator[Finding]:
    if entry.size > MAX_TEXT:
        message = f"{entry.size:,} bytes, more than 1 MiB: its text is not looked at"
        yield Finding(message, entry.path, hint="leave it out, or fetch it when needed", severity=Severity.WARNING)
    head = subject.head(entry.path, _HEAD)
    if (program := executable(head)) is not None:
        yield Finding(f"a native executable ({program}) that nobody can read", entry.path, hint="ship the source")
    elif (archive := archived(head)) is not None and not _is_document(entry, head):
        yield Finding(
            f"an archive ({archive}) whose files are not looked at", entry.path, hint="ship the files themselves",
            severity=Severity.WARNING,
        )  # fmt: skip


def executable(head: bytes) -> str | None:
    """Name the kind of program that a file's first 4 KiB show, by its full magic; None for all else."""
    if head.startswith(b"\x7fELF") and head[4:5] in (b"\x01", b"\x02"):
        return "ELF"
    if head.startswith(_MACH_O) or (head.startswith(b"\xca\xfe\xba\xbe") and 0 < int.from_bytes(head[4:8], "big") < 40):
        return "Mach-O"
    if head.startswith(b"\xca\xfe\xba\xbe") and len(head) > 8:
        return "Java class"
    if head.startswith(b"\0asm\x01\0\0\0"):
        return "WebAssembly"
    if head.startswith(b"MZ") and len(head) >= 64:
        at = int.from_bytes(head[60:64], "little")
        if head[at : at + 4] == b"PE\0\0":
            return "PE"
    if head[2:4] == b"\r\n" and len(head) > 16 and head[1:2] == b"\x0d" and head[16:17] in (b"\xe3", b"c"):
        return "Python bytecode"
    return None


def archived(head: bytes) -> str | None:
    """Name the kind of archive that a file's first 4 KiB show; None for all else."""
    for magic, kind in _ARCHIVES:
        if head.startswith(magic):
            return kind
    if head.startswith(b"BZh") and head[3:4].isdigit() and head[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        return "bzip2"
    return "tar" if head[257:262] == b"ustar" else None


def _is_document(entry: TreeEntry, head: bytes) -> bool:
    return entry.suffix in _DOCUMENTS and head[30:60].startswith(_DOCUMENT_PARTS)


SEC_05: Final = Rule(
    "SEC-05", Family.SEC, Severity.ERROR,
    "a file that leaves the skill, or that nobody can read",
    "A link out of the folder makes a skill hold files of the person's own; pipes, devices and sockets stop or trick "
    "whoever opens them; a set-uid file runs as another user. Native programs and archives cannot be read in a "
    "review, and past 1 MiB no text is looked at. A type is told by a file's first bytes, not by its name.\n\n"
    "Ship plain, readable files inside the folder.",
    files,
    valid="references/list.md -> same.md",
    invalid="references/list.md -> ../../outside.md",
)  # fmt: skip

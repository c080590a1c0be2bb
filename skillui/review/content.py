"""The content of a skill as it was reviewed: its digest, and the files that made it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from skillui.core.digest import FileRecord, Keep, NoDigest, digest_of, file_records

if TYPE_CHECKING:
    from skillui.core.catalog import BrokenSkill, LoadedSkill

MAX_TEXT = 1024 * 1024
"""Bytes of one file that are kept, so that a later change can be shown."""
MAX_TOTAL = 16 * 1024 * 1024
"""Bytes of one skill that are kept in all."""

UNREADABLE = "its folder cannot be read"

ChangeState = Literal["new", "changed", "unchanged", "removed"]


@dataclass(frozen=True, slots=True)
class ReviewedFile:
    """One entry of the content, relative to the skill's folder, with `/`.

    `kind` is `f` (file), `l` (link, whose `text` is its target) or `t` (the file outside that a link
    ends at). `text` is None where the file is binary or past the limits.
    """

    path: str
    kind: str
    executable: bool
    size: int
    sha256: str
    text: bytes | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What tells one entry from another: a link out of the folder has two."""
        return self.path, self.kind

    @property
    def same_as(self) -> tuple[bool, int, str]:
        """What must be equal for the entry to be unchanged."""
        return self.executable, self.size, self.sha256


@dataclass(frozen=True, slots=True)
class ReviewedContent:
    """All files of a skill under one digest; without one, `fault` says why it cannot be approved."""

    digest: str | None
    fault: str | None = None
    files: tuple[ReviewedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class FileChange:
    """How one file stands beside its last approval."""

    path: str
    state: ChangeState
    before: ReviewedFile | None
    now: ReviewedFile | None


def read_content(directory: str, known: Mapping[str, bytes] | None = None) -> ReviewedContent:
    """Read a skill's folder (resolved) in one pass. `known` maps resolved paths to bytes that stand for a file."""
    try:
        records = file_records(directory, dict(known or {}), Keep(MAX_TEXT, MAX_TOTAL))
    except NoDigest as fault:
        return ReviewedContent(None, str(fault))
    return content_of(records)


def skill_content(skill: LoadedSkill | BrokenSkill) -> ReviewedContent:
    """Read the content of a skill, wherever it lies: SKILL.md's part is the bytes that were loaded."""
    if skill.files is None:  # a broken one, of which nothing was read
        return read_content(skill.dir) if os.path.isdir(skill.dir) else ReviewedContent(None, UNREADABLE)
    try:
        return content_of(skill.files.records(Keep(MAX_TEXT, MAX_TOTAL)))
    except NoDigest as fault:
        return ReviewedContent(None, str(fault))


def content_of(records: Iterable[FileRecord]) -> ReviewedContent:
    """Return the content that these records, in order, make up."""
    ordered = tuple(records)
    files = tuple(
        ReviewedFile(
            os.fsdecode(record.path),
            record.kind,
            record.executable,
            record.size,
            record.sha256,
            _readable(record.text),
        )
        for record in ordered
    )
    return ReviewedContent(digest_of(ordered), None, files)


def changes(before: ReviewedContent | None, now: ReviewedContent) -> tuple[FileChange, ...]:
    """Compare content with what was approved before, by path; with nothing before, every file is new."""
    old = {file.key: file for file in before.files} if before is not None else {}
    new = {file.key: file for file in now.files}
    return tuple(_change(old.get(key), new.get(key)) for key in sorted(old.keys() | new.keys()))


def _change(before: ReviewedFile | None, now: ReviewedFile | None) -> FileChange:
    if now is None:
        assert before is not None
        return FileChange(before.path, "removed", before, None)
    if before is None:
        return FileChange(now.path, "new", None, now)
    return FileChange(now.path, "unchanged" if before.same_as == now.same_as else "changed", before, now)


def _readable(text: bytes | None) -> bytes | None:
    """Keep what a person can read; a NUL near the start tells a binary."""
    return None if text is None or b"\0" in text[:8192] else text

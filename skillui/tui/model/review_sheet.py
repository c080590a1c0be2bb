"""One skill under review: its files beside what they are compared with, its findings, what was read of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from skillui.core import Problem, Severity
from skillui.review.content import FileChange, ReviewedContent, ReviewedFile, changes
from skillui.tui.model.review_rows import FileKey, files_to_read

if TYPE_CHECKING:
    from skillui.review.queue import QueueItem
    from skillui.review.records import StoredDecision

_SKILL_FILE: Final = "SKILL.md"
_KINDS: Final = {"l": " (link)", "t": " (target)"}


@dataclass(frozen=True, slots=True)
class Base:
    """What the files are compared with."""

    title: str
    """In words: "its approval", "the copy in ~/.claude/skills"; any text."""
    content: ReviewedContent | None
    approval: bool = False
    """Whether this is what was last approved in this place."""


@dataclass(frozen=True, slots=True)
class SheetFile:
    """One file of the skill, or one that is gone."""

    change: FileChange
    findings: tuple[Problem, ...]
    to_read: bool
    """Whether nobody approved it in this place before."""

    @property
    def file(self) -> ReviewedFile:
        """The file as it is, or as it was where it is gone."""
        file = self.change.now or self.change.before
        assert file is not None
        return file

    @property
    def key(self) -> FileKey:
        """Names exactly this content."""
        return self.file.path, self.file.kind, self.file.sha256

    @property
    def title(self) -> str:
        """The path, with what it is where it is no file of the skill."""
        return self.file.path + _KINDS.get(self.file.kind, "")

    @property
    def place(self) -> tuple[str, str]:
        """Names the file whatever it holds."""
        return self.file.path, self.file.kind

    def count(self, severity: Severity) -> int:
        """Count the findings of a severity."""
        return sum(found.severity is severity for found in self.findings)


@dataclass(frozen=True, slots=True)
class Stop:
    """One finding in its place."""

    file: int
    """Index of its file."""
    problem: Problem


@dataclass(frozen=True, slots=True)
class ReviewSheet:
    """Everything that is shown of one skill; `item` holds the bytes that a decision is about."""

    item: QueueItem
    base: Base
    abilities: tuple[str, ...]
    """What the skill can do by its files."""
    approval: StoredDecision | None
    """The decision that approved what this skill was before it changed."""
    files: tuple[SheetFile, ...]
    stops: tuple[Stop, ...]

    @property
    def key(self) -> str:
        """Names the skill from one reading to the next."""
        return self.item.entry.location

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The findings that a reviewer must not pass over."""
        return tuple(found for found in self.item.findings if found.severity is Severity.ERROR)

    @property
    def to_read(self) -> tuple[FileKey, ...]:
        """What nobody approved in this place before."""
        return files_to_read(self.item)

    @property
    def first(self) -> int:
        """Index of the file to begin with: SKILL.md where it is to be read, else the first that is."""
        wanted = [index for index, file in enumerate(self.files) if file.to_read]
        skill = [index for index, file in enumerate(self.files) if file.file.path == _SKILL_FILE]
        return next((index for index in skill if index in wanted), next(iter(wanted or skill), 0))


def make_sheet(
    item: QueueItem, base: Base, abilities: Sequence[str] = (), approval: StoredDecision | None = None
) -> ReviewSheet:
    """Put a sheet together."""
    unread = {key[:2] for key in files_to_read(item)}
    compared = changes(base.content, item.content)
    homes = _homes(compared)
    found: dict[int, list[Problem]] = {}
    for problem in item.findings:
        if homes:
            found.setdefault(homes.get(_path_of(problem), homes.get(_SKILL_FILE, 0)), []).append(problem)
    files = tuple(
        SheetFile(change, tuple(sorted(found.get(index, ()), key=_in_file)), _key(change) in unread)
        for index, change in enumerate(compared)
    )
    stops = tuple(Stop(index, problem) for index, file in enumerate(files) for problem in file.findings)
    return ReviewSheet(item, base, tuple(abilities), approval, files, stops)


def _key(change: FileChange) -> tuple[str, str]:
    file = change.now or change.before
    assert file is not None
    return (file.path, file.kind) if change.now is not None else ("", "")


def _homes(compared: Sequence[FileChange]) -> dict[str, int]:
    """Return the index at which findings about each path are shown: at its text, not at the link to it."""
    homes: dict[str, int] = {}
    for index, change in enumerate(compared):
        if change.path not in homes or (change.now is not None and change.now.kind != "l"):
            homes[change.path] = index
    return homes


def _path_of(problem: Problem) -> str:
    return problem.path or _SKILL_FILE


def _in_file(problem: Problem) -> tuple[int, int, int]:
    return problem.line or 0, problem.column or 0, problem.severity.rank

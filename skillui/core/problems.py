"""The `Problem`: what is wrong with a skill, where, and what to write instead."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How grave a problem is, gravest first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """Order for sorting: 0 is the gravest."""
        return _RANKS[self]


_RANKS = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


class ErrorCode(StrEnum):
    """The public error codes of the skill tool (specification §3.4)."""

    INVALID_PARAM = "INVALID_PARAM"
    NOT_FOUND = "NOT_FOUND"
    SENSITIVE = "SENSITIVE"
    OUTSIDE_WORKSPACE = "OUTSIDE_WORKSPACE"
    INVALID_FRONTMATTER = "INVALID_FRONTMATTER"
    NAME_MISMATCH = "NAME_MISMATCH"
    DISABLED = "DISABLED"
    NOT_TRUSTED = "NOT_TRUSTED"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    IO_ERROR = "IO_ERROR"


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in a file: the bytes from `start` up to `end`, 0-based, become `data`."""

    start: int
    end: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Rename:
    """A new name for the skill's folder, in the same place."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair of one file: everything its edits do not name stays byte for byte."""

    title: str
    """What it does, as an order: "remove the byte-order mark"."""
    path: str
    """The file, relative to the skill's folder, with `/`."""
    edits: tuple[Edit, ...] = ()
    """In order and apart from each other; offsets count in the file as it was read."""
    rename: Rename | None = None
    """A new name for the folder, to be given after the edits."""
    choices: tuple[Fix, ...] = ()
    """Ways to go of which a person takes one; the fix itself then does nothing."""
    digest: str = ""
    """SHA-256 of the file the offsets count in, in hexadecimal; a file that has another is not touched."""
    asks: bool = False
    """Whether a person should be asked although nothing breaks: somebody may use what it takes away."""

    @property
    def safe(self) -> bool:
        """Whether it may be applied unseen."""
        return bool(self.edits) and self.rename is None and not self.choices and not self.asks


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with one skill.

    `line` and `column` are 1-based and counted in the file itself; both are None where the
    problem is with the file as a whole. `message` is one line, `hint` says what to write instead.
    """

    code: str
    """An `ErrorCode` of the engine, an engine warning, or the id of a rule of the gate."""
    severity: Severity
    message: str
    path: str
    line: int | None = None
    column: int | None = None
    hint: str | None = None
    field: str | None = None
    """The frontmatter key the problem is about, where there is one."""
    capability: str | None = None
    """What the skill can do by what was found: network, writes, shell or credentials."""
    fix: Fix | None = None
    """A repair, where there is one; apply it unseen only where it is `safe`."""

    def to_json(self) -> dict[str, Any]:
        """Return the plain mapping that `catalog` and reports print."""
        return {
            "code": str(self.code),
            "severity": str(self.severity),
            "message": self.message,
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "hint": self.hint,
        }

"""What the store keeps: decisions, where they were taken, and the log of them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from skillui.core.problems import Problem

Verdict = Literal["approved", "denied"]
VERDICTS: tuple[Verdict, ...] = ("approved", "denied")
AuditKind = Literal["decision", "revoked", "prompt", "activation", "import", "fault"]
"""`decision`, `revoked` and `import` changed what is decided; `prompt` asked a person; `activation` was
answered from an earlier decision; `fault` is a denial for want of a store or a digest."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a skill stood: its name, its resolved directory, and its root as written."""

    name: str
    dir: str
    root: str


@dataclass(frozen=True, slots=True)
class SeenFinding:
    """One finding as it stood before the eyes of whoever decided."""

    code: str
    severity: str
    message: str
    path: str
    line: int | None

    @classmethod
    def of(cls, problem: Problem) -> SeenFinding:
        """Keep what matters of a problem."""
        return cls(str(problem.code), str(problem.severity), problem.message, problem.path or "", problem.line)


@dataclass(frozen=True, slots=True)
class StoredDecision:
    """What was decided about one content digest. `when` is UTC, ISO 8601 with a final Z."""

    digest: str
    verdict: Verdict
    who: str
    when: str
    place: Place
    reason: str
    findings: tuple[SeenFinding, ...]
    via: str
    """`app`, `cli`, `prompt` or `import`."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the log, which is only ever added to."""

    number: int
    when: str
    kind: str
    digest: str | None
    name: str
    dir: str
    who: str
    answer: str
    reason: str
    via: str
    pid: int


def now() -> str:
    """Return the time as the store writes it: UTC, to the second, with a final Z."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def user_name() -> str:
    """Return the name of the account this process runs under, or its number where it has no name."""
    try:
        import pwd
    except ImportError:  # not a Unix
        import getpass

        return getpass.getuser()
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())

"""What an archive holds, whatever its format: members, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from skillui.core.problems import Problem, Severity
from skillui.core.text import clipped

CODE: Final = "ARCHIVE"
MAX_ARCHIVE: Final = 128 * 1024 * 1024
"""Bytes an archive may have."""
MAX_MEMBERS: Final = 50_000
"""Entries an archive may have, folders that only their files name included."""
MAX_UNPACKED: Final = 256 * 1024 * 1024
"""Bytes an archive may unpack to."""
MAX_RATIO: Final = 200
"""How often larger a file may be than it is packed, where it is large at all."""
LARGE: Final = 1024 * 1024


class ArchiveFault(Exception):
    """The archive as a whole cannot be read; a predicate ("is cut off")."""


@dataclass(frozen=True, slots=True)
class Member:
    """One entry as its archive names it. `mode` is 0 where the archive does not say."""

    name: str
    folder: bool
    mode: int
    size: int
    chunks: Callable[[], Iterator[bytes]]
    """Unpacks the content; raises `TreeFault`."""
    odd: str | None = None
    """Why it is not to be opened, as a predicate ("is encrypted")."""


@dataclass(slots=True)
class Findings:
    """What is wrong with an archive, gathered as it is found; the same is told once."""

    problems: list[Problem] = field(default_factory=list)
    limit: int = 100

    def add(self, name: str, message: str, hint: str | None = None, severity: Severity = Severity.ERROR) -> None:
        """Note a problem of the member `name`."""
        problem = Problem(CODE, severity, clipped(message, 300), clipped(name or ".", 300), hint=hint)
        if len(self.problems) < self.limit and problem not in self.problems:
            self.problems.append(problem)

"""What the gate found in a skill: counts for the list, and everything about the one that is looked at."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from skillui.checks.explain import ENGINE, family_of
from skillui.checks.rule import SKILL_FILE, Family
from skillui.core import Problem, Severity

if TYPE_CHECKING:
    from skillui.checks.subject import Subject

FAMILIES: Final = (ENGINE, *(str(family) for family in Family))
"""What findings are told apart by, in the order they are offered."""
MAX_EXCERPTS: Final = 2_000
"""Lines of one skill that are kept to be shown."""
_AROUND: Final = 240
_SPELLS: Final = re.compile(r'that spell "(.+)"$', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Summary:
    """How much was found in a skill; notes are facts and count apart."""

    errors: int = 0
    warnings: int = 0
    notes: int = 0
    codes: frozenset[str] = frozenset()
    """The codes of all of them, in capitals."""

    @property
    def gravest(self) -> Severity | None:
        """How grave the gravest is, None where there are but notes."""
        return Severity.ERROR if self.errors else Severity.WARNING if self.warnings else None


NOTHING: Final = Summary()


class Summaries:
    """Makes summaries; sets of codes that many skills share are kept once."""

    def __init__(self) -> None:
        self._codes: dict[frozenset[str], frozenset[str]] = {}

    def of(self, problems: Iterable[Problem]) -> Summary:
        """Count problems."""
        counts = dict.fromkeys(Severity, 0)
        found: set[str] = set()
        for problem in problems:
            counts[problem.severity] += 1
            found.add(str(problem.code).upper())
        codes = frozenset(found)
        if not codes:
            return NOTHING
        shared = self._codes.setdefault(codes, codes)
        return Summary(counts[Severity.ERROR], counts[Severity.WARNING], counts[Severity.NOTE], shared)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of one line of a file; `at` is the place in it that a finding names, in characters."""

    text: str
    at: int
    cut_before: bool = False
    cut_after: bool = False


Place = tuple[str, int, int]
"""A file, a line and a column, 1-based."""


@dataclass(frozen=True)
class Findings:
    """Everything that was found in one skill, with the lines it was found at."""

    problems: tuple[Problem, ...]
    excerpts: Mapping[Place, Excerpt]
    of_catalog: tuple[Problem, ...] = ()
    """Those of the problems that only the whole catalog shows."""


def path_of(problem: Problem) -> str:
    """Return the file of a problem relative to the skill's folder; the engine names SKILL.md absolutely."""
    return SKILL_FILE if os.path.isabs(problem.path) else problem.path


def place_of(problem: Problem) -> Place | None:
    """Return where a problem is, None where it is with its file as a whole."""
    return None if problem.line is None else (path_of(problem), problem.line, problem.column or 1)


def in_skill_md(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems with SKILL.md itself."""
    return tuple(problem for problem in problems if path_of(problem) == SKILL_FILE)


def of_family(problems: Iterable[Problem], family: str | None) -> tuple[Problem, ...]:
    """Return the problems of a family, all for None."""
    return tuple(one for one in problems if family is None or family_of(str(one.code)) == family)


def families_in(problems: Iterable[Problem]) -> dict[str, int]:
    """Count problems by family, in the order of `FAMILIES`."""
    counts = dict.fromkeys(FAMILIES, 0)
    for problem in problems:
        counts[family_of(str(problem.code))] += 1
    return {family: count for family, count in counts.items() if count}


def spelt(problem: Problem) -> str | None:
    """Return what hidden characters spell, None where the problem is no such thing."""
    match = _SPELLS.search(problem.message) if problem.code == "SEC-01" else None
    return match[1] if match is not None else None


def excerpts_of(problems: Iterable[Problem], subject: Subject) -> dict[Place, Excerpt]:
    """Return the lines that problems name, each cut around its place. Blocking."""
    lines: dict[str, list[str]] = {}
    found: dict[Place, Excerpt] = {}
    for problem in problems:
        place = place_of(problem)
        if place is None or place in found:
            continue
        path, line, column = place
        if path not in lines:
            text = subject.lines if path == SKILL_FILE else _lines(subject.text(path))
            lines[path] = text
        if line <= len(lines[path]):
            found[place] = _cut(lines[path][line - 1], column)
        if len(found) >= MAX_EXCERPTS:
            break
    return found


def _lines(text: str | None) -> list[str]:
    return [] if text is None else [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


def _cut(line: str, column: int) -> Excerpt:
    at = min(column - 1, len(line))
    start = max(0, at - _AROUND)
    end = min(len(line), at + _AROUND)
    return Excerpt(line[start:end], at - start, start > 0, end < len(line))

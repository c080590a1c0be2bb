"""What a run of the gate came to: the checked skills, counted, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from skillui.checks.profiles import Profile
from skillui.checks.rule import Family
from skillui.checks.table import SKILL_RULES
from skillui.core.problems import Problem, Severity
from skillui.core.text import estimated_tokens, json_safe

GUIDE_RULES: Final = tuple(rule.code for rule in SKILL_RULES if rule.family is Family.SKL)
"""The rules that the profile `guide` counts."""


@dataclass(frozen=True, slots=True)
class CheckedSkill:
    """One skill with its problems, in the order of its files and lines. Sizes count characters."""

    name: str
    directory: str
    """The folder as it was named, absolute; a link is not resolved."""
    problems: tuple[Problem, ...]
    listing: int = 0
    body: int = 0

    def count(self, severity: Severity) -> int:
        """Count the problems of one severity."""
        return sum(problem.severity is severity for problem in self.problems)

    @property
    def failed_guide_rules(self) -> tuple[str, ...]:
        """The SKL rules that fail as errors."""
        failed = {problem.code for problem in self.problems if problem.severity is Severity.ERROR}
        return tuple(code for code in GUIDE_RULES if code in failed)

    def to_json(self) -> dict[str, Any]:
        """Return the plain mapping of a JSON report."""
        return {
            "name": self.name,
            "dir": self.directory,
            "problems": [_problem_json(problem) for problem in self.problems],
            "tokens": {
                "estimated": True,
                "listing": estimated_tokens(self.listing),
                "body": estimated_tokens(self.body),
            },
        }


def _problem_json(problem: Problem) -> dict[str, Any]:
    shape = problem.to_json()
    if problem.capability is not None:
        shape["capability"] = str(problem.capability)
    shape["fixable"] = problem.fix is not None and problem.fix.safe
    return shape


@dataclass(frozen=True)
class Report:
    """All skills of one run."""

    skills: Sequence[CheckedSkill]
    profile: Profile

    @cached_property
    def counts(self) -> dict[Severity, int]:
        """The problems by severity."""
        return {severity: sum(skill.count(severity) for skill in self.skills) for severity in Severity}

    @cached_property
    def statistics(self) -> tuple[tuple[str, int, int], ...]:
        """Code, findings and skills with one, most findings first."""
        findings: Counter[str] = Counter()
        skills: Counter[str] = Counter()
        for skill in self.skills:
            codes = [str(problem.code) for problem in skill.problems]
            findings.update(codes)
            skills.update(set(codes))
        return tuple((code, count, skills[code]) for code, count in sorted(findings.items(), key=_most_first))

    @property
    def failed(self) -> bool:
        """Tell whether there is an error."""
        return self.counts[Severity.ERROR] > 0

    def to_json(self) -> dict[str, Any]:
        """Return the plain mapping that `check --format json` prints."""
        summary: dict[str, Any] = {
            "profile": str(self.profile),
            "skills": len(self.skills),
            "errors": self.counts[Severity.ERROR],
            "warnings": self.counts[Severity.WARNING],
            "notes": self.counts[Severity.NOTE],
        }
        return dict(json_safe({"skills": [skill.to_json() for skill in self.skills], "summary": summary}))

    def statistics_json(self) -> dict[str, Any]:
        """Return the counts by code as a plain mapping."""
        return {code: {"findings": count, "skills": skills} for code, count, skills in self.statistics}


def _most_first(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]

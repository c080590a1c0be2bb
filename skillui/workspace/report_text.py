"""The text of a report of the gate: problems by skill with their source lines, and the counts."""

from __future__ import annotations

import os
from collections.abc import Iterator

from skillui.checks.profiles import Profile
from skillui.checks.report import GUIDE_RULES, CheckedSkill, Report
from skillui.core.files import MAX_SKILL_MD, ReadFault, is_below, read_regular, resolved
from skillui.core.problems import Problem, Severity
from skillui.workspace.source_line import Page, caret_lines


def report_lines(report: Report, page: Page) -> Iterator[str]:
    """Yield every line, each text of a skill through the gate for hostile text; clean skills are only counted."""
    for skill in report.skills:
        if skill.problems or report.profile is Profile.GUIDE:
            yield from _skill(skill, report, page)
    yield summary_line(report)


def _skill(skill: CheckedSkill, report: Report, page: Page) -> Iterator[str]:
    yield page.shown(f"{skill.name}  {shown_path(skill.directory)}")
    sources = _Sources(skill.directory)
    for problem in skill.problems:
        yield from _problem(problem, sources, page)
    if report.profile is Profile.GUIDE:
        failed = skill.failed_guide_rules
        verdict = f"  {len(GUIDE_RULES) - len(failed)} of {len(GUIDE_RULES)} rules passed"
        yield verdict + (f", failed: {', '.join(failed)}" if failed else "")
    yield ""


def _problem(problem: Problem, sources: _Sources, page: Page) -> Iterator[str]:
    place = problem.path
    if problem.line is not None:
        place += f":{problem.line}" + (f":{problem.column}" if problem.column is not None else "")
    yield page.shown(f"  {place}: {problem.severity} {problem.code}: {problem.message}")
    if problem.line is not None and (text := sources.line(problem.path, problem.line)) is not None:
        yield from caret_lines(text, problem.line, problem.column or 1, page)
    if problem.hint:
        yield page.shown(f"    hint: {problem.hint}")


class _Sources:
    """The lines of one skill's files, read once each and only where a problem is shown."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self._lines: dict[str, list[str]] = {}

    def line(self, path: str, number: int) -> str | None:
        """Return one line of a file, None where there is none to show."""
        if path not in self._lines:
            self._lines[path] = self._read(path)
        lines = self._lines[path]
        return lines[number - 1] if 0 < number <= len(lines) else None

    def _read(self, path: str) -> list[str]:
        full = os.path.join(self.directory, path)
        if path != "SKILL.md" and not is_below(resolved(full), resolved(self.directory)):
            return []
        try:
            data, _ = read_regular(full, MAX_SKILL_MD)
        except ReadFault:
            return []
        return data.decode("utf-8-sig", "replace").split("\n")


def shown_path(path: str) -> str:
    """Write a path relative to the working folder where it lies below it."""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


def summary_line(report: Report) -> str:
    """Return the last line: what was checked and what came of it."""
    counts = report.counts
    if not any(counts.values()):
        return f"{counted(len(report.skills), 'skill')} checked: no problems"
    words = ", ".join(counted(counts[severity], str(severity)) for severity in Severity)
    return f"{counted(len(report.skills), 'skill')} checked: {words}"


def counted(number: int, word: str) -> str:
    """Write a number with its word."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"

"""A report as workflow commands, which GitHub shows beside the lines of a change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from skillui.checks.report import Report
from skillui.core.problems import Problem, Severity
from skillui.core.visible import visible

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def github_lines(report: Report, base: str) -> Iterator[str]:
    """Yield one workflow command a problem; paths are relative to `base`, an absolute folder."""
    for skill in report.skills:
        for problem in skill.problems:
            yield _command(problem, os.path.relpath(os.path.join(skill.directory, problem.path), base))


def _command(problem: Problem, path: str) -> str:
    properties = {"file": path.replace(os.sep, "/")}
    if problem.line is not None:
        properties["line"] = str(problem.line)
        if problem.column is not None:
            properties["col"] = str(problem.column)
    properties["title"] = str(problem.code)
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    text = problem.message if problem.hint is None else f"{problem.message} (hint: {problem.hint})"
    return f"::{_LEVELS[problem.severity]} {listed}::{_data(text)}"


def _data(text: str) -> str:
    # A newline or a percent sign of a skill must not begin a command of its own.
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

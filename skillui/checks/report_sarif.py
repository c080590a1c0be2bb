"""A report as SARIF 2.1.0, for code scanning."""

from __future__ import annotations

import os
from typing import Any, Final
from urllib.parse import quote

from skillui import __version__
from skillui.checks.report import Report
from skillui.checks.rule import AnyRule
from skillui.checks.table import RULES
from skillui.core.problems import Problem, Severity
from skillui.core.text import json_safe
from skillui.core.visible import visible

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(report: Report, base: str) -> dict[str, Any]:
    """Return the log of one run; files below `base`, an absolute folder, are named relative to it."""
    codes = sorted({str(problem.code) for skill in report.skills for problem in skill.problems})
    index = {code: number for number, code in enumerate(codes)}
    results = [
        _result(problem, index[str(problem.code)], skill.directory, base)
        for skill in report.skills
        for problem in skill.problems
    ]
    driver = {
        "name": "skillui",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(code, RULES.get(code)) for code in codes],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return dict(json_safe({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}))


def _rule(code: str, rule: AnyRule | None) -> dict[str, Any]:
    if rule is None:  # a problem of the engine itself
        return {"id": code, "shortDescription": {"text": f"the skill format: {code}"}}
    return {
        "id": code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": rule.explanation},
        "defaultConfiguration": {"level": _level(rule.severity)},
    }


def _level(severity: Severity) -> str:
    return str(severity)  # SARIF has the same three words


def _result(problem: Problem, index: int, directory: str, base: str) -> dict[str, Any]:
    path = os.path.join(directory, problem.path)
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(path, base)}}
    if problem.line is not None:
        region = {"startLine": problem.line}
        if problem.column is not None:
            region["startColumn"] = problem.column
        location["region"] = region
    text = problem.message if problem.hint is None else f"{problem.message} ({problem.hint})"
    return {
        "ruleId": str(problem.code),
        "ruleIndex": index,
        "level": _level(problem.severity),
        "message": {"text": visible(text)},
        "locations": [{"physicalLocation": location}],
    }


def _uri(path: str, base: str) -> str:
    """Return a relative reference below `base`, else a file URI."""
    relative = os.path.relpath(path, base)
    if relative.startswith(os.pardir):
        return "file://" + quote(os.fsencode(path.replace(os.sep, "/")))
    return quote(os.fsencode(relative.replace(os.sep, "/")))

"""Running rules: from a skill to its problems, the engine's own among them."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Final

from skillui.checks.fixes.kinds import with_fixes
from skillui.checks.profiles import Profile
from skillui.checks.rule import SKILL_FILE, AnyRule, Breathe, Finding, Rule, breathless
from skillui.checks.subject import Subject
from skillui.checks.table import CATALOG_RULES, SKILL_RULES
from skillui.core.catalog import Catalog
from skillui.core.problems import Problem, Severity
from skillui.core.text import clipped

RULE_FAILED: Final = "RULE-FAILED"
"""The code of the note that a rule could not look at a skill."""
MAX_FINDINGS: Final = 100
"""Findings of one rule in one skill that are told."""
MAX_MESSAGE: Final = 400


def check_skill(
    subject: Subject,
    profile: Profile = Profile.PORTABLE,
    select: frozenset[str] = frozenset(),
    ignore: frozenset[str] = frozenset(),
) -> tuple[Problem, ...]:
    """Return every problem of a skill, in the order of its files and lines. Never raises.

    Args:
        subject: The skill.
        profile: Which rules run, and how grave their findings are.
        select: Codes that run, all where it is empty.
        ignore: Codes that do not run.
    """
    problems: list[Problem] = []
    told: list[Problem] = []
    for rule in SKILL_RULES:
        if not _runs(rule, profile, select, ignore):
            continue
        findings, fault = _findings(rule, subject)
        problems += (_problem(rule, finding, profile) for finding in findings)
        told += (finding.engine for finding in findings if finding.engine is not None)
        if fault is not None:
            problems.append(_failed(rule, fault))
    for problem in subject.parsed.problems:
        if problem in told or (select and problem.severity is not Severity.ERROR):
            continue
        problems.append(_engine(problem, profile))
    return with_fixes(sorted(problems, key=_order), subject)


def check_catalog(
    catalog: Catalog,
    profile: Profile = Profile.PORTABLE,
    select: frozenset[str] = frozenset(),
    ignore: frozenset[str] = frozenset(),
    breathe: Breathe = breathless,
) -> dict[str, tuple[Problem, ...]]:
    """Return the problems that only a whole catalog shows, by `location` of the entry. Never raises.

    `breathe` is called all along; what it raises is raised, where it is no `Exception`.
    """
    found: dict[str, list[Problem]] = {}
    for rule in CATALOG_RULES:
        if not _runs(rule, profile, select, ignore):
            continue
        pairs = []
        fault: Exception | None = None
        try:
            for entry, finding in rule.check(catalog, breathe):
                pairs.append((entry.location, finding))
        except Exception as error:
            fault = error
        for location, finding in pairs:
            found.setdefault(location, []).append(_problem(rule, finding, profile))
        if fault is not None:
            found.setdefault("", []).append(_failed(rule, fault))
    return {location: tuple(problems) for location, problems in found.items()}


def _runs(rule: AnyRule, profile: Profile, select: frozenset[str], ignore: frozenset[str]) -> bool:
    asked = rule.code in select if select else True
    wanted = profile.runs(rule) or (rule.code in select and profile is not Profile.SPEC)
    return asked and wanted and rule.code not in ignore


def _findings(rule: Rule, subject: Subject) -> tuple[list[Finding], Exception | None]:
    """Return what a rule finds, and the fault that stopped it: a rule must never stop the others."""
    findings: list[Finding] = []
    try:
        for finding in islice(rule.check(subject), MAX_FINDINGS):
            findings.append(finding)
    except Exception as error:
        return findings, error
    return findings, None


def _problem(rule: AnyRule, finding: Finding, profile: Profile) -> Problem:
    return Problem(
        rule.code, profile.severity(rule, finding.severity), clipped(finding.message, MAX_MESSAGE), finding.path,
        finding.line, finding.column, clipped(finding.hint, MAX_MESSAGE) if finding.hint else None, finding.field,
        finding.capability, finding.fix,
    )  # fmt: skip


def _engine(problem: Problem, profile: Profile) -> Problem:
    """Return a problem of the engine with its path made relative, as the rules' are."""
    return replace(problem, path=SKILL_FILE, severity=profile.raised(problem.severity))


def _failed(rule: AnyRule, fault: Exception) -> Problem:
    reason = clipped(f"{type(fault).__name__}: {fault}")
    return Problem(
        RULE_FAILED, Severity.NOTE, f"{rule.code} could not look at this skill ({reason})", SKILL_FILE,
        hint="report it: a rule must bear every file",
    )  # fmt: skip


def _order(problem: Problem) -> tuple[bool, str, int, int, int, str]:
    own = problem.path == SKILL_FILE
    return not own, problem.path, problem.line or 0, problem.column or 0, problem.severity.rank, problem.code

"""Which problem has which fix."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from skillui.checks.fixes.naming import kebab_name, same_name
from skillui.checks.fixes.portable import comment_out
from skillui.checks.fixes.quoting import quote_broken, quote_list
from skillui.checks.rule import SKILL_FILE
from skillui.core.problems import ErrorCode, Fix, Problem

if TYPE_CHECKING:
    from skillui.checks.subject import Subject

_CODES: Final = frozenset({
    "SKL-01", "SKL-02", "SKL-03", "SKL-04", "ARGUMENT_HINT_LIST",
    ErrorCode.INVALID_FRONTMATTER, ErrorCode.NAME_MISMATCH,
})  # fmt: skip
_MISMATCH: Final = "does not match"


def fix_for(problem: Problem, subject: Subject) -> Fix | None:
    """Return the fix of a problem of this skill, None where there is none. Reads nothing, changes nothing.

    Every fix was tried on the text: the engine reads the result, the problem is gone, and none is new
    but what broken frontmatter had hidden.
    """
    if problem.fix is not None:
        return problem.fix
    if problem.code not in _CODES or problem.path != SKILL_FILE:
        return None
    parsed = subject.parsed
    if problem.code == "SKL-04":
        return comment_out(parsed)
    if not parsed.nodes:
        return quote_broken(parsed) if parsed.errors and problem.field is None else None
    if problem.field == "name":
        mismatch = problem.code == ErrorCode.NAME_MISMATCH or _MISMATCH in problem.message
        return (same_name if mismatch else kebab_name)(parsed, subject.source.has_neighbour)
    return quote_list(parsed, problem.field) if problem.field else None


def with_fixes(problems: Iterable[Problem], subject: Subject) -> tuple[Problem, ...]:
    """Return the problems of a skill, each with its fix where there is one."""
    return tuple(
        problem if (fix := fix_for(problem, subject)) is None or fix is problem.fix else replace(problem, fix=fix)
        for problem in problems
    )

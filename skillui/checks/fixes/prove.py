"""Proving a fix before it is offered: the engine reads the repaired text, and nothing but the fault is gone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from skillui.checks.fixes.apply import apply_fixes
from skillui.checks.fixes.source import digest_of
from skillui.core.skill import ParsedSkill, parse_skill

if TYPE_CHECKING:
    from skillui.core.problems import Fix, Problem


def repaired(parsed: ParsedSkill, fix: Fix) -> ParsedSkill | None:
    """Return the skill as the engine reads it after the fix, None where the fix does not fit the text."""
    data = parsed.text.encode("utf-8")
    if fix.digest != digest_of(data):
        return None
    folder = parsed.folder if fix.rename is None else fix.rename.new
    after = apply_fixes(data, [fix])
    return None if after == data and fix.rename is None else parse_skill(after, folder, parsed.path)


def adds_none(before: ParsedSkill, after: ParsedSkill) -> bool:
    """Tell whether every problem of `after` was there before, at whatever place."""
    return not Counter(map(_identity, after.problems)) - Counter(map(_identity, before.problems))


def same_text(before: ParsedSkill, after: ParsedSkill, but: frozenset[str] = frozenset()) -> bool:
    """Tell whether body and fields are the same, the fields of `but` aside."""
    fields = [{key: value for key, value in parsed.frontmatter.items() if key not in but} for parsed in (before, after)]
    return before.body == after.body and fields[0] == fields[1] and before.arguments == after.arguments


def _identity(problem: Problem) -> tuple[str, str | None, str]:
    return problem.code, problem.field, problem.message

"""Which tab shows which line of a SKILL.md."""

from __future__ import annotations

from skillui.checks.rule import SKILL_FILE
from skillui.core import ParsedSkill, Problem
from skillui.tui.model.findings import path_of


def fields_end(parsed: ParsedSkill) -> int:
    """Return the first line, 1-based, that the Frontmatter tab no longer shows.

    A file whose frontmatter is missing or open has no body to speak of: the tab shows all of it.
    """
    if parsed.frontmatter_text is None or not _closed(parsed):
        return parsed.text.count("\n") + 2
    return parsed.body_line


def tab_of(problem: Problem, parsed: ParsedSkill | None) -> str:
    """Return the tab in which the place of a problem lies."""
    if path_of(problem) != SKILL_FILE:
        return "resources"
    if parsed is None or problem.line is None or problem.line < fields_end(parsed):
        return "frontmatter"
    return "body"


def fields_source(parsed: ParsedSkill) -> str:
    """Return the lines of the Frontmatter tab, fences included."""
    if parsed.frontmatter_text is None or not _closed(parsed):
        return parsed.text
    return parsed.text[: len(parsed.text) - len(parsed.body)]


def _closed(parsed: ParsedSkill) -> bool:
    # An open frontmatter reaches to the end of the text, where a closed one is followed by its fence.
    return not parsed.text.endswith(parsed.frontmatter_text or "") or not parsed.frontmatter_text

"""A finding in words: its line with a mark below, what it spells, what to write instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from textual.content import Content

from skillui.checks.rule import SKILL_FILE
from skillui.core import Problem
from skillui.core.problems import Fix
from skillui.core.text import clipped
from skillui.tui.glyphs import glyphs
from skillui.tui.model.findings import Excerpt, path_of, place_of, spelt
from skillui.tui.model.skill_view import SkillView
from skillui.tui.safe_text import safe
from skillui.tui.widgets.severity import style_of

_LONGEST_PATH: Final = 60
_LONGEST_SPELT: Final = 200


def where(problem: Problem) -> str:
    """Name the place of a problem, SKILL.md by its line alone."""
    path = path_of(problem)
    if problem.line is None:
        return "" if path == SKILL_FILE else clipped(path, _LONGEST_PATH)
    place = f"{problem.line}:{problem.column or 1}"
    return place if path == SKILL_FILE else f"{clipped(path, _LONGEST_PATH)}:{place}"


def detail(problem: Problem, view: SkillView, width: int) -> Iterator[Content]:
    """Yield the lines about one finding, to be shown in `width` cells."""
    place = place_of(problem)
    file = safe(clipped(path_of(problem), _LONGEST_PATH), "$text-muted")
    at = "" if place is None else f":{place[1]}:{place[2]}"
    code = safe(str(problem.code), f"bold {style_of(problem.severity)}")
    yield Content.assemble(code, "  ", file, (at, "$text-muted")).truncate(width, ellipsis=True)
    if place is not None and (excerpt := view.excerpts.get(place)) is not None:
        yield from caret(excerpt, place[1], width, style_of(problem.severity))
    if (text := spelt(problem)) is not None:
        yield Content.assemble("hidden text: ", safe(clipped(text, _LONGEST_SPELT), "bold $hidden-text"))
    if problem.hint:
        yield safe(f"{glyphs().arrow} {problem.hint}")
    yield remedy(problem.fix)


def remedy(fix: Fix | None) -> Content:
    """Say whether there is a fix, and what it does."""
    if fix is None:
        return Content.styled("no fix is safe here: edit it by hand", "$text-muted")
    return Content.assemble(("fix", "bold $accent"), safe(f"  {fix.title}"))


def caret(excerpt: Excerpt, line: int, width: int, style: str) -> tuple[Content, Content]:
    """Return a line of a file and a mark below its place; what is far from the place is cut."""
    number = Content.styled(f"{line:>4} ", "$text-muted") + Content.styled(_bar(), "$border-blurred") + Content(" ")
    room = max(8, width - number.cell_length)
    dots = glyphs().ellipsis
    start = _start(excerpt, room)
    lead = dots if start or excerpt.cut_before else ""
    before = Content.assemble((lead, "$text-muted"), safe(excerpt.text[start : excerpt.at], tabs="  "))
    after = safe(excerpt.text[excerpt.at :], tabs="  ")
    text = before + after
    if excerpt.cut_after or text.cell_length > room:
        text = text.truncate(room - 1) + Content.styled(dots, "$text-muted")
    blank = Content(" " * 5) + Content.styled(_bar(), "$border-blurred") + Content(" " * (1 + before.cell_length))
    return number + text, blank + Content.styled("^", f"bold {style}")


def _start(excerpt: Excerpt, room: int) -> int:
    """Return from where an excerpt is shown, so that its place stands within two thirds of the room."""
    start = 0
    most = room * 2 // 3
    while start < excerpt.at and safe(excerpt.text[start : excerpt.at], tabs="  ").cell_length > most:
        start += max(1, (excerpt.at - start) // 4)
    return start


def _bar() -> str:
    return "|" if glyphs().ascii_only else "│"

"""The Problems: the gravest first, each with its place and what to write instead."""

from __future__ import annotations

from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.content import Content

from skillui.core import Problem, Severity
from skillui.tui.glyphs import glyphs
from skillui.tui.keymap import binding
from skillui.tui.messages import FixRequested, TabRequested
from skillui.tui.model.figures import counted
from skillui.tui.model.places import tab_of
from skillui.tui.model.skill_view import SkillView
from skillui.tui.panes.base import SkillPane
from skillui.tui.safe_text import safe
from skillui.tui.widgets.fact_table import Fact, FactTable
from skillui.tui.widgets.severity import gravest, sign_of, style_of

_LEAD = 9
_MOST: Final = 500


class ProblemsPane(SkillPane):
    """All problems of a skill; Enter leads to the line."""

    TAB = "problems"
    TITLE = "Problems"
    BINDINGS = [binding("problems.fix", "preview_fix")]

    def compose(self) -> ComposeResult:
        """One table."""
        yield FactTable(_LEAD, start_on_target=True, id="problem-list")

    @property
    def table(self) -> FactTable:
        """The table of problems."""
        return self.query_one(FactTable)

    async def update_view(self, view: SkillView, same: bool) -> None:
        """Show the problems as they are now."""
        self.table.set_empty(_calm(view))
        self.table.show_facts(problem_facts(view.problems), same=same)
        self.refresh_bindings()

    def badge(self, view: SkillView) -> Content:
        """How many there are, in the colour of the gravest."""
        worst = gravest(view.problems)
        return Content("") if worst is None else Content.styled(str(len(view.problems)), style_of(worst))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is a fix only where the problem under the cursor has one."""
        return self._fixable() is not None if action == "preview_fix" else True

    def action_preview_fix(self) -> None:
        """Ask for the fix of the problem under the cursor."""
        if (problem := self._fixable()) is not None:
            self.post_message(FixRequested(problem))

    def _fixable(self) -> Problem | None:
        row = self.table.current if self.is_mounted else None
        problem = row.fact.target if row is not None else None
        # A problem says itself whether something can be done about it; those of the engine have no fix.
        return problem if isinstance(problem, Problem) and getattr(problem, "fix", None) is not None else None

    @on(FactTable.Highlighted, "#problem-list")
    def _problem_highlighted(self, event: FactTable.Highlighted) -> None:
        event.stop()
        self.refresh_bindings()

    @on(FactTable.Chosen)
    def _follow(self, event: FactTable.Chosen) -> None:
        event.stop()
        if isinstance(event.target, Problem):
            tab = tab_of(event.target, self.view.parsed if self.view is not None else None)
            self.post_message(TabRequested(tab, event.target.line, event.target.column))


def problem_facts(problems: tuple[Problem, ...]) -> list[Fact]:
    """Return the lines of the table: a heading for each severity, below it its problems with their hints."""
    facts: list[Fact] = []
    for severity in Severity:
        group = [problem for problem in problems if problem.severity is severity]
        if not group:
            continue
        if facts:
            facts.append(Fact(Content(""), key=("gap", severity)))
        title = Content.styled(counted(len(group), severity.value), f"bold {style_of(severity)}")
        facts.append(Fact(title, Content.styled(sign_of(severity), style_of(severity)), key=("group", severity)))
        for number, problem in enumerate(group[:_MOST]):
            facts += _problem(problem, (severity, problem.code, problem.line, number))
        if len(group) > _MOST:
            facts.append(Fact(Content.styled(f"and {len(group) - _MOST:,} more", "$text-muted")))
    return facts


def _problem(problem: Problem, key: tuple[object, ...]) -> list[Fact]:
    place = "" if problem.line is None else f"{problem.line}:{problem.column or 1}"
    lead = Content.styled(place.rjust(_LEAD - 2), "$text-muted")
    text = Content.assemble(safe(str(problem.code), style_of(problem.severity)), "  ", safe(problem.message))
    facts = [Fact(text, lead, problem, key, 2)]
    if problem.hint:
        hint = safe(f"{glyphs().arrow} {problem.hint}", "$text-muted")
        facts.append(Fact(hint, Content(""), problem, (*key, "hint"), 2))
    return facts


def _calm(view: SkillView) -> Content:
    if view.loaded is None:
        return Content("The folder is gone.")
    return Content.assemble(
        Content.styled(f"{glyphs().check} No problems.", "$state-ok"), " The engine would load this skill."
    )

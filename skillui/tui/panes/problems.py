"""The Problems: the gravest first, told apart by family, the one under the cursor at length below them."""

from __future__ import annotations

from typing import Final

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from skillui.core import Problem, Severity
from skillui.tui.glyphs import glyphs
from skillui.tui.keymap import binding
from skillui.tui.messages import ExplainRequested, FixRequested, ReportRequested, TabRequested
from skillui.tui.model.figures import counted
from skillui.tui.model.findings import families_in, of_family, path_of
from skillui.tui.model.places import tab_of
from skillui.tui.model.skill_view import SkillView
from skillui.tui.panes.base import SkillPane
from skillui.tui.panes.problem_lines import detail, where
from skillui.tui.safe_text import safe
from skillui.tui.widgets.fact_table import Fact, FactTable
from skillui.tui.widgets.severity import gravest, sign_of, style_of
from skillui.tui.widgets.tab_bar import Tab, TabBar, TabSelected

_LEAD = 9
_MOST: Final = 500
_ROOMY = 20
ALL: Final = "all"


class ProblemTable(FactTable):
    """Problems below headings: the cursor goes from problem to problem."""

    def action_cursor_up(self) -> None:
        """To the problem above; from the first one the top is shown."""
        here = self._fact
        before = [index for index, key in self._starts() if index < (self.cursor or 0) and key != here]
        if before:
            self.move_to(before[-1])
        else:
            self.scroll_to(y=0, animate=False)

    def action_cursor_down(self) -> None:
        """To the problem below."""
        after = [index for index, _ in self._starts() if index > (self.cursor or 0)]
        if after:
            self.move_to(after[0])

    @property
    def _fact(self) -> object:
        return None if self.current is None else self.current.fact.key

    def _starts(self) -> list[tuple[int, object]]:
        """Return the first row of each problem, with the problem's key."""
        rows = enumerate(self.rows)
        return [(index, row.fact.key) for index, row in rows if row.fact.target is not None and row.first]


class ProblemsPane(SkillPane):
    """All problems of a skill; Enter leads to the line."""

    TAB = "problems"
    TITLE = "Problems"
    BINDINGS = [
        binding("problems.fix", "preview_fix", description="Fix"),
        binding("problems.explain", "explain", description="Explain"),
        binding("problems.filter", "next_family", description="Family"),
        binding("problems.export", "export", description="Export"),
    ]
    DEFAULT_CSS = """
    ProblemsPane {
        & > #families { display: none; margin-bottom: 1; }
        & > #problem-list { height: 1fr; }
        & > #problem-detail {
            display: none; height: 8; padding-top: 0; border-top: solid $border-blurred; color: $foreground;
        }
        &.-several > #families { display: block; }
        &.-some > #problem-detail { display: block; }
        &.-low > #problem-detail { height: 7; }
        &.-low > #families { margin-bottom: 0; }
    }
    """

    def __init__(self) -> None:
        """Make an empty pane."""
        super().__init__()
        self.family: str | None = None
        """The family that is shown alone, None for all."""
        self._told: Problem | None = None

    def compose(self) -> ComposeResult:
        """The families, the table, and the finding under the cursor."""
        yield TabBar(id="families")
        yield ProblemTable(_LEAD, start_on_target=True, id="problem-list")
        yield Static(id="problem-detail", markup=False)

    @property
    def table(self) -> FactTable:
        """The table of problems."""
        return self.query_one(FactTable)

    @property
    def current(self) -> Problem | None:
        """The problem under the cursor."""
        row = self.table.current if self.is_mounted else None
        problem = row.fact.target if row is not None else None
        return problem if isinstance(problem, Problem) else None

    async def update_view(self, view: SkillView, same: bool) -> None:
        """Show the problems as they are now."""
        families = families_in(view.problems)
        if not same or self.family not in families:
            self.family = None
        bar = self.query_one("#families", TabBar)
        counts = {ALL: len(view.problems), **families}
        bar.set_tabs([Tab(name, _title(name), _count(count)) for name, count in counts.items()])
        self.set_class(len(families) > 1, "-several")
        self.set_class(bool(view.problems), "-some")
        self.table.set_empty(_calm(view))
        self._show_family(same)

    def _show_family(self, same: bool) -> None:
        view = self.view
        if view is None:
            return
        self.query_one("#families", TabBar).active = self.family or ALL
        self.table.show_facts(problem_facts(of_family(view.problems, self.family)), same=same)
        self._tell()

    def badge(self, view: SkillView) -> Content:
        """How many there are, in the colour of the gravest."""
        worst = gravest(view.problems)
        return Content("") if worst is None else Content.styled(str(len(view.problems)), style_of(worst))

    def on_resize(self, event: events.Resize) -> None:
        """Save lines where there are few."""
        self.set_class(event.size.height < _ROOMY, "-low")
        self._draw_detail()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer of a problem what is about one, and of families what is about several."""
        if action in ("preview_fix", "explain"):
            return self.current is not None
        return self.has_class("-several") if action == "next_family" else True

    def action_preview_fix(self) -> None:
        """Ask for the fix of the problem under the cursor."""
        if (problem := self.current) is not None and self.view is not None:
            self.post_message(FixRequested(problem, self.view))

    def action_explain(self) -> None:
        """Ask what the rule is for."""
        if (problem := self.current) is not None:
            self.post_message(ExplainRequested(problem))

    def action_export(self) -> None:
        """Ask for the report."""
        self.post_message(ReportRequested())

    def action_next_family(self) -> None:
        """Show the next family alone, and all after the last."""
        self.query_one("#families", TabBar).move(1)

    # What happens

    @on(TabSelected, "#families")
    def _family_chosen(self, event: TabSelected) -> None:
        event.stop()
        self.family = None if event.tab == ALL else event.tab
        self._show_family(False)

    @on(FactTable.Highlighted, "#problem-list")
    def _problem_highlighted(self, event: FactTable.Highlighted) -> None:
        event.stop()
        self._tell()

    @on(FactTable.Chosen)
    def _follow(self, event: FactTable.Chosen) -> None:
        event.stop()
        problem = event.target
        if isinstance(problem, Problem):
            tab = tab_of(problem, self.view.parsed if self.view is not None else None)
            path = path_of(problem) if tab == "resources" else ""
            self.post_message(TabRequested(tab, problem.line, problem.column, path))

    def _tell(self) -> None:
        """Say at length what is under the cursor."""
        self._draw_detail()
        self.refresh_bindings()

    def _draw_detail(self) -> None:
        shown = self.query_one("#problem-detail", Static)
        problem = self.current
        if problem is None or self.view is None:
            shown.update("")
            return
        width = max(20, self.size.width)
        text = Content("\n").join(list(detail(problem, self.view, width)))
        shown.update(text)


def problem_facts(problems: tuple[Problem, ...]) -> list[Fact]:
    """Return the lines of the table: a heading for each severity, below it its problems."""
    facts: list[Fact] = []
    for severity in Severity:
        group = [problem for problem in problems if problem.severity is severity]
        if not group:
            continue
        if facts:
            facts.append(Fact(Content(""), key=("gap", severity)))
        title = Content.styled(counted(len(group), severity.value), f"bold {style_of(severity)}")
        facts.append(Fact(title, Content.styled(sign_of(severity), style_of(severity)), key=("group", severity)))
        seen: dict[tuple[object, ...], int] = {}
        for problem in group[:_MOST]:
            # By what it says: a problem that is gone hands the cursor to the one in its place.
            key = (severity, problem.code, path_of(problem), problem.message)
            seen[key] = seen.get(key, -1) + 1
            facts.append(_problem(problem, (*key, seen[key])))
        if len(group) > _MOST:
            facts.append(Fact(Content.styled(f"and {len(group) - _MOST:,} more", "$text-muted")))
    return facts


def _problem(problem: Problem, key: tuple[object, ...]) -> Fact:
    place = where(problem)
    own = len(place) <= _LEAD - 2
    lead = Content.styled(place.rjust(_LEAD - 2), "$text-muted") if own else Content("")
    elsewhere = Content("") if own else safe(f"{place}  ", "$text-muted")
    code = safe(str(problem.code), style_of(problem.severity))
    tail = Content.styled("   fix", "$accent") if problem.fix is not None else Content("")
    return Fact(Content.assemble(code, "  ", elsewhere, safe(problem.message)), lead, problem, key, 2, tail)


def _title(family: str) -> str:
    return "All" if family == ALL else family


def _count(count: int) -> Content:
    return Content.styled(f"{count:,}", "$text-muted")


def _calm(view: SkillView) -> Content:
    if view.loaded is None:
        return Content("The folder is gone.")
    if not view.checked:
        return Content.styled(f"Looking at its files{glyphs().ellipsis}", "$text-muted")
    return Content.assemble(
        Content.styled(f"{glyphs().check} No problems.", "$state-ok"), " The engine would load this skill."
    )

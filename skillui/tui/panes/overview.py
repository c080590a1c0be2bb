"""The Overview: what a skill is, where it stands, and what a call of it would meet."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult

from skillui.core import BrokenSkill, Problem, SkillEntry
from skillui.tui.messages import CompareRequested, SkillOpened, TabRequested
from skillui.tui.model.findings import path_of
from skillui.tui.model.places import tab_of
from skillui.tui.model.skill_view import SkillView
from skillui.tui.model.standing import winner_of
from skillui.tui.panes.base import SkillPane
from skillui.tui.panes.overview_facts import LABEL_WIDTH, overview_facts
from skillui.tui.widgets.fact_table import FactTable


class OverviewPane(SkillPane):
    """Facts about one skill; what is wrong with a broken one comes first."""

    TAB = "overview"
    TITLE = "Overview"

    def compose(self) -> ComposeResult:
        """One table of facts."""
        yield FactTable(LABEL_WIDTH, id="overview-facts")

    async def update_view(self, view: SkillView, same: bool) -> None:
        """Say it anew; the cursor stays on the fact it was on."""
        self.query_one(FactTable).show_facts(overview_facts(view), same=same)

    @on(FactTable.Chosen)
    def _follow(self, event: FactTable.Chosen) -> None:
        event.stop()
        target, view = event.target, self.view
        if isinstance(target, Problem):
            tab = tab_of(target, view.parsed if view is not None else None)
            path = path_of(target) if tab == "resources" else ""
            self.post_message(TabRequested(tab, target.line, target.column, path))
        elif isinstance(target, SkillEntry | BrokenSkill):
            winner = winner_of(view) if view is not None else None
            if view is not None and winner is not None and not isinstance(target, BrokenSkill):
                other = view.entry if target is winner else target
                self.post_message(CompareRequested(winner, other))
            else:
                self.post_message(SkillOpened(target))

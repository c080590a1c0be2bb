"""The Browse mode: the catalog, the selected skill, the session at the foot."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input

from skillui.checks.rule import SKILL_FILE
from skillui.tui.keymap import binding
from skillui.tui.messages import (
    ActivateRequested,
    CopyRequested,
    EditRequested,
    SkillHighlighted,
    SkillOpened,
    TabRequested,
)
from skillui.tui.model.catalog_inputs import CatalogInputs
from skillui.tui.model.findings import path_of
from skillui.tui.model.top_line import TopLine
from skillui.tui.panes.catalog import CatalogPane
from skillui.tui.panes.skill_area import PaneFactory, SkillArea
from skillui.tui.safe_text import safe
from skillui.tui.widgets.key_bar import KeyBar
from skillui.tui.widgets.session_strip import SessionStrip
from skillui.tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from skillui.core import AnyEntry, Catalog
    from skillui.tui.model.file_content import FileContent
    from skillui.tui.model.skill_view import SkillView
    from skillui.tui.workbench import Workbench

_OF_A_SKILL = frozenset({"activate", "open_tab", "move_tab", "edit", "copy_path", "copy_output", "toggle_rendered"})


class BrowseScreen(Screen[None]):
    """Lays the panes out and turns keys into messages; it decides nothing."""

    BINDINGS = [
        binding("skill.activate", "activate(False)"),
        binding("skill.activate-as-user", "activate(True)", show=False),
        binding("skill.preview", "open_tab('preview')"),
        binding("skill.edit", "edit"),
        binding("skill.problems", "open_tab('problems')"),
        binding("skill.copy-path", "copy_path", show=False),
        binding("skill.copy-output", "copy_output", show=False),
        binding("skill.rendered", "toggle_rendered", show=False),
        binding("skill.next-tab", "move_tab(1)", show=False),
        binding("skill.previous-tab", "move_tab(-1)", show=False),
        binding("skill.back", "back", show=False),
        binding("catalog.search", "search"),
        binding("app.next-pane", "app.focus_next", show=False),
        binding("app.previous-pane", "app.focus_previous", show=False),
        binding("app.session-strip", "toggle_strip", show=False),
    ]

    def __init__(self, factories: dict[str, tuple[str, PaneFactory]], line: TopLine) -> None:
        super().__init__(id="browse")
        self._factories = factories
        self._line = line
        self._wanted_key: str | None = None
        self.entry: AnyEntry | None = None
        """The entry the cursor rests on."""
        self.read_only = False
        """Whether the skills lie in no folder, so that there is nothing to edit."""

    def compose(self) -> ComposeResult:
        """Draw the shell; the panes of the skill come later."""
        yield TopBar(self._line)
        with Horizontal(id="panes"):
            yield CatalogPane()
            yield SkillArea(self._factories)
        yield SessionStrip()
        yield KeyBar()

    @property
    def catalog(self) -> CatalogPane:
        """The list on the left."""
        return self.query_one(CatalogPane)

    @property
    def area(self) -> SkillArea:
        """The skill on the right."""
        return self.query_one(SkillArea)

    @property
    def top_bar(self) -> TopBar:
        """The line at the top."""
        return self.query_one(TopBar)

    def on_mount(self) -> None:
        """The keyboard is on the list."""
        self.catalog.focus_list()

    def set_places(self, looked_in: Sequence[str]) -> None:
        """Say what to do and where skills were looked for, for a list without any."""
        # One after the other: a line for each would not fit a low terminal, and the list of none cannot scroll.
        places = safe(", ".join(place.replace(" ", "\u00a0") for place in looked_in))
        keys = (("n", "bold $accent"), "                begins a new skill\n")
        demo = (("skillui --demo", "$foreground"), "   opens the samples\n\nLooked in\n")
        self.catalog.set_empty(Content.assemble("No skills here yet.\n\n", *keys, *demo, places))

    def show_catalog(self, workbench: Workbench, catalog: Catalog, done: int, total: int) -> None:
        """Show a catalog, or the part of it that was read so far."""
        self.top_bar.set_reading(done, total)
        self.query_one(SessionStrip).set_skill(done < total or bool(catalog.skills or catalog.broken))
        self.catalog.set_catalog(
            CatalogInputs(
                catalog, workbench.roots, workbench.judge, workbench.activated, workbench.stale, workbench.summaries,
                done, total,
            )
        )  # fmt: skip
        if self._wanted_key is not None and self.catalog.select(self._wanted_key):
            self._wanted_key = None

    def want(self, key: str) -> None:
        """Put the cursor on a row as soon as it is there."""
        self._wanted_key = key

    def go_to(self, entry: AnyEntry) -> None:
        """Put the cursor on an entry; a search that hides it is cleared."""
        if not self.catalog.select(entry.location):
            self.catalog.search("")
            self.catalog.read_search("")  # the field tells of its change later
            if not self.catalog.select(entry.location):
                self.want(entry.location)
        self.catalog.focus_list()

    def show_calls(self, workbench: Workbench) -> None:
        """Show the newest calls at the foot."""
        self.query_one(SessionStrip).set_records(workbench.session.state.records, workbench.session_number)

    def show_file(self, content: FileContent) -> None:
        """Show a file of the skill over its tree."""
        from skillui.tui.panes.resources import ResourcesPane  # not before it is opened

        pane = self.area.pane
        if isinstance(pane, ResourcesPane):
            pane.show_file(content)

    async def show_view(self, view: SkillView | None) -> None:
        """Show a skill that was read in the background."""
        await self.area.show(view)

    @on(SkillHighlighted)
    def _highlighted(self, event: SkillHighlighted) -> None:
        before, self.entry = self.entry, event.entry
        if (before is None) is not (self.entry is None):
            self.refresh_bindings()

    @on(SkillOpened)
    async def _opened(self, event: SkillOpened) -> None:
        self.add_class("-detail")
        await self.area.settled()
        if self.area.pane is not None:
            self.area.pane.focus_inside()

    @on(TabRequested)
    async def _tab_requested(self, event: TabRequested) -> None:
        event.stop()
        self.add_class("-detail")
        await self.area.open_tab(event.tab, event.line, event.column, event.path)
        if event.line is None and not event.path and self.area.pane is not None:
            self.area.pane.focus_inside()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Name no letter as a key while letters are text, and nothing to do with a skill where there is none."""
        if action in _OF_A_SKILL and self.entry is None:
            return False
        if action == "edit" and self.read_only:
            return False
        if action == "search":
            return bool(self.catalog.rows or self.catalog.query_text) and not isinstance(self.focused, Input)
        return True

    def action_search(self) -> None:
        """Go to the search line."""
        self.remove_class("-detail")
        self.catalog.focus_search()

    def action_back(self) -> None:
        """Back to the list, which keeps its place."""
        self.remove_class("-detail")
        self.catalog.focus_list()

    def action_activate(self, as_user: bool) -> None:
        """Activate the skill under the cursor."""
        if self.entry is not None:
            self.post_message(ActivateRequested(self.entry, None, as_user))

    def action_open_tab(self, tab: str) -> None:
        """Show a tab and give it the keyboard."""
        self.post_message(TabRequested(tab))

    async def action_move_tab(self, by: int) -> None:
        """Show the next or the previous tab; the keyboard goes along where it was in the one before."""
        inside = self.area.has_focus_within
        await self.area.move_tab(by)
        if inside and self.area.pane is not None:
            self.area.pane.focus_to_read()

    async def action_toggle_rendered(self) -> None:
        """Show the body, rendered at first and then as the other of the two; the keyboard stays where it is."""
        from skillui.tui.panes.body import BodyPane  # not before it is opened

        self.add_class("-detail")
        await self.area.open_tab("body")
        if isinstance(self.area.pane, BodyPane):
            self.area.pane.action_toggle_rendered()

    def action_edit(self) -> None:
        """Open the editor at the problem under the cursor, else SKILL.md at the gravest problem."""
        if self.entry is None:
            return
        problem = self.area.problem or next((problem for problem in self.entry.problems if problem.line), None)
        other = problem is not None and path_of(problem) != SKILL_FILE
        path = os.path.join(self.entry.dir, path_of(problem)) if problem and other else self.entry.skill_md
        self.post_message(EditRequested(path, problem.line if problem else None))

    def action_copy_path(self) -> None:
        """Copy the path of the skill's folder."""
        if self.entry is not None:
            self.post_message(CopyRequested(self.entry.dir, "path"))

    def action_copy_output(self) -> None:
        """Copy what the engine would return, for the arguments of the form where there are some."""
        self.post_message(CopyRequested("", "output"))

    def action_toggle_strip(self) -> None:
        """Show or hide the session at the foot."""
        strip = self.query_one(SessionStrip)
        strip.display = not strip.display

"""The right half of Browse: tabs over the selected skill, each built when it is first looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import ContentSwitcher

from skillui.core import LoadedSkill, Problem
from skillui.core.text import estimated_tokens
from skillui.tui.glyphs import glyphs
from skillui.tui.safe_text import safe
from skillui.tui.widgets.severity import gravest, style_of
from skillui.tui.widgets.tab_bar import TabBar, TabSelected

if TYPE_CHECKING:
    from skillui.tui.model.skill_view import SkillView
    from skillui.tui.panes.base import SkillPane

PaneFactory = Callable[[], "SkillPane"]


class SkillArea(Vertical):
    """Shows one `SkillView` in tabs; only the visible pane is drawn, the others when they are opened."""

    DEFAULT_CSS = """
    SkillArea {
        border: round $border-blurred;
        border-title-color: $foreground;
        padding: 0 1;
        & > ContentSwitcher { height: 1fr; margin-top: 1; }
        &.-empty > TabBar { visibility: hidden; }
        &:focus-within { border: round $border; }
    }
    """

    def __init__(self, factories: Mapping[str, tuple[str, PaneFactory]]) -> None:
        """Take for each tab its title and what builds its pane."""
        super().__init__(id="skill-area")
        self._factories = factories
        self._panes: dict[str, SkillPane] = {}
        self._showing = asyncio.Lock()
        self._badges: Callable[[SkillView, str], Content] | None = None
        self.view: SkillView | None = None
        self.active = next(iter(factories))

    def compose(self) -> ComposeResult:
        """Only the bar at first: the panes come when there is something to show."""
        yield TabBar([(tab, title) for tab, (title, _) in self._factories.items()])
        yield ContentSwitcher()

    @property
    def pane(self) -> SkillPane | None:
        """The visible pane, None before there was anything to show."""
        return self._panes.get(self.active)

    @property
    def problem(self) -> Problem | None:
        """The problem under the cursor of the Problems tab, None in any other."""
        pane = self.pane
        if self.active != "problems" or pane is None or pane.view is not self.view:
            return None
        from skillui.tui.panes.problems import ProblemsPane

        return pane.current if isinstance(pane, ProblemsPane) else None

    @property
    def call(self) -> tuple[object, bool]:
        """The arguments and the caller that the Preview form stands at; (None, False) before it was opened."""
        from skillui.tui.panes.preview import PreviewPane  # with its form not before it is opened

        pane = self._panes.get("preview")
        if not isinstance(pane, PreviewPane) or pane.view is None or self.view is None:
            return None, False
        return (pane.form.arguments, pane.as_user) if pane.view.key == self.view.key else (None, False)

    async def show(self, view: SkillView | None) -> None:
        """Show a skill, or nothing."""
        self.view = view
        self._draw_frame()
        self.set_class(view is None, "-empty")
        if view is None:
            self.query_one(ContentSwitcher).display = False
            return
        self.query_one(ContentSwitcher).display = True
        await self._show_active()

    async def open_tab(self, tab: str, line: int | None = None, column: int | None = None, path: str = "") -> None:
        """Make another tab visible, at a line of SKILL.md or at a file of the skill where one is given."""
        if tab not in self._factories:
            return
        inside = self.has_focus_within
        self.active = tab
        self.query_one(TabBar).active = tab
        await self._show_active()
        if self.pane is None:
            return
        if path:
            self.pane.go_to_file(path, line, column)
        elif line is not None:
            self.pane.go_to_line(line, column)
        elif inside:
            self.pane.focus_inside()  # the pane that had the keyboard is hidden now

    async def move_tab(self, by: int) -> None:
        """Go to the tab `by` places further, round the ends."""
        tabs = list(self._factories)
        await self.open_tab(tabs[(tabs.index(self.active) + by) % len(tabs)])

    @on(TabSelected)
    async def _tab_chosen(self, event: TabSelected) -> None:
        event.stop()
        if event.tab != self.active:
            await self.open_tab(event.tab)

    async def settled(self) -> None:
        """Wait until the tab that is being opened stands."""
        async with self._showing:
            return

    async def _show_active(self) -> None:
        # The app hands over a skill while a key opens a tab: one at a time, and no pane before all of it stands.
        async with self._showing:
            view, active = self.view, self.active
            if view is None:
                return
            switcher = self.query_one(ContentSwitcher)
            pane = self._panes.get(active)
            if pane is None:
                pane = self._factories[active][1]()
                await switcher.mount(pane)
                self._panes[active] = pane
            switcher.current = pane.id
            if pane.view is not view:
                await pane.show(view)

    def _draw_frame(self) -> None:
        view = self.view
        if view is None:
            self.border_title = None
            self.border_subtitle = None
            return
        version = view.parsed.frontmatter.get("version") if view.parsed is not None else None
        name = safe(view.entry.name, "bold")
        self.border_title = Content.assemble(name, "  ", safe(version)) if isinstance(version, str) else name
        self.border_subtitle = _subtitle(view)
        bar = self.query_one(TabBar)
        bar.set_badge("resources", _count(len(view.files) + view.files_omitted - 1))
        bar.set_badge("problems", _problem_badge(view))


def _count(number: int) -> Content:
    return Content(str(number)) if number > 0 else Content("")


def _problem_badge(view: SkillView) -> Content:
    worst = gravest(view.problems)
    return Content("") if worst is None else Content.styled(f"{len(view.problems):,}", style_of(worst))


def _subtitle(view: SkillView) -> Content:
    signs = glyphs()
    trust = ("trusted", "$state-ok") if view.gate.trusted else ("untrusted", "$state-untrusted")
    parts = [
        Content.styled(f"{signs.dot if view.gate.trusted else signs.states['untrusted'].glyph} {trust[0]}", trust[1])
    ]
    if isinstance(view.loaded, LoadedSkill):
        listing = estimated_tokens(len(view.loaded.entry.listing))
        body = estimated_tokens(len(view.loaded.body))
        parts.append(Content.styled(f"listing ~{listing:,}   body ~{body:,} tokens", "$text-muted"))
    return Content("   ").join(parts)

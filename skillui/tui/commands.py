"""The command palette: what can be done now, and any skill by name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.types import IgnoreReturnCallbackType

from skillui.tui.safe_text import safe, visible

if TYPE_CHECKING:
    from skillui.tui.app import SkilluiApp

_MOST_SKILLS = 30
_CLOSE_ENOUGH = 60


class SkilluiCommands(Provider):
    """Commands of the app; skills are searched by name, and only the best are offered."""

    @property
    def _skillui(self) -> SkilluiApp:
        from skillui.tui.app import SkilluiApp

        assert isinstance(self.app, SkilluiApp)
        return self.app

    def _commands(self) -> Iterator[tuple[str, str, IgnoreReturnCallbackType]]:
        app = self._skillui
        yield from (
            ("Browse", "Show the catalog", partial(app.action_show_mode, "browse")),
            ("Review", "Decide on skills that came with a project", partial(app.action_show_mode, "review")),
            ("Session", "Show the events of this session", partial(app.action_show_mode, "session")),
            ("New session", "Forget what is activated and begin anew", app.action_new_session),
            ("New skill", "Write a skill that validates", app.action_new_skill),
            ("Theme", "Choose a theme and see it at once", app.action_choose_theme),
            ("Read again", "Read all skill roots again", app.action_read_again),
            ("Export report", "Write what the checks find: text, JSON, SARIF or GitHub", app.action_export_report),
            ("Export session", "Write the session's events as JSON lines", app.action_export_session),
            ("Keys", "List all keys", app.action_show_help),
            ("Quit", "Leave skillui; whoever waits for an answer is denied", app.action_quit),
        )
        for label, query in (
            ("broken", "is:broken"),
            ("untrusted", "is:untrusted"),
            ("shadowed", "is:shadowed"),
            ("loaded", "is:loaded"),
            ("faulty", "has:problems"),
        ):
            yield f"Show {label} skills", f"Search for {query}", partial(app.search_for, query)
        yield "Show all skills", "Clear the search", partial(app.search_for, "")

    async def discover(self) -> Hits:
        """Offer the commands before anything is typed."""
        for name, about, run in self._commands():
            yield DiscoveryHit(name, run, help=about)

    async def search(self, query: str) -> Hits:
        """Match commands by Textual's matcher, skills by name."""
        from rapidfuzz import fuzz, process  # not before the first picture

        matcher = self.matcher(query)
        for name, about, run in self._commands():
            if (score := matcher.match(name)) > 0:
                yield Hit(score, matcher.highlight(name), run, help=about)
        names = list(self._skillui.workbench.catalog.by_name)
        for name, score, _ in process.extract(
            query, names, scorer=fuzz.WRatio, limit=_MOST_SKILLS, score_cutoff=_CLOSE_ENOUGH
        ):
            run = partial(self._skillui.go_to_skill, name)
            yield Hit(score / 100, safe(f"Skill {name}"), run, text=visible(name), help="Go to this skill")

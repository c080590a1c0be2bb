"""`SkillPane`: what every tab of a skill has in common."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from skillui.tui import faults
from skillui.tui.safe_text import safe

if TYPE_CHECKING:
    from skillui.tui.model.skill_view import SkillView

_log = logging.getLogger(__name__)


class SkillPane(Vertical):
    """A tab: it is given a `SkillView` and shows it; an exception shows in the pane and the rest goes on."""

    DEFAULT_CSS = """
    SkillPane {
        height: 1fr;
        & > .pane-fault { color: $state-broken; padding: 1 2; display: none; }
        &.-faulty > * { display: none; }
        &.-faulty > .pane-fault { display: block; }
    }
    """

    TAB: str = ""
    """Name of the tab, as in `TabRequested`."""
    TITLE: str = ""
    """What the tab bar says."""

    def __init__(self) -> None:
        super().__init__(id=f"pane-{self.TAB}")
        self.view: SkillView | None = None

    async def show(self, view: SkillView) -> None:
        """Show a skill; called whenever it, or what is known of it, changed."""
        same = self.view is not None and self.view.key == view.key
        self.view = view
        try:
            await self.update_view(view, same)
        except Exception as error:
            await self.show_fault(error)
        else:
            self.remove_class("-faulty")

    async def update_view(self, view: SkillView, same: bool) -> None:
        """Draw the skill. `same` tells that it is the one shown before: scroll and cursor stay then."""
        raise NotImplementedError

    def go_to_line(self, line: int, column: int | None = None) -> None:
        """Bring a 1-based line of SKILL.md into view and give it the keyboard, where the pane has lines."""
        self.focus_inside()

    def go_to_file(self, path: str, line: int | None = None, column: int | None = None) -> None:
        """Bring a file of the skill into view, at a 1-based line where one is given; for a pane that shows files."""
        self.focus_inside()

    def badge(self, view: SkillView) -> Content:
        """Return what stands behind the tab's title, such as a count; empty for nothing."""
        return Content("")

    def focus_inside(self) -> None:
        """Give the keyboard to the part of the pane that can use it."""
        for widget in self.query("*"):
            if widget.focusable:
                widget.focus()
                return

    def focus_to_read(self) -> None:
        """Give the keyboard to a part that takes no text, so that the next key can lead on."""
        self.focus_inside()

    async def _dispatch_message(self, message: Message) -> None:
        # What a pane does with a key or a size must not end the app any more than what it shows.
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            await self.show_fault(error)

    async def show_fault(self, error: Exception) -> None:
        """Say in the pane what failed, until it is given a skill that it can show."""
        _log.error("the %s pane failed", self.TAB, exc_info=error)
        if not self.is_attached or not self.app.is_running:
            return
        text = faults.words_of("This pane", error)
        self.add_class("-faulty")
        shown = self.query(".pane-fault")
        message = safe(text, newlines=True)
        if shown:
            shown.first(Static).update(message)
        else:
            await self.mount(Static(message, classes="pane-fault"))

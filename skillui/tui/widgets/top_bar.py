"""The top line: which mode this is, which project, and whether changes are noticed."""

from __future__ import annotations

from dataclasses import replace

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from skillui.tui.messages import ModeRequested
from skillui.tui.model.top_line import Mode, Placed, Reading, TopLine, facts, place_modes

__all__ = ["Mode", "Reading", "TopBar", "TopLine"]

_BRAND = " skillui  "
_LEAST_FACTS = 20


class TopBar(Widget):
    """One line that shows a `TopLine`; its modes are clickable, their keys are the app's."""

    DEFAULT_CSS = """
    TopBar {
        dock: top;
        height: 1;
        width: 1fr;
        background: $panel;
        color: $foreground;
    }
    """

    line: reactive[TopLine] = reactive(TopLine())
    """What is shown."""
    hovered: reactive[str | None] = reactive(None)
    """Name of the mode under the mouse."""

    def __init__(self, line: TopLine | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        if line is not None:
            self.set_reactive(TopBar.line, line)

    def show(self, line: TopLine) -> None:
        """Show another line."""
        self.line = line

    def set_active(self, mode: str) -> None:
        """Show which mode this is."""
        self.line = replace(self.line, active=mode)

    def set_badge(self, mode: str, badge: Content) -> None:
        """Change what stands behind a mode's title."""
        modes = tuple(replace(one, badge=badge) if one.name == mode else one for one in self.line.modes)
        self.line = replace(self.line, modes=modes)

    def set_watching(self, watching: bool | None) -> None:
        """Say whether changes are noticed; None says nothing."""
        self.line = replace(self.line, watching=watching)

    def set_reading(self, done: int, total: int) -> None:
        """Say how far a scan is; equal figures end it."""
        self.line = replace(self.line, reading=Reading(done, total) if done < total else None)

    def render(self) -> Content:
        """Draw the line."""
        width = self.size.width
        brand, placed = self._left()
        parts = [Content.styled(brand, "bold $accent"), *(self._styled(one) for one in placed)]
        left = Content.assemble(*parts)
        right = facts(self.line, width - left.cell_length - 3)
        gap = width - left.cell_length - right.cell_length - 1
        return Content.assemble(left, " " * max(0, gap), right) if right and gap > 0 else left

    def _left(self) -> tuple[str, list[Placed]]:
        """Return the name of the app, where it has room, and the modes."""
        width = self.size.width
        placed = place_modes(self.line, width - _LEAST_FACTS, len(_BRAND))
        if len(placed) == len(self.line.modes):
            return _BRAND, placed
        return " ", place_modes(self.line, width, 1)

    def _styled(self, one: Placed) -> Content:
        if one.mode == self.line.active:
            # Reversed rather than painted: without colour it is still the one that is filled.
            return Content.styled(one.label.plain, "bold $background on $accent")
        return one.label.stylize_before("underline") if one.mode == self.hovered else one.label

    def _mode_at(self, event: events.MouseEvent) -> str | None:
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        return next((one.mode for one in self._left()[1] if one.start <= offset.x < one.end), None)

    def on_click(self, event: events.Click) -> None:
        """A click on a mode asks for it."""
        event.stop()
        if (mode := self._mode_at(event)) is not None:
            self.post_message(ModeRequested(mode))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow the mouse."""
        self.hovered = self._mode_at(event)

    def on_leave(self) -> None:
        """The mouse is gone."""
        self.hovered = None

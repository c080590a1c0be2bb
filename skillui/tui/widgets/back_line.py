"""`BackLine`: where Escape leads, for the mouse."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from skillui.tui.glyphs import glyphs


class BackLine(Static):
    """One line that leads back when it is clicked."""

    DEFAULT_CSS = """
    BackLine {
        height: 1;
        padding: 0 1;
        color: $text-muted;
        display: none;
        &:hover { color: $accent; }
    }
    """

    @dataclass
    class Clicked(Message):
        """The person wants back."""

    def say(self, place: str, about: Content | None = None) -> None:
        """Name where it leads, a constant, and what this is about."""
        sign = "<" if glyphs().ascii_only else "‹"
        back = Content.assemble(f"{sign} {place}  ", ("esc", "bold $accent"))
        self.update(Content.assemble(back, "   ", about) if about is not None else back)

    def on_click(self, event: events.Click) -> None:
        """Ask for the way back."""
        event.stop()
        self.post_message(self.Clicked())

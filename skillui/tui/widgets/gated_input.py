"""A one-line field: what is pasted into it may come from a skill, so it passes the gate like any other text."""

from __future__ import annotations

from textual.strip import Strip
from textual.widgets import Input

from skillui.tui.widgets.drawing import gated


class GatedInput(Input):
    """An `Input` without a frame that shows control and invisible characters as symbols."""

    DEFAULT_CSS = """
    GatedInput, GatedInput:focus {
        border: none;
        height: 1;
        padding: 0 1;
        background: $panel;
    }
    GatedInput:focus { background: $block-cursor-background; }
    """

    def render_line(self, y: int) -> Strip:
        """Draw the field; the value itself stays as it was typed."""
        strip = super().render_line(y)
        shown = Strip([gated(segment) for segment in strip])
        return strip if shown == strip else shown.crop(0, strip.cell_length)

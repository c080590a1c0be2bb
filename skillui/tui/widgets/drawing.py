"""One line of text as the strip of cells that Textual paints."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rich.segment import Segment
from textual.app import App
from textual.content import Content
from textual.strip import Strip
from textual.style import Style

from skillui.tui.safe_text import visible

Drawn = Strip | Content | Iterable[Segment]
"""One line: all text in it should have gone through `safe`; what has not is made visible here."""


def to_strip(drawn: Drawn, width: int, style: Style, app: App[Any]) -> Strip:
    """Return `drawn` over `style`, cut or padded to exactly `width` cells."""
    base = style.rich_style
    if isinstance(drawn, Content):
        parts = drawn.render(style, end="", parse_style=_style_reader(app))
        segments = [Segment(text, part.rich_style) for text, part in parts]
    else:
        segments = list(Segment.apply_style(drawn, base))
    return Strip([gated(segment) for segment in segments]).adjust_cell_length(width, base)


def gated(segment: Segment) -> Segment:
    """Return a segment that holds nothing a terminal would obey."""
    # The last gate: whatever a renderer let through is shown, never sent to the terminal.
    return segment if segment.text.isprintable() else Segment(visible(segment.text), segment.style)


def _style_reader(app: App[Any]) -> Callable[[str | Style], Style]:
    def read(style: str | Style) -> Style:
        try:
            return app.stylesheet.parse_style(style)
        except Exception:  # a style that a theme does not know costs its colour, not the line
            return Style.null()

    return read

"""How far a scan is, on one line; short ones never show."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from skillui.tui.glyphs import glyphs

PATIENCE = 0.3
"""Seconds a scan may take before it is worth a line."""


class ScanBar(Widget):
    """Shows itself when something takes longer than `PATIENCE`, and goes when it ends."""

    DEFAULT_CSS = """
    ScanBar { height: 1; display: none; color: $text-muted; }
    """

    done: reactive[int] = reactive(0)
    total: reactive[int] = reactive(0)

    def __init__(self) -> None:
        super().__init__()
        self._timer: Timer | None = None

    @property
    def running(self) -> bool:
        """Tell whether something is left to do."""
        return self._timer is not None

    def set_progress(self, done: int, total: int) -> None:
        """Say how much is done; equal figures end it."""
        self.done, self.total = done, total
        if done >= total:
            self._end()
        elif self._timer is None:
            self._timer = self.set_timer(PATIENCE, self._show)

    def _show(self) -> None:
        self.display = True

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = None
        self.display = False

    def render(self) -> Content:
        """Figures first, then a bar over the rest of the line."""
        figures = f"{self.done:,} of {self.total:,} "
        cells = max(0, self.size.width - len(figures))
        filled = cells * self.done // self.total if self.total else 0
        full, rest = ("#", "-") if glyphs().ascii_only else ("━", "─")
        return Content.assemble(
            (figures, "$text-muted"), (full * filled, "$primary"), (rest * (cells - filled), "$border-blurred")
        )

"""`KeyBar`: the keys of what has the keyboard, each whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

GAP: Final = 2
"""Cells between two keys."""
_PADDING: Final = 1
_KEPT: Final = 2
# Help and palette come last and lead to all the others.


def fitting(widths: Sequence[int], room: int) -> list[int]:
    """Return which of the keys fit into `room` cells, in order: the two at the end and the first stay longest."""
    shown = list(range(len(widths)))

    def needed() -> int:
        return sum(widths[index] for index in shown) + GAP * (len(shown) - 1)

    while shown and needed() > room:
        if len(shown) > _KEPT + 1:
            del shown[-_KEPT - 1]
        else:
            del shown[-1]
    return shown


class KeyBar(Footer):
    """A footer that cuts no key in half."""

    def __init__(self) -> None:
        super().__init__(compact=True, show_command_palette=False)
        self._width = 0

    def compose(self) -> ComposeResult:
        """Yield the keys that fit."""
        keys = [key for key in super().compose() if isinstance(key, FooterKey)]
        self._width = self.app.size.width
        widths = [cell_len(key.key_display) + 1 + cell_len(key.description) for key in keys]
        yield from (keys[index] for index in fitting(widths, self._width - 2 * _PADDING))

    def on_resize(self, event: events.Resize) -> None:
        """Choose anew."""
        if self._width and self.app.size.width != self._width:
            self.call_after_refresh(self.recompose)

"""A few choices on one line, one of them taken: by the arrow keys where it has the keyboard, or by the mouse."""

from __future__ import annotations

from collections.abc import Iterable

from skillui.tui.keymap import binding
from skillui.tui.widgets.tab_bar import TabBar


class ChoiceLine(TabBar, can_focus=True):
    """A `TabBar` with keys of its own; it posts `TabSelected`."""

    BINDINGS = [
        binding("dialog.next", "next_choice", show=False),
        binding("dialog.previous", "previous_choice", show=False),
    ]
    DEFAULT_CSS = """
    ChoiceLine {
        height: 1;
        &:focus { background: $block-cursor-blurred-background; }
    }
    """

    def __init__(self, choices: Iterable[tuple[str, str]], *, id: str | None = None) -> None:
        super().__init__(choices, id=id)

    def action_next_choice(self) -> None:
        """Take the next."""
        self.move(1)

    def action_previous_choice(self) -> None:
        """Take the one before."""
        self.move(-1)

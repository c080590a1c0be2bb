"""Choosing a theme: the whole app wears the one under the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Button

from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.glyphs import glyphs
from skillui.tui.safe_text import safe, safe_line
from skillui.tui.widgets.line_list import LineList, RowState


class ThemeDialog(Dialog[str]):
    """Returns the chosen name; leaving wears the old theme again.

    `wear` puts a theme on; by default it sets the app's.
    """

    AUTO_FOCUS = "LineList"
    TITLE_TEXT = "Theme"
    DEFAULT_CSS = """
    ThemeDialog {
        background: transparent;
        & > Box { width: 44; }
        & LineList { height: auto; max-height: 16; }
    }
    """

    def __init__(self, names: Sequence[str], current: str, wear: Callable[[str], None] | None = None) -> None:
        super().__init__()
        self._names = list(names)
        self._old = current
        self._wear = wear

    def compose_body(self) -> ComposeResult:
        """The names and the answers."""
        yield LineList[str](self._draw, self._names, empty="There are no themes.")
        with Buttons():
            yield DialogButton("list.select", "Choose", "choose")
            yield DialogButton("dialog.close", "Cancel", "cancel")

    def on_mount(self) -> None:
        """Begin at the theme that is worn."""
        if self._old in self._names:
            self.query_one(LineList).move_to(self._names.index(self._old))

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        name = self._names[index]
        sign = glyphs().check if name == self._old else " "
        return Content.assemble(safe(f"{sign} "), safe_line(name, max(1, width - 2)))

    def _put_on(self, name: str) -> None:
        if self._wear is not None:
            self._wear(name)
        elif name in self.app.available_themes:
            self.app.theme = name

    @on(LineList.Highlighted)
    def _highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        if self.is_active and isinstance(event.row, str):
            self._put_on(event.row)

    @on(LineList.Selected)
    def _selected(self, event: LineList.Selected) -> None:
        event.stop()
        self._choose()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "choose":
            self._choose()
        else:
            self.action_close()

    def _choose(self) -> None:
        name = self.query_one(LineList).current
        if isinstance(name, str):
            self._put_on(name)
            self.dismiss(name)

    def action_close(self) -> None:
        """Wear the old theme again."""
        self._put_on(self._old)
        self.dismiss(None)

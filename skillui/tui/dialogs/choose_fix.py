"""Which way to go, where a problem can be fixed in several."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Button

from skillui.core.problems import Fix
from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.safe_text import safe
from skillui.tui.widgets.line_list import LineList, RowState


class ChooseFixDialog(Dialog[Fix]):
    """Offers fixes of which one is taken; nothing is changed yet."""

    AUTO_FOCUS = "LineList"
    DEFAULT_CSS = """
    ChooseFixDialog {
        & > Box { width: 76; }
        & LineList { height: auto; max-height: 8; min-height: 1; }
    }
    """

    def __init__(self, title: str, choices: Sequence[Fix]) -> None:
        super().__init__()
        self._title = title
        self.list: LineList[Fix] = LineList(self._draw, tuple(choices))

    def title_content(self) -> Content:
        """Say what all of them come to."""
        return safe(self._title[:1].upper() + self._title[1:])

    def compose_body(self) -> ComposeResult:
        """The choices, and the way out."""
        yield self.list
        with Buttons():
            yield DialogButton("list.select", "Show the change", "choose")
            yield DialogButton("dialog.close", "Cancel", "cancel")

    @on(LineList.Selected)
    def _selected(self, event: LineList.Selected) -> None:
        event.stop()
        self.dismiss(self.list.current)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(self.list.current if event.button.id == "choose" else None)

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        return safe(self.list.rows[index].title).truncate(width, ellipsis=True)

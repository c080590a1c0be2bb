"""All keys there are, as they are set now."""

from __future__ import annotations

from collections.abc import Mapping

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.widgets import Button

from skillui.tui.actions import ACTIONS, GROUPS, Action
from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.keymap import binding
from skillui.tui.safe_text import safe
from skillui.tui.widgets.line_list import LineList, RowState

HelpRow = str | Action
"""The title of a group, or an action of it; "" is a blank line."""
_KEYS = 20


def help_rows() -> list[HelpRow]:
    """Return the rows of the help: every group that has actions, under its title."""
    rows: list[HelpRow] = []
    for group, title in GROUPS.items():
        actions = [action for action in ACTIONS.values() if action.group == group]
        if actions:
            rows += [*([""] if rows else []), title, *actions]
    return rows


class HelpDialog(Dialog[None]):
    """Lists every action with its keys; `keys` maps action ids to what the person set instead."""

    BINDINGS = [binding("app.help", "close", show=False)]
    AUTO_FOCUS = "LineList"
    TITLE_TEXT = "Keys"
    DEFAULT_CSS = """
    HelpDialog {
        & > Box { width: 72; height: 90%; padding: 1 2; }
        & LineList { height: 1fr; }
    }
    """

    def __init__(self, keys: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._keys = keys or {}
        self._rows = help_rows()

    def compose_body(self) -> ComposeResult:
        """The list, and a way out for the mouse."""
        yield LineList[HelpRow](self._draw, self._rows)
        with Buttons():
            yield DialogButton("dialog.close", "Close", "close")

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(None)

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        row = self._rows[index]
        if not isinstance(row, Action):
            return safe(str(row), "bold $primary")
        changed = row.id in self._keys
        keys = self.keys_of(row)
        return Content.assemble(
            "  ",
            safe(keys.ljust(_KEYS), "bold"),
            safe(row.description),
            safe("  yours", "$text-muted") if changed else "",
        )

    def keys_of(self, action: Action) -> str:
        """Return the keys of an action as they are written on screen."""
        keys = self._keys.get(action.id, action.keys)
        bindings = Binding.make_bindings([Binding(keys, "")])
        return "  ".join(dict.fromkeys(self.app.get_key_display(one) for one in bindings))

"""A question with a yes and a no."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.keymap import binding
from skillui.tui.safe_text import safe


class ConfirmDialog(Dialog[bool]):
    """Asks; True only for yes. The no has the keyboard, and Escape is a no."""

    BINDINGS = [binding("dialog.yes", "yes", show=False), binding("dialog.no", "no", show=False)]
    AUTO_FOCUS = "#no"
    DEFAULT_CSS = """
    ConfirmDialog {
        & > Box { width: 64; }
        & .confirm-text { height: auto; max-height: 14; }
        & .confirm-text > Static { height: auto; }
    }
    """

    def __init__(self, title: str, text: str | Content, *, yes: str = "Yes", no: str = "No") -> None:
        super().__init__()
        self._title = title
        self._text = text if isinstance(text, Content) else safe(text, newlines=True)
        self._yes, self._no = yes, no

    def title_content(self) -> Content:
        """Return the title as it was given."""
        return safe(self._title)

    def compose_body(self) -> ComposeResult:
        """The text and the two answers."""
        with VerticalScroll(classes="confirm-text", can_focus=False):
            yield Static(self._text)
        with Buttons():
            yield DialogButton("dialog.yes", self._yes, "yes")
            yield DialogButton("dialog.no", self._no, "no")

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(event.button.id == "yes")

    def action_yes(self) -> None:
        """Answer yes."""
        self.dismiss(True)

    def action_no(self) -> None:
        """Answer no."""
        self.dismiss(False)

    def action_close(self) -> None:
        """Leaving is a no."""
        self.dismiss(False)

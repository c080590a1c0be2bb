"""What went wrong, in full, and where the log lies."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Button, Static

from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.messages import CopyRequested
from skillui.tui.model.marked_text import MarkedText
from skillui.tui.safe_text import safe
from skillui.tui.widgets.wrapped_text import WrappedText


class ErrorDialog(Dialog[None]):
    """Shows a message of any length and the path of the log, which can be copied."""

    AUTO_FOCUS = "#close"
    DEFAULT_CSS = """
    ErrorDialog {
        & > Box { border: round $state-broken; border-title-color: $state-broken; }
        & .error-text { height: 10; }
        & .error-log { height: auto; margin-top: 1; color: $text-muted; }
    }
    """

    def __init__(self, title: str, message: str, log: str | None = None) -> None:
        super().__init__()
        self._title, self._message, self._log = title, message, log

    def title_content(self) -> Content:
        """Return the title as it was given."""
        return safe(self._title)

    def compose_body(self) -> ComposeResult:
        """Message, log, buttons."""
        yield WrappedText(classes="error-text")
        if self._log:
            yield Static(Content.assemble("The log: ", safe(self._log, "$foreground")), classes="error-log")
        with Buttons():
            yield DialogButton("", "Copy the message", "copy")
            yield DialogButton("dialog.close", "Close", "close")

    def on_mount(self) -> None:
        """Fill the list."""
        self.query_one(WrappedText).show(MarkedText(self._message))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "copy":
            log = f"\n{self._log}" if self._log else ""
            self.post_message(CopyRequested(f"{self._message}{log}", "message"))
        else:
            self.dismiss(None)

"""Differences: of two copies of a skill to look at, of a fix to apply or not."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Static

from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.keymap import binding
from skillui.tui.safe_text import safe


class CompareDialog(Dialog[None]):
    """Shows a difference under a title and one line about it; `view` draws it."""

    AUTO_FOCUS = "#close"
    DEFAULT_CSS = """
    CompareDialog {
        & > Box { width: 96%; max-width: 160; height: 92%; padding: 0 1; }
        & .diff-about { height: auto; max-height: 3; color: $text-muted; }
        &.-tall .diff-about { margin-bottom: 1; }
        & Buttons { margin-top: 0; }
    }
    """

    def __init__(self, title: str, about: str, view: Widget) -> None:
        super().__init__()
        self._title, self._about = title, about
        self.view = view

    def title_content(self) -> Content:
        """Return the title as it was given."""
        return safe(self._title)

    def compose_body(self) -> ComposeResult:
        """About, difference, buttons."""
        if self._about:
            yield Static(safe(self._about, newlines=True), classes="diff-about")
        self.view.styles.height = "1fr"
        yield self.view
        with Buttons():
            yield from self.compose_buttons()

    def compose_buttons(self) -> ComposeResult:
        """There is only a way out."""
        yield DialogButton("dialog.close", "Close", "close")

    def on_mount(self) -> None:
        """Let the difference have the keyboard."""
        if self.view.focusable:
            self.view.focus()

    @on(Button.Pressed)
    def _close_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "close":
            self.action_close()


class FixDialog(Dialog[bool]):
    """Shows what a fix would change; True to apply it."""

    BINDINGS = [binding("dialog.accept", "apply", show=False)]
    AUTO_FOCUS = "#cancel"
    DEFAULT_CSS = """
    FixDialog {
        & > Box { width: 96%; max-width: 120; height: 80%; padding: 0 1; }
        & .diff-about { height: auto; max-height: 4; }
        &.-tall .diff-about { margin-bottom: 1; }
    }
    """

    def __init__(self, title: str, about: str, view: Widget, *, apply: str = "Apply") -> None:
        super().__init__()
        self._title, self._about, self._apply = title, about, apply
        self.view = view

    def title_content(self) -> Content:
        """Return the title as it was given."""
        return safe(self._title)

    def compose_body(self) -> ComposeResult:
        """About, difference, answers."""
        if self._about:
            yield Static(safe(self._about, newlines=True), classes="diff-about")
        self.view.styles.height = "1fr"
        yield self.view
        with Buttons():
            yield DialogButton("dialog.accept", self._apply, "apply")
            yield DialogButton("dialog.close", "Cancel", "cancel")

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(event.button.id == "apply")

    def action_apply(self) -> None:
        """Apply the fix."""
        self.dismiss(True)

    def action_close(self) -> None:
        """Leave the file as it is."""
        self.dismiss(False)

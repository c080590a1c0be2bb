"""What all dialogs have in common: the frame, the way out, the row of buttons."""

from __future__ import annotations

from typing import TypeVar

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button

from skillui.tui.keymap import binding
from skillui.tui.safe_text import safe

Value = TypeVar("Value")


class Box(Vertical):
    """The frame of a dialog."""

    DEFAULT_CSS = """
    Box {
        width: 84;
        max-width: 94%;
        height: auto;
        max-height: 100%;
        background: $background;
        border: round $border;
        border-title-color: $foreground;
        border-subtitle-color: $text-muted;
        padding: 1 2;
    }
    """


class Buttons(Horizontal):
    """A row of buttons at the foot of a dialog."""

    DEFAULT_CSS = """
    Buttons {
        height: 1;
        margin-top: 1;
        align-horizontal: center;
        & > DialogButton { margin: 0 1; }
    }
    """


class DialogButton(Button):
    """A button of one line that names its key."""

    DEFAULT_CSS = """
    DialogButton {
        min-width: 0;
        &.-textual-compact.-style-default {
            background: $panel;
            color: $foreground;
            text-style: none;
            padding: 0 1;
        }
        &.-textual-compact.-style-default:hover { background: $block-hover-background; }
        &.-textual-compact.-style-default:focus {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
            text-style: bold;
        }
        &.-textual-compact.-style-default.-deny:focus { background: $state-broken; color: $background; }
        &.-textual-compact.-style-default:disabled { color: $text-disabled; background: $background; }
    }
    """

    def __init__(self, action: str, label: str, id: str, *, classes: str | None = None, disabled: bool = False) -> None:
        """Take the id of the action whose key is named, "" for none."""
        super().__init__(safe(label), id=id, compact=True, classes=classes, disabled=disabled)
        self._action_id = action
        self._text = label

    def on_mount(self) -> None:
        """Name the key as it is set now."""
        self.set_text(self._text)

    def set_text(self, text: str) -> None:
        """Say something else beside the key."""
        self._text = text
        key = self._key()
        self.label = Content.assemble(safe(key, "bold"), "  ", safe(text)) if key else safe(text)

    def _key(self) -> str:
        found = [
            self.app.get_key_display(active.binding)
            for active in self.screen.active_bindings.values()
            if self._action_id and active.binding.id == self._action_id
        ]
        shortest = min(found, key=len, default="")
        return "esc" if shortest == "escape" else shortest


class Dialog(ModalScreen[Value]):
    """A modal screen in a frame; Escape and `dismiss(None)` mean that nothing was decided."""

    BINDINGS = [binding("dialog.close", "close", show=False)]
    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        background: $background 60%;
    }
    """

    TITLE_TEXT = ""
    """What the frame says; `title_content` where it holds more than a constant."""

    def compose(self) -> ComposeResult:
        """Put the dialog's parts into its frame."""
        box = Box()
        box.border_title = self.title_content()
        with box:
            yield from self.compose_body()

    def title_content(self) -> Content:
        """Return the title of the frame."""
        return Content(self.TITLE_TEXT)

    def compose_body(self) -> ComposeResult:
        """Yield what stands in the frame."""
        raise NotImplementedError

    def action_close(self) -> None:
        """Leave without a decision."""
        self.dismiss(None)

"""What a rule is for, and what to write instead: the same words as `skillui check --explain`."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from skillui.checks.explain import Explanation
from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.keymap import binding
from skillui.tui.safe_text import safe


class Reading(VerticalScroll):
    """Text that scrolls by the keys of the lists."""

    BINDINGS = [
        binding("list.up", "scroll_up", show=False),
        binding("list.down", "scroll_down", show=False),
        binding("list.page-up", "page_up", show=False),
        binding("list.page-down", "page_down", show=False),
        binding("list.first", "scroll_home", show=False),
        binding("list.last", "scroll_end", show=False),
    ]


class ExplainDialog(Dialog[None]):
    """Explains one rule; the key that opened it closes it again."""

    AUTO_FOCUS = "Reading"
    BINDINGS = [binding("problems.explain", "close", show=False)]
    DEFAULT_CSS = """
    ExplainDialog {
        & > Box { width: 84; }
        & Reading { height: auto; max-height: 80vh; scrollbar-size-vertical: 1; }
        & .explain-title { height: auto; text-style: bold; }
        & .explain-severity { height: auto; color: $text-muted; margin-bottom: 1; }
        & .explain-text { height: auto; padding-right: 1; margin-bottom: 1; }
        & .explain-label { height: 1; color: $text-muted; }
        & .explain-code { height: auto; padding: 0 2; margin-bottom: 1; background: $panel; }
        & Buttons { margin-top: 0; }
        &.-tall Buttons { margin-top: 1; }
    }
    """

    def __init__(self, explanation: Explanation) -> None:
        super().__init__()
        self.explanation = explanation

    def title_content(self) -> Content:
        """Name the rule."""
        return safe(self.explanation.code, "bold")

    def compose_body(self) -> ComposeResult:
        """Title, paragraphs, examples."""
        told = self.explanation
        with Reading():
            yield Static(safe(told.title[:1].upper() + told.title[1:]), classes="explain-title")
            yield Static(safe(f"severity: {told.severity or 'as the case is'}"), classes="explain-severity")
            for paragraph in told.paragraphs:
                yield Static(safe(paragraph), classes="explain-text")
            for label, lines in told.examples:
                yield Static(safe(f"{label}:"), classes="explain-label")
                yield Static(safe("\n".join(lines), newlines=True, tabs="    "), classes="explain-code")
        with Buttons():
            yield DialogButton("dialog.close", "Close", "close")

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_close()

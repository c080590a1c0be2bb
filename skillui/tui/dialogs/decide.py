"""The question before a decision that is not a matter of course: what is unread, what was found, who is meant."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Button, Static

from skillui.tui.dialogs.base import Box, Buttons, Dialog, DialogButton
from skillui.tui.keymap import binding
from skillui.tui.model.quiet import Quiet
from skillui.tui.safe_text import safe
from skillui.tui.widgets.fact_table import Fact, FactTable

_TICK = 0.05


class DecideDialog(Dialog[bool]):
    """Asks once more; True only for yes. Listens after a quiet time, see `Quiet`; the no has the keyboard."""

    BINDINGS = [
        binding("dialog.yes", "yes", show=False),
        binding("dialog.no", "no", show=False),
        binding("list.up", "scroll_facts(-1)", show=False),
        binding("list.down", "scroll_facts(1)", show=False),
        binding("list.page-up", "scroll_facts(-8)", show=False),
        binding("list.page-down", "scroll_facts(8)", show=False),
    ]
    AUTO_FOCUS = "#no"
    DEFAULT_CSS = """
    DecideDialog {
        & > Box {
            width: 92;
            height: auto;
            max-height: 90%;
            border: round $state-untrusted;
            border-title-color: $state-untrusted;
            padding: 0 2;
        }
        & .decide-about { height: auto; max-height: 3; margin: 1 0; }
        & FactTable { height: auto; max-height: 9; }
        &.-tall FactTable { max-height: 20; }
        &.-asleep DialogButton { text-opacity: 60%; }
    }
    """

    def __init__(
        self,
        title: str,
        about: str,
        facts: Sequence[Fact],
        yes: str,
        *,
        lead: int = 12,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(classes="-asleep")
        self._title, self._about, self._facts, self._yes = title, about, facts, yes
        self._lead = lead
        self.quiet = Quiet(clock)

    def title_content(self) -> Content:
        """Return the title as it was given."""
        return safe(self._title)

    def compose_body(self) -> ComposeResult:
        """What it is about, everyone and everything by name, the answers."""
        yield Static(safe(self._about, newlines=True), classes="decide-about")
        yield FactTable(self._lead)
        with Buttons():
            yield DialogButton("dialog.yes", self._yes, "yes")
            yield DialogButton("dialog.no", "Cancel", "no")

    def on_mount(self) -> None:
        """Be quiet first."""
        table = self.query_one(FactTable)
        table.can_focus = False
        table.show_facts(self._facts)
        self.quiet.restart()
        self.set_interval(_TICK, self._tick)

    @property
    def asleep(self) -> bool:
        """Whether keys and clicks are still ignored."""
        return self.has_class("-asleep")

    def _tick(self) -> None:
        if self.asleep and self.is_current:
            left = self.quiet.left
            self.query_one(Box).border_subtitle = Content(f"keys wake in {left:.1f} s" if left else "")
            if not left:
                self.remove_class("-asleep")

    def _ignored(self) -> bool:
        return self.asleep and (self.quiet.ignored() or self.asleep)

    def on_key(self, event: events.Key) -> None:
        """Ignore keys while asleep, whatever they would do."""
        if self._ignored():
            event.stop()
            event.prevent_default()

    def on_mouse_down(self) -> None:
        """A click while asleep starts the quiet time anew."""
        self._ignored()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self._answer(event.button.id == "yes")

    def _answer(self, answer: bool) -> None:
        if not self._ignored():
            self.dismiss(answer)

    def action_yes(self) -> None:
        """Decide."""
        self._answer(True)

    def action_no(self) -> None:
        """Decide nothing."""
        self._answer(False)

    def action_close(self) -> None:
        """Leaving decides nothing, and is always possible."""
        self.dismiss(False)

    def action_scroll_facts(self, lines: int) -> None:
        """Scroll what does not fit while a button has the keyboard."""
        self.query_one(FactTable).scroll_relative(y=lines, animate=False, immediate=True)

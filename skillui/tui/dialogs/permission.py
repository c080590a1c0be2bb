"""The prompt that the engine's hook awaits: may this skill be activated?"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from skillui.core import PermissionRequest
from skillui.tui.dialogs.base import Box, Buttons, Dialog, DialogButton
from skillui.tui.dialogs.prompt_text import Fact, facts, headline, problems, title
from skillui.tui.glyphs import glyphs
from skillui.tui.keymap import binding
from skillui.tui.model.marked_text import MarkedText
from skillui.tui.model.prompt_facts import PromptFacts
from skillui.tui.model.quiet import QUIET
from skillui.tui.safe_text import hidden_count, safe
from skillui.tui.widgets.wrapped_text import WrappedText

_TICK: Final = 0.05
_ROOMY: Final = 30
_COUNTED: Final = 1 << 20


class Answer(StrEnum):
    """What the hook returns."""

    DENY = "deny"
    ONCE = "allow_once"
    ALWAYS = "allow"


class PermissionPrompt(Dialog[Answer]):
    """Asks a person; every way out but two buttons and their keys is a denial.

    Keys and clicks in the first `QUIET` seconds do nothing and start them anew, so that nothing that
    was typed for something else, and no key that is held, can approve.
    """

    BINDINGS = [
        binding("prompt.deny", "deny"),
        binding("prompt.allow-once", "allow_once"),
        binding("prompt.always", "always"),
        binding("prompt.digest", "whole_digest", show=False),
        binding("prompt.deny-all", "deny_all", show=False),
        binding("list.up", "scroll_text(-1)", show=False),
        binding("list.down", "scroll_text(1)", show=False),
        binding("list.page-up", "scroll_text(-8)", show=False),
        binding("list.page-down", "scroll_text(8)", show=False),
    ]
    AUTO_FOCUS = "#deny"
    DEFAULT_CSS = """
    PermissionPrompt {
        & > Box {
            width: 104;
            max-width: 100%;
            height: 90%;
            min-height: 24;
            max-height: 40;
            padding: 0 2;
            border: round $state-untrusted;
            border-title-color: $state-untrusted;
            &.-normal { border: round $border; border-title-color: $foreground; }
            &.-flagged { border: round $state-sensitive; border-title-color: $state-sensitive; }
        }
        & .prompt-headline { height: auto; max-height: 2; margin-bottom: 1; }
        & .prompt-facts {
            height: auto;
            max-height: 9;
            scrollbar-size-vertical: 1;
        }
        & .prompt-fact { height: auto; }
        & .prompt-label { width: 10; color: $text-muted; }
        & .prompt-value { width: 1fr; height: auto; }
        & .prompt-problems { height: auto; max-height: 3; margin-top: 1; scrollbar-size-vertical: 1; }
        & .prompt-problem { height: auto; }
        & #prompt-text { height: 1fr; min-height: 2; margin-top: 1; }
        & .prompt-size { height: 1; color: $text-muted; text-align: right; }
        & .prompt-note { height: auto; max-height: 1; color: $text-muted; text-align: center; }
        &.-asleep DialogButton { text-opacity: 60%; }
        & .prompt-foot { height: auto; dock: bottom; }
        & Buttons { margin-top: 0; }
        &.-roomy Buttons { margin-top: 1; }
        &.-roomy .prompt-facts { max-height: 14; }
        &.-roomy .prompt-problems { max-height: 6; }
        &.-roomy .prompt-headline { margin: 1 0; }
    }
    """

    def __init__(
        self,
        request: PermissionRequest,
        known: PromptFacts | None = None,
        *,
        always_note: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(classes="-asleep")
        self.request = request
        self._known = known or PromptFacts()
        self._always_note = always_note
        self._clock = clock
        self._wakes_at: float | None = None
        self._due = False
        self._held = False
        self._place, self._waiting = 1, 1
        self._whole_digest = False
        self._withdrawn = False
        self._left = False
        self.denies_all = False
        """Whether the person denied everything that waits, not this request alone."""
        # Kept, for a timer may still tick when the parts of the screen are gone.
        self._box = Box()

    # What is shown

    def compose(self) -> ComposeResult:
        """Frame the parts, in the colour of the reason."""
        flagged = bool(self.request.gate.flags)
        kind = "-flagged" if flagged else "-normal" if self.request.gate.reason == "normal" else ""
        self._box.add_class(kind or "-untrusted")
        box = self._box
        box.border_title = title(self.request)
        with box:
            yield from self.compose_body()

    def compose_body(self) -> ComposeResult:
        """Who, why, what, the text, the answers."""
        text = self.request.skill.parsed.text
        yield Static(headline(self.request), classes="prompt-headline")
        with VerticalScroll(classes="prompt-facts", can_focus=False):
            for fact in facts(self.request, self._known, self._whole_digest):
                with Horizontal(classes="prompt-fact"):
                    yield Static(safe(fact.label), classes="prompt-label")
                    yield Static(fact.content, classes="prompt-value", id=_id_of(fact))
        with VerticalScroll(classes="prompt-problems", can_focus=False) as found:
            lines = list(problems(self.request, self._known))
            found.display = bool(lines)
            for line in lines:
                yield Static(line, classes="prompt-problem")
        yield WrappedText(id="prompt-text")
        with Vertical(classes="prompt-foot"):
            yield Static(_size_of(text), classes="prompt-size")
            yield Static(safe(self._note()), classes="prompt-note")
            with Buttons():
                yield DialogButton("prompt.deny", "Deny", "deny", classes="-deny")
                yield DialogButton("prompt.allow-once", "Allow once", "allow-once")
                yield DialogButton(
                    "prompt.always", "Always for this content", "always", disabled=self.request.digest is None
                )

    def _note(self) -> str:
        if self.request.digest is None:
            return "Always is not offered: without a digest the content cannot be recognised."
        return self._always_note

    def on_mount(self) -> None:
        """Show the text; the quiet time begins when the prompt can be seen."""
        self.query_one("#prompt-text", WrappedText).show(MarkedText(self.request.skill.parsed.text))
        self.set_interval(_TICK, self._tick)
        self._draw_subtitle()

    def on_resize(self, event: events.Resize) -> None:
        """Spend blank lines where there are some to spend."""
        self.set_class(event.size.height >= _ROOMY, "-roomy")

    def tell(self, known: PromptFacts) -> None:
        """Show what was found out beside the request, once it is known."""
        self._known = known
        if not self.is_mounted or self._left:
            return
        self._show_facts()
        found = self.query_one(".prompt-problems", VerticalScroll)
        lines = list(problems(self.request, known))
        found.display = bool(lines)
        found.remove_children()
        found.mount_all(Static(line, classes="prompt-problem") for line in lines)

    def _show_facts(self) -> None:
        for fact in facts(self.request, self._known, self._whole_digest):
            self.query_one(f"#{_id_of(fact)}", Static).update(fact.content)

    def set_waiting(self, place: int, waiting: int) -> None:
        """Show the count of requests that wait, this one included."""
        self._place, self._waiting = place, waiting
        self._draw_subtitle()

    def _draw_subtitle(self) -> None:
        parts = [f"{self._place} of {self._waiting:,} waiting, D denies all"] if self._waiting > 1 else []
        if self.asleep:
            left = QUIET if self._wakes_at is None else max(0.0, self._wakes_at - self._clock())
            parts.append(f"keys wake in {min(QUIET, left):.1f} s")
        subtitle = f" {glyphs().separator} ".join(parts)
        self._box.border_subtitle = Content(subtitle)

    # The quiet time

    @property
    def asleep(self) -> bool:
        """Tells whether keys and clicks are still ignored."""
        return self.has_class("-asleep")

    def on_screen_resume(self) -> None:
        """Seen, for the first time or again: be quiet first."""
        self._fall_asleep()
        if self._withdrawn:
            self._leave(Answer.DENY)

    def _fall_asleep(self) -> None:
        self.add_class("-asleep")
        self._wakes_at = None
        self._due = False
        self.call_after_refresh(self._restart)

    def _restart(self) -> None:
        if self.asleep:
            self._wakes_at = self._clock() + QUIET
            self._due = False
            self._draw_subtitle()

    def _tick(self) -> None:
        if not self.asleep or self._wakes_at is None:
            return
        quiet = self._clock() >= self._wakes_at and not self._held
        # A tick later: what was typed while the app was busy has been seen, and ignored, by then.
        if quiet and self._due:
            self.remove_class("-asleep")
        self._due = quiet
        self._draw_subtitle()

    def _ignored(self) -> bool:
        """Tell whether what just came is ignored; it then starts the quiet time anew."""
        if not self.asleep:
            return False
        if self._wakes_at is not None:
            self._restart()
        return True

    def on_key(self, event: events.Key) -> None:
        """Ignore keys while asleep, whatever they would do."""
        self._held = False
        if self._ignored():
            event.stop()
            event.prevent_default()

    def on_mouse_down(self) -> None:
        """A click that begins while asleep is ignored until its end."""
        self._held = self._ignored()

    def on_mouse_up(self) -> None:
        """See `on_mouse_down`: the click that follows comes while asleep again."""
        if self._held:
            self._held = False
            self._ignored()

    def on_paste(self, event: events.Paste) -> None:
        """A paste is typing too."""
        event.stop()
        self._ignored()

    # The answers

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        answers = {"allow-once": Answer.ONCE, "always": Answer.ALWAYS}
        self._answer(answers.get(event.button.id or "", Answer.DENY))

    def _answer(self, answer: Answer) -> None:
        if self._ignored() or (answer is Answer.ALWAYS and self.request.digest is None):
            return
        self._leave(answer)

    def _leave(self, answer: Answer) -> None:
        """Give the one answer there is, unless another screen is in front or the app is about to end."""
        if not self._left and self.app.is_running and self.is_active:
            self._left = True
            self.dismiss(answer)

    def action_deny(self) -> None:
        """Deny."""
        self._answer(Answer.DENY)

    def action_deny_all(self) -> None:
        """Deny this and everything that waits behind it."""
        if self._waiting > 1 and not self._ignored():
            self.denies_all = True
            self._leave(Answer.DENY)

    def action_close(self) -> None:
        """Leaving is denying."""
        self._answer(Answer.DENY)

    def action_allow_once(self) -> None:
        """Allow this one activation."""
        self._answer(Answer.ONCE)

    def action_always(self) -> None:
        """Allow exactly these bytes from now on."""
        self._answer(Answer.ALWAYS)

    def withdraw(self) -> None:
        """Nobody waits for the answer any more: go away, at once or when seen again."""
        self._withdrawn = True
        if self.is_mounted:
            self._leave(Answer.DENY)

    # Reading

    def action_whole_digest(self) -> None:
        """Show the digest in full, or short again."""
        self._whole_digest = not self._whole_digest
        self._show_facts()

    @on(events.Click, "#fact-content")
    def _digest_clicked(self, event: events.Click) -> None:
        event.stop()
        if not self._ignored():
            self.action_whole_digest()

    def action_scroll_text(self, lines: int) -> None:
        """Scroll the text while a button has the keyboard."""
        self.query_one("#prompt-text", WrappedText).scroll_relative(y=lines, animate=False, immediate=True)


def _id_of(fact: Fact) -> str:
    return f"fact-{fact.label.replace(' ', '-')}"


def _size_of(text: str) -> Content:
    lines = text.count("\n") + (not text.endswith("\n"))
    size = safe(f"SKILL.md as it would be loaded {glyphs().separator} {lines:,} lines {glyphs().more_below}")
    hidden = hidden_count(text[:_COUNTED])
    if not hidden:
        return size
    words = "character" if hidden == 1 else "characters"
    return Content.assemble(safe(f"{hidden:,} {words} nobody would see  ", "bold $state-broken"), size)

"""The decision bar: how the skill stands, what was found, the reason, the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Input, Static

from skillui.tui.dialogs.base import DialogButton
from skillui.tui.model.figures import counted
from skillui.tui.model.review_rows import ReviewRow
from skillui.tui.model.review_sheet import ReviewSheet
from skillui.tui.model.review_words import findings_line, standing
from skillui.tui.safe_text import safe
from skillui.tui.widgets.gated_input import GatedInput

Choice = Literal["approve", "deny", "revoke"]
_TEXTS: Final[dict[Choice, str]] = {"approve": "Approve", "deny": "Deny", "revoke": "Revoke"}


class ReviewBar(Vertical):
    """Shows how a skill stands and takes the reason; decides nothing itself."""

    DEFAULT_CSS = """
    ReviewBar {
        height: 5;
        border: round $border-blurred;
        border-title-color: $foreground;
        padding: 0 1;
        &:focus-within { border: round $border; border-title-color: $accent; }
        & > Static { height: 1; }
        & > .review-fault { height: auto; max-height: 3; color: $state-broken; display: none; }
        &.-fault { height: 7; }
        &.-fault > .review-fault { display: block; }
        &.-fault > .review-found { display: none; }
        & > Horizontal { height: 1; }
        & Input { width: 1fr; margin-right: 1; }
        & DialogButton { margin-left: 1; }
    }
    """

    @dataclass
    class Chosen(Message):
        """The person pressed one of the answers."""

        choice: Choice

    @dataclass
    class ReasonDone(Message):
        """The reason is written."""

    def __init__(self) -> None:
        super().__init__(id="review-bar")

    def compose(self) -> ComposeResult:
        """Two lines of words, one of answers."""
        yield Static(classes="review-standing")
        yield Static(classes="review-found")
        yield Static(classes="review-fault")
        with Horizontal():
            yield GatedInput(placeholder="reason, optional", id="review-reason", select_on_focus=False)
            for choice, text in _TEXTS.items():
                yield DialogButton(f"review.{choice}", text, f"review-{choice}", classes=f"-{choice}")

    @property
    def field(self) -> Input:
        """Where the reason is written."""
        return self.query_one(Input)

    @property
    def reason(self) -> str:
        """The reason as it is written now."""
        return self.field.value.strip()

    def name_keys(self) -> None:
        """Name the keys of the answers as they are set now."""
        for choice, text in _TEXTS.items():
            button = self._button(choice)
            button.set_text(text)
            button.refresh(layout=True)

    def clear(self) -> None:
        """Begin with no reason."""
        self.field.value = ""

    def show(self, sheet: ReviewSheet | None, marked: list[ReviewRow], fault: str | None) -> None:
        """Show how a skill stands, how many are marked, and what is wrong with the store."""
        self.border_title = Content("Decision" if not marked else f"Decision on {counted(len(marked), 'marked skill')}")
        self.query_one(".review-standing", Static).update(standing(sheet) if sheet is not None else Content(""))
        self.query_one(".review-found", Static).update(findings_line(sheet) if sheet is not None else Content(""))
        self.set_class(fault is not None, "-fault")
        if fault is not None:
            self.query_one(".review-fault", Static).update(safe(f"Nothing counts as approved: {fault}"))
        decision = sheet.item.decision if sheet is not None else None
        sound = sheet is not None and sheet.item.content.digest is not None
        self._button("approve").disabled = not (marked or (sound and _verdict(sheet) != "approved"))
        self._button("deny").disabled = not (marked or (sound and _verdict(sheet) != "denied"))
        self._button("revoke").disabled = decision is None

    def _button(self, choice: Choice) -> DialogButton:
        return self.query_one(f"#review-{choice}", DialogButton)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        for choice in _TEXTS:
            if event.button.id == f"review-{choice}":
                self.post_message(self.Chosen(choice))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.ReasonDone())


def _verdict(sheet: ReviewSheet | None) -> str | None:
    decision = sheet.item.decision if sheet is not None else None
    return decision.verdict if decision is not None else None

"""The log of decisions, prompts and activations: newest first, by a filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Button, Input, Static

from skillui.review.records import AuditEntry
from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.keymap import binding
from skillui.tui.model.figures import counted
from skillui.tui.model.marked_text import MarkedText
from skillui.tui.safe_text import safe
from skillui.tui.widgets.columns import Column, aligned
from skillui.tui.widgets.gated_input import GatedInput
from skillui.tui.widgets.line_list import LineList, RowState
from skillui.tui.widgets.wrapped_text import WrappedText

_COLUMNS: Final = (
    Column(16, style="$text-muted"),
    Column(10),
    Column(14, grow=2),
    Column(14, grow=1),
    Column(10, style="$text-muted", drop=2),
    Column(7, style="$text-muted", drop=1),
)
_ANSWERS: Final = {
    "approved": "$state-ok",
    "allow": "$state-ok",
    "allow_once": "$state-untrusted",
    "denied": "$state-broken",
    "deny": "$state-broken",
}


class AuditDialog(Dialog[None]):
    """Shows entries; typing filters them by any of their words."""

    BINDINGS = [binding("catalog.search", "search", show=False)]
    AUTO_FOCUS = "LineList"
    TITLE_TEXT = "Log of decisions"
    DEFAULT_CSS = """
    AuditDialog {
        & > Box { width: 96%; max-width: 140; height: 92%; padding: 0 1; }
        & GatedInput { margin-bottom: 1; }
        & LineList { height: 1fr; }
        & .audit-fault { height: auto; max-height: 2; color: $state-broken; display: none; }
        & .audit-fault.-shown { display: block; }
        & WrappedText { height: 4; margin-top: 1; padding: 0 1; }
        & Buttons { margin-top: 0; }
        &.-tall Buttons { margin-top: 1; }
    }
    """

    def __init__(self, entries: Sequence[AuditEntry], fault: str | None = None) -> None:
        super().__init__()
        self._entries = list(entries)
        self._fault = fault
        empty = "Nothing was decided or asked yet."
        self.list: LineList[AuditEntry] = LineList(self._draw, self._entries, empty=empty)

    def compose_body(self) -> ComposeResult:
        """Filter, entries, the one under the cursor in full."""
        yield GatedInput(placeholder="filter, such as denied deploy", id="audit-filter", select_on_focus=False)
        yield Static(safe(self._fault or ""), classes="audit-fault -shown" if self._fault else "audit-fault")
        yield self.list
        yield WrappedText(id="audit-entry")
        with Buttons():
            yield DialogButton("catalog.search", "Filter", "filter")
            yield DialogButton("dialog.close", "Close", "close")

    def on_mount(self) -> None:
        """Show the newest in full."""
        self.query_one(WrappedText).can_focus = False
        self._show_entry()
        self._count()

    def action_search(self) -> None:
        """Go to the filter."""
        self.query_one(Input).focus()

    def action_close(self) -> None:
        """Leave; from the filter to the entries first."""
        if self.query_one(Input).has_focus:
            self.list.focus()
        else:
            self.dismiss(None)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        words = event.value.lower().split()
        rows = [entry for entry in self._entries if all(word in _words(entry) for word in words)]
        self.list.set_empty("Nothing fits." if self._entries else "Nothing was decided or asked yet.")
        self.list.set_rows(rows, keep=lambda entry: entry.number)
        self._show_entry()
        self._count()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.list.focus()

    @on(LineList.Highlighted)
    def _highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        if event.line_list is self.list:  # the entry in full is a list of lines, too
            self._show_entry()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "filter":
            self.action_search()
        else:
            self.dismiss(None)

    def _count(self) -> None:
        box = self.query_one("Box")
        shown, total = len(self.list.rows), len(self._entries)
        box.border_subtitle = Content(
            counted(total, "entry", "entries") if shown == total else f"{shown:,} of {total:,}"
        )

    def _show_entry(self) -> None:
        entry = self.list.current
        self.query_one(WrappedText).show(MarkedText("" if entry is None else _in_full(entry)))

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        entry = self.list.rows[index]
        when = entry.when[:16].replace("T", " ")
        answer = (entry.answer, _ANSWERS.get(entry.answer, ""))
        return aligned((when, entry.kind, (entry.name, "bold"), answer, entry.who, entry.via), _COLUMNS, width)


def _words(entry: AuditEntry) -> str:
    return " ".join(
        (entry.kind, entry.name, entry.answer, entry.who, entry.via, entry.reason, entry.dir, entry.when)
    ).lower()


def _in_full(entry: AuditEntry) -> str:
    lines = [
        f"{entry.when}  {entry.kind}  {entry.answer}  by {entry.who} ({entry.via})",
        entry.dir,
        entry.digest or "no digest",
        entry.reason,
    ]
    return "\n".join(line for line in lines if line)

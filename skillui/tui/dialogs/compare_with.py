"""What to compare a skill with: its approval, a copy in another root, a git revision of its folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Button, Input, Static

from skillui.core import AnyEntry
from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.safe_text import safe
from skillui.tui.widgets.gated_input import GatedInput
from skillui.tui.widgets.line_list import LineList, RowState


@dataclass(frozen=True, slots=True)
class WithApproval:
    """What was last approved in this place."""


@dataclass(frozen=True, slots=True)
class WithCopy:
    """A copy of the same name; `where` is its root as a person would write it."""

    entry: AnyEntry
    where: str


@dataclass(frozen=True, slots=True)
class WithRevision:
    """The folder as it is in a git revision."""

    revision: str


Other = WithApproval | WithCopy | WithRevision


class CompareWithDialog(Dialog[Other]):
    """Offers what there is to compare with; a revision is typed."""

    AUTO_FOCUS = "LineList"
    DEFAULT_CSS = """
    CompareWithDialog {
        & > Box { width: 76; }
        & LineList { height: auto; max-height: 10; min-height: 1; }
        & .compare-label { height: 1; margin-top: 1; color: $text-muted; }
    }
    """

    def __init__(self, name: str, copies: Sequence[WithCopy], revisions: bool) -> None:
        super().__init__()
        self._name, self._revisions = name, revisions
        self._choices: list[Other] = [WithApproval(), *copies]
        self.list: LineList[Other] = LineList(self._draw, self._choices)

    def title_content(self) -> Content:
        """Name the skill."""
        return safe(f"Compare {self._name} with")

    def compose_body(self) -> ComposeResult:
        """The copies, a field for a revision, the way out."""
        yield self.list
        if self._revisions:
            yield Static(Content("or a git revision of its folder, such as HEAD~1"), classes="compare-label")
            yield GatedInput(placeholder="revision", id="compare-revision", select_on_focus=False)
        with Buttons():
            yield DialogButton("list.select", "Compare", "compare")
            yield DialogButton("dialog.close", "Cancel", "cancel")

    @on(LineList.Selected)
    def _selected(self, event: LineList.Selected) -> None:
        event.stop()
        self.dismiss(self.list.current)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._take_revision()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id != "compare":
            self.dismiss(None)
        elif not self._take_revision():
            self.dismiss(self.list.current)

    def _take_revision(self) -> bool:
        typed = next((field.value.strip() for field in self.query(Input)), "")
        if typed:
            self.dismiss(WithRevision(typed))
        return bool(typed)

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        choice = self._choices[index]
        if isinstance(choice, WithCopy):
            return Content.assemble("the copy in ", safe(choice.where, "bold")).truncate(width, ellipsis=True)
        return Content("what was last approved here")

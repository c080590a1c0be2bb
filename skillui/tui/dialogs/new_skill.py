"""Where a new skill begins: its name, its root, its description."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Button, Input, Static

from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.glyphs import glyphs
from skillui.tui.keymap import binding
from skillui.tui.safe_text import safe, safe_line
from skillui.tui.widgets.gated_input import GatedInput
from skillui.tui.widgets.line_list import LineList, RowState
from skillui.workspace.project import Root


@dataclass(frozen=True, slots=True)
class NewSkill:
    """What is to be made; `description` is None where the template's words should stand."""

    name: str
    root: Root
    description: str | None


Check = Callable[[str, Root], str]
"""Says what is wrong with a name in a root, "" for nothing; looks at the disk at most once."""


class NewSkillDialog(Dialog[NewSkill]):
    """Asks for name, root and description, and says while one types what is wrong with the name."""

    BINDINGS = [binding("dialog.accept", "create", show=False)]
    AUTO_FOCUS = "#new-name"
    TITLE_TEXT = "New skill"
    DEFAULT_CSS = """
    NewSkillDialog {
        & > Box { width: 76; }
        & .new-label { height: 1; color: $text-muted; }
        & .new-message { height: auto; min-height: 1; max-height: 3; margin-bottom: 1; }
        & #new-roots { height: auto; max-height: 6; margin-bottom: 1; }
    }
    """

    def __init__(self, roots: Sequence[Root], check: Check, name: str = "") -> None:
        super().__init__()
        self._roots = list(roots)
        self._check = check
        self._name = name

    def compose_body(self) -> ComposeResult:
        """The fields, the message under the name, the answers."""
        yield Static("name", classes="new-label")
        yield GatedInput(self._name, placeholder="release-notes", id="new-name")
        yield Static("", classes="new-message")
        yield Static("root", classes="new-label")
        yield LineList[Root](self._draw_root, self._roots, id="new-roots", empty="No root can be written to.")
        yield Static("description", classes="new-label")
        yield GatedInput(placeholder="what it does, and when to use it", id="new-description")
        with Buttons():
            yield DialogButton("dialog.accept", "Create", "create", disabled=True)
            yield DialogButton("dialog.close", "Cancel", "cancel")

    def on_mount(self) -> None:
        """Say at once what the name needs."""
        self._validate()

    @property
    def root(self) -> Root | None:
        """The root under the cursor."""
        row: Root | None = self.query_one("#new-roots", LineList).current
        return row

    def _draw_root(self, index: int, width: int, state: RowState) -> Content:
        root = self._roots[index]
        sign = glyphs().dot if state.cursor else " "
        trust = ("trusted", "$state-ok") if root.trusted else ("not trusted", "$state-untrusted")
        return Content.assemble(
            safe(f"{sign} ", "$primary"),
            safe_line(root.source, max(10, width - 30)),
            safe(f"  {root.label}  ", "$text-muted"),
            safe(*trust),
            safe("" if root.exists else "  will be made", "$text-muted"),
        )

    @on(Input.Changed, "#new-name")
    @on(LineList.Highlighted, "#new-roots")
    def _validate(self) -> bool:
        name, root = self.query_one("#new-name", Input).value, self.root
        if root is None:
            problem = "there is no root to make it in"
        elif not name:
            problem = ""
        else:
            problem = self._check(name, root)
        fits = bool(name) and not problem
        message = self.query_one(".new-message", Static)
        if problem:
            message.update(safe(f"{glyphs().cross} {problem}", "$state-broken"))
        elif fits and root is not None:
            message.update(safe(f"{glyphs().check} {root.source}/{name}/SKILL.md", "$state-ok"))
        else:
            message.update(safe("lower-case letters, digits, single hyphens", "$text-muted"))
        self.query_one("#create", Button).disabled = not fits
        return fits

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.input.id == "new-name":
            self.query_one("#new-description").focus()
        else:
            self.action_create()

    @on(LineList.Selected)
    def _root_chosen(self, event: LineList.Selected) -> None:
        event.stop()
        self.query_one("#new-description").focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "create":
            self.action_create()
        else:
            self.action_close()

    def action_create(self) -> None:
        """Return what was filled in, unless the name will not do."""
        root = self.root
        if not self._validate() or root is None:
            self.query_one("#new-name").focus()
            return
        description = self.query_one("#new-description", Input).value.strip()
        self.dismiss(NewSkill(self.query_one("#new-name", Input).value, root, description or None))

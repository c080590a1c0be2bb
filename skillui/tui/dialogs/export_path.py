"""Where to write a file; what is there already is written over only when told so twice."""

from __future__ import annotations

import os
from typing import TypeVar

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Button, Input, Static

from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.keymap import binding
from skillui.tui.safe_text import safe
from skillui.tui.widgets.gated_input import GatedInput

Answer = TypeVar("Answer")


class PathDialog(Dialog[Answer]):
    """Asks for a path; a relative one is meant from `folder`."""

    BINDINGS = [binding("dialog.accept", "save", show=False)]
    AUTO_FOCUS = "#export-path"
    DEFAULT_CSS = """
    PathDialog {
        & > Box { width: 76; }
        & .export-about { height: auto; margin-bottom: 1; color: $text-muted; }
        & .export-message { height: auto; min-height: 1; color: $state-untrusted; margin-top: 1; }
    }
    """

    def __init__(self, title: str, folder: str, name: str, about: str = "") -> None:
        super().__init__()
        self._title, self._folder, self._name, self._about = title, folder, name, about
        self._asked: str | None = None

    def title_content(self) -> Content:
        """Return the title as it was given."""
        return safe(self._title)

    def compose_body(self) -> ComposeResult:
        """What is written, where, and the answers."""
        yield from self.compose_head()
        yield GatedInput(self._name, id="export-path", select_on_focus=False)
        yield Static("", classes="export-message")
        with Buttons():
            yield DialogButton("dialog.accept", "Save", "save")
            yield DialogButton("dialog.close", "Cancel", "cancel")

    def compose_head(self) -> ComposeResult:
        """Say what is written."""
        yield Static(safe(self._about or f"In {self._folder}", newlines=True), classes="export-about")

    def answer(self, path: str) -> Answer:
        """Return what the dialog is left with for a path that can be written."""
        raise NotImplementedError

    @property
    def path(self) -> str:
        """The path as it would be returned."""
        typed = os.path.expanduser(self.query_one(Input).value.strip())
        return os.path.normpath(os.path.join(self._folder, typed))

    def problem(self) -> str:
        """Say why nothing can be written there, "" where it can."""
        typed = self.query_one(Input).value.strip()
        if not typed:
            return "a name is missing"
        if not typed.isprintable():
            return "the name holds characters that cannot be seen"
        path = self.path
        if os.path.isdir(path):
            return "that is a folder"
        if not os.path.isdir(os.path.dirname(path)):
            return f"there is no folder {os.path.dirname(path)}"
        if os.path.lexists(path) and not os.path.isfile(path):
            return "that is no regular file"
        return ""

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._asked = None
        self._say("", "Save")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_save()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "save":
            self.action_save()
        else:
            self.action_close()

    def action_save(self) -> None:
        """Return the path; where a file is already, only the second time."""
        problem, path = self.problem(), self.path
        if problem:
            self._say(problem, "Save")
        elif os.path.lexists(path) and self._asked != path:
            self._asked = path
            self._say("The file exists. Save once more to write over it.", "Write over it")
            # Enter held down in the field must not answer the question it raised.
            self.query_one("#cancel").focus()
        else:
            self.dismiss(self.answer(path))

    def _say(self, text: str, button: str) -> None:
        self.query_one(".export-message", Static).update(safe(text))
        self.query_one("#save", DialogButton).set_text(button)


class ExportDialog(PathDialog[str]):
    """Asks for a path and returns it absolute."""

    def answer(self, path: str) -> str:
        """Return the path."""
        return path

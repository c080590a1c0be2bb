"""What the report is about, how it is written, and where to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from skillui.tui.dialogs.export_path import PathDialog
from skillui.tui.model.figures import counted
from skillui.tui.safe_text import safe
from skillui.tui.widgets.choice_line import ChoiceLine
from skillui.tui.widgets.tab_bar import TabSelected
from skillui.workspace.report_file import FORMATS

_TITLES: Final = {"text": "Text", "json": "JSON", "sarif": "SARIF", "github": "GitHub"}
NAME: Final = "skillui-report"
_LONGEST_NAME: Final = 30


@dataclass(frozen=True, slots=True)
class ReportChoice:
    """A report that is to be written."""

    path: str
    """Absolute."""
    format: str
    all_skills: bool


class ReportDialog(PathDialog[ReportChoice]):
    """Asks for scope, format and path; another format changes the ending of a name that nobody changed."""

    DEFAULT_CSS = """
    ReportDialog {
        & > Box { width: 76; }
        & .report-line { height: 1; }
        & .report-label { width: 10; color: $text-muted; }
        & .export-about { margin: 1 0 0 0; }
    }
    """

    def __init__(self, folder: str, selected: str | None, skills: int) -> None:
        super().__init__("Export the report", folder, f"{NAME}{FORMATS['text']}", "")
        self._selected, self._skills = selected, skills

    def compose_head(self) -> ComposeResult:
        """Scope and format."""
        scopes = [("all", f"All {counted(self._skills, 'skill')}")]
        if self._selected is not None:
            scopes.append(("one", f"Only {self._selected[:_LONGEST_NAME]}"))
        for label, line in (
            ("about", ChoiceLine(scopes, id="report-scope")),
            ("format", ChoiceLine(_TITLES.items(), id="report-format")),
        ):
            with Horizontal(classes="report-line"):
                yield Static(Content(label), classes="report-label")
                yield line
        yield Static(safe(f"In {self._folder}"), classes="export-about")

    @property
    def format(self) -> str:
        """The chosen format."""
        return self.query_one("#report-format", ChoiceLine).active

    @on(TabSelected)
    def _chosen(self, event: TabSelected) -> None:
        event.stop()
        field = self.query_one(Input)
        stem, ending = os.path.splitext(field.value)
        if event.bar.id == "report-format" and ending in FORMATS.values():
            field.value = stem + FORMATS[event.tab]

    def answer(self, path: str) -> ReportChoice:
        """Return what was chosen."""
        return ReportChoice(path, self.format, self.query_one("#report-scope", ChoiceLine).active == "all")

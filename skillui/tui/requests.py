"""What a person asks for: every message and key that asks for something, each handed to its errand."""

from __future__ import annotations

from textual import on
from textual.notifications import SeverityLevel

from skillui.tui import messages
from skillui.tui.gate_errands import GateErrands
from skillui.tui.key_order import KeysInOrder
from skillui.tui.safe_text import visible


class Requests(KeysInOrder[int]):
    """An app that hands what is asked for to its errands, and says what comes of it."""

    errands: GateErrands
    """Made by the app itself."""

    def say(self, text: str, severity: SeverityLevel = "information") -> None:
        """Say something in passing; any text may come, it is shown as text."""
        self.notify(visible(text), severity=severity, markup=False)

    @on(messages.Notice)
    def _notice(self, event: messages.Notice) -> None:
        severity: SeverityLevel = "information"
        if event.severity in ("warning", "error"):
            severity = "warning" if event.severity == "warning" else "error"
        self.say(event.text, severity)

    # Skills and files

    @on(messages.EditRequested)
    def _edit(self, event: messages.EditRequested) -> None:
        self.errands.edit(event.path, event.line)

    @on(messages.CopyRequested)
    def _copy(self, event: messages.CopyRequested) -> None:
        if event.what == "output" and not event.text:
            self.errands.copy_output()
        else:
            self.errands.copy(event.text, event.what)

    @on(messages.CompareRequested)
    def _compare(self, event: messages.CompareRequested) -> None:
        self.errands.compare(event.winner, event.other)

    @on(messages.LinkRequested)
    def _link(self, event: messages.LinkRequested) -> None:
        self.errands.open_link(event.url)

    @on(messages.NewSkillRequested)
    def action_new_skill(self) -> None:
        """Begin a new skill."""
        self.errands.new_skill()

    def search_for(self, text: str) -> None:
        """Show what fits a search."""
        self.errands.search_for(text)

    def go_to_skill(self, name: str) -> None:
        """Put the cursor on a skill."""
        self.errands.go_to_skill(name)

    # The gate

    @on(messages.FixRequested)
    def _fix(self, event: messages.FixRequested) -> None:
        self.errands.fix(event.problem, event.view)

    @on(messages.ExplainRequested)
    def _explain(self, event: messages.ExplainRequested) -> None:
        self.errands.explain(event.problem)

    @on(messages.ReportRequested)
    def action_export_report(self) -> None:
        """Write what the gate finds to a file."""
        self.errands.report_findings()

    @on(messages.SkillsChecked)
    def _skills_checked(self, event: messages.SkillsChecked) -> None:
        if self.is_running:
            self.errands.show_findings(event)

    # Sessions and modes

    @on(messages.ModeRequested)
    def _mode_requested(self, event: messages.ModeRequested) -> None:
        self.errands.show_mode(event.mode, event.event)

    @on(messages.ReviewCounted)
    def _review_counted(self, event: messages.ReviewCounted) -> None:
        if self.is_running:
            self.errands.show_waiting(event.waiting)

    @on(messages.ReplayRequested)
    def _replay(self, event: messages.ReplayRequested) -> None:
        self.errands.replay(event.record)

    @on(messages.NewSessionRequested)
    def action_new_session(self) -> None:
        """Begin a new session."""
        self.errands.new_session()

    @on(messages.ExportRequested)
    def _export(self, event: messages.ExportRequested) -> None:
        self.errands.export(event.session)

    def action_export_session(self) -> None:
        """Write the current session's events to a file."""
        self.errands.export(None)

    def action_show_mode(self, mode: str) -> None:
        """Show a mode."""
        self.errands.show_mode(mode)

    # The app itself

    def action_show_help(self) -> None:
        """List all keys."""
        self.errands.show_help()

    def action_choose_theme(self) -> None:
        """Choose a theme, seeing each at once."""
        self.errands.choose_theme()

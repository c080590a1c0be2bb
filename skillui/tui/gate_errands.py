"""What the app does about the gate: checking in the background, fixing, explaining, the report."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from textual.worker import Worker, get_current_worker

from skillui.tui.errands import Errands
from skillui.tui.messages import SkillsChecked
from skillui.tui.model.figures import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skillui.core import AnyEntry, Problem
    from skillui.core.problems import Fix
    from skillui.tui.dialogs.report import ReportChoice
    from skillui.tui.model.findings import Summary
    from skillui.tui.model.skill_view import SkillView

QUIET: Final = 0.4
"""Seconds without a key or a move of the mouse after which the person counts as reading."""
_SHORT, _LONG = 0.0005, 0.05
# Seconds of rest between two skills: while the person reads, and while they type.


class GateErrands(Errands):
    """All errands of one app."""

    # In the background

    def files_touched(self, paths: Sequence[str] | None) -> None:
        """Note which files changed, None for any."""
        super().files_touched(paths)
        self._app.workbench.findings.touch(paths)

    def check_skills(self) -> None:
        """Check in the background what was not checked as it is now."""
        self._app.run_worker(
            self._check_all, thread=True, exclusive=True, group="checks", exit_on_error=False,
            description="checking the skills",
        )  # fmt: skip

    def _check_all(self) -> None:
        from skillui.tui.findings_desk import Stopped

        app, desk = self._app, self._app.workbench.findings

        def paint(summaries: Mapping[str, Summary], done: int, total: int) -> None:
            app.post_message(SkillsChecked(summaries, done, total))

        try:
            found = desk.check_all(self._rest(get_current_worker()), paint)
        except Stopped:
            return
        app.post_message(SkillsChecked(found, 1, 1, (*desk.check.faults, *desk.check.warnings)))

    def _rest(self, worker: Worker[object]) -> Callable[[], None]:
        """Return what lets keys go first, and ends the work once nobody wants it."""
        from skillui.tui.findings_desk import Stopped

        app = self._app

        def rest() -> None:
            typing = time.monotonic() - app.busy_at < QUIET
            time.sleep(_LONG if typing else _SHORT)
            if worker.is_cancelled:
                raise Stopped

        return rest

    def show_findings(self, event: SkillsChecked) -> None:
        """Show in the list what was found so far."""
        workbench = self._app.workbench
        workbench.summaries = event.summaries
        self._app.browse.show_catalog(workbench, workbench.catalog, 1, 1)
        self._app.browse.catalog.set_checking(event.done, event.total)
        for words in event.warnings:
            self.say_once(words)
        view = self._app.browse.area.view
        if view is not None and view.checked and view.of_catalog != workbench.findings.of_catalog(view.key):
            self._app.read_view()

    # One finding

    def explain(self, problem: Problem) -> None:
        """Say what the rule behind a problem is for."""
        from skillui.checks.explain import explain_code
        from skillui.tui.dialogs.explain import ExplainDialog

        self._app.push_screen(ExplainDialog(explain_code(str(problem.code))))

    def fix(self, problem: Problem, view: SkillView) -> None:
        """Show what the fix of a problem would change, and apply it when told to."""
        if problem.fix is not None and self.refuses_to_write():
            return
        if problem.fix is None:
            hint = f": {problem.hint}" if problem.hint else ""
            self._app.say(f"{problem.code} has no fix that is safe{hint}", "warning")
            return
        self._app.run_worker(self._fix(problem.fix, view), group="dialogs", exit_on_error=False, description="the fix")

    async def _fix(self, fix: Fix, view: SkillView) -> None:
        from skillui.core.files import ReadFault, reason_of
        from skillui.tui.dialogs.choose_fix import ChooseFixDialog
        from skillui.tui.dialogs.diff import FixDialog
        from skillui.tui.model.fixing import FixRefused, apply, preview
        from skillui.tui.widgets.diff_view import DiffView

        if fix.choices:
            chosen = await self._ask(ChooseFixDialog(fix.title, fix.choices))
            if chosen is None:
                return
            fix = chosen
        directory = view.entry.dir
        try:
            shown = await asyncio.to_thread(preview, fix, view)
            title = f"Fix {view.entry.name}"
            if not await self._ask(FixDialog(title, shown.about, DiffView(shown.lines))):
                return
            moved = await asyncio.to_thread(apply, fix, directory)
        except FixRefused as fault:
            self._app.say(f"{fault}: nothing was changed", "error")
        except ReadFault as fault:
            self._app.say(f"{fix.path} {fault.reason}: nothing was changed", "error")
        except OSError as error:
            self._app.say(f"{self.written(directory)} cannot be changed: {reason_of(error)}", "error")
        else:
            self._app.say(f"{view.entry.name}: {fix.title}, done")
            if fix.rename is not None:
                self._app.browse.want(os.path.join(os.path.dirname(view.entry.location), fix.rename.new))
            self.fixed((directory, view.entry.location, moved))
            return
        self.fixed((directory,))

    def fixed(self, paths: tuple[str, ...]) -> None:
        """Read again what a fix changed, or what another hand changed meanwhile."""
        self.files_touched(paths)
        self._app.refresh_paths(tuple(dict.fromkeys(paths)))

    # The report

    def report_findings(self) -> None:
        """Ask what to write and where, and write it."""
        self._app.run_worker(self._report_findings(), group="dialogs", exit_on_error=False, description="the report")

    async def _report_findings(self) -> None:
        from skillui.tui.dialogs.report import ReportDialog

        catalog, selected = self._app.workbench.catalog, self._app.browse.entry
        everything: tuple[AnyEntry, ...] = (*catalog.skills, *catalog.shadowed, *catalog.broken)
        if not everything:
            self._app.say("there is no skill to report on", "warning")
            return
        name = selected.name if selected is not None else None
        choice = await self._ask(ReportDialog(os.getcwd(), name, len(everything)))
        if choice is None:
            return
        entries = everything if choice.all_skills or selected is None else (selected,)
        entries = tuple(sorted(entries, key=lambda entry: (entry.root_index, entry.name)))
        self._app.run_worker(
            lambda: self._write_report(choice, entries), thread=True, group="report", exit_on_error=False,
            description="the report",
        )  # fmt: skip

    def _write_report(self, choice: ReportChoice, entries: tuple[AnyEntry, ...]) -> None:
        from skillui.core.files import reason_of
        from skillui.tui.findings_desk import Stopped
        from skillui.tui.messages import Notice
        from skillui.workspace.atomic import write_text
        from skillui.workspace.report_file import report_text

        app = self._app
        try:
            report = app.workbench.findings.report(entries, self._rest(get_current_worker()))
            write_text(choice.path, report_text(report, choice.format, app.launch.project.path))
        except Stopped:
            return
        except OSError as error:
            app.post_message(Notice(f"{choice.path} could not be written: {reason_of(error)}", "error"))
            return
        found = counted(sum(report.counts.values()), "finding")
        app.post_message(Notice(f"wrote {found} in {counted(len(report.skills), 'skill')} to {choice.path}"))

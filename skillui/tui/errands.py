"""What the app does when a person asks for it: dialogs, editor, clipboard, files. One method an errand."""

from __future__ import annotations

import contextlib
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual.app import SuspendNotSupported

from skillui.tui.model.figures import counted
from skillui.tui.modes import Modes
from skillui.workspace.project import Root, shortened
from skillui.workspace.state import remember_theme, save_state

if TYPE_CHECKING:
    from skillui.core import AnyEntry, CallRecord, PermissionRequest
    from skillui.tui.app import SkilluiApp
    from skillui.tui.dialogs.base import Dialog
    from skillui.tui.model.prompt_facts import PromptFacts

_log = logging.getLogger(__name__)
Value = TypeVar("Value")


class Errands(Modes):
    """Errands of one app; the app routes messages and keys here."""

    def __init__(self, app: SkilluiApp) -> None:
        super().__init__(app)
        self._said: set[str] = set()

    # Words

    def written(self, path: str) -> str:
        """Write a path as a person would."""
        return shortened(path, os.path.expanduser("~"))

    def places(self) -> list[str]:
        """Return where skills were looked for, each as short as it stays clear."""
        project = os.path.join(self._app.launch.project.path, "")
        looked_in = self._app.launch.project.looked_in
        return [
            place.removeprefix(project) if place.startswith(project) else self.written(place) for place in looked_in
        ]

    def say_once(self, text: str) -> None:
        """Warn of something once in a run, however often it is found."""
        if text not in self._said:
            self._said.add(text)
            self._app.say(text, "warning")

    def report(self, record: CallRecord) -> None:
        """Say in a toast what came of a call."""
        from skillui.core import AlreadyLoaded, Error, NotFound, Ok

        event, result = record.event, record.result
        name = event.name or "the call"
        match result:
            case Ok():
                self._app.say(f"{name}: ok, a body of {result.bytes:,} bytes")
            case AlreadyLoaded():
                self._app.say(f"{name}: already loaded at turn {result.at_turn}")
            case NotFound():
                self._app.say(f"{name}: not found", "warning")
            case Error():
                self._app.say(f"{name}: {result.code}", "warning")

    async def facts_of(self, request: PermissionRequest) -> PromptFacts:
        """Find out what the prompt says beside the request itself."""
        import asyncio

        from skillui.tui.model.prompt_facts import prompt_facts

        workbench = self._app.workbench
        asker = self._app.listening.asker(request)
        # A question of another process counts its roots by itself.
        root = None if asker else workbench.root_of(request.skill.entry)
        return await asyncio.to_thread(prompt_facts, request, root, workbench.store, asker)

    def needs_form(self, entry: AnyEntry) -> bool:
        """Tell whether a call without arguments would be refused for want of them."""
        winner = self._app.workbench.catalog.by_name.get(entry.name)
        if winner is None or winner.name in self._app.workbench.activated:
            return False
        return any(argument.required for argument in winner.arguments or ())

    # Sessions and skills

    def new_session(self) -> None:
        """Begin a new session, in which nothing is activated."""
        self._app.workbench.new_session()
        self._app.say(f"Session {self._app.workbench.session_number}: nothing is activated")
        self._app.show_session_state()

    def search_for(self, text: str) -> None:
        """Show what fits a search."""
        self.show_mode("browse")
        self._app.browse.catalog.search(text)

    def go_to_skill(self, name: str) -> None:
        """Put the cursor on a skill."""
        self.show_mode("browse")
        entry = self._app.workbench.catalog.by_name.get(name)
        if entry is not None:
            self._app.browse.go_to(entry)

    # Files

    def refuses_to_write(self) -> bool:
        """Say why nothing can be written where the skills lie in no folder; tell whether that is so."""
        source = self._app.launch.source
        if source is not None:
            self._app.say(source.refusal, "warning")
        return source is not None

    def edit(self, path: str, line: int | None) -> None:
        """Open a file in the person's editor while the app waits."""
        if self.refuses_to_write():
            return
        from skillui.workspace.editor import editor_command, run_editor

        command = editor_command(path, line, setting=self._app.launch.settings.editor)
        for problem in command.problems:
            self._app.say(problem, "warning")
        if not command.argv:
            self._app.say("no editor was found: set $EDITOR, or `editor` in config.yaml", "error")
            return
        status = 0
        fault: Exception | None = None
        try:
            with self._app.suspend():
                try:
                    status = run_editor(command.argv)
                except (OSError, ValueError) as error:  # raised through `suspend`, it would never resume
                    fault = error
        except SuspendNotSupported as error:
            fault = error
        if fault is not None:
            _log.error("the editor could not be run: %s", fault)
            self._app.say(f"{command.argv[0]} could not be run: {fault}", "error")
            return
        if status != 0:
            self._app.say(f"{os.path.basename(command.argv[0])} ended with status {status}", "warning")
        self._app.refresh_paths((path,))

    def copy(self, text: str, what: str) -> None:
        """Copy text to the terminal's clipboard."""
        if not text:
            self._app.say(f"there is no {what} to copy", "warning")
            return
        self._app.copy_to_clipboard(text)
        self._app.say(f"copied the {what}, {len(text):,} characters")

    def copy_output(self) -> None:
        """Copy what the engine would return for the selected skill."""
        self._app.copy_output()

    def export(self, key: str | None) -> None:
        """Ask for a file and write a session's events to it."""
        self._app.run_worker(self._export(key), group="dialogs", exit_on_error=False, description="the export")

    async def _export(self, key: str | None) -> None:
        from skillui.tui.dialogs.export_path import ExportDialog
        from skillui.tui.model.session_log import export_lines
        from skillui.workspace.atomic import write_text

        log = self._app.workbench.log
        session = log.find(key) if key is not None else log.current
        if session is None or len(session.records) == 0:
            self._app.say("there is nothing to export yet: no skill was called", "warning")
            return
        count = len(session.records)
        about = f"{session.title}, {counted(count, 'event')} as JSON lines"
        path = await self._ask(ExportDialog("Export", os.getcwd(), f"{session.key}.jsonl", about))
        if path is None:
            return
        lines = [line + "\n" for line in export_lines(session.records, outputs=True)]
        try:
            write_text(path, "".join(lines))
        except OSError as error:
            self._app.say(f"{path} could not be written: {error.strerror}", "error")
        else:
            self._app.say(f"wrote {counted(count, 'event')} to {self.written(path)}")

    # Dialogs

    async def _ask(self, dialog: Dialog[Value]) -> Value | None:
        """Show a dialog and return what it was left with, None where nothing was decided."""
        return await self._app.push_screen_wait(dialog)

    def show_help(self) -> None:
        """List all keys."""
        from skillui.tui.dialogs.help import HelpDialog

        if not isinstance(self._app.screen, HelpDialog):
            self._app.push_screen(HelpDialog(self._app.keys_changed))

    def choose_theme(self) -> None:
        """Choose a theme, seeing each at once, and remember it."""
        self._app.run_worker(self._choose_theme(), group="dialogs", exit_on_error=False, description="the themes")

    async def _choose_theme(self) -> None:
        from skillui.tui.dialogs.theme import ThemeDialog

        app = self._app
        names = [theme.name for theme in app.themes.loaded] or sorted(app.available_themes)
        chosen = await self._ask(ThemeDialog(names, app.theme))
        if chosen is None:
            return
        app.theme = chosen
        app.remembered = remember_theme(app.remembered, chosen, app.launch.settings)
        try:
            save_state(app.folders.state_file, app.remembered)
        except OSError as error:
            app.say(f"the theme could not be remembered: {error.strerror}", "warning")

    def new_skill(self) -> None:
        """Ask for a name and write a skill that validates."""
        if self.refuses_to_write():
            return
        self._app.run_worker(self._new_skill(), group="dialogs", exit_on_error=False, description="the new skill")

    async def _new_skill(self) -> None:
        from skillui.tui.dialogs.new_skill import NewSkillDialog
        from skillui.workspace.scaffold import ScaffoldError, new_skill

        roots = self._places_for_a_skill()
        wanted = await self._ask(NewSkillDialog(roots, _name_problem))
        if wanted is None:
            return
        try:
            made = new_skill(wanted.name, Path(wanted.root.path), description=wanted.description)
        except ScaffoldError as fault:
            self._app.say(str(fault), "error")
            return
        self._app.say(f"made {self.written(str(made))}")
        self._app.browse.want(os.path.join(wanted.root.path, wanted.name))
        self._app.scan()

    def _places_for_a_skill(self) -> list[Root]:
        """Return the roots a skill can be made in: those that are, else the project's usual one."""
        from skillui.workspace.scaffold import leads_out

        project = self._app.launch.project
        writable = [
            root
            for root in project.roots
            if root.exists and os.access(root.path, os.W_OK) and not leads_out(project, root.path)
        ]
        named = [root for root in project.roots if root.label == "root"]
        if writable or named:  # `--root` replaces every other: a skill elsewhere would not be read
            return writable or named
        return [Root(os.path.join(project.path, ".skills"), "project", False, False, ".skills")]

    def compare(self, winner: AnyEntry, other: AnyEntry) -> None:
        """Show how a copy differs from the skill that shadows it."""
        self._app.run_worker(
            self._compare(winner, other), group="dialogs", exit_on_error=False, description="the comparison"
        )

    async def _compare(self, winner: AnyEntry, other: AnyEntry) -> None:
        import asyncio

        from skillui.tui.dialogs.diff import CompareDialog
        from skillui.tui.model.compare import compare_views
        from skillui.tui.widgets.diff_view import DiffView

        workbench = self._app.workbench
        views = [await asyncio.to_thread(workbench.read_view, entry) for entry in (winner, other)]
        found = await asyncio.to_thread(compare_views, *views)
        differing = ", ".join(fact.label for fact in found.facts if fact.differs) or "nothing but its place"
        about = f"{self.written(found.winner)} wins over {self.written(found.other)}; they differ in {differing}"
        await self._ask(CompareDialog(found.name, about, DiffView(found.lines)))

    def open_link(self, url: str) -> None:
        """Show an address of a skill in full before anything opens it."""
        self._app.run_worker(self._open_link(url), group="dialogs", exit_on_error=False, description="the link")

    async def _open_link(self, url: str) -> None:
        import webbrowser

        from skillui.tui.dialogs.link import LinkChoice, LinkDialog

        choice = await self._app.push_screen_wait(LinkDialog(url))
        if choice is LinkChoice.COPY:
            self.copy(url, "address")
        elif choice is LinkChoice.OPEN:
            with contextlib.suppress(webbrowser.Error):
                webbrowser.open(url)

    def replay(self, record: CallRecord) -> None:
        """Make a call once more, exactly as it was."""
        self._app.call_engine(record.params, record.event.initiator == "user")


def _name_problem(name: str, root: Root) -> str:
    """Say what is wrong with a new skill's name, "" for nothing."""
    from skillui.workspace.scaffold import ScaffoldError, check_new

    try:
        check_new(name, Path(root.path))
    except ScaffoldError as fault:
        return str(fault)
    return ""

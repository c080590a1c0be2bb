"""The app: wiring of screens, keys, themes and workers. It decides nothing and draws nothing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import on, work
from textual.binding import BindingType
from textual.command import Provider
from textual.dom import DOMNode
from textual.driver import Driver
from textual.screen import Screen
from textual.worker import Worker, WorkerCancelled, WorkerFailed, WorkerState

from skillui.tui import collector, faults, messages
from skillui.tui.commands import SkilluiCommands
from skillui.tui.gate_errands import GateErrands
from skillui.tui.glyphs import glyphs
from skillui.tui.keymap import binding, load_keymap
from skillui.tui.model.top_line import TopLine
from skillui.tui.panes.tabs import pane_factories
from skillui.tui.plain_lines import AsciiLines
from skillui.tui.requests import Requests
from skillui.tui.screens.browse import BrowseScreen
from skillui.tui.signals import leave_on_signals
from skillui.tui.terminal_file import lasting
from skillui.tui.themes import SEMANTIC_DEFAULTS, load_shipped_themes
from skillui.workspace.config_place import config_place
from skillui.workspace.folders import find_folders
from skillui.workspace.launch import Launch, LaunchFault
from skillui.workspace.log import open_log
from skillui.workspace.session_log import SessionLog
from skillui.workspace.state import load_state, theme_to_use

if TYPE_CHECKING:
    from skillui.core import BrokenSkill, CallRecord, LoadedSkill, PermissionRequest, SkillResult
    from skillui.tui.listening import Listening
    from skillui.tui.prompts import PromptQueue
    from skillui.tui.reading import Reader
    from skillui.tui.workbench import Workbench

_log = logging.getLogger(__name__)
_CALLS_END = 1.0
"""Seconds that a call which was denied at the end has for its event."""


class SkilluiApp(Requests):
    """skillui in a terminal, over one project."""

    TITLE = "skillui"
    CSS_PATH = ["app.tcss", "screens/browse.tcss"]  # Textual loads the file of every screen but the first
    DEFAULT_MODE = "browse"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {SkilluiCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (160, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        binding("app.help", "show_help"),
        binding("app.palette", "command_palette"),
        binding("app.browse", "show_mode('browse')", show=False),
        binding("app.review", "show_mode('review')", show=False),
        binding("app.session", "show_mode('session')", show=False),
        binding("app.refresh", "read_again", show=False),
        binding("app.quit", "quit", show=False, priority=True),
    ]

    def __init__(self, launch: Launch) -> None:
        super().__init__()
        self.launch = launch
        self.folders = find_folders()
        self.remembered = load_state(self.folders.state_file)
        self.errands = GateErrands(self)
        self.themes = load_shipped_themes(Path(self.folders.themes))
        self._session_log = SessionLog(launch.session_log) if launch.session_log is not None else None
        self._session_log_told = False
        self.keys_changed: dict[str, str] = {}
        """Keys that the person set, by action."""
        self._browse: BrowseScreen | None = None
        self.add_mode(self.DEFAULT_MODE, self._make_browse)
        if glyphs().ascii_only:
            self._filters.append(AsciiLines())
        for theme in self.themes.loaded:
            self.register_theme(theme)
        wanted = launch.theme or theme_to_use(launch.settings, self.remembered)
        chosen, self._theme_problem = self.themes.choose(wanted)
        self._theme_is_configured = launch.theme is None and wanted == launch.settings.theme
        self.set_reactive(SkilluiApp.theme, chosen)  # before the start, or all would be styled twice

    # What the first picture does without: the engine's modules are read while it stands already

    @cached_property
    def workbench(self) -> Workbench:
        """The engine over this project, with its sessions."""
        from skillui.review.store import DecisionStore
        from skillui.tui.workbench import Workbench

        return Workbench(self.launch, self._ask, self._call_ended, DecisionStore(self.folders.store_file))

    @cached_property
    def reader(self) -> Reader:
        """What reads in worker threads."""
        from skillui.tui.reading import Reader

        return Reader(self.workbench, self.post_message)

    @cached_property
    def prompts(self) -> PromptQueue:
        """The questions to the person."""
        from skillui.tui.prompts import PromptQueue

        return PromptQueue(self, describe=self.errands.facts_of)

    @cached_property
    def listening(self) -> Listening:
        """What other processes ask through."""
        from skillui.tui.listening import Listening

        return Listening(self.workbench, self.prompts, lambda: self.call_later(self.errands.show_calls))

    async def _ask(self, request: PermissionRequest) -> str:
        return await self.prompts.ask(request)

    def _preview(self, skill: LoadedSkill | BrokenSkill, arguments: object, as_user: bool) -> SkillResult:
        return self.workbench.preview(skill, arguments, as_user)

    # Start and end

    def _make_browse(self) -> Screen[None]:
        self._browse = BrowseScreen(pane_factories(self._preview, self.launch.settings), self.top_line)
        return self._browse

    @property
    def browse(self) -> BrowseScreen:
        """The Browse screen, in front or not."""
        assert self._browse is not None
        return self._browse

    @property
    def top_line(self) -> TopLine:
        """What the top line says of this run."""
        project, source = self.launch.project, self.launch.source
        place = source.title if source is not None else self.errands.written(project.path)
        return TopLine(path=place, roots=len(project.roots), demo=self.launch.demo)

    def get_driver_class(self) -> type[Driver]:
        """Let the app end in good order where its terminal is gone."""
        return lasting(super().get_driver_class())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give themes of others the variables that this app's styles use."""
        return dict(SEMANTIC_DEFAULTS)

    def on_mount(self) -> None:
        """Take the keys, and begin to read once the first picture stands."""
        keys: dict[object, object] = dict(self.launch.settings.keymap().items())
        load = load_keymap(keys)
        self.keys_changed = load.keys
        self.set_keymap(load.keys)
        for problem in load.problems:
            place = config_place(self.folders.config_file, "keys", problem.id)
            self.say(f"{self.errands.written(place)}: key of {problem.id}: {problem.reason}", "warning")
        leave_on_signals(self)
        self.call_after_refresh(self._begin)

    def _say_themes(self) -> None:
        for failed in self.themes.failed:
            self.say(f"theme {failed.file.name}: {failed.reason}", "warning")
        if self._theme_problem:
            place = config_place(self.folders.config_file, "theme") if self._theme_is_configured else ""
            where = f"{self.errands.written(place)}: " if place else ""
            self.say(f"{where}{self._theme_problem}", "warning")

    def _begin(self) -> None:
        collector.begin()
        self._say_themes()
        for warning in (*self.launch.warnings, *self.launch.notes):
            self.say(warning, "warning")
        self.browse.set_places(self.errands.places())
        self.browse.catalog.folders_of = self.workbench.resource_folders
        self.browse.read_only = self.launch.source is not None
        self.scan()
        self._watch()
        self.run_worker(self.listening.start(), group="broker", exit_on_error=False, description="listening")

    def _watch(self) -> None:
        if self.launch.source is None:  # what lies in no folder is read again by F5
            self.errands.show_watching(self.launch.settings.watch and self.reader.watch())

    @on(messages.RootsTouched)
    def _roots_touched(self) -> None:
        if self.is_running:
            self.action_read_again()

    @on(messages.RootsFound)
    def _roots_found(self) -> None:
        if self.is_running:
            self._roots_changed()

    def _roots_changed(self) -> None:
        """Say which roots there are now, and watch those."""
        self.launch = self.workbench.launch
        self.browse.top_bar.show(replace(self.browse.top_bar.line, roots=len(self.workbench.roots)))
        self.browse.set_places(self.errands.places())
        self._watch()

    async def on_unmount(self) -> None:
        """Deny what waits, let go of the files."""
        await self.listening.close()
        self.prompts.close()
        self.workbench.close()
        await self._calls_end()
        self.reader.stop()
        if self._session_log is not None:
            self._session_log.close()

    async def _calls_end(self) -> None:
        """Let the calls that were denied just now come to their events, which the session log is to have."""
        calls = [worker for worker in self.workers if worker.group == "calls" and not worker.is_finished]
        for worker in calls:
            with contextlib.suppress(WorkerFailed, WorkerCancelled, TimeoutError):
                await asyncio.wait_for(worker.wait(), _CALLS_END)

    # Reading skills

    @work(thread=True, exclusive=True, group="scan", exit_on_error=False, description="reading the skill roots")
    def scan(self) -> None:
        """Read all roots; partial catalogs are shown now and then."""
        self.reader.scan()

    @work(thread=True, group="refresh", exit_on_error=False, description="reading changed skills")
    def refresh_paths(self, paths: tuple[str, ...]) -> None:
        """Read again what lies below these paths."""
        self.reader.refresh(paths)

    @work(thread=True, exclusive=True, group="view", exit_on_error=False, description="reading a skill")
    def _read_view(self, generation: int) -> None:
        self.reader.read_view(generation)

    def read_view(self) -> None:
        """Read the skill under the cursor."""
        self._read_view(self.reader.next_generation())

    @on(messages.CatalogChanged)
    def _catalog_changed(self, event: messages.CatalogChanged) -> None:
        if not self.is_running:  # the screens go first when the app ends
            return
        self.browse.show_catalog(self.workbench, event.catalog, event.done, event.total)
        if event.done == event.total:
            for warning in event.catalog.warnings:
                self.errands.say_once(warning)
            self.read_view()
            self.errands.disk_changed()
            self.errands.check_skills()

    @on(messages.FilesChanged)
    def _files_changed(self, event: messages.FilesChanged) -> None:
        self.errands.files_touched(event.paths)
        self.refresh_paths(event.paths)

    @on(messages.WatchFailed)
    def _watch_failed(self, event: messages.WatchFailed) -> None:
        if self.is_running:
            self.errands.show_watching(False)
            self.say(event.reason, "warning")

    @on(messages.SkillHighlighted)
    def _skill_highlighted(self, event: messages.SkillHighlighted) -> None:
        self.reader.want(event.entry)
        self.read_view()

    @on(messages.ViewReady)
    async def _view_ready(self, event: messages.ViewReady) -> None:
        if event.generation == self.reader.generation and self.is_running:
            await self.browse.show_view(event.view)

    @on(messages.FileRequested)
    def _file_requested(self, event: messages.FileRequested) -> None:
        if self.browse.area.view is not None:
            self.read_file(self.browse.area.view.entry.dir, event.path)

    @work(thread=True, exclusive=True, group="file", exit_on_error=False, description="reading a file")
    def read_file(self, directory: str, path: str) -> None:
        """Read one file of a skill for the Resources tab."""
        self.reader.read_file(directory, path)

    @on(messages.FileRead)
    def _file_read(self, event: messages.FileRead) -> None:
        if self.is_running:
            self.browse.show_file(event.content)

    @work(thread=True, exclusive=True, group="output", exit_on_error=False, description="the output")
    def copy_output(self) -> None:
        """Copy what the engine would return for the selected skill."""
        view = self.browse.area.view
        if view is not None and view.loaded is not None:
            output = self.workbench.preview(view.loaded, *self.browse.area.call).output
            self.post_message(messages.CopyRequested(output, "output"))

    def action_read_again(self) -> None:
        """Read all roots again."""
        self.errands.files_touched(None)
        self.scan()
        if not self.reader.watches:
            self._watch()

    # Calls

    @on(messages.ActivateRequested)
    def _activate_requested(self, event: messages.ActivateRequested) -> None:
        if event.arguments is None and self.errands.needs_form(event.entry):
            self.browse.post_message(messages.TabRequested("preview"))
            self.say(f"{event.entry.name} needs arguments: fill the form, then activate")
        else:
            given = {} if event.arguments is None else {"arguments": event.arguments}
            self.call_engine({"name": event.entry.name, **given}, event.as_user)

    @work(group="calls", exit_on_error=False, description="activating a skill")
    async def call_engine(self, params: object, as_user: bool) -> None:
        """Call the engine with these parameters; what comes of it arrives as `CallFinished`."""
        await self.workbench.session.skill(params, user_initiated=as_user)

    def _call_ended(self, record: CallRecord) -> None:
        """Hear of a call from the engine, on the event loop."""
        if self._session_log is not None:
            self._session_log.record(record)
            if self._session_log.fault is not None and not self._session_log_told:
                self._session_log_told = True
                self.say(self._session_log.fault, "error")
        self.post_message(messages.CallFinished(record))

    @on(messages.CallFinished)
    def _call_finished(self, event: messages.CallFinished) -> None:
        if self.is_running:
            self.errands.report(event.record)
            self.show_session_state()
            if event.record.result.kind == "ok":  # its files may have changed while the question was open
                self.refresh_paths((event.record.dir or "",))

    def show_session_state(self) -> None:
        """Show what the session holds now, wherever it shows."""
        self.browse.show_calls(self.workbench)
        self.browse.show_catalog(self.workbench, self.workbench.catalog, 1, 1)
        self.errands.show_calls()
        self.read_view()

    # Faults

    @on(Worker.StateChanged)
    def _worker_changed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR:
            self.say(faults.worker_failed(event.worker), "error")

    async def _dispatch_action(self, namespace: DOMNode, action_name: str, params: Any) -> bool:
        # A key that fails costs its pane, or no more than itself: the rest goes on.
        try:
            return await super()._dispatch_action(namespace, action_name, params)
        except Exception as error:
            _log.exception("the action %s failed", action_name)
            pane = faults.pane_of(namespace)
            if pane is not None:
                await pane.show_fault(error)
            else:
                self.say(faults.words_of(action_name.replace("_", " "), error), "error")
            return True

    def _fatal_error(self) -> None:
        """End on a fault of the app itself with one line and the place of the log, never a traceback."""
        _log.critical("the app failed", exc_info=self._exception)
        line = f"skillui failed: {self._exception.__class__.__name__}.{faults.where_more_is()}"
        self._exit_renderables.append(Text(line))
        self._close_messages_no_wait()


def run_app(launch: Launch) -> int:
    """Run the app until the person leaves; returns the exit code."""
    open_log(find_folders().log_file)  # without a log the app runs all the same
    app = SkilluiApp(launch)
    if launch.theme is not None and (fault := app.themes.refusal(launch.theme)) is not None:
        raise LaunchFault(fault)
    code = app.run()
    return app.return_code or 0 if code is None else code

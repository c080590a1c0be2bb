"""`Reader`: what worker threads read for the screen, and what they tell it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from textual.message import Message
from textual.worker import get_current_worker

from skillui.core import AnyEntry
from skillui.core.catalog import assemble
from skillui.tui import messages
from skillui.tui.findings_desk import Stopped
from skillui.tui.model.skill_view import SkillView
from skillui.tui.watching import RootWatcher, WatchReports
from skillui.tui.workbench import Workbench

PAINT_EVERY = 0.25
"""Seconds between two partial catalogs while a scan runs."""
SOON = 0.06
"""Seconds that a skill waits for what the gate finds in it, before it is shown without."""
SETTLE = 0.03
"""Seconds the cursor rests on a skill before it is read: a held key reads none of those it passes."""


class Reader:
    """Reads in worker threads and posts what it read; `generation` tells old answers from new ones."""

    def __init__(self, workbench: Workbench, post: Callable[[Message], bool]) -> None:
        self._workbench = workbench
        self._post = post
        self._wanted: AnyEntry | None = None
        self._watcher: RootWatcher | None = None
        self.generation = 0
        """Number of the newest wish; an answer to an older one is not shown."""

    def want(self, entry: AnyEntry | None) -> None:
        """Note which skill the person looks at."""
        self._wanted = entry

    @property
    def watches(self) -> bool:
        """Tell whether changes are noticed."""
        return self._watcher is not None and self._watcher.alive

    def watch(self) -> bool:
        """Begin to notice changes, or begin anew; returns False where there is nothing to watch."""
        again = self._watcher is not None
        self.stop()
        if self._workbench.launch.source is not None:
            return False
        project = self._workbench.launch.project
        reports = WatchReports(
            lambda paths: self._post(messages.FilesChanged(tuple(paths))),
            lambda: self._post(messages.RootsTouched()),
            lambda reason: self._post(messages.WatchFailed(reason)),
        )
        roots = [root.path for root in project.roots]
        self._watcher = RootWatcher(roots, (*roots, *project.looked_in), reports, again)
        return self._watcher.start()

    def stop(self) -> None:
        """Notice nothing any more."""
        if self._watcher is not None:
            self._watcher.stop()

    def scan(self) -> None:
        """Read all roots, posting what was found so far now and then. For a worker thread."""
        worker = get_current_worker()
        found: list[AnyEntry] = []
        painted = time.monotonic()

        def observe(done: int, total: int, entries: list[AnyEntry]) -> None:
            nonlocal painted
            found.extend(entries)
            if done < total and time.monotonic() - painted > PAINT_EVERY and not worker.is_cancelled:
                painted = time.monotonic()
                self._post(messages.CatalogChanged(assemble(found), done, total))

        launch = self._workbench.launch
        catalog = self._workbench.scan(observe)
        if launch is not self._workbench.launch:
            self._post(messages.RootsFound())
        self._workbench.find_stale()
        if not worker.is_cancelled:
            self._post(messages.CatalogChanged(catalog, 1, 1))

    def refresh(self, paths: tuple[str, ...]) -> None:
        """Read again what lies below these paths. For a worker thread."""
        self._post(messages.CatalogChanged(self._workbench.refresh(paths), 1, 1))

    def next_generation(self) -> int:
        """Begin a new wish: whatever is read for older ones is not shown."""
        self.generation += 1
        return self.generation

    def read_view(self, generation: int) -> None:
        """Read the wanted skill once the cursor rests. For an exclusive worker thread."""
        worker = get_current_worker()
        time.sleep(SETTLE)
        if worker.is_cancelled or generation != self.generation:
            return
        entry = self._wanted
        view = self._workbench.read_view(entry) if entry is not None else None
        if view is None:
            self._post(messages.ViewReady(None, generation))
        elif not worker.is_cancelled:
            self._check_view(view, generation, lambda: not worker.is_cancelled and generation == self.generation)

    def _check_view(self, view: SkillView, generation: int, wanted: Callable[[], bool]) -> None:
        """Post a view with its findings, and before that without them where they take long."""
        turn = threading.Lock()
        told = False

        def tell(shown: SkillView, last: bool) -> None:
            nonlocal told
            with turn:
                if not told and wanted():
                    self._post(messages.ViewReady(shown, generation))
                told = told or last

        soon = threading.Timer(SOON, tell, (view, False))
        soon.start()
        try:
            tell(self._workbench.with_findings(view, wanted), True)
        except Stopped:
            return
        finally:
            soon.cancel()

    def read_file(self, directory: str, path: str) -> None:
        """Read one file of a skill. For a worker thread."""
        self._post(messages.FileRead(self._workbench.read_file(directory, path)))

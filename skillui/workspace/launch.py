"""What every surface that reads skills starts from: the project, the session's settings, the user's configuration."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING

from skillui.core.config import SessionConfig
from skillui.core.files import reason_of
from skillui.workspace.folders import find_folders
from skillui.workspace.locate import starting_folder
from skillui.workspace.project import Project, Root, find_project, session_config
from skillui.workspace.settings import Settings, load_settings

if TYPE_CHECKING:
    from skillui.core.catalog import Catalog
    from skillui.core.scanned import ScannedRegistry
    from skillui.workspace.skill_source import SkillSource


class LaunchFault(Exception):
    """Why nothing can be opened here, in one line for a person."""


@dataclass(frozen=True, slots=True)
class Launch:
    """Everything a run over skills needs; closed by `close` or at the end of a `with` block."""

    project: Project
    config: SessionConfig
    settings: Settings
    theme: str | None = None
    """The theme asked for on the command line; None leaves the choice to the settings."""
    session_log: str | None = None
    """The file that the session's events are appended to, absolute."""
    demo: bool = False
    """Whether the project is a temporary copy of the samples."""
    warnings: tuple[str, ...] = ()
    """One line each: what of the configuration or the roots is not used."""
    notes: tuple[str, ...] = ()
    """One line each: what the samples cannot show here."""
    cleanup: Callable[[], object] | None = None
    """Removes what was made for this run alone."""
    find: Callable[[], tuple[Project, SessionConfig]] | None = None
    """Looks for the project and its roots once more."""
    source: SkillSource | None = None
    """Where the skills come from, where they lie in no folder; None for those on disk."""

    def new_registry(self) -> ScannedRegistry:
        """Return a registry over the skills, which has scanned nothing yet."""
        from skillui.core.registry import FilesystemSkillRegistry  # not every run reads skills

        return FilesystemSkillRegistry(self.config.roots) if self.source is None else self.source.open()

    def scanned(self) -> tuple[Launch, Catalog]:
        """Read the catalog once, for whoever needs no more; of a source the launch has its roots then.

        Raises `LaunchFault` where nothing at all can be read.
        """
        registry = self.new_registry()
        try:
            catalog = registry.scan()
        finally:
            registry.close()
        if self.source is None:
            return self, catalog
        if fault := self.source.fault_of(registry):
            raise LaunchFault(fault)
        return replace(self, project=replace(self.project, roots=self.source.roots_of(registry))), catalog

    def renewed(self) -> Launch:
        """Return the launch with the roots there are now, itself where they are the same.

        A project that cannot be found any more, or has become part of another, stays what it was.
        """
        if self.find is None:
            return self
        project, config = self.find()
        if project == self.project or project.path != self.project.path:
            return self
        return replace(self, project=project, config=config)

    def root_of(self, index: int) -> Root:
        """Return the root that an entry's `root_index` names."""
        return self.project.roots[index]

    def close(self) -> None:
        """Remove what was made for this run; calling it again does nothing more."""
        if self.cleanup is not None:
            with contextlib.suppress(OSError):  # somebody else removed it, or holds it: it is a temporary folder
                self.cleanup()

    def __enter__(self) -> Launch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_source(source: SkillSource, *, theme: str | None = None, session_log: str | None = None) -> Launch:
    """Open skills that lie in no folder, and read the user's configuration; its roots have no part in it.

    They are the workspace, for a person named them; nothing of them is trusted. Raises `LaunchFault`.
    """
    folders = find_folders()
    loaded = load_settings(folders.config_file)
    log = None if session_log is None else _absolute(session_log)
    config = SessionConfig(source.beside, skill_roots=(), workspace_roots=(), bypass_workspace_guard=True)
    project = Project(source.beside, False, (), ())
    warnings = (*folders.problems, *map(str, loaded.problems))
    return Launch(project, config, loaded.settings, theme, log, False, warnings, source=source)


def open_launch(
    path: str = ".",
    roots: Sequence[str] = (),
    trusted_roots: Sequence[str] = (),
    demo: bool = False,
    *,
    theme: str | None = None,
    session_log: str | None = None,
) -> Launch:
    """Find the project of `path`, or copy the samples for `demo`, and read the user's configuration.

    Raises `LaunchFault` where the path cannot be opened or the copy cannot be made. Nothing but the copy
    is written. `roots` replaces every root, `trusted_roots` adds to what is trusted.
    """
    folders = find_folders()
    loaded = load_settings(folders.config_file)
    warnings = (*folders.problems, *map(str, loaded.problems))
    _, problem = starting_folder(os.sep if demo else path)
    if problem is not None:
        raise LaunchFault(problem)
    log = None if session_log is None else _absolute(session_log)
    if demo:
        find, skipped, cleanup = _copy_of_samples()
        project, config = find()
        return Launch(project, config, loaded.settings, theme, log, True, warnings, skipped, cleanup, find)
    find = partial(_find, _absolute(path), loaded.settings, tuple(roots), tuple(trusted_roots))
    project, config = find()
    problems = (*warnings, *project.problems)
    return Launch(project, config, loaded.settings, theme, log, False, problems, find=find)


def _find(
    path: str, settings: Settings, roots: tuple[str, ...], trusted_roots: tuple[str, ...]
) -> tuple[Project, SessionConfig]:
    project = find_project(path, settings=settings, roots=roots, trusted_roots=trusted_roots)
    return project, session_config(project)


def _absolute(path: str) -> str:
    try:
        return os.path.abspath(path)
    except OSError:
        raise LaunchFault("the working folder does not exist any more") from None


def _copy_of_samples() -> tuple[Callable[[], tuple[Project, SessionConfig]], tuple[str, ...], Callable[[], object]]:
    """Copy the samples; the user's own roots and trust have no part in them."""
    from skillui.workspace.samples import demo_project  # shutil and friends, which few runs need

    with ExitStack() as stack:
        try:
            demo = stack.enter_context(demo_project())
        except OSError as error:
            reason = reason_of(error)
            raise LaunchFault(f"the samples cannot be copied to a temporary folder: {reason}") from None
        path, home, fence = str(demo.path), str(demo.folder / "home"), tuple(map(str, demo.workspace_roots))

        def find() -> tuple[Project, SessionConfig]:
            project = find_project(path, home=home)
            return project, replace(session_config(project), workspace_roots=fence)

        skipped = tuple(f"the samples cannot show {what}" for what in demo.skipped)
        return find, skipped, stack.pop_all().close

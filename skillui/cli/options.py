"""Options that commands share: which project and roots are read, and what ends up in `Launch`."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from skillui.cli import out
from skillui.cli.faults import Fault

if TYPE_CHECKING:
    from skillui.core.catalog import Catalog
    from skillui.workspace.launch import Launch

Function = TypeVar("Function", bound=Callable[..., Any])


if TYPE_CHECKING:
    _TextType = click.ParamType[str]
else:  # not generic in every version that is supported
    _TextType = click.ParamType


class PathName(_TextType):
    """A path; an empty one is refused, for it would quietly mean the working folder."""

    name = "path"

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the path as it was given."""
        text = os.fsdecode(value)
        if not text.strip():
            self.fail("the path is empty", param, ctx)
        return text

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem[str]]:
        """Let the shell complete names of its file system."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type=self.kind)]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which skills a command is about."""

    roots: tuple[str, ...] = ()
    trusted_roots: tuple[str, ...] = ()
    demo: bool = False

    def after(self, earlier: Selection) -> Selection:
        """Return this selection with what was given before the command's name in front."""
        return Selection(
            (*earlier.roots, *self.roots), (*earlier.trusted_roots, *self.trusted_roots), earlier.demo or self.demo
        )

    @property
    def given(self) -> bool:
        """Tell whether anything was given at all."""
        return bool(self.roots or self.trusted_roots or self.demo)


@dataclass(frozen=True, slots=True)
class SourceNames:
    """What was named in place of a project: an archive, or a revision with its repository."""

    archive: str | None = None
    revision: str | None = None
    repository: str | None = None

    @property
    def given(self) -> bool:
        """Tell whether anything was named at all."""
        return self.archive is not None or self.revision is not None or self.repository is not None


NO_SOURCE: Final = SourceNames()


@dataclass(frozen=True, slots=True)
class Before:
    """The options that stood before the command's name."""

    selection: Selection = Selection()
    theme: str | None = None
    session_log: str | None = None
    source: SourceNames = NO_SOURCE


def options_before(context: click.Context) -> Before:
    """Return what stood before the command's name."""
    return context.find_object(Before) or Before()


def selection_options(function: Function) -> Function:
    """Add `--root`, `--trusted-root` and `--demo`, as they are given."""
    function = click.option("--demo", is_flag=True, help="Use a temporary copy of the bundled samples.")(function)
    function = click.option(
        "--trusted-root", "trusted_root", metavar="DIR", multiple=True, type=PathName("dir"),
        help="Trust the skills below DIR as well (repeatable).",
    )(function)  # fmt: skip
    return click.option(
        "--root", metavar="DIR", multiple=True, type=PathName("dir"),
        help="Read skills from DIR instead of the project's and your own folders (repeatable, in order).",
    )(function)  # fmt: skip


def revision_options(function: Function) -> Function:
    """Add `--git` as `revision` and `--repo` as `repository`; `refuse_lone_repository` holds them together."""
    function = click.option(
        "--repo", "repository", metavar="DIR", type=PathName("dir"), help="The repository of --git."
    )(function)
    return click.option(
        "--git", "revision", metavar="REV[:PATH]", help="Read the skills of a revision; nothing is checked out."
    )(function)


def refuse_lone_repository(revision: str | None, repository: str | None) -> None:
    """Raise `UsageError` for a `--repo` without `--git`."""
    if repository is not None and revision is None:
        raise click.UsageError("--repo goes with --git REV")


def session_log_option(function: Function) -> Function:
    """Add `--session-log`."""
    return click.option(
        "--session-log", metavar="FILE", type=PathName("file"),
        help="Append the session's events to FILE as JSON lines.",
    )(function)  # fmt: skip


def reads_skills(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the selection options and hand the command one `selection`, earlier options included."""

    @functools.wraps(function)
    def command(*args: Any, root: tuple[str, ...], trusted_root: tuple[str, ...], demo: bool, **options: Any) -> Any:
        before = options_before(click.get_current_context())
        selection = Selection(root, trusted_root, demo).after(before.selection)
        return function(*args, selection=selection, **options)

    return selection_options(command)


def opened(
    selection: Selection, path: str | None = None, *, theme: str | None = None, session_log: str | None = None
) -> Launch:
    """Open what the options name. Raises `Fault`, and a usage error for options that exclude each other."""
    if selection.demo and (path is not None or selection.roots or selection.trusted_roots):
        raise click.UsageError("--demo opens its own roots: leave out PATH, --root and --trusted-root")
    from skillui.workspace.launch import LaunchFault, open_launch

    try:
        return open_launch(
            "." if path is None else path, selection.roots, selection.trusted_roots, selection.demo,
            theme=theme, session_log=session_log,
        )  # fmt: skip
    except LaunchFault as fault:
        raise Fault(str(fault)) from None


def opened_here(
    selection: Selection,
    path: str | None,
    source: SourceNames = NO_SOURCE,
    *,
    theme: str | None = None,
    session_log: str | None = None,
) -> Launch:
    """Open what is named: a project, an archive or a revision. Raises `Fault` and usage errors."""
    if (archive := archive_named(path)) is not None:
        source, path = replace(source, archive=archive), None
    if source.given:
        return _opened_source(source, selection, path, theme, session_log)
    return opened(selection, path, theme=theme, session_log=session_log)


def scanned(launch: Launch) -> tuple[Launch, Catalog]:
    """Read the catalog once; of a source the launch has its roots then. Raises `Fault`."""
    from skillui.workspace.launch import LaunchFault

    try:
        return launch.scanned()
    except LaunchFault as fault:
        raise Fault(str(fault)) from None


def _opened_source(
    names: SourceNames, selection: Selection, path: str | None, theme: str | None, session_log: str | None
) -> Launch:
    refuse_lone_repository(names.revision, names.repository)
    what = "--git" if names.revision is not None else "an archive"
    if selection.given:
        raise click.UsageError(f"{what} brings its own skills: leave out --root, --trusted-root and --demo")
    if names.revision is not None and (path is not None or names.archive is not None):
        raise click.UsageError("--git REV[:PATH] names what is opened: leave out PATH (--repo names the repository)")
    from skillui.workspace.launch import LaunchFault, open_source
    from skillui.workspace.skill_source import SourceRefused, archive_source, revision_source

    try:
        if names.revision is not None:
            source = revision_source(names.revision, names.repository)
        else:
            source = archive_source(names.archive or "")
        return open_source(source, theme=theme, session_log=session_log)
    except (LaunchFault, SourceRefused) as fault:
        raise Fault(str(fault)) from None


def archive_named(path: str | None) -> str | None:
    """Return a path that is an archive by itself: one that lies in a skill is a file of that skill."""
    if path is None or not os.path.isfile(path):
        return None
    from skillui.review.archive_registry import SUFFIXES
    from skillui.workspace.check_targets import skill_of

    alone = path.lower().endswith(SUFFIXES) and skill_of(os.path.abspath(path)) is None
    return path if alone else None


def warn(warnings: tuple[str, ...]) -> None:
    """Print warnings on standard error, a line each."""
    for warning in warnings:
        out.complain(f"warning: {warning}")

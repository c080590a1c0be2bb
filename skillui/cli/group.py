"""The root of the command line: commands by name, loaded when used, and any other first word as a PATH."""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from typing import Any

import click

from skillui import __version__
from skillui.cli.faults import EXIT_CODES
from skillui.cli.options import (
    Before,
    PathName,
    Selection,
    SourceNames,
    options_before,
    revision_options,
    selection_options,
    session_log_option,
)

PROGRAM = "skillui"


@dataclass(frozen=True, slots=True)
class _Entry:
    """Where a command lives, and which of the options before its name mean something to it."""

    module: str
    reads_skills: bool = True
    session_log: bool = False
    revisions: bool = False


COMMANDS = {
    "list": _Entry("skillui.cli.list_command", revisions=True),
    "show": _Entry("skillui.cli.show_command"),
    "check": _Entry("skillui.cli.check_command", reads_skills=False, revisions=True),
    "review": _Entry("skillui.cli.review_command", revisions=True),
    "activate": _Entry("skillui.cli.activate_command", session_log=True),
    "new": _Entry("skillui.cli.new_command", reads_skills=False),
    "hook": _Entry("skillui.cli.hook", reads_skills=False),
    "rpc": _Entry("skillui.cli.rpc_command", reads_skills=False),
    "mcp": _Entry("skillui.cli.mcp"),
    "completion": _Entry("skillui.cli.completion_command", reads_skills=False),
}
"""Every command, in the order of the help."""


class _OpenCommand(click.Command):
    """`skillui PATH`: not a command by name, so its help is the program's."""

    def get_help(self, ctx: click.Context) -> str:
        """Return the help of the program."""
        return ctx.parent.get_help() if ctx.parent is not None else super().get_help(ctx)


class SkilluiGroup(click.Group):
    """Commands win over folders of the same name; a word that is no command is the PATH to open."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the command of this name, None where there is none."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = importlib.import_module(entry.module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the first word, or the one that opens it as a path with every word."""
        if (command := self.get_command(ctx, args[0])) is not None:
            return args[0], command, args[1:]
        if not os.path.lexists(args[0]):
            if ctx.resilient_parsing:  # a shell asks for completions of what is half written
                return None, None, args
            raise click.UsageError(_no_such(args[0]), ctx)
        return open_command.name, open_command, args

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Offer commands, options and folders."""
        from click.shell_completion import CompletionItem

        # Folders first: bash forgets what came before such an item.
        folders = [] if incomplete.startswith("-") else [CompletionItem(incomplete, type="dir")]
        return [*folders, *super().shell_complete(ctx, incomplete)]


def _no_such(word: str) -> str:
    from skillui.workspace.config_values import did_you_mean  # only a mistake needs it

    shown = word if len(word) <= 200 else word[:199] + "…"
    message = f"there is no file or folder '{shown}'"
    if os.sep in word or "." in word or not word:
        return message
    hint = did_you_mean(word, COMMANDS, list_all=False)
    return f"{message} and no such command" + (f"; {hint}" if hint else "")


def _theme_option(function: Any) -> Any:
    return click.option("--theme", metavar="NAME", help="Start the app in this theme.")(function)


@click.group(
    PROGRAM,
    cls=SkilluiGroup,
    invoke_without_command=True,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="[PATH | COMMAND [ARGS]...]",
)
@selection_options
@revision_options
@_theme_option
@session_log_option
@click.version_option(__version__, prog_name=PROGRAM)
@click.pass_context
def cli(
    context: click.Context,
    root: tuple[str, ...],
    trusted_root: tuple[str, ...],
    demo: bool,
    revision: str | None,
    repository: str | None,
    theme: str | None,
    session_log: str | None,
) -> int | None:
    """Browse, check, review, activate and debug Agent Skills.

    `skillui [PATH]` opens the app on the project that PATH lies in (default: here), on an archive, or
    with --git on a revision; without a terminal it prints the list of the skills. A command wins over
    a folder of the same name: `./list` opens the folder.
    """
    source = SourceNames(None, revision, repository)
    before = context.obj = Before(Selection(root, trusted_root, demo), theme, session_log, source)
    name = context.invoked_subcommand
    if name is None:
        return _open(None, before)
    if name in COMMANDS:  # else it is the PATH's own command
        _refuse_misplaced(name, before)
    return None


def _refuse_misplaced(name: str, before: Before) -> None:
    entry = COMMANDS[name]
    if before.theme is not None:
        raise click.UsageError(f"--theme belongs to the app, not to `{name}`")
    if before.session_log is not None and not entry.session_log:
        raise click.UsageError(f"--session-log means nothing to `{name}`")
    if before.source.given:
        takes = "takes --git after its name" if entry.revisions else "reads no revision"
        raise click.UsageError(f"--git in front opens the app; `{name}` {takes}")
    if before.selection.given and not entry.reads_skills:
        raise click.UsageError(f"`{name}` takes its options after its name")


def _open(path: str | None, before: Before) -> int:
    from skillui.cli.app_command import open_app

    return open_app(before, path)


@click.command("open", cls=_OpenCommand, hidden=True)
@click.argument("path", type=PathName("dir"))
@selection_options
@revision_options
@_theme_option
@session_log_option
@click.version_option(__version__, prog_name=PROGRAM)
@click.pass_context
def open_command(
    context: click.Context,
    path: str,
    root: tuple[str, ...],
    trusted_root: tuple[str, ...],
    demo: bool,
    revision: str | None,
    repository: str | None,
    theme: str | None,
    session_log: str | None,
) -> int:
    """Open PATH in the app."""
    earlier = options_before(context)
    selection = Selection(root, trusted_root, demo).after(earlier.selection)
    source = SourceNames(None, revision or earlier.source.revision, repository or earlier.source.repository)
    return _open(path, Before(selection, theme or earlier.theme, session_log or earlier.session_log, source))

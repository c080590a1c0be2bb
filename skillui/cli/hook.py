"""`skillui hook`: stand in front of a coding agent's skills, and get there and away again."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from skillui.cli import out
from skillui.cli.faults import EXIT_CODES, OK, Fault

if TYPE_CHECKING:
    from skillui.serve.hook_install import SettingsChange

_HARNESS = click.argument("harness", type=click.Choice(["claude-code"]))
_SCOPE = click.option(
    "--user/--project", "user", default=True,
    help="The settings of the user (the default), or of the project, which a team shares.",
)  # fmt: skip
_WRITE = click.option("--write", is_flag=True, help="Write the change without asking.")
_UNKNOWN = click.option(
    "--unknown", type=click.Choice(["ask", "deny"]), default="ask", show_default=True,
    help="The answer to content that nobody decided about.",
)  # fmt: skip

_CODES = """\
\b
Exit codes:
  0  answered
  2  denied, with the reason on standard error
"""


@click.group("hook", short_help="Decide in front of a coding agent's skills.", epilog=EXIT_CODES)
def command() -> None:
    """Stand in front of a coding agent: no skill is used whose content nobody approved."""


@command.command("claude-code", short_help="Answer Claude Code's hook.", epilog=_CODES)
@_UNKNOWN
def answer(unknown: str) -> int:
    """Answer a PreToolUse hook for the Skill tool: JSON on standard input, the decision on standard output.

    Approved content is allowed, denied content denied, anything else is put to the person by Claude
    Code itself, and denied in a permission mode in which it asks nobody. Any fault is a denial.
    Another tool's call is answered with {}, which decides nothing.
    """
    from skillui.serve.hook_main import run

    return run("deny" if unknown == "deny" else "ask")


@command.command("install", short_help="Add the hook to the agent's settings.", epilog=EXIT_CODES)
@_HARNESS
@_SCOPE
@_UNKNOWN
@_WRITE
def install(harness: str, user: bool, unknown: str, write: bool) -> int:
    """Show what adds the hook to Claude Code's settings, and write it where told to.

    It is written with --write, or after a typed yes at the terminal; all else in the file stays as it is.
    """
    from skillui.serve.hook_install import Scope, SettingsFault, hook_command, plan_install, settings_path

    scope: Scope = "user" if user else "project"
    try:
        path = settings_path(scope, _here(), os.environ)
        return _apply(plan_install(path, hook_command(scope, unknown)), write, f"the hook is installed in {path}")
    except SettingsFault as fault:
        raise Fault(str(fault)) from None


@command.command("uninstall", short_help="Take the hook out of the agent's settings.", epilog=EXIT_CODES)
@_HARNESS
@_SCOPE
@_WRITE
def uninstall(harness: str, user: bool, write: bool) -> int:
    """Show what takes the hook out of Claude Code's settings, and write it where told to."""
    from skillui.serve.hook_install import SettingsFault, plan_uninstall, settings_path

    try:
        path = settings_path("user" if user else "project", _here(), os.environ)
        return _apply(plan_uninstall(path), write, f"the hook is not in {path}")
    except SettingsFault as fault:
        raise Fault(str(fault)) from None


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:
        raise Fault("the working folder does not exist any more") from None


def _apply(change: SettingsChange, write: bool, settled: str) -> int:
    output = out.stdout()
    if not change.is_needed:
        output.line(f"{settled} already")
        return OK
    output.block(change.diff())
    if not write and not _confirmed():
        out.complain("nothing was written; --write applies the change")
        return OK
    try:
        change.write()
    except OSError as error:
        raise Fault(f"{change.path} cannot be written: {(error.strerror or 'unknown').lower()}") from None
    output.line(f"{settled} now")
    return OK


def _at_terminal() -> bool:
    return bool(sys.stdin is not None and sys.stdin.isatty() and out.stderr().is_terminal)


def _confirmed() -> bool:
    """Ask the person for a typed yes, where one is there."""
    if not _at_terminal():
        return False
    out.stdout().flush()
    sys.stderr.write("Type yes to write it, anything else leaves the file as it is [no]: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() == "yes"

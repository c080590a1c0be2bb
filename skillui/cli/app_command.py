"""`skillui [PATH]`: the app, or the list where there is no terminal to draw it on."""

from __future__ import annotations

import os
import sys

from skillui.cli import out
from skillui.cli.faults import Fault
from skillui.cli.options import Before, opened_here, scanned


def open_app(before: Before, path: str | None) -> int:
    """Run the app and return its exit code; without a terminal print the list and say so."""
    selection, theme, session_log, source = before.selection, before.theme, before.session_log, before.source
    if not _has_terminal():
        if theme is not None:
            _check_theme(theme)
        from skillui.cli.list_command import print_list

        code = print_list(selection, path, source=source)
        out.stdout().flush()
        out.complain("the app needs a terminal, so this is the list; see `skillui --help` for commands")
        return code
    from skillui.workspace.launch import LaunchFault

    with opened_here(selection, path, source, theme=theme, session_log=session_log) as launch:
        if launch.source is not None:  # what cannot be read at all is one line, not a screen
            launch, _ = scanned(launch)
        if launch.session_log is not None:
            _try_log(launch.session_log)
        from skillui.tui import collector  # the only command that draws

        collector.hold()
        try:
            from skillui.tui.app import run_app

            return run_app(launch)
        except LaunchFault as fault:
            raise Fault(str(fault)) from None
        finally:
            collector.end()


def _check_theme(theme: str) -> None:
    """Refuse a theme that there is not, as the app would. Raises `Fault`."""
    from pathlib import Path

    from skillui.tui.themes import load_shipped_themes  # without a terminal nothing else asks for it
    from skillui.workspace.folders import find_folders

    if (fault := load_shipped_themes(Path(find_folders().themes)).refusal(theme)) is not None:
        raise Fault(fault)


def _has_terminal() -> bool:
    if os.environ.get("TERM") == "dumb":
        return False
    # The app reads keys from standard input and draws on standard error.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams)


def _try_log(path: str) -> None:
    """Find out that the session log cannot be written before the screen is taken. Raises `Fault`."""
    from skillui.workspace.session_log import SessionLog, SessionLogFault

    try:
        SessionLog(path).close()
    except SessionLogFault as fault:
        raise Fault(str(fault)) from None

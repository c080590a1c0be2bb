"""The command line: commands and exit codes, no rules of its own. Each command imports what it needs when it runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_HOOK = ["hook", "claude-code"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; `arguments` default to those of the process."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:2] == _HOOK and (code := _run_hook(words[2:])) is not None:
        return code
    try:
        from skillui.cli.entry import run  # here, so that an interrupt while modules load is quiet too

        return run(arguments)
    except KeyboardInterrupt:
        return 130


def _run_hook(options: list[str]) -> int | None:
    """Answer as a hook, past all that other commands need; None where the options want explaining.

    It is awaited before every skill, and any fault must be a denial: for Claude Code that is code 2 alone.
    """
    try:
        from skillui.serve.hook_main import run, unknown_of

        unknown = unknown_of(options)
        return None if unknown is None else run(unknown)
    except BaseException as error:
        if sys.stderr is not None:
            sys.stderr.write(f"skillui: the hook failed ({type(error).__name__}); the skill is denied\n")
        return 2

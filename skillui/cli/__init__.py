"""The command line: commands and exit codes, no rules of its own. Each command imports what it needs when it runs."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; `arguments` default to those of the process."""
    try:
        from skillui.cli.entry import run  # here, so that an interrupt while modules load is quiet too

        return run(arguments)
    except KeyboardInterrupt:
        return 130

"""`skillui mcp`: the skills of a project for a client of the Model Context Protocol."""

from __future__ import annotations

import sys

import click

from skillui.cli.faults import EXIT_CODES, OK, Fault
from skillui.cli.options import PathName, Selection, opened, reads_skills, warn

BUDGET = 8_000
"""Characters of the catalog: a hundredth of a context of 200,000 tokens, as coding agents allow their own lists."""
_EXTRA = "`skillui mcp` needs the extra `mcp`: pip install 'skillui[mcp]'"


@click.command("mcp", short_help="Serve the skills over the Model Context Protocol.", epilog=EXIT_CODES)
@click.argument("path", required=False, type=PathName("dir"))
@click.option(
    "--budget", metavar="CHARS", type=click.IntRange(min=0), default=BUDGET, show_default=True,
    help="Characters that the catalog may have in the tool's description.",
)  # fmt: skip
@reads_skills
def command(selection: Selection, path: str | None, budget: int) -> int:
    """Serve the skills of the project that PATH lies in over the Model Context Protocol.

    Messages go over standard input and output; it ends with its input. One tool, `skill`, activates a skill;
    what is not approved is asked at a running skillui, and denied where none runs. The skills are
    resources as well: those of trusted roots, and those that were approved.
    """
    from skillui.serve.mcp_stdio import claim_stdio

    if sys.stdin is None or sys.stdout is None:
        raise Fault("standard input or output is closed")
    try:
        stdio = claim_stdio()
    except OSError:
        raise Fault("standard input or output is closed") from None
    try:
        from skillui.serve.mcp_server import serve
    except ImportError as missing:
        if (missing.name or "").partition(".")[0] == "skillui":
            raise
        raise Fault(_EXTRA) from None
    from skillui.workspace.folders import find_folders

    with opened(selection, path) as launch:
        warn((*launch.warnings, *launch.notes))
        sources = tuple(root.source for root in launch.project.roots)
        serve(stdio, launch.config, sources, find_folders().store_file, budget)
    return OK

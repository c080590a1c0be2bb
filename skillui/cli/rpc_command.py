"""`skillui rpc`: the engine as JSON lines on standard input and output."""

from __future__ import annotations

import sys

import click

from skillui.cli.faults import EXIT_CODES, OK, Fault


@click.command("rpc", short_help="Serve the engine as JSON lines.", epilog=EXIT_CODES)
def command() -> int:
    """Serve the engine as JSON lines: a request a line on standard input, a response a line on standard output.

    Methods: skill, catalog, tool_definition. It ends with its input.
    """
    from skillui.serve.rpc import serve

    if sys.stdin is None or sys.stdout is None:
        raise Fault("standard input or output is closed")
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return OK

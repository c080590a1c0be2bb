"""`skillui list`: every skill of the roots, as a table or as the catalog of the bridge."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from skillui.cli import out
from skillui.cli.faults import EXIT_CODES, OK
from skillui.cli.options import (
    NO_SOURCE,
    Selection,
    SourceNames,
    opened_here,
    reads_skills,
    revision_options,
    scanned,
    warn,
)

if TYPE_CHECKING:
    from skillui.core.catalog import Audience, Catalog
    from skillui.workspace.launch import Launch


@click.command("list", short_help="List the skills of the project and of your own.", epilog=EXIT_CODES)
@click.option("--json", "as_json", is_flag=True, help="Print the catalog as JSON, in the shape of `skillui rpc`.")
@click.option("--for", "audience", type=click.Choice(["model", "user"]), help="Only what is offered to one of them.")
@revision_options
@reads_skills
def command(
    selection: Selection, as_json: bool, audience: str | None, revision: str | None, repository: str | None
) -> int:
    """List the skills: state, root, estimated tokens of the listing, description.

    A skill that another root's copy shadows hangs below the winner; a broken one stays in the list
    with its reason. Warnings go to standard error.
    """
    source = SourceNames(None, revision, repository)
    return print_list(selection, None, as_json=as_json, audience=cast("Audience | None", audience), source=source)


def print_list(
    selection: Selection,
    path: str | None,
    *,
    as_json: bool = False,
    audience: Audience | None = None,
    source: SourceNames = NO_SOURCE,
) -> int:
    """Print the skills of the project that `path` lies in, or those of a source. Raises `Fault`."""
    with opened_here(selection, path, source) as launch:
        launch, catalog = scanned(launch)
        if as_json:
            warn((*launch.warnings, *launch.notes))  # the catalog's own stand in the JSON
            out.stdout().json(catalog.to_json(audience))
        else:
            warn((*launch.warnings, *launch.notes, *catalog.warnings))
            _print_table(catalog, launch, audience)
    return OK


def _print_table(catalog: Catalog, launch: Launch, audience: Audience | None) -> None:
    from skillui.cli.table import count_line, table_lines

    output = out.stdout(launch.settings.ascii)
    lines = table_lines(catalog, launch, output, audience)
    output.lines([*lines, *([""] if lines else []), count_line(catalog, launch, output, audience)])
    if not lines and audience is None and launch.source is None:
        output.lines(["", "Looked in:", *(f"  {folder}" for folder in launch.project.looked_in)])
        output.line("Make one with `skillui new NAME`, or see samples with `skillui list --demo`.")

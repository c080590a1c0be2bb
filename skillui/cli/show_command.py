"""`skillui show`: all there is to know about one skill before it is activated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from skillui.cli import out
from skillui.cli.faults import EXIT_CODES, OK, REFUSED
from skillui.cli.names import complete_names
from skillui.cli.options import Selection, opened, reads_skills, warn

if TYPE_CHECKING:
    from skillui.core.catalog import Catalog


@click.command("show", short_help="Show one skill with its problems, trust and digest.", epilog=EXIT_CODES)
@click.argument("name", shell_complete=complete_names)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@reads_skills
def command(selection: Selection, name: str, as_json: bool) -> int:
    """Show one skill: description, trust and why, arguments, tools, problems, resources, sizes, digest.

    A broken skill is found by its folder's name and shown with all of its problems.
    """
    with opened(selection) as launch:
        from skillui.cli.report import find_entry, report_on
        from skillui.cli.report_text import report_lines
        from skillui.core.registry import FilesystemSkillRegistry

        registry = FilesystemSkillRegistry(launch.config.roots)
        catalog = registry.scan()
        warn((*launch.warnings, *catalog.warnings))
        entry = find_entry(catalog, name)
        if entry is None:
            out.stderr().line(_not_found(name, catalog))
            return REFUSED
        report = report_on(entry, catalog, registry, launch)
        output = out.stdout(launch.settings.ascii)
        if as_json:
            output.json(report.to_json())
        else:
            output.lines(report_lines(report, output))
    return REFUSED if report.broken else OK


def _not_found(name: str, catalog: Catalog) -> str:
    from skillui.core.delivery import siblings_of
    from skillui.core.results import NotFound
    from skillui.core.text import clipped

    return NotFound(clipped(name), siblings_of(name, catalog.skills)).output

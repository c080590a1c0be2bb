"""`skillui new`: a skill that validates, to be filled in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from skillui.cli import out
from skillui.cli.faults import EXIT_CODES, OK, Fault
from skillui.cli.options import PathName, Selection, opened

if TYPE_CHECKING:
    from skillui.workspace.project import Project


@click.command("new", short_help="Make a new skill that validates.", epilog=EXIT_CODES)
@click.argument("name")
@click.option(
    "--root", metavar="DIR", type=PathName("dir"),
    help="Where to make it; by default the project's first skill folder, else .skills.",
)  # fmt: skip
@click.option("--description", metavar="TEXT", help="What it does and when to use it; by default a template.")
def command(name: str, root: str | None, description: str | None) -> int:
    """Make a new skill and print the path of its SKILL.md. Nothing is ever overwritten."""
    from skillui.workspace.scaffold import ScaffoldError, new_skill

    try:
        path = new_skill(name, _root(root), description=description)
    except ScaffoldError as fault:
        raise Fault(str(fault)) from None
    out.stdout().line(str(path))
    return OK


def _root(given: str | None) -> Path:
    if given is not None:
        return Path(given).expanduser()
    with opened(Selection()) as launch:
        return Path(_first_root(launch.project))


def _first_root(project: Project) -> str:
    from skillui.core.files import resolved
    from skillui.workspace.scaffold import leads_out

    own = [root.path for root in project.roots if root.label in ("path", "project") and root.exists]
    root = own[0] if own else str(Path(project.path, ".skills"))
    if leads_out(project, root):
        raise Fault(f"{root} is a link out of the project, to {resolved(root)}: name the folder with --root")
    return root

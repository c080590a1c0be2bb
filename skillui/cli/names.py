"""Names of skills for a shell to complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def complete_names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the valid skills' names that begin with what is typed; whatever fails offers nothing."""
    from click.shell_completion import CompletionItem

    from skillui.core.registry import FilesystemSkillRegistry
    from skillui.workspace.launch import LaunchFault, open_launch

    roots = tuple(context.params.get("root") or ())
    try:
        # Only names the engine accepts, which are plain ASCII: a folder's name could be anything.
        with open_launch(".", roots, demo=bool(context.params.get("demo")) and not roots) as launch:
            catalog = FilesystemSkillRegistry(launch.config.roots).scan()
            return [CompletionItem(entry.name) for entry in catalog.skills if entry.name.startswith(incomplete)]
    except (LaunchFault, OSError):
        return []

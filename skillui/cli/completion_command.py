"""`skillui completion`: the script that teaches a shell to complete the command line."""

from __future__ import annotations

import click

from skillui.cli import out
from skillui.cli.faults import EXIT_CODES, OK


@click.command("completion", short_help="Print the completion script of a shell.", epilog=EXIT_CODES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the completion script of a shell.

    \b
    bash:  eval "$(skillui completion bash)"          in ~/.bashrc
    zsh:   eval "$(skillui completion zsh)"           in ~/.zshrc
    fish:  skillui completion fish | source           in config.fish
    """
    from click.shell_completion import get_completion_class

    from skillui.cli.entry import COMPLETE_VARIABLE
    from skillui.cli.group import PROGRAM, cli

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"no completion for {shell}")
    script = kind(cli, {}, PROGRAM, COMPLETE_VARIABLE)
    # Not `source()`: it runs the bash of the machine to ask for its version.
    out.stdout().block(script.source_template % script.source_vars())
    return OK

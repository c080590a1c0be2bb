"""`skillui activate`: what a model would get, through every gate."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from skillui.cli import out
from skillui.cli.faults import EXIT_CODES, OK, REFUSED, Fault
from skillui.cli.names import complete_names
from skillui.cli.options import Selection, opened, options_before, reads_skills, session_log_option, warn

if TYPE_CHECKING:
    from skillui.core import SkillResult
    from skillui.workspace.launch import Launch
    from skillui.workspace.session_log import SessionLog

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


@click.command("activate", short_help="Print what the model would get, through every gate.", epilog=EXIT_CODES)
@click.argument("name", shell_complete=complete_names)
@click.argument("arguments", required=False)
@click.option("--arg", "named", metavar="KEY=VALUE", multiple=True, help="A named argument (repeatable).")
@click.option("--as-user", is_flag=True, help="Activate as the user would, not as the model.")
@click.option(
    "--yes-i-read-it", "digest", metavar="DIGEST",
    help="Allow exactly the content of this digest (`skillui show NAME` prints it), for scripts.",
)  # fmt: skip
@session_log_option
@reads_skills
def command(
    selection: Selection,
    name: str,
    arguments: str | None,
    named: tuple[str, ...],
    as_user: bool,
    digest: str | None,
    session_log: str | None,
) -> int:
    """Activate a skill and print exactly what the model would get.

    ARGUMENTS is the text form, --arg the form by name. What was decided about the content in a review
    holds; else the person at the terminal is asked, and without one it is refused, unless
    --yes-i-read-it names the digest of the content. That is logged, and does not lift a denial. The result
    goes to standard output as it is; on a terminal, characters that a terminal would obey or nobody
    would see are shown as symbols. What is not activated is told on standard error.
    """
    given = _arguments(arguments, named)
    if digest is not None and not _DIGEST.fullmatch(digest):
        raise click.UsageError("--yes-i-read-it takes a digest: sha256: and 64 hexadecimal digits")
    log = session_log or options_before(click.get_current_context()).session_log
    with opened(selection, session_log=log) as launch:
        warn(launch.warnings)
        return _activate(launch, {"name": name, **given}, as_user, digest)


def _arguments(text: str | None, named: tuple[str, ...]) -> dict[str, object]:
    """Return the `arguments` parameter of the call, none where it is left out."""
    if not named:
        return {} if text is None else {"arguments": text}
    if text is not None:
        raise click.UsageError("give either ARGUMENTS or --arg, not both")
    values: dict[str, str] = {}
    for item in named:
        key, equals, value = item.partition("=")
        if not equals or not key:
            raise click.UsageError(f"--arg takes KEY=VALUE, not '{item[:80]}'")
        if key in values:
            raise click.UsageError(f"--arg {key[:80]} is given twice")
        values[key] = value
    return {"arguments": values}


def _activate(launch: Launch, params: dict[str, object], as_user: bool, digest: str | None) -> int:
    import asyncio

    from skillui.cli.ask import DigestHook, TerminalHook
    from skillui.core import SkillSession
    from skillui.review.decisions import store_hook
    from skillui.review.store import DecisionStore
    from skillui.workspace.folders import find_folders

    store = DecisionStore(find_folders().store_file)
    ask = TerminalHook(launch) if digest is None else DigestHook(digest)
    roots = tuple(root.source for root in launch.project.roots)
    session = SkillSession(launch.config, hook=store_hook(store, ask, "cli", roots))
    log = _open_log(launch)
    if log is not None:
        session.state.listeners.append(log.record)
    try:
        result = asyncio.run(session.skill(params, user_initiated=as_user))
    finally:
        if log is not None:
            log.close()
    if store.fault is not None:
        out.complain(f"warning: {store.fault}")
    if log is not None and log.fault is not None:
        # Whoever asked for a record gets nothing without it.
        raise Fault(log.fault)
    return _print(result, launch)


def _open_log(launch: Launch) -> SessionLog | None:
    if launch.session_log is None:
        return None
    from skillui.workspace.session_log import SessionLog, SessionLogFault

    try:
        return SessionLog(launch.session_log)
    except SessionLogFault as fault:
        raise Fault(str(fault)) from None


def _print(result: SkillResult, launch: Launch) -> int:
    if result.kind not in ("ok", "already_loaded"):
        errors = out.stderr(launch.settings.ascii)
        errors.block(result.output)
        return REFUSED
    if result.kind == "ok":
        warn(result.warnings)
    output = out.stdout(launch.settings.ascii)
    if not output.is_terminal:
        output.exact(result.output)
        return OK
    if replaced := output.block(result.output):
        out.complain(f"{replaced} characters are shown as symbols; redirect the output to have it as it is")
    return OK

"""`skillui review`: the queue, its decisions and their log, at the command line and for CI."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Any

import click

from skillui.cli.faults import OK
from skillui.cli.options import (
    PathName,
    Selection,
    opened,
    options_before,
    refuse_lone_repository,
    revision_options,
    selection_options,
    warn,
)

_CODES = """\
\b
Exit codes:
  0  done
  1  something is not approved (--require-approved), or was left as it is
  2  wrong usage, or a fault of files or environment (one line on stderr)
"""
_STORE = click.option(
    "--store", metavar="FILE", type=PathName("file"), help="The decisions in FILE instead of your own."
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class QueueOptions:
    """What the queue is read from and how it is told."""

    selection: Selection = field(default_factory=Selection)
    as_json: bool = False
    require_approved: bool = False
    store: str | None = None
    lockfile: str | None = None
    revision: str | None = None
    repository: str | None = None

    def after(self, earlier: QueueOptions) -> QueueOptions:
        """Return these options with those that stood before a word in front."""
        return QueueOptions(
            self.selection.after(earlier.selection),
            self.as_json or earlier.as_json,
            self.require_approved or earlier.require_approved,
            self.store or earlier.store,
            self.lockfile or earlier.lockfile,
            self.revision or earlier.revision,
            self.repository or earlier.repository,
        )


def _queue_options(function: Any) -> Any:
    for option in reversed(
        (
            click.option("--json", "as_json", is_flag=True, help="Print the queue as JSON."),
            click.option(
                "--require-approved", is_flag=True, help="Exit 1 when anything untrusted is not approved (for CI)."
            ),
            _STORE,
            click.option(
                "--lockfile", metavar="FILE", type=PathName("file"),
                help="Take the decisions of FILE, a lock file, instead of your own.",
            ),
            revision_options,
        )
    ):  # fmt: skip
        function = option(function)
    return selection_options(function)


def _given(options: dict[str, Any]) -> QueueOptions:
    selection = Selection(options.pop("root"), options.pop("trusted_root"), options.pop("demo"))
    return QueueOptions(selection, **options)


class _ReviewGroup(click.Group):
    """Subcommands by name; any other first word is an archive or a project to review."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand, or the queue of what the word names."""
        if (command := self.get_command(ctx, args[0])) is not None:
            return args[0], command, args[1:]
        if not os.path.lexists(args[0]) and not ctx.resilient_parsing:
            known = ", ".join(name for name in self.list_commands(ctx) if name != queue.name)
            raise click.UsageError(
                f"there is no file or folder '{args[0][:200]}' and no such command; commands: {known}", ctx
            )
        return queue.name, queue, args


@click.group(
    "review", cls=_ReviewGroup, invoke_without_command=True, epilog=_CODES,
    short_help="Review untrusted skills: the queue, decisions, lock files, the log.",
    subcommand_metavar="[PATH | COMMAND [ARGS]...]",
)  # fmt: skip
@_queue_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> int:
    """Print the queue: every skill of a root that nobody trusts, and what was decided about its content.

    PATH is a folder whose project is reviewed (default: here), or an archive (.skill, .zip or .tar.gz), which is
    not unpacked; --git reviews a revision without checking it out. Deciding needs a person at a terminal who
    types a word in full: `skillui review approve NAME`.
    """
    given = _given(options)
    given = replace(given, selection=given.selection.after(options_before(context).selection))
    context.meta["skillui.review"] = given
    if context.invoked_subcommand is None:
        return _print_queue(given, None)
    if context.invoked_subcommand in command.commands and context.invoked_subcommand != queue.name:
        _refuse_revision(given, context.invoked_subcommand)
    return OK


def _refuse_revision(given: QueueOptions, name: str) -> None:
    """Raise where a command would decide about other skills than those of the revision that was named."""
    if given.revision is not None or given.repository is not None:
        raise click.UsageError(
            f"--git prints a queue and means nothing to `{name}`: to decide about a revision, open it with "
            "`skillui --git REV` and press 2"
        )


@command.command("queue", hidden=True, epilog=_CODES)
@click.argument("path", type=PathName("file"))
@_queue_options
@click.pass_context
def queue(context: click.Context, /, path: str, **options: Any) -> int:
    """Print the queue of an archive, or of the project that a folder lies in."""
    given = _given(options).after(_earlier(context))
    return _print_queue(given, None, path) if os.path.isdir(path) else _print_queue(given, path)


def _earlier(context: click.Context) -> QueueOptions:
    given: QueueOptions = context.meta.get("skillui.review", QueueOptions())
    return given


def _print_queue(given: QueueOptions, archive: str | None, folder: str | None = None) -> int:
    from skillui.cli.review_queue import decisions_of, print_queue
    from skillui.cli.review_sources import opened_source

    if given.store is not None and given.lockfile is not None:
        raise click.UsageError("give either --store or --lockfile, not both")
    refuse_lone_repository(given.revision, given.repository)
    if given.selection.given and (archive is not None or given.revision is not None):
        raise click.UsageError("an archive or a revision is reviewed by itself: leave out --root and --demo")
    if (archive is not None or folder is not None) and given.revision is not None:
        raise click.UsageError("give either a PATH or --git, not both (--repo names the repository)")
    with opened(given.selection, folder) as launch, decisions_of(given.store, given.lockfile) as store:
        warn((*launch.warnings, *launch.notes))
        with opened_source(launch, archive, given.revision, given.repository) as source:
            return print_queue(source, launch, store, given.as_json, given.require_approved)


def _decides(function: Any) -> Any:
    """Add what a decision takes: a reason, a store, and which skills are read."""
    reason = click.option("--reason", default="", metavar="TEXT", help="Why, for the log and the lock file.")
    return reason(_STORE(selection_options(function)))


@command.command("approve", short_help="Approve the content of a skill, at a terminal.", epilog=_CODES)
@click.argument("name")
@_decides
@click.pass_context
def approve(context: click.Context, /, name: str, **options: Any) -> int:
    """Approve exactly the bytes that a skill has now, after showing its files and what was found in them."""
    return _decide(context, name, options, "approved")


@command.command("deny", short_help="Deny the content of a skill, at a terminal.", epilog=_CODES)
@click.argument("name")
@_decides
@click.pass_context
def deny(context: click.Context, /, name: str, **options: Any) -> int:
    """Deny exactly the bytes that a skill has now: nobody is asked about them again until it is revoked."""
    return _decide(context, name, options, "denied")


def _decide(context: click.Context, name: str, options: dict[str, Any], verdict: Any) -> int:
    from skillui.cli.review_decide import decide

    given = _earlier(context)
    selection = Selection(options["root"], options["trusted_root"], options["demo"]).after(given.selection)
    with opened(selection) as launch:
        warn(launch.warnings)
        return decide(launch, _store(options["store"] or given.store), name, options["reason"], verdict)


@command.command("revoke", short_help="Take a decision back.", epilog=_CODES)
@click.argument("what", metavar="NAME|DIGEST")
@click.option("--reason", default="", metavar="TEXT", help="Why, for the log.")
@_STORE
@click.pass_context
def revoke(context: click.Context, what: str, reason: str, store: str | None) -> int:
    """Take back what was decided about a digest, or about every content of a name; it is asked about again.

    Taking back a denial needs a person at a terminal, as approving does.
    """
    from skillui.cli.review_decide import revoke as take_back

    return take_back(_store(store or _earlier(context).store), what, reason)


@command.command("export", short_help="Write the decisions as a lock file.", epilog=_CODES)
@click.argument("file", required=False, type=PathName("file"), metavar="[FILE]")
@_STORE
@click.pass_context
def export(context: click.Context, file: str | None, store: str | None) -> int:
    """Write every decision to FILE (skillui.lock is the usual name), or to standard output."""
    from skillui.cli.review_lock import export_lock

    return export_lock(_store(store or _earlier(context).store), file)


@command.command("import", short_help="Take over the decisions of a lock file, at a terminal.", epilog=_CODES)
@click.argument("file", type=PathName("file"))
@_STORE
@click.pass_context
def take_over(context: click.Context, file: str, store: str | None) -> int:
    """Show what a lock file would grant and deny, and take it over when the person types `import`."""
    from skillui.cli.review_lock import import_lock

    return import_lock(_store(store or _earlier(context).store), file)


@command.command("log", short_help="Print the log of decisions, prompts and activations.", epilog=_CODES)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON lines.")
@click.option("--limit", type=click.IntRange(1), default=None, metavar="N", help="Only the newest N entries.")
@_STORE
@click.pass_context
def log(context: click.Context, as_json: bool, limit: int | None, store: str | None) -> int:
    """Print the log, oldest first."""
    from skillui.cli.review_log import print_log

    given = _earlier(context)
    return print_log(_store(store or given.store), as_json or given.as_json, limit)


def _store(path: str | None) -> Any:
    from skillui.cli.review_queue import open_store

    return open_store(path)

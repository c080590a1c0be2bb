"""`skillui check`: the rules of the gate over skills, for people, for CI and for editors."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from skillui.cli import out
from skillui.cli.faults import Fault
from skillui.cli.options import (
    PathName,
    Selection,
    archive_named,
    opened,
    refuse_lone_repository,
    revision_options,
    warn,
)

if TYPE_CHECKING:
    from skillui.workspace.check_run import CheckOptions, Outcome

CLEAN, PROBLEMS = 0, 1
EPILOG = """\
\b
Exit codes:
  0    no error
  1    at least one problem that the profile counts as an error
  2    wrong usage, or nothing to check (one line on stderr)
  130  interrupted
"""
_PROFILES = ("spec", "portable", "guide", "strict")
_FORMATS = ("text", "json", "sarif", "github")


@dataclass(frozen=True, slots=True)
class Asked:
    """How a run is shown, and what is done beside it."""

    paths: tuple[str, ...]
    options: CheckOptions
    format: str
    statistics: bool
    fix: bool
    diff: bool
    archive: str | None = None
    revision: str | None = None
    """`REV[:PATH]`, with `repository` or the working folder as its repository."""
    repository: str | None = None


@click.command("check", short_help="Check skills against the format and the rules of the gate.", epilog=EPILOG)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=PathName("file"))
@click.option("--profile", type=click.Choice(_PROFILES), help="What counts as an error (default: portable).")
@click.option("--select", metavar="RULES", multiple=True, help="Only these rules or families, by commas (repeatable).")
@click.option("--ignore", metavar="RULES", multiple=True, help="All but these rules or families (repeatable).")
@click.option(
    "--format", "format_", type=click.Choice(_FORMATS), default="text", show_default=True, help="How to tell them."
)
@click.option("--fix", is_flag=True, help="Apply the safe fixes, each shown as a diff first.")
@click.option("--diff", is_flag=True, help="Show what --fix would do, and do nothing.")
@click.option("--statistics", is_flag=True, help="Count the problems by rule instead of listing them.")
@click.option("--explain", metavar="RULE", help="Say what a rule is for, and what to write instead.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until interrupted.")
@revision_options
@click.option("--demo", is_flag=True, help="Check a temporary copy of the bundled samples.")
@click.option("--allow-ignore-sec", is_flag=True, help="Let the project's configuration ignore security rules.")
@click.pass_context
def command(context: click.Context, /, paths: tuple[str, ...], **given: Any) -> int:
    """Check skills. Nothing of a skill is ever run.

    A PATH is a skill's folder, a file in one, a folder of skills, or a project; without one it is the
    project around the working folder. An archive (.skill, .zip, .tar or .tar.gz) is checked without
    unpacking it, a revision without checking it out; the configuration in them is not heeded.
    A project may name rules to ignore in `.skillui.toml`, or in `[tool.skillui]` of its `pyproject.toml`.
    """
    if given["explain"] is not None:
        return _explain(given["explain"])
    if given["watch"] and (given["fix"] or given["diff"] or given["format_"] != "text"):
        raise click.UsageError("--watch only goes with the text format, and without --fix and --diff", context)
    if given["demo"] and (paths or given["watch"] or given["fix"]):
        raise click.UsageError("--demo checks its own samples once: leave out PATH, --watch and --fix", context)
    if given["fix"] and given["diff"]:
        raise click.UsageError("--diff shows what --fix would do: give one of them", context)
    asked = _asked(paths, given)
    refuse_lone_repository(asked.revision, asked.repository)
    if asked.revision is not None and (paths or given["demo"]):
        raise click.UsageError("a revision is checked by itself: leave out PATH and --demo", context)
    if (asked.revision or asked.archive) and (given["fix"] or given["diff"] or given["watch"]):
        what = "a revision" if asked.revision else "an archive"
        raise click.UsageError(f"{what} cannot be changed: leave out --fix, --diff and --watch", context)
    if given["demo"]:
        return _demo(asked)
    if given["watch"]:
        from skillui.cli.check_watch import watch

        return watch(asked)
    return run(asked)


def _demo(asked: Asked) -> int:
    from skillui.workspace.locate import holds_skills

    with opened(Selection(demo=True)) as launch:
        return run(replace(asked, paths=tuple(root for root in launch.config.roots if holds_skills(root))))


def _asked(paths: tuple[str, ...], given: dict[str, Any]) -> Asked:
    from skillui.checks.profiles import Profile
    from skillui.workspace.check_run import CheckOptions

    options = CheckOptions(
        Profile(given["profile"]) if given["profile"] else None, _codes(given["select"]), _codes(given["ignore"]),
        given["allow_ignore_sec"],
    )  # fmt: skip
    return Asked(
        paths, options, given["format_"], given["statistics"], given["fix"], given["diff"],
        archive_named(paths[0]) if len(paths) == 1 else None, given["revision"], given["repository"],
    )  # fmt: skip


def _codes(given: tuple[str, ...]) -> frozenset[str]:
    from skillui.checks.table import UnknownRule, codes_of

    names = [name for text in given for name in text.split(",") if name.strip()]
    try:
        return codes_of(names)
    except UnknownRule as fault:
        raise Fault(str(fault)) from None


def _explain(name: str) -> int:
    from skillui.checks.table import UnknownRule, rule
    from skillui.cli.check_text import explained

    try:
        out.stdout().lines(explained(rule(name)))
    except UnknownRule as fault:
        raise Fault(str(fault)) from None
    return CLEAN


def outcome_of(asked: Asked) -> Outcome:
    """Check what is asked for. Raises `Fault` where nothing can be checked."""
    from skillui.workspace.check_config import CheckConfigFault
    from skillui.workspace.check_run import check_targets
    from skillui.workspace.check_targets import TargetFault, find_targets

    if asked.archive is not None or asked.revision is not None:
        return _outcome_of_source(asked)
    try:
        return check_targets(find_targets(asked.paths), asked.options)
    except (TargetFault, CheckConfigFault) as fault:
        raise Fault(str(fault)) from None


def _outcome_of_source(asked: Asked) -> Outcome:
    from skillui.cli.review_sources import opened_registry
    from skillui.workspace.check_source import check_source
    from skillui.workspace.check_targets import TargetFault

    with opened_registry(asked.archive, asked.revision, asked.repository) as registry:
        try:
            return check_source(registry, asked.options)
        except TargetFault as fault:
            raise Fault(str(fault)) from None


def run(asked: Asked) -> int:
    """Check once, show it, and return the exit code."""
    outcome = outcome_of(asked)
    if asked.fix or asked.diff:
        from skillui.cli.check_fix import show_fixes

        # A report for machines stays whole on standard output.
        changed = show_fixes(outcome.report, out.stdout() if asked.format == "text" else out.stderr(), asked.fix)
        if changed:
            outcome = outcome_of(asked)
    warn(outcome.warnings)
    show(outcome, asked)
    return PROBLEMS if outcome.report.failed else CLEAN


def show(outcome: Outcome, asked: Asked) -> None:
    """Print a report in the format that was asked for."""
    report, output = outcome.report, out.stdout()
    if asked.format == "json":
        shape = report.to_json()
        if asked.statistics:
            shape["statistics"] = report.statistics_json()
        output.json(shape)
    elif asked.format == "sarif":
        from skillui.checks.report_sarif import sarif

        output.json(sarif(report, os.getcwd()))
    elif asked.format == "github":
        from skillui.checks.report_github import github_lines

        output.lines(list(github_lines(report, os.getcwd())))
    else:
        from skillui.cli.check_text import statistics_lines
        from skillui.workspace.report_text import report_lines

        output.lines(statistics_lines(report) if asked.statistics else list(report_lines(report, output)))

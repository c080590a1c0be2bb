"""`skillui check --fix` and `--diff`: safe fixes shown as diffs, then written whole or not at all."""

from __future__ import annotations

import difflib
import os

from skillui.checks.fixes.apply import apply_fixes, fixes_by_path
from skillui.checks.report import CheckedSkill, Report
from skillui.checks.subject import MAX_TEXT
from skillui.cli.out import Out, complain
from skillui.core.files import MAX_SKILL_MD, ReadFault, is_below, read_regular, reason_of, resolved
from skillui.core.problems import Fix
from skillui.workspace.atomic import write_bytes
from skillui.workspace.report_text import shown_path

MAX_DIFF_LINES = 4_000
"""Lines of one diff that are shown."""


def show_fixes(report: Report, output: Out, apply: bool) -> bool:
    """Show every safe fix as a diff, and apply them all where `apply` is set; tell whether a file was changed."""
    files = 0
    for skill in report.skills:
        for path, fixes in fixes_by_path(skill.problems).items():
            files += _fix_file(skill, path, fixes, output, apply)
    if files:
        output.line(f"{files} file{'' if files == 1 else 's'} {'fixed' if apply else 'would be fixed'}")
    else:
        output.line("nothing to fix safely")
    output.line()
    output.flush()
    return apply and files > 0


def _fix_file(skill: CheckedSkill, path: str, fixes: list[Fix], output: Out, apply: bool) -> bool:
    folder = resolved(skill.directory)
    full = resolved(os.path.join(folder, path))
    if not is_below(full, folder):  # a link out of the skill: not this skill's to change
        return False
    try:
        before, _ = read_regular(full, max(MAX_TEXT, MAX_SKILL_MD))
        after = apply_fixes(before, fixes)
        if after == before:
            return False
        output.lines(_diff(os.path.join(shown_path(skill.directory), path), before, after))
        if apply:
            write_bytes(full, after)
    except ReadFault as fault:
        complain(f"{path} of {skill.name} {fault.reason}")
        return False
    except OSError as error:
        complain(f"{path} of {skill.name} cannot be written: {reason_of(error)}")
        return False
    return True


def _diff(path: str, before: bytes, after: bytes) -> list[str]:
    old, new = (data.decode("utf-8", "replace").split("\n") for data in (before, after))
    lines = list(difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm="", n=1))
    if len(lines) > MAX_DIFF_LINES:
        lines = [*lines[:MAX_DIFF_LINES], f"... and {len(lines) - MAX_DIFF_LINES:,} lines more"]
    return lines

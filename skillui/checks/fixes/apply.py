"""Applying fixes to bytes and files: what no edit names stays as it is."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterable, Sequence

from skillui.checks.fixes.source import digest_of
from skillui.core.files import is_below, read_regular, resolved
from skillui.core.problems import Edit, Fix, Problem

MAX_FILE = 16 * 1024 * 1024
"""Bytes of a file that a fix is applied to."""


class FixRefused(Exception):
    """A fix was not applied: the file is another than the one it was made for, or the new name is taken."""


def fixes_by_path(problems: Iterable[Problem]) -> dict[str, list[Fix]]:
    """Return the safe fixes of each file, a fix that several problems share once."""
    found: dict[str, list[Fix]] = {}
    for problem in problems:
        fix = problem.fix
        if fix is not None and fix.safe and fix not in (known := found.setdefault(fix.path, [])):
            known.append(fix)
    return {path: fixes for path, fixes in found.items() if fixes}


def apply_fixes(data: bytes, fixes: Sequence[Fix]) -> bytes:
    """Return `data` with every fix applied whole; one that touches an edit before it waits for another run.

    A fix that was made for other bytes than `data` is passed over.
    """
    taken: list[Edit] = []
    for fix in fixes:
        if fix.digest and fix.digest != digest_of(data):
            continue
        edits = [edit for edit in fix.edits if edit not in taken]
        if all(_apart(edit, other) for edit in edits for other in taken) and _in_bounds(fix.edits, len(data)):
            taken += edits
    parts: list[bytes] = []
    at = 0
    for edit in sorted(taken, key=lambda edit: (edit.start, edit.end)):
        parts += (data[at : edit.start], edit.data)
        at = edit.end
    return b"".join((*parts, data[at:]))


def apply_fix(
    fix: Fix,
    directory: str,
    write: Callable[[str, bytes], None],
    rename: Callable[[str, str], None] = os.rename,
) -> str:
    """Apply one fix to a skill's folder and return the folder's path, a new one after a renaming.

    `write` must replace a file whole or not at all. Raises `FixRefused`, `ReadFault` and `OSError`;
    then nothing was changed: where only the renaming fails, the edits are taken back.
    """
    if fix.choices:
        raise FixRefused("there are several ways to go: take one of the choices")
    folder = resolved(directory)
    target = None if fix.rename is None else _new_place(fix, folder)
    full, before = "", b""
    if fix.edits:
        full, before = read_checked(fix, folder)
        write(full, apply_fixes(before, [fix]))
    if target is None:
        return folder
    try:
        rename(folder, target)
    except OSError:
        if fix.edits:
            write(full, before)  # half a fix would be another fault: name and folder differ
        raise
    return target


def read_checked(fix: Fix, folder: str) -> tuple[str, bytes]:
    """Return the file a fix changes, resolved, and its bytes as they were checked.

    `folder` is the skill's, resolved. Raises `FixRefused` and `ReadFault`.
    """
    full = resolved(os.path.join(folder, fix.path))
    if not is_below(full, folder):
        raise FixRefused(f"{fix.path} leads out of the skill's folder")
    before, _ = read_regular(full, MAX_FILE)
    if fix.digest != digest_of(before):
        raise FixRefused(f"{fix.path} has changed since it was checked")
    return full, before


def _new_place(fix: Fix, folder: str) -> str:
    if fix.rename is None or os.path.basename(folder) != fix.rename.old:
        raise FixRefused("the folder has another name than when it was checked")
    target = os.path.join(os.path.dirname(folder), fix.rename.new)
    if os.sep in fix.rename.new or fix.rename.new in ("", ".", "..") or os.path.lexists(target):
        raise FixRefused(f"'{fix.rename.new}' is there already")
    return target


def diff_of(fix: Fix, text: str) -> str:
    """Return the unified diff of a fix's edits, "" where it has none; `text` is the file as it was checked.

    Line ends show as they are; a renaming is one line before the diff.
    """
    head = "" if fix.rename is None else f"rename {fix.rename.old} to {fix.rename.new}\n"
    after = apply_fixes(text.encode("utf-8"), [fix]).decode("utf-8", "replace")
    old, new = ([part + "\n" for part in body.split("\n")] for body in (text, after))
    lines = difflib.unified_diff(old, new, f"a/{fix.path}", f"b/{fix.path}", n=2)
    return head + "".join(lines)


def _apart(edit: Edit, other: Edit) -> bool:
    if edit.start == other.start:  # two insertions at one place have no order
        return False
    return edit.end <= other.start or other.end <= edit.start


def _in_bounds(edits: Iterable[Edit], size: int) -> bool:
    return all(0 <= edit.start <= edit.end <= size for edit in edits)

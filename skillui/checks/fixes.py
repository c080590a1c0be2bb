"""Applying safe fixes to bytes: what no edit names stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skillui.core.problems import Edit, Fix, Problem


def fixes_by_path(problems: Iterable[Problem]) -> dict[str, list[Fix]]:
    """Return the fixes of each file, a fix that several problems share once."""
    found: dict[str, list[Fix]] = {}
    for problem in problems:
        if problem.fix is not None and problem.fix not in (known := found.setdefault(problem.fix.path, [])):
            known.append(problem.fix)
    return found


def apply_fixes(data: bytes, fixes: Sequence[Fix]) -> bytes:
    """Return `data` with every fix applied whole; one that touches an edit before it waits for another run."""
    taken: list[Edit] = []
    for fix in fixes:
        edits = [edit for edit in fix.edits if edit not in taken]
        if all(_apart(edit, other) for edit in edits for other in taken) and _in_bounds(fix.edits, len(data)):
            taken += edits
    parts: list[bytes] = []
    at = 0
    for edit in sorted(taken, key=lambda edit: (edit.start, edit.end)):
        parts += (data[at : edit.start], edit.data)
        at = edit.end
    return b"".join((*parts, data[at:]))


def _apart(edit: Edit, other: Edit) -> bool:
    if edit.start == other.start:  # two insertions at one place have no order
        return False
    return edit.end <= other.start or other.end <= edit.start


def _in_bounds(edits: Iterable[Edit], size: int) -> bool:
    return all(0 <= edit.start <= edit.end <= size for edit in edits)

"""A fix: what it would change as a difference, and its application to the disk. Blocking."""

from __future__ import annotations

import os
from dataclasses import dataclass

from skillui.checks.fixes.apply import FixRefused, apply_fix, apply_fixes, read_checked
from skillui.core.files import resolved
from skillui.core.problems import Fix
from skillui.tui.model.diff import DiffLine, diff_texts
from skillui.tui.model.skill_view import SkillView
from skillui.workspace.atomic import write_bytes

__all__ = ["FixPreview", "FixRefused", "apply", "preview"]


@dataclass(frozen=True, slots=True)
class FixPreview:
    """What a fix would do."""

    about: str
    lines: tuple[DiffLine, ...]


def preview(fix: Fix, view: SkillView) -> FixPreview:
    """Show a fix on the file as it is now. Raises `FixRefused` and `ReadFault`."""
    full, before = read_checked(fix, resolved(view.entry.dir))
    after = apply_fixes(before, [fix])
    shown = view.written(os.path.join(view.entry.location, fix.path))
    renamed = shown
    about = f"{fix.title[:1].upper()}{fix.title[1:]}."
    if fix.rename is not None:
        if os.path.islink(view.entry.location):
            raise FixRefused(f"{view.written(view.entry.location)} is a link, which would lead nowhere")
        target = os.path.join(os.path.dirname(view.entry.location), fix.rename.new)
        renamed = view.written(os.path.join(target, fix.path))
        about += f" The folder {fix.rename.old} becomes {fix.rename.new}."
    elif full != _without_links(view.entry.location, fix.path):
        about += f" It is {view.written(full)} that changes: a link leads there."
    if not fix.edits:
        return FixPreview(about, (DiffLine("note", f"{shown} becomes {renamed}; no file changes"),))
    old, new = before.decode("utf-8", "replace"), after.decode("utf-8", "replace")
    return FixPreview(about, diff_texts(old, new, shown, renamed))


def apply(fix: Fix, directory: str) -> str:
    """Apply a fix whole or not at all and return the folder. Raises `FixRefused`, `ReadFault` and `OSError`."""
    return apply_fix(fix, directory, write_bytes)


def _without_links(location: str, path: str) -> str:
    """Return where a file of a skill lies when neither the skill's folder nor anything in it is a link."""
    root, name = os.path.split(location)
    return os.path.join(resolved(root), name, path)

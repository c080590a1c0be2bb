"""A difference of two texts as one text with marks."""

from __future__ import annotations

import difflib

from skillui.tui.model.marked_text import Mark, MarkedText

_STYLES = {"+": "$state-ok", "-": "$state-broken", "@": "$text-muted"}


def plain_diff(old: str, new: str, old_name: str, new_name: str) -> MarkedText:
    """Return the unified difference, "" where there is none. Blocking: large texts belong in a thread.

    Only `\\n` ends a line, so that no other character of a text can pose as the beginning of one.
    """
    lines = list(difflib.unified_diff(_lines(old), _lines(new), old_name, new_name, lineterm=""))
    marks, at = [], 0
    for line in lines:
        if (style := _STYLES.get(line[:1])) is not None:
            marks.append(Mark(at, at + len(line), style))
        at += len(line) + 1
    return MarkedText("\n".join(lines), tuple(marks))


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[-1]:
        lines[-1] += "  (no newline at the end)"
        return lines
    return lines[:-1]

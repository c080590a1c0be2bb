"""What the top line says and what of it gives way when there is no room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from textual.content import Content

from skillui.tui.glyphs import glyphs
from skillui.tui.safe_text import safe

_NONE: Final = Content("")
_GAP: Final = "   "
_LEAST_PATH: Final = 8
_LONGEST_PATH: Final = 4_096


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode that exists. `badge` stands behind its title: how many wait, that something is going on."""

    name: str
    """As `ModeRequested` names it."""
    key: str
    title: str
    badge: Content = _NONE


@dataclass(frozen=True, slots=True)
class Reading:
    """How far a scan is, in skill folders."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class TopLine:
    """Everything the top line can say."""

    modes: tuple[Mode, ...] = (
        Mode("browse", "1", "Browse"),
        Mode("review", "2", "Review"),
        Mode("session", "3", "Session"),
    )
    """Those that exist, in order."""
    active: str = "browse"
    path: str = ""
    """The project as a person would write it; any text."""
    roots: int | None = None
    lens: str | None = None
    """Whose eyes the skills are read with; None while there is only one pair."""
    watching: bool | None = None
    """Whether changes are noticed; None while that is not known."""
    reading: Reading | None = None
    """Set while a scan runs; shown instead of `watching`."""
    demo: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A mode in its place on the line, from `start` up to `end` in cells."""

    mode: str
    label: Content
    start: int
    end: int


def middle_cut(content: Content, width: int) -> Content:
    """Shorten `content` to `width` cells by taking away its middle: both ends of a path say something."""
    if content.cell_length <= width:
        return content
    if width < 3:
        return content.truncate(max(0, width), ellipsis=True)
    tail_room = (width - 1) * 2 // 3
    head = content.truncate(width - 1 - tail_room)
    text = content.plain
    cut = max(0, len(text) - tail_room)
    while cell_len(text[cut:]) > tail_room:
        cut += 1
    return Content.assemble(head.rstrip(" "), glyphs().ellipsis, content[cut:])


def place_modes(line: TopLine, width: int, start: int) -> list[Placed]:
    """Lay the modes out from cell `start`; where they do not fit, all but the active one lose their titles."""
    for short in (False, True):
        placed, at = [], start
        for mode in line.modes:
            title = "" if short and mode.name != line.active else f" {mode.title}"
            label = Content.assemble((f" {mode.key}{title}", ""), " " if mode.badge else "", mode.badge.first_line, " ")
            placed.append(Placed(mode.name, label, at, at + label.cell_length))
            at = placed[-1].end
        if at <= width:
            break
    return [one for one in placed if one.end <= width]


def facts(line: TopLine, width: int) -> Content:
    """Return what stands on the right in at most `width` cells.

    The lens gives way first, then the number of roots, then most of the path, then the words behind a sign.
    """
    path = safe(line.path[:_LONGEST_PATH])
    for lens, roots, least, words in (
        (True, True, 24, True),
        (False, True, 24, True),
        (False, False, _LEAST_PATH, True),
        (False, False, _LEAST_PATH, False),
        (False, False, 0, True),
        (False, False, 0, False),
    ):
        fixed = _parts(line, lens, roots, words)
        used = sum(part.cell_length + len(_GAP) for part in fixed)
        room = width - used if fixed else width
        if room < min(least, path.cell_length) or used - len(_GAP) > width:
            continue
        shown = [middle_cut(path, room)] if line.path and least else []
        return Content(_GAP).join([*shown, *fixed])
    return Content("")


def _parts(line: TopLine, lens: bool, roots: bool, words: bool) -> Sequence[Content]:
    parts = []
    if line.demo:
        parts.append(Content.styled("demo", "bold $state-untrusted"))
    if roots and line.roots is not None:
        parts.append(Content.assemble(("roots ", "$text-muted"), f"{line.roots:,}"))
    if lens and line.lens is not None:
        parts.append(Content.assemble(("lens ", "$text-muted"), safe(line.lens, "bold")))
    if (watch := _watch(line, words)) is not None:
        parts.append(watch)
    return parts


def _watch(line: TopLine, words: bool) -> Content | None:
    signs = glyphs()
    if line.reading is not None:
        done, total = line.reading.done, line.reading.total
        figures = f"{done:,} / {total:,}" if words else f"{100 * done // max(1, total)}%"
        return Content.styled(f"reading {figures}" if words else figures, "$accent")
    if line.watching is None:
        return None
    if line.watching:
        return Content.styled(f"{signs.refresh} watching" if words else signs.refresh, "$state-ok")
    return Content.styled("not watching" if words else f"{signs.cross}{signs.refresh}", "$state-untrusted")

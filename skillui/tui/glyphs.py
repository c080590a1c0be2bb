"""The signs of the interface: each state has a glyph, a word and a colour, never one of them alone."""

from __future__ import annotations

import codecs
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

StateName = Literal["ok", "broken", "untrusted", "disabled", "shadowed", "loaded", "stale", "sensitive"]


@dataclass(frozen=True, slots=True)
class State:
    """What a skill's state looks like: one cell, one word, one theme variable."""

    glyph: str
    word: str
    style: str
    """A Textual style such as `$state-ok`."""


_STATES: Final[dict[StateName, tuple[str, str, str, str]]] = {
    # state: (Unicode glyph, ASCII glyph, word, style)
    "ok": ("✓", "+", "ok", "$state-ok"),
    "broken": ("✗", "x", "broken", "$state-broken"),
    "untrusted": ("◌", "?", "untrusted", "$state-untrusted"),
    "disabled": ("⊘", "-", "disabled", "$state-disabled"),
    "shadowed": ("└", "`", "shadowed", "$state-shadowed"),
    "loaded": ("●", "*", "loaded", "$state-loaded"),
    "stale": ("↻", "~", "stale", "$state-untrusted"),
    "sensitive": ("!", "!", "sensitive", "$state-sensitive"),
}


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs; every field but `bars` is a single cell wide unless it says so."""

    ascii_only: bool
    states: Mapping[StateName, State]
    ellipsis: str
    separator: str
    """Between two figures on one line."""
    dot: str
    cross: str
    check: str
    warning: str
    info: str
    flag: str
    refresh: str
    branch: str
    """Before a row that hangs under the one above."""
    arrow: str
    """From what was asked to what came of it."""
    unequal: str
    opened: str
    closed: str
    more_above: str
    more_below: str
    bars: str
    """Signs of a short bar, the lowest first."""
    border: Literal["round", "ascii"]
    """Name of the border style for panes."""
    heavy_border: Literal["heavy", "ascii"]
    """Name of the border style for prompts."""

    def bar(self, value: float, most: float, cells: int = 3) -> str:
        """Draw `value` against `most` as a bar of exactly `cells` cells; anything above nothing shows."""
        if value <= 0 or most <= 0:
            return " " * cells
        filled = min(cells, math.ceil(cells * value / most))
        top = len(self.bars) - 1
        steps = (self.bars[round(top * step / max(1, cells - 1))] for step in range(filled))
        return "".join(steps).ljust(cells)


def _states(ascii_only: bool) -> dict[StateName, State]:
    return {
        name: State(plain if ascii_only else glyph, word, style)
        for name, (glyph, plain, word, style) in _STATES.items()
    }


UNICODE: Final = Glyphs(
    ascii_only=False,
    states=_states(False),
    ellipsis="…",
    separator="·",
    dot="●",
    cross="✗",
    check="✓",
    warning="▲",
    info="ℹ",
    flag="⚑",
    refresh="⟳",
    branch="└",
    arrow="→",
    unequal="≠",
    opened="▾",
    closed="▸",
    more_above="▴",
    more_below="▾",
    bars="▂▄▆",
    border="round",
    heavy_border="heavy",
)
"""For terminals that speak UTF-8."""

ASCII: Final = Glyphs(
    ascii_only=True,
    states=_states(True),
    ellipsis="~",
    separator="|",
    dot="*",
    cross="x",
    check="+",
    warning="!",
    info="i",
    flag="!",
    refresh="@",
    branch="`",
    arrow=">",
    unequal="#",
    opened="v",
    closed=">",
    more_above="^",
    more_below="v",
    bars="#",
    border="ascii",
    heavy_border="ascii",
)
"""For terminals that do not, and for whoever sets SKILLUI_ASCII."""


def glyphs_for(encoding: str | None, environ: Mapping[str, str]) -> Glyphs:
    """Choose the set for a terminal's encoding; SKILLUI_ASCII set to anything but 0 asks for plain signs."""
    if environ.get("SKILLUI_ASCII", "0") not in ("", "0"):
        return ASCII
    try:
        unicode_terminal = codecs.lookup(encoding or "ascii").name.startswith("utf")
    except LookupError:
        unicode_terminal = False
    return UNICODE if unicode_terminal else ASCII


@cache
def glyphs() -> Glyphs:
    """Return the set for the terminal of this process, chosen once."""
    return glyphs_for(terminal_encoding(), os.environ)


def terminal_encoding() -> str | None:
    """Return the encoding of the terminal of this process."""
    # Textual replaces sys.stdout while it runs; the terminal is behind the original.
    return getattr(sys.__stdout__, "encoding", None)

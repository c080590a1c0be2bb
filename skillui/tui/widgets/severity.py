"""How grave a problem is, as a sign and a colour; the same in every pane."""

from __future__ import annotations

from collections.abc import Iterable

from skillui.core import Problem, Severity
from skillui.tui.glyphs import glyphs

STYLES = {
    Severity.ERROR: "$state-broken",
    Severity.WARNING: "$state-untrusted",
    Severity.NOTE: "$text-muted",
}


def sign_of(severity: Severity) -> str:
    """Return the one-cell sign of a severity."""
    signs = glyphs()
    return {Severity.ERROR: signs.cross, Severity.WARNING: signs.warning, Severity.NOTE: signs.info}[severity]


def style_of(severity: Severity) -> str:
    """Return the theme style of a severity."""
    return STYLES[severity]


def gravest(problems: Iterable[Problem]) -> Severity | None:
    """Return the highest severity there is."""
    return min((problem.severity for problem in problems), key=lambda severity: severity.rank, default=None)

"""What was measured, beside what it should be: as a table and as JSON."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value; `limit` is the target it must not pass, None where none was set."""

    name: str
    skills: int
    value: float
    unit: str
    limit: float | None = None
    base: str = ""
    """What it was measured against or made of, in words."""

    @property
    def verdict(self) -> str:
        """Whether the target was met."""
        if self.limit is None:
            return ""
        return "ok" if self.value <= self.limit else "missed"

    def to_json(self) -> dict[str, Any]:
        """Return every field and the verdict."""
        return {**asdict(self), "verdict": self.verdict}


def table(figures: Iterable[Figure]) -> str:
    """Return the figures as lines of equal columns."""
    head = ("figure", "skills", "measured", "target", "", "of")
    rows = [head, *(_cells(figure) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = []
    for row in rows:
        right = {1, 2, 3}
        cells = [
            text.rjust(width) if index in right else text.ljust(width)
            for index, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _cells(figure: Figure) -> tuple[str, ...]:
    limit = "" if figure.limit is None else f"<= {_number(figure.limit)} {figure.unit}"
    measured = f"{_number(figure.value)} {figure.unit}"
    return figure.name, f"{figure.skills:,}", measured, limit, figure.verdict, figure.base


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"


def milliseconds(seconds: float) -> str:
    """Write a time for the last column of the table."""
    return f"{seconds * 1000:,.1f} ms"


def percentile(values: Sequence[float], part: float) -> float:
    """Return the value below which `part` (0 to 1) of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def median(values: Sequence[float]) -> float:
    """Return the median."""
    return statistics.median(values)

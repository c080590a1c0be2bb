"""The fields of a frontmatter as rows: value after normalisation, type, who knows and who reads it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from skillui.core import ParsedSkill, Severity
from skillui.core.reading import Field
from skillui.core.schema import KNOWN_FIELDS
from skillui.core.text import json_safe

_REQUIRED: Final = ("name", "description")
_LONGEST: Final = 2_000
_TYPES: Final = {
    "str": "text",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "null": "null",
    "seq": "list",
    "map": "map",
}


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One key. `line` and `column` are the file's, 1-based; None for a required key that is missing."""

    key: str
    line: int | None
    column: int | None
    value: str
    """What the engine makes of it, as text; bounded."""
    type: str
    """As written: text, int, float, bool, null, list or map; "missing" for a required key that is not there."""
    known: bool
    """The specification gives it a meaning."""
    severity: Severity | None
    """The gravest problem with it."""
    used: bool = True
    """The engine kept a value: neither left out nor refused."""


def field_rows(parsed: ParsedSkill) -> tuple[FieldRow, ...]:
    """Return a row for each key in the file's order, and for each required one that is missing."""
    worst = _worst(parsed)
    rows = [_row(field, parsed, worst.get(field.key)) for field in parsed.fields]
    present = {row.key for row in rows}
    # Without any fields nothing was read, and what is missing cannot be told.
    missing = [key for key in _REQUIRED if key not in present] if parsed.frontmatter_text is not None and rows else []
    rows += [FieldRow(key, None, None, "", "missing", True, worst.get(key), False) for key in missing]
    return tuple(rows)


def value_text(value: Any) -> str:
    """Return a normalised value as one bounded text, the way a person would write it."""
    if isinstance(value, str):
        return value[:_LONGEST]
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and all(isinstance(item, str) for item in islice(value, 200)):
        return ", ".join(str(item) for item in value[:200])[:_LONGEST]
    return json.dumps(json_safe(value), ensure_ascii=False)[:_LONGEST]


def _worst(parsed: ParsedSkill) -> dict[str, Severity]:
    worst: dict[str, Severity] = {}
    for problem in parsed.problems:
        if problem.field is not None:
            known = worst.get(problem.field)
            if known is None or problem.severity.rank < known.rank:
                worst[problem.field] = problem.severity
    return worst


def _row(field: Field, parsed: ParsedSkill, severity: Severity | None) -> FieldRow:
    used = field.key in parsed.frontmatter
    value = value_text(parsed.frontmatter[field.key]) if used else (field.raw or "")[:_LONGEST]
    kind = _TYPES.get(field.type, field.type)
    return FieldRow(field.key, field.line, field.column, value, kind, field.key in KNOWN_FIELDS, severity, used)

"""What reading one frontmatter comes to: the fields as they stand, their values, the problems."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

from skillui.core import yaml_reader
from skillui.core.problems import ErrorCode, Problem, Severity
from skillui.core.text import escaped

ABSENT = object()
"""The value of a field that counts as left out."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One declared named argument (§4.3, §9)."""

    name: str
    required: bool = False
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """One top-level key as it stands in the file; lines and columns are the file's, 1-based."""

    key: str
    line: int
    column: int
    value_line: int
    value_column: int
    type: str
    """The core-schema type of the value as written: str, int, float, bool, null, seq or map."""
    raw: str | None
    """A scalar's text after YAML's own unquoting, None for a list or mapping."""


@dataclass(slots=True)
class Reading:
    """What the fields of one frontmatter came to."""

    path: str
    offset: int
    values: dict[str, Any] = field(default_factory=dict)
    nodes: list[tuple[yaml.Node, yaml.Node]] = field(default_factory=list)
    """Key and value of each field, in the file's order."""
    arguments: tuple[Argument, ...] | None = None
    problems: list[Problem] = field(default_factory=list)

    def report(
        self,
        node: yaml.Node | None,
        message: str,
        *,
        key: str,
        hint: str | None = None,
        code: str = ErrorCode.INVALID_FRONTMATTER,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Record a problem at a node, or at the first line of the file where there is no node."""
        line, column = (node.start_mark.line + 1 + self.offset, node.start_mark.column + 1) if node else (1, 1)
        self.problems.append(Problem(code, severity, escaped(message), self.path, line, column, hint, key))

    def warn(self, node: yaml.Node, code: str, message: str, *, key: str, hint: str | None = None) -> None:
        """Record a warning: activation goes on."""
        self.report(node, message, key=key, hint=hint, code=code, severity=Severity.WARNING)

    def left_out(self, node: yaml.Node, key: str) -> object:
        """Warn of a field without a value and return `ABSENT`."""
        self.warn(
            node, "EMPTY_FIELD", f"field '{key}' is empty and counts as left out", key=key,
            hint="write a value or remove the line",
        )  # fmt: skip
        return ABSENT


def field_of(key: yaml.Node, node: yaml.Node, offset: int) -> Field:
    """Return one top-level key as it stands in the file."""
    raw = node.value if isinstance(node, yaml.ScalarNode) else None
    return Field(
        key.value,
        key.start_mark.line + 1 + offset,
        key.start_mark.column + 1,
        node.start_mark.line + 1 + offset,
        node.start_mark.column + 1,
        yaml_reader.kind(node),
        raw,
    )

"""One SKILL.md, parsed: the single path from bytes to meaning that every caller takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import yaml

from skillui.core import frontmatter, schema, yaml_reader
from skillui.core.problems import ErrorCode, Problem, Severity
from skillui.core.reading import Argument, Field, Reading, field_of
from skillui.core.text import clipped, escaped


@dataclass(frozen=True)
class ParsedSkill:
    """A SKILL.md after parsing, valid or not; nothing of it is ever lost.

    `text` is the whole decoded file, with U+FFFD for what is not UTF-8 in a file that is broken by it.
    `frontmatter` holds the normalised fields in the file's order. `body_line` is the file's line on
    which the body begins, 1-based.
    """

    folder: str
    path: str
    text: str
    body: str
    body_line: int
    frontmatter: dict[str, Any]
    arguments: tuple[Argument, ...] | None
    """Declared named arguments; None where the skill declares none."""
    problems: tuple[Problem, ...]
    """Gravest first; a single error means that activation refuses."""
    frontmatter_text: str | None = None
    """The text between the fences, None where there is no frontmatter."""
    nodes: list[tuple[yaml.Node, yaml.Node]] = field(default_factory=list, repr=False, compare=False)

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The top-level keys as they stand in the file; empty where the frontmatter does not parse."""
        return tuple(field_of(key, node, 1) for key, node in self.nodes)

    @property
    def name(self) -> str:
        """The declared name, or the folder's where none can be read."""
        name = self.frontmatter.get("name")
        return name if isinstance(name, str) else self.folder

    @property
    def description(self) -> str:
        """The description as written, "" where it is missing."""
        text = self.frontmatter.get("description")
        return text if isinstance(text, str) else ""

    @cached_property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that make activation refuse."""
        return tuple(problem for problem in self.problems if problem.severity is Severity.ERROR)

    @property
    def valid(self) -> bool:
        """Tell whether the engine would load it."""
        return not self.errors

    @property
    def allowed_tools(self) -> tuple[str, ...]:
        """The declared tools, normalised; advisory only (§6)."""
        return tuple(self.frontmatter.get("allowed-tools", ()))


def model_may_invoke(fields: dict[str, Any]) -> bool:
    """Tell from normalised frontmatter whether a model may load the skill (§4.3)."""
    return fields.get("disable-model-invocation") is not True


def user_may_invoke(fields: dict[str, Any]) -> bool:
    """Tell from normalised frontmatter whether a menu for people lists the skill (§4.3)."""
    return fields.get("user-invocable") is not False


def parse_skill(data: bytes, folder: str, path: str) -> ParsedSkill:
    """Parse the bytes of a SKILL.md that lies in a folder named `folder`; never raises.

    `path` is only named in problems. Any bytes give a result within a second.
    """
    try:
        text = frontmatter.decode(data)
    except frontmatter.EncodingFault as fault:
        return _unreadable(data, folder, path, fault)
    sections = frontmatter.split(text)
    if sections.frontmatter is None:
        return _broken(folder, path, text, sections, _no_frontmatter(path, sections))
    if not sections.closed:
        problem = Problem(
            ErrorCode.INVALID_FRONTMATTER, Severity.ERROR,
            "frontmatter is not closed: no line `---` follows the first one", path, 1, 1,
            "add a line `---` after the last field",
        )  # fmt: skip
        return _broken(folder, path, text, sections, problem)
    size = len(sections.frontmatter.encode("utf-8"))
    if size > frontmatter.MAX_FRONTMATTER:
        problem = Problem(
            ErrorCode.INVALID_FRONTMATTER, Severity.ERROR,
            f"frontmatter is {size:,} bytes, past the limit of {frontmatter.MAX_FRONTMATTER:,}", path, 2, 1,
            "move the text into the body",
        )  # fmt: skip
        return _broken(folder, path, text, sections, problem)
    return _parse_sections(folder, path, text, sections, sections.frontmatter)


def _parse_sections(folder: str, path: str, text: str, sections: frontmatter.Sections, inner: str) -> ParsedSkill:
    try:
        root = yaml_reader.compose(inner)
    except yaml_reader.YamlFault as fault:
        problem = Problem(
            ErrorCode.INVALID_FRONTMATTER, Severity.ERROR, escaped(fault.reason), path, fault.line + 1, fault.column,
            escaped(fault.hint) if fault.hint else None,
        )  # fmt: skip
        return _broken(folder, path, text, sections, problem)
    reading = schema.read_fields(root, path, offset=1)
    problems = reading.problems + _mismatch(reading, folder, path)
    problems.sort(key=lambda problem: problem.severity.rank)
    return ParsedSkill(
        folder, path, text, sections.body, sections.body_line, reading.values, reading.arguments,
        tuple(problems), sections.frontmatter, reading.nodes,
    )  # fmt: skip


def _mismatch(reading: Reading, folder: str, path: str) -> list[Problem]:
    """Report a name that is not its folder's (§4.5, rule 3)."""
    name = reading.values.get("name")
    if name is None or name == folder:
        return []
    place = next(field_of(key, node, reading.offset) for key, node in reading.nodes if key.value == "name")
    return [
        Problem(
            ErrorCode.NAME_MISMATCH, Severity.ERROR,
            f"declared name '{clipped(name)}' does not match the folder '{clipped(folder)}'", path,
            place.value_line, place.value_column, "rename the folder or the name so that both are the same", "name",
        )
    ]  # fmt: skip


def _no_frontmatter(path: str, sections: frontmatter.Sections) -> Problem:
    hint = "begin the file with a line `---`, the fields, and a closing line `---`"
    if sections.late_fence_line is not None:
        hint = f"the first `---` stands on line {sections.late_fence_line}; move it to line 1"
    return Problem(
        ErrorCode.INVALID_FRONTMATTER, Severity.ERROR,
        "the file has no frontmatter: required fields 'name' and 'description' are missing", path, 1, 1, hint,
    )  # fmt: skip


def _unreadable(data: bytes, folder: str, path: str, fault: frontmatter.EncodingFault) -> ParsedSkill:
    start = data.rfind(b"\n", 0, fault.offset) + 1
    line = data.count(b"\n", 0, fault.offset) + 1
    column = len(data[start : fault.offset].decode("utf-8", "replace")) + 1
    problem = Problem(
        ErrorCode.INVALID_FRONTMATTER,
        Severity.ERROR,
        fault.reason,
        path,
        line,
        column,
        "save the file as UTF-8",
    )
    return ParsedSkill(folder, path, data.decode("utf-8", "replace"), "", 1, {}, None, (problem,))


def _broken(folder: str, path: str, text: str, sections: frontmatter.Sections, problem: Problem) -> ParsedSkill:
    return ParsedSkill(
        folder, path, text, sections.body, sections.body_line, {}, None, (problem,), sections.frontmatter
    )

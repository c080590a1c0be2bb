"""The frontmatter schema (specification §4, rulings in ENGINE): validation and normalisation of each field."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import yaml

from skillui.core import yaml_reader
from skillui.core.problems import ErrorCode, Problem, Severity
from skillui.core.text import clipped, escaped

NAME_PATTERN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""What a whole name must match (§4.1)."""
MAX_NAME = 64
MAX_DESCRIPTION = 1024
MAX_COMPATIBILITY = 500
MAX_ARGUMENT_HINT = 200

_SEMVER = re.compile(
    r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
    r"(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?",
    re.ASCII,
)
_TOOL = re.compile(r"(?:[^\s,()]|\([^()]*\))+")
_PLAIN_TOOLS = re.compile(r"(?:[^()]|\([^()]*\))*")
_ARGUMENT_NAME = re.compile(r"[^\s{}$,]+")
_SWITCHES = ("disable-model-invocation", "user-invocable")
KNOWN_FIELDS = (
    "name",
    "description",
    "version",
    "argument-hint",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
    *_SWITCHES,
    "arguments",
)
"""Keys the specification gives a meaning (§4.1 to §4.3); all others are kept as they are (§4.4)."""


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


_Normalise = Callable[[Reading, str, yaml.Node], Any]
_ABSENT = object()


def read_fields(root: yaml.MappingNode | None, path: str, offset: int) -> Reading:
    """Validate and normalise every field, required ones first (§4.5, rule 2).

    `offset` is the number of file lines above the frontmatter's first one.
    """
    reading = Reading(path, offset)
    if root is not None:
        reading.nodes = root.value
    nodes = {key_node.value: node for key_node, node in reading.nodes}
    for key in ("name", "description"):
        if key not in nodes:
            reading.report(
                None,
                f"required field '{key}' is missing",
                key=key,
                hint=f"add a line `{key}: ...` between the fences",
            )
    for key, node in nodes.items():
        try:
            result = _NORMALISERS.get(key, _keep)(reading, key, node)
        except yaml_reader.YamlFault as fault:  # an integer past the limit
            reading.problems.append(
                Problem(
                    ErrorCode.INVALID_FRONTMATTER, Severity.ERROR, escaped(fault.reason), path,
                    fault.line + offset, fault.column, fault.hint, key,
                )
            )  # fmt: skip
            continue
        if result is not _ABSENT:
            reading.values[key] = result
    _required_first(reading)
    return reading


def _required_first(reading: Reading) -> None:
    order = {"name": 0, "description": 1}
    reading.problems.sort(key=lambda problem: (problem.severity.rank, order.get(problem.field or "", 2)))


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


def _keep(reading: Reading, key: str, node: yaml.Node) -> Any:
    return yaml_reader.value(node)


def _scalar_text(reading: Reading, key: str, node: yaml.Node, *, required: bool = False) -> str | None:
    """Return a string field's text as written, None where it is missing or no text (reported)."""
    if not isinstance(node, yaml.ScalarNode):
        what = "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
        reading.report(node, f"field '{key}' is {what}, not text", key=key, hint=f'quote the value: {key}: "..."')
        return None
    if yaml_reader.is_null(node) or not node.value.strip():
        if required:
            hint = f"write the text after `{key}:`; a value that begins with `#` is a comment unless it is quoted"
            reading.report(node, f"required field '{key}' is missing or empty", key=key, hint=hint)
        else:
            reading.warn(
                node, "EMPTY_FIELD", f"field '{key}' is empty and counts as left out", key=key,
                hint="write a value or remove the line",
            )  # fmt: skip
        return None
    return str(node.value)


def _name(reading: Reading, key: str, node: yaml.Node) -> Any:
    text = _scalar_text(reading, key, node, required=True)
    if text is None:
        return _ABSENT
    if len(text) > MAX_NAME:
        reading.report(
            node, f"name is {len(text)} characters, past the limit of {MAX_NAME}", key=key, hint="shorten it"
        )
    elif not NAME_PATTERN.fullmatch(text):
        reading.report(
            node, f"name '{clipped(text)}' is not lowercase-kebab-case", key=key,
            hint="use a-z, 0-9 and single hyphens between them, for example `review-changes`",
        )  # fmt: skip
    return text


def _description(reading: Reading, key: str, node: yaml.Node) -> Any:
    text = _scalar_text(reading, key, node, required=True)
    if text is None:
        return _ABSENT
    return _bounded(reading, key, node, text, MAX_DESCRIPTION)


def _bounded(reading: Reading, key: str, node: yaml.Node, text: str, limit: int) -> str:
    length = len(text.strip())
    if length > limit:
        reading.report(
            node,
            f"field '{key}' is {length:,} characters, past the limit of {limit:,}",
            key=key,
            hint="shorten it",
        )
    return text


def _limited(limit: int) -> _Normalise:
    def normalise(reading: Reading, key: str, node: yaml.Node) -> Any:
        text = _scalar_text(reading, key, node)
        return _ABSENT if text is None else _bounded(reading, key, node, text, limit)

    return normalise


def _text(reading: Reading, key: str, node: yaml.Node) -> Any:
    text = _scalar_text(reading, key, node)
    return _ABSENT if text is None else text


def _version(reading: Reading, key: str, node: yaml.Node) -> Any:
    text = _scalar_text(reading, key, node)
    if text is None:
        return _ABSENT
    if not _SEMVER.fullmatch(text.strip()):
        reading.warn(
            node, "VERSION_NOT_SEMVER", f"version '{clipped(text)}' is not a semantic version", key=key,
            hint="write three numbers, for example 1.2.0",
        )  # fmt: skip
    return text


def _argument_hint(reading: Reading, key: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.SequenceNode) and node.flow_style:
        text = _flow_text(node)
        reading.warn(
            node, "ARGUMENT_HINT_LIST", f"argument-hint is a list and is read as its text {clipped(text)}", key=key,
            hint=f'quote it: argument-hint: "{clipped(text)}"',
        )  # fmt: skip
        return _bounded(reading, key, node, text, MAX_ARGUMENT_HINT)
    return _limited(MAX_ARGUMENT_HINT)(reading, key, node)


def _flow_text(node: yaml.Node) -> str:
    """Return the text of a flow list or mapping as an author would have meant it."""
    if isinstance(node, yaml.SequenceNode):
        return "[" + ", ".join(_flow_text(item) for item in node.value) + "]"
    if isinstance(node, yaml.MappingNode):
        return "{" + ", ".join(f"{key.value}: {_flow_text(item)}" for key, item in node.value) + "}"
    return str(node.value)


def _metadata(reading: Reading, key: str, node: yaml.Node) -> Any:
    if yaml_reader.is_null(node):
        return _empty(reading, key, node)
    if not isinstance(node, yaml.MappingNode):
        reading.report(
            node,
            "field 'metadata' is not a mapping",
            key=key,
            hint="write `metadata:` and indented `key: value` lines",
        )
        return _ABSENT
    for item_key, item in node.value:
        if not isinstance(item, yaml.ScalarNode):
            reading.warn(
                item, "NESTED_METADATA", f"metadata '{clipped(item_key.value)}' is a list or mapping, not text",
                key=key, hint="keep one level of `key: text` lines",
            )  # fmt: skip
            break
    return _as_written(node)


def _as_written(node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {key.value: _as_written(item) for key, item in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_as_written(item) for item in node.value]
    return node.value


def _empty(reading: Reading, key: str, node: yaml.Node) -> Any:
    reading.warn(
        node, "EMPTY_FIELD", f"field '{key}' is empty and counts as left out", key=key,
        hint="write a value or remove the line",
    )  # fmt: skip
    return _ABSENT


def _switch(reading: Reading, key: str, node: yaml.Node) -> Any:
    if yaml_reader.kind(node) == "bool":
        return node.value.lower() == "true"
    shown = clipped(str(node.value)) if isinstance(node, yaml.ScalarNode) else "a list or mapping"
    reading.report(
        node,
        f"field '{key}' is neither true nor false but '{shown}'",
        key=key,
        hint=f"write `{key}: true` or `{key}: false`",
    )
    return _ABSENT


def _allowed_tools(reading: Reading, key: str, node: yaml.Node) -> Any:
    if yaml_reader.is_null(node):
        return _empty(reading, key, node)
    if isinstance(node, yaml.SequenceNode):
        if not all(isinstance(item, yaml.ScalarNode) and yaml_reader.is_string(item) for item in node.value):
            reading.report(
                node,
                "field 'allowed-tools' holds something that is not text",
                key=key,
                hint="write a list of tool names",
            )
            return _ABSENT
        tools = [item.value for item in node.value]
        balanced = all(_balanced(tool) for tool in tools)
    elif isinstance(node, yaml.ScalarNode) and yaml_reader.is_string(node):
        tools, balanced = split_tools(node.value), _balanced(node.value)
    else:
        reading.report(
            node,
            "field 'allowed-tools' is neither text nor a list of text",
            key=key,
            hint="write `allowed-tools: Read, Grep`",
        )
        return _ABSENT
    if not balanced:
        reading.warn(
            node, "UNBALANCED_PARENTHESES", "allowed-tools has unbalanced parentheses", key=key,
            hint="close each `(` with a `)`, as in Bash(git log:*)",
        )  # fmt: skip
    return tools


def split_tools(text: str) -> list[str]:
    """Split an `allowed-tools` text at commas and white space outside parentheses."""
    if _PLAIN_TOOLS.fullmatch(text):  # no nesting, nothing unbalanced: nearly every file
        return _TOOL.findall(text)
    tools: list[str] = []
    depth, word = 0, ""
    for char in text:
        depth = max(0, depth + (char == "(") - (char == ")"))
        if depth == 0 and (char == "," or char.isspace()):
            if word:
                tools.append(word)
            word = ""
        else:
            word += char
    if word.strip():
        tools.append(word.strip())
    return tools


def _balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return False
    return depth == 0


def _arguments(reading: Reading, key: str, node: yaml.Node) -> Any:
    if yaml_reader.is_null(node):
        return _empty(reading, key, node)
    if isinstance(node, yaml.MappingNode):
        declared = [_declared(reading, name, item) for name, item in node.value]
    elif isinstance(node, yaml.SequenceNode):
        declared = [_declared(reading, item, None) for item in node.value]
    else:
        declared = [_named(reading, node, word) for word in str(node.value).split()]
    good = [argument for argument in declared if argument is not None]
    counts = Counter(argument.name for argument in good)
    for name in sorted(name for name, count in counts.items() if count > 1):
        reading.report(node, f"argument '{name}' is declared twice", key=key, hint="keep one")
    reading.arguments = tuple(good)
    return yaml_reader.value(node)


def _named(reading: Reading, node: yaml.Node, name: str) -> Argument | None:
    if not _ARGUMENT_NAME.fullmatch(name):
        reading.report(
            node, f"'{clipped(name)}' cannot be the name of an argument", key="arguments",
            hint="use a name without blanks, commas, braces or `$`",
        )  # fmt: skip
        return None
    return Argument(name)


def _declared(reading: Reading, name: yaml.Node, spec: yaml.Node | None) -> Argument | None:
    if not isinstance(name, yaml.ScalarNode) or yaml_reader.is_null(name):
        reading.report(
            name, "field 'arguments' lists something that is not a name", key="arguments",
            hint="write `arguments:` and indented `name: {required: true}` lines",
        )  # fmt: skip
        return None
    argument = _named(reading, name, name.value)
    if argument is None or spec is None or yaml_reader.is_null(spec):
        return argument
    if not isinstance(spec, yaml.MappingNode):
        reading.report(
            spec, f"argument '{argument.name}' is declared as neither a mapping nor nothing", key="arguments",
            hint=f"write `{argument.name}: {{description: ...}}`",
        )  # fmt: skip
        return argument
    return _with_attributes(reading, argument, {key.value: item for key, item in spec.value})


def _with_attributes(reading: Reading, argument: Argument, spec: dict[str, yaml.Node]) -> Argument:
    required = spec.get("required")
    if required is not None and yaml_reader.kind(required) != "bool":
        reading.report(
            required, f"'required' of argument '{argument.name}' is neither true nor false", key="arguments",
            hint="write `required: true` or `required: false`",
        )  # fmt: skip
    kind = spec.get("type")
    if kind is not None and kind.value != "string":
        shown = clipped(str(kind.value)) if isinstance(kind, yaml.ScalarNode) else "a list or mapping"
        reading.warn(
            kind, "ARGUMENT_TYPE", f"argument '{argument.name}' has type '{shown}'; every argument is text",
            key="arguments",
            hint="write `type: string`",
        )  # fmt: skip
    about = spec.get("description")
    text = about.value if isinstance(about, yaml.ScalarNode) and not yaml_reader.is_null(about) else None
    is_required = required is not None and required.tag.endswith("bool") and required.value.lower() == "true"
    return Argument(argument.name, is_required, text)


_NORMALISERS: dict[str, _Normalise] = {
    "name": _name,
    "description": _description,
    "version": _version,
    "argument-hint": _argument_hint,
    "license": _text,
    "compatibility": _limited(MAX_COMPATIBILITY),
    "metadata": _metadata,
    "allowed-tools": _allowed_tools,
    "disable-model-invocation": _switch,
    "user-invocable": _switch,
    "arguments": _arguments,
}

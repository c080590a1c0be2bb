"""The frontmatter schema (specification §4, rulings in ENGINE): validation and normalisation of each field."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import yaml

from skillui.core import yaml_reader
from skillui.core.arguments import read_arguments
from skillui.core.problems import ErrorCode, Problem, Severity
from skillui.core.reading import ABSENT, Reading
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


_Normalise = Callable[[Reading, str, yaml.Node], Any]


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
        if result is not ABSENT:
            reading.values[key] = result
    _required_first(reading)
    return reading


def _required_first(reading: Reading) -> None:
    order = {"name": 0, "description": 1}
    reading.problems.sort(key=lambda problem: (problem.severity.rank, order.get(problem.field or "", 2)))


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
        return ABSENT
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
        return ABSENT
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
        return ABSENT if text is None else _bounded(reading, key, node, text, limit)

    return normalise


def _text(reading: Reading, key: str, node: yaml.Node) -> Any:
    text = _scalar_text(reading, key, node)
    return ABSENT if text is None else text


def _version(reading: Reading, key: str, node: yaml.Node) -> Any:
    text = _scalar_text(reading, key, node)
    if text is None:
        return ABSENT
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
        return reading.left_out(node, key)
    if not isinstance(node, yaml.MappingNode):
        reading.report(
            node,
            "field 'metadata' is not a mapping",
            key=key,
            hint="write `metadata:` and indented `key: value` lines",
        )
        return ABSENT
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
    return ABSENT


def _allowed_tools(reading: Reading, key: str, node: yaml.Node) -> Any:
    if yaml_reader.is_null(node):
        return reading.left_out(node, key)
    if isinstance(node, yaml.SequenceNode):
        if not all(isinstance(item, yaml.ScalarNode) and yaml_reader.is_string(item) for item in node.value):
            reading.report(
                node,
                "field 'allowed-tools' holds something that is not text",
                key=key,
                hint="write a list of tool names",
            )
            return ABSENT
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
        return ABSENT
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
    if _PLAIN_TOOLS.fullmatch(text):
        return True
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return False
    return depth == 0


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
    "arguments": read_arguments,
}

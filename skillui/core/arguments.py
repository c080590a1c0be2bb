"""The `arguments` field: a mapping, a list or a line of names (specification §4.3, rulings in ENGINE)."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import yaml

from skillui.core import yaml_reader
from skillui.core.reading import Argument, Reading
from skillui.core.text import clipped

_ARGUMENT_NAME = re.compile(r"[^\s{}$,]+")


def read_arguments(reading: Reading, key: str, node: yaml.Node) -> Any:
    """Read the field into `reading.arguments` and return its value; what is no declaration is reported."""
    if yaml_reader.is_null(node):
        return reading.left_out(node, key)
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

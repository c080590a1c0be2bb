"""Rules over values that YAML readers see differently: YML-01."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import yaml

from skillui.checks.fixes.portable import tools_in_one_line
from skillui.checks.rule import Family, Finding, Rule
from skillui.checks.subject import Subject
from skillui.core import yaml_reader
from skillui.core.problems import Severity
from skillui.core.text import clipped

_SWITCH: Final = re.compile(r"(?:yes|no|on|off|y|n)", re.IGNORECASE)
_DATE: Final = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt \t].{0,40})?")
_SEXAGESIMAL: Final = re.compile(r"[-+]?[1-9][\d_]{0,20}(?::[0-5]?\d){1,20}(?:\.[\d_]{0,20})?")
_OCTAL: Final = re.compile(r"[-+]?0[0-7_]{1,60}")
_OCTAL_12: Final = re.compile(r"0o[0-7]{1,60}")
_GROUPED: Final = re.compile(r"[-+]?(?:[1-9]\d{0,60}(?:_\d{1,60}){1,20}|0b[01_]{1,60})")
_LARGE: Final = 2**53
_PART_OF_TEXT: Final = re.compile(r"#[^\s#!]")
_SENTENCES: Final = frozenset({"description", "argument-hint", "compatibility", "when_to_use"})
_COMMA: Final = re.compile(r",(?![^()]*\))")


@dataclass(frozen=True, slots=True)
class _Value:
    """A plain scalar with the top-level field it stands in."""

    node: yaml.ScalarNode
    field: str
    is_key: bool


def check_values(subject: Subject) -> Iterator[Finding]:
    """YML-01: every YAML reader sees the same values."""
    values = sorted(_values(subject), key=lambda value: (value.node.start_mark.line, value.node.start_mark.column))
    for value in values:
        text = value.node.value
        found = _seen_otherwise(value.node)
        if found is not None and not (value.is_key and _DATE.fullmatch(text)):
            what = "key" if value.is_key else "value"
            yield _at(value, f"the {what} `{clipped(text, 40)}` is {found}", f'quote it: "{clipped(text, 40)}"')
        elif value.is_key and ":" in text:
            hint = "write a blank behind the colon, or quote the key"
            yield _at(value, f"`{clipped(text, 40)}` is one key without a value: no blank follows its colon", hint)
        elif not value.is_key and (cut := _cut_off(subject, value)):
            yield _at(
                value, f"the value ends before `{clipped(cut, 40)}`, which is a comment",
                "quote the whole value if the text behind the blank and `#` belongs to it",
            )  # fmt: skip
    yield from _tools(subject)


def _values(subject: Subject) -> Iterator[_Value]:
    pending: list[tuple[str, yaml.Node, bool]] = []
    for key, node in subject.parsed.nodes:
        pending += ((key.value, key, True), (key.value, node, False))
    while pending:
        field, node, is_key = pending.pop()
        if isinstance(node, yaml.ScalarNode):
            if not node.style:
                yield _Value(node, field, is_key)
        elif isinstance(node, yaml.MappingNode):
            for key, item in node.value:
                pending += ((field, key, True), (field, item, False))
        elif isinstance(node, yaml.SequenceNode):
            pending += ((field, item, False) for item in node.value)


def _seen_otherwise(node: yaml.ScalarNode) -> str | None:
    """Say what other readers make of a plain scalar, None where all agree."""
    text = node.value
    if not text or len(text) > 100:
        return None
    kind = yaml_reader.kind(node)
    if kind == "str":
        if text[0].isdigit() or text[0] in "+-":
            return _number_or_date(text)
        return "true or false to some YAML readers, text to others" if _SWITCH.fullmatch(text) else None
    if kind == "int":
        return _integer(text)
    return _float(text) if kind == "float" else None


def _number_or_date(text: str) -> str | None:
    if _DATE.fullmatch(text):
        return "a date to some YAML readers, text to others"
    if _SEXAGESIMAL.fullmatch(text):
        return "a number in base 60 to some YAML readers, text to others"
    if _GROUPED.fullmatch(text):
        return "a number to some YAML readers, text to others"
    return None


def _integer(text: str) -> str | None:
    if _OCTAL.fullmatch(text) and text.strip("+-0_"):
        return "an octal number to some YAML readers, a decimal one to others"
    if _OCTAL_12.fullmatch(text):
        return "an octal number to some YAML readers, text to others"
    if text[0] == "0" and len(text) > 1 and text.isdigit():
        return "a number whose leading zero is lost to some YAML readers, text to others"
    if len(text) > 15 and text.lstrip("+-").isdigit() and abs(int(text[:100])) > _LARGE:
        return "a number that many readers round"
    return None


def _float(text: str) -> str | None:
    if "e" in text.lower():
        return "a number to some YAML readers, text to others"
    if text.lstrip("+-")[:1].isdigit() and "." in text and text.endswith(("0", ".")):
        return f"a number, which is written back as {text.rstrip('0').rstrip('.')}"
    return None


def _cut_off(subject: Subject, value: _Value) -> str:
    """Return the comment behind a plain value where it rather looks like a part of it, else ""."""
    node = value.node
    line = node.end_mark.line + 1
    if not node.value or line >= len(subject.lines):
        return ""
    rest = subject.lines[line][node.end_mark.column :]
    comment = rest.strip()
    if not comment.startswith("#") or not rest[0].isspace():
        return ""
    amid_a_sentence = value.field in _SENTENCES and node.value[-1] not in ".!?:)"
    return comment if amid_a_sentence or _PART_OF_TEXT.match(comment) else ""


def _tools(subject: Subject) -> Iterator[Finding]:
    """Note tools in a form that a reader of blank-separated names takes for other tools."""
    node = next((node for key, node in subject.parsed.nodes if key.value == "allowed-tools"), None)
    if node is None or not subject.parsed.allowed_tools:
        return
    if isinstance(node, yaml.ScalarNode) and _COMMA.search(node.value):
        what = "tools are parted by commas, which a reader of blank-separated names takes for part of each name"
    elif isinstance(node, yaml.SequenceNode):
        what = "tools are a list, where the portable form is one line of names with blanks between them"
    else:
        return
    line, column = node.start_mark.line + 2, node.start_mark.column + 1
    yield Finding(
        what, line=line, column=column, hint="write `allowed-tools: Read Grep Bash(git log:*)`",
        severity=Severity.NOTE, field="allowed-tools", fix=tools_in_one_line(subject.parsed),
    )  # fmt: skip


def _at(value: _Value, message: str, hint: str) -> Finding:
    mark = value.node.start_mark
    return Finding(message, line=mark.line + 2, column=mark.column + 1, hint=hint, field=value.field)


RULES: tuple[Rule, ...] = (
    Rule(
        "YML-01", Family.YML, Severity.WARNING, "a value that YAML readers understand differently",
        "Harnesses read frontmatter with YAML readers of different age. Unquoted `yes`, `no`, `on` and `off`, dates, "
        "numbers with a leading zero, numbers with colons in them are text to some and something else to others; "
        "`1.10` is a number, and 1.1 when it is written back; what follows a blank and `#` is a comment. Quote such "
        "values. Tools in another form than one line with blanks between the names are noted.",
        check_values, valid='version: "1.10"\npublic: "yes"', invalid="version: 1.10\npublic: yes",
    ),
)  # fmt: skip

"""YAML 1.2 core schema over libyaml, bounded and with positions.

One reader for every use (listing, check, preview, activation), so that all agree on every input.
Whatever two YAML readers are known to understand differently is refused with its own reason.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from yamlcore import CCoreDumper, CCoreLoader

MAX_DEPTH = 32
"""Levels of nesting that frontmatter may have."""
MAX_DIGITS = 4300
"""Digits an integer may have, the limit of Python's own conversion to text."""

_REFUSED = re.compile("\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]|\\A\ufeff")
# In block style a reference or tag begins a line or follows a blank; in flow style it may stand anywhere.
# The sign stands first in the pattern, for that is what a search is quick with.
_REFERENCE_IN_BLOCK = re.compile(r"[&*!](?<!\S[&*!])")
_TAG = "tag:yaml.org,2002:"
_STR, _SEQ, _MAP, _NULL = (_TAG + kind for kind in ("str", "seq", "map", "null"))
_DIGITS_PER_SIGN = {"0x": 1.2042, "0o": 0.9031}
_REPORTED_WHERE_IT_BEGINS = ("simple key", "quoted scalar", "flow sequence", "flow mapping")


class YamlFault(Exception):
    """Why a text is not accepted as YAML; `line` and `column` are 1-based in that text."""

    def __init__(self, reason: str, line: int, column: int, hint: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column
        self.hint = hint


class _Loader(CCoreLoader):  # type: ignore[misc]  # yamlcore has no types
    """The core-schema loader with its resolver's tables read directly: half the time of a parse."""

    def descend_resolver(self, node: Any, index: Any) -> None:
        """Do nothing: the core schema resolves no paths."""

    def ascend_resolver(self) -> None:
        """Do nothing, as above."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        """Return the tag of a node by the core schema."""
        if kind is yaml.ScalarNode:
            if implicit[0]:
                for tag, pattern in self.yaml_implicit_resolvers.get(value[:1], ()):
                    if pattern.match(value):
                        return tag
            return _STR
        return _SEQ if kind is yaml.SequenceNode else _MAP


def compose(text: str) -> yaml.MappingNode | None:
    """Read `text` as one mapping and return its node tree, None where it holds nothing.

    Raises `YamlFault`. The tree has string keys, no anchors, aliases or tags, no duplicate keys
    and at most `MAX_DEPTH` levels.
    """
    # Nearly every file is printable but for its newlines, which is told in a fraction of the search's time.
    if not text.replace("\n", "").isprintable() and (match := _REFUSED.search(text)):
        raise _refused_character(text, match)
    try:
        if _may_have_references(text):
            _refuse_references(text)
        root = _Loader(text).get_single_node()
    except yaml.YAMLError as error:
        raise _from_yaml_error(error, text) from None
    if root is None or is_null(root):
        return None
    if not isinstance(root, yaml.MappingNode):
        what = "a list" if isinstance(root, yaml.SequenceNode) else "plain text"
        raise _fault(root, f"frontmatter is {what}, not a mapping of keys to values", "write `key: value` lines")
    _check_tree(root, 1)
    return root


def _may_have_references(text: str) -> bool:
    """Tell whether an anchor, alias or tag could stand in `text`; only then is a pass over the events due."""
    if "*" not in text and "!" not in text and "&" not in text:
        return False
    return "[" in text or "{" in text or _REFERENCE_IN_BLOCK.search(text) is not None


def _refused_character(text: str, match: re.Match[str]) -> YamlFault:
    start = match.start()
    line = text.count("\n", 0, start) + 1
    column = start - (text.rfind("\n", 0, start) + 1) + 1
    name = f"U+{ord(match.group()):04X}"
    if match.group() == "\r":
        reason = "a lone carriage return stands in the frontmatter, which YAML readers understand differently"
    elif match.group() in "\x85\u2028\u2029":
        reason = f"{name} stands in the frontmatter, which some YAML readers take for the end of a line"
    elif match.group() == "\ufeff":
        reason = "a byte-order mark stands after the opening `---`"
    else:
        reason = f"the control character {name} stands in the frontmatter"
    return YamlFault(reason, line, column, "remove the character, or write it as an escape in double quotes")


def _refuse_references(text: str) -> None:
    """Refuse anchors, aliases and tags; only an event pass sees them all."""
    loader = yaml.CBaseLoader(text)
    while loader.check_event():
        event: Any = loader.get_event()
        if isinstance(event, yaml.AliasEvent):
            raise _fault(
                event,
                f"YAML alias `*{event.anchor}` is not allowed",
                "write the value out, or quote the text",
            )
        if getattr(event, "anchor", None) is not None:
            raise _fault(
                event,
                f"YAML anchor `&{event.anchor}` is not allowed",
                "write the value out, or quote the text",
            )
        if getattr(event, "tag", None) is not None:
            raise _fault(event, f"YAML tag `{event.tag}` is not allowed", "quote the text that begins with `!`")


def _fault(node: Any, reason: str, hint: str | None = None) -> YamlFault:
    mark = node.start_mark
    return YamlFault(reason, mark.line + 1, mark.column + 1, hint)


def _from_yaml_error(error: yaml.YAMLError, text: str) -> YamlFault:
    if not isinstance(error, yaml.MarkedYAMLError):  # a ReaderError; the characters it refuses are caught before
        return YamlFault(f"not readable as YAML: {getattr(error, 'reason', error)}", 1, 1)
    problem = error.problem or "not readable as YAML"
    context = error.context or ""
    mark = error.problem_mark
    if error.context_mark is not None and any(what in context for what in _REPORTED_WHERE_IT_BEGINS):
        mark = error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    lines = text.split("\n")
    source = lines[line - 1] if line <= len(lines) else ""
    return YamlFault(f"{problem} {context}".strip(), line, column, _hint(problem, context, source))


def _hint(problem: str, context: str, source: str) -> str | None:
    key, colon, rest = source.partition(":")
    if "mapping values are not allowed" in problem and colon:
        return f'the value holds a colon; quote it: {key.strip()}: "{rest.strip()}"'[:200]
    if "could not find expected ':'" in problem:
        return "write `key: value`, or indent the line if it carries on the value above"
    if "cannot start any token" in problem:
        if "\t" in source:
            return "indent with blanks, not tabs"
        return f'the value begins with a character YAML reserves; quote it: {key.strip()}: "{rest.strip()}"'[:200]
    if "quoted scalar" in context:
        return "close the quotation mark"
    if "flow sequence" in context or "flow mapping" in context:
        return "close the bracket, or quote the whole value"
    if "tab character" in problem or "\t" in source:
        return "indent with blanks, not tabs"
    if "nesting depth" in problem:
        return f"nest at most {MAX_DEPTH} levels"
    if "did not find expected key" in problem:
        return "check the indentation and the quotation marks of this line and the one above"
    return None


def _check_tree(node: yaml.MappingNode | yaml.SequenceNode, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _fault(node, f"frontmatter is nested deeper than {MAX_DEPTH} levels", f"nest at most {MAX_DEPTH} levels")
    children = node.value
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, _ in children:
            if key.tag != _STR:
                shown = key.value if isinstance(key.value, str) else "a list or mapping"
                raise _fault(key, f"the key `{shown}` is not text", "quote the key")
            if key.value in seen:
                raise _fault(key, f"duplicate key '{key.value}'", "keep one of the two lines")
            seen.add(key.value)
        children = [value for _, value in children]
    for child in children:
        if not isinstance(child, yaml.ScalarNode):
            _check_tree(child, depth + 1)


def is_null(node: yaml.Node) -> bool:
    """Tell whether the node is an empty value, `~` or `null`."""
    return bool(node.tag == _NULL)


def is_string(node: yaml.Node) -> bool:
    """Tell whether the node is text by the core schema."""
    return bool(node.tag == _STR)


def kind(node: yaml.Node) -> str:
    """Return the core-schema type of a node: str, int, float, bool, null, seq or map."""
    return str(node.tag).removeprefix(_TAG)


def value(node: yaml.Node) -> Any:
    """Build the Python value of a checked node. Raises `YamlFault` for an integer past `MAX_DIGITS`."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: value(item) for key, item in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [value(item) for item in node.value]
    tag = node.tag
    if tag == _STR:
        return node.value
    if tag == _TAG + "int":
        if len(node.value) * _DIGITS_PER_SIGN.get(node.value[:2], 1.0) > MAX_DIGITS:
            raise _fault(node, f"the integer has more than {MAX_DIGITS:,} digits", "quote it to keep it as text")
        return _CONSTRUCT.construct_yaml_int_core(node)
    if tag == _TAG + "float":
        return _CONSTRUCT.construct_yaml_float_core(node)
    if tag == _TAG + "bool":
        return node.value.lower() == "true"
    return None


_CONSTRUCT = CCoreLoader("")


class _BlockDumper(CCoreDumper):  # type: ignore[misc]  # yamlcore has no types
    """Block style, text of several lines as a literal block."""


def _represent_text(dumper: Any, text: str) -> Any:
    return dumper.represent_scalar(_STR, text, style="|" if "\n" in text else None)


_BlockDumper.add_representer(str, _represent_text)


def dump(mapping: dict[str, Any]) -> str:
    """Write a mapping as block YAML in its own key order, one line a scalar where it can be; "" when empty."""
    if not mapping:
        return ""
    text: str = yaml.dump(
        mapping,
        Dumper=_BlockDumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=2**30,
    )
    return text

"""Quoting values: a colon or a reserved sign in plain text, and a flow list where text was meant."""

from __future__ import annotations

import re
from typing import Final

import yaml

from skillui.checks.fixes.prove import adds_none, repaired, same_text
from skillui.checks.fixes.scalars import quoted
from skillui.checks.fixes.source import Source, digest_of
from skillui.checks.rule import SKILL_FILE
from skillui.core import yaml_reader
from skillui.core.problems import Edit, Fix
from skillui.core.skill import ParsedSkill

_MAX_VALUES: Final = 8
_ENTRY: Final = re.compile(r"(?P<key>[ ]*[A-Za-z_][\w.-]*:[ \t]+)(?P<value>\S.*?)[ \t]*$")
_TEXT_FIELDS: Final = ("description", "argument-hint", "compatibility", "license")


def quote_broken(parsed: ParsedSkill) -> Fix | None:
    """Quote the plain values that keep the frontmatter from being read; None where quotes are not all it needs."""
    source = Source.of(parsed)
    inner = parsed.frontmatter_text
    if source is None or inner is None or parsed.nodes:
        return None
    lines = source.lines[1 : 1 + inner.count("\n")]
    edits: list[Edit] = []
    meant: dict[str, str] = {}
    for _ in range(_MAX_VALUES):
        try:
            yaml_reader.compose("\n".join(lines))
        except yaml_reader.YamlFault as fault:
            at = _entry_above(lines, fault.line - 1)
            if at is None or not _quote(source, lines, at, edits, meant):
                return None
            continue
        break
    return _proven(parsed, source, edits, meant)


def _entry_above(lines: list[str], index: int) -> int | None:
    """Return the line of the entry a fault stands in: the nearest `key: value` that the line carries on."""
    if index >= len(lines):
        return None
    indent = _indent(lines[index])
    for number in range(index, max(-1, index - 40), -1):
        line = lines[number]
        if number != index and line.strip() and _indent(line) >= indent:
            continue
        match = _ENTRY.match(line)
        if match is None:
            continue
        # A line that is indented more than the entry above it carries that one's text on.
        above = next((lines[i] for i in range(number - 1, -1, -1) if lines[i].strip()), "")
        if number == index and indent and _ENTRY.match(above) and _indent(above) < indent:
            return number - 1 if above == lines[number - 1] else None
        return number
    return None


def _quote(source: Source, lines: list[str], at: int, edits: list[Edit], meant: dict[str, str]) -> bool:
    """Quote the value of the entry on a line, in `lines` and as edits; tell whether that could be done."""
    match = _ENTRY.match(lines[at])
    if match is None:
        return False
    last = at
    while last + 1 < len(lines) and lines[last + 1].strip() and _indent(lines[last + 1]) > _indent(lines[at]):
        last += 1
    key = match["key"].strip().rstrip(":")
    texts = [match["value"], *(line.strip() for line in lines[at + 1 : last + 1])]
    value = " ".join(texts)
    if not _quotable(key, value, texts):
        return False
    mark = "'" if '"' in value or "\\" in value else '"'
    first = source.offset(at + 2, match.start("value") + 1)
    end_column = match.end("value") if last == at else len(lines[last].rstrip(" \t"))
    end = source.offset(last + 2, end_column + 1)
    edits.append(source.edit(first, first, mark))
    if mark == "'":
        edits += (
            source.edit(first + i, first + i, "'") for i, char in enumerate(source.text[first:end]) if char == "'"
        )
        if value.startswith("'"):
            return False
    edits.append(source.edit(end, end, mark))
    meant[key] = value
    _rewrite(lines, at, last, match.start("value"), end_column, mark)
    return True


def _quotable(key: str, value: str, texts: list[str]) -> bool:
    """Tell whether a value is surely meant as text: no quotes, no block, no comment, no list where one may stand."""
    if value[0] in "\"'|>" or not value.isprintable() or any(" #" in text or text.startswith("#") for text in texts):
        return False
    return value[0] not in "[{" or key in _TEXT_FIELDS


def _rewrite(lines: list[str], at: int, last: int, start: int, end: int, mark: str) -> None:
    def doubled(text: str) -> str:
        return text.replace("'", "''") if mark == "'" else text

    if at == last:
        lines[at] = lines[at][:start] + mark + doubled(lines[at][start:end]) + mark
        return
    lines[at] = lines[at][:start] + mark + doubled(lines[at][start:])
    lines[at + 1 : last] = [doubled(line) for line in lines[at + 1 : last]]
    lines[last] = doubled(lines[last][:end]) + mark


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _proven(parsed: ParsedSkill, source: Source, edits: list[Edit], meant: dict[str, str]) -> Fix | None:
    if not edits:
        return None
    names = ", ".join(meant)
    edits.sort(key=lambda edit: edit.start)
    fix = Fix(f"quote the value of {names}", SKILL_FILE, tuple(edits), digest=digest_of(source.data))
    after = repaired(parsed, fix)
    if after is None or not after.nodes or after.body != parsed.body:
        return None
    # Only what the frontmatter's fault hid may come to light: a field's own problem, none of the syntax.
    if any(problem.field is None for problem in after.errors if problem.code != "NAME_MISMATCH"):
        return None
    found = {key: value for key, value in after.frontmatter.items() if key in meant}
    return fix if all(found[key].strip() == meant[key] for key in found if isinstance(found[key], str)) else None


def quote_list(parsed: ParsedSkill, key: str) -> Fix | None:
    """Quote a field that is a flow list or mapping although it is text; its meaning to the engine stays."""
    source = Source.of(parsed)
    node = next((node for name, node in parsed.nodes if name.value == key), None)
    if source is None or not isinstance(node, yaml.CollectionNode) or not node.flow_style or key not in _TEXT_FIELDS:
        return None
    start, end = source.span_of(node)
    known = parsed.frontmatter.get(key)
    text = known if isinstance(known, str) else source.text[start:end]
    if not text.isprintable() or not text.strip() or "#" in source.text[start:end]:
        return None
    fix = Fix(
        f"quote the value of {key}", SKILL_FILE, (source.edit(start, end, quoted(text)),), digest=digest_of(source.data)
    )
    after = repaired(parsed, fix)
    if after is None or not adds_none(parsed, after) or len(after.problems) >= len(parsed.problems):
        return None
    return fix if same_text(parsed, after, frozenset({key})) and after.frontmatter.get(key) == text else None

"""Making frontmatter portable: keys that only a client knows, and the form of `allowed-tools`."""

from __future__ import annotations

import re
from typing import Final

import yaml

from skillui.checks.field_readers import readers_of
from skillui.checks.fixes.prove import adds_none, repaired, same_text
from skillui.checks.fixes.scalars import written
from skillui.checks.fixes.source import Source, digest_of
from skillui.checks.rule import SKILL_FILE
from skillui.core.problems import Edit, Fix
from skillui.core.schema import KNOWN_FIELDS
from skillui.core.skill import ParsedSkill
from skillui.core.text import clipped

_SAME_KEY: Final = re.compile(r"[\s_-]+")
# Keys with an effect in some client that is not listed among the readers: taking one away may undo a safeguard.
_IN_USE: Final = frozenset({"hooks", "shell", "globs", "alwaysApply", "requires", "triggers", "permissions", "mcp"})
_KNOWN: Final = frozenset(_SAME_KEY.sub("", key).lower() for key in KNOWN_FIELDS)


def comment_out(parsed: ParsedSkill) -> Fix | None:
    """Comment out keys that the engine does not read; those that some client reads only after asking.

    A key that is a misspelt field (`allowed_tools`, `allowedTools`) stays: its author meant it to count.
    """
    foreign = [key.value for key, _ in parsed.nodes if _SAME_KEY.sub("", key.value).lower() not in _KNOWN]
    unread = [key for key in foreign if not readers_of(key) and key not in _IN_USE]
    if unread and (fix := _without(parsed, unread, asks=False)) is not None:
        return fix
    return _without(parsed, [key for key in foreign if key not in unread], asks=True)


def _without(parsed: ParsedSkill, keys: list[str], *, asks: bool) -> Fix | None:
    source = Source.of(parsed)
    if source is None or not keys:
        return None
    edits: list[Edit] = []
    fields = parsed.fields
    for index, field in enumerate(fields):
        if field.key not in keys:
            continue
        below = fields[index + 1].line if index + 1 < len(fields) else _closing_line(parsed)
        if field.column != 1 or below <= field.line:
            return None
        edits += _marks(source, field.line, below)
    shown = clipped(", ".join(keys))
    fix = Fix(f"comment out {shown}", SKILL_FILE, tuple(edits), digest=digest_of(source.data), asks=asks)
    after = repaired(parsed, fix)
    if after is None or not adds_none(parsed, after) or not same_text(parsed, after, frozenset(keys)):
        return None
    return fix if not any(key in after.frontmatter for key in keys) else None


def _closing_line(parsed: ParsedSkill) -> int:
    return 2 + (parsed.frontmatter_text or "").count("\n")


def _marks(source: Source, first: int, below: int) -> list[Edit]:
    """Return the insertions that make the lines from `first` up to `below` comments, what is one already aside."""
    edits = []
    for number in range(first, below):
        line = source.lines[number - 1]
        if line.strip() and not line.startswith("#"):
            at = source.offset(number, 1)
            edits.append(source.edit(at, at, "# "))
    return edits


def tools_in_one_line(parsed: ParsedSkill) -> Fix | None:
    """Write `allowed-tools` as names with blanks between them, the one form that every reader knows."""
    source = Source.of(parsed)
    pair = next(((key, node) for key, node in parsed.nodes if key.value == "allowed-tools"), None)
    tools = parsed.frontmatter.get("allowed-tools")
    if source is None or pair is None or not isinstance(tools, list) or not tools:
        return None
    key, node = pair
    text = written(" ".join(tools))
    colon = source.text.find(":", source.span_of(key)[1])
    start, end = colon + 1, source.span_of(node)[1]
    if isinstance(node, yaml.SequenceNode) and not node.flow_style:
        end = source.span_of(node.value[-1])[1]
    if (
        text is None
        or colon < 0
        or "#" in source.text[start:end]
        or (isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"))
    ):
        return None
    fix = Fix(
        "write allowed-tools with blanks between the names", SKILL_FILE, (source.edit(start, end, f" {text}"),),
        digest=digest_of(source.data),
    )  # fmt: skip
    after = repaired(parsed, fix)
    return fix if after is not None and adds_none(parsed, after) and same_text(parsed, after) else None

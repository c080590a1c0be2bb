"""Names: making name and folder the same, and writing a name in kebab case."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

import yaml

from skillui.checks.fixes.prove import adds_none, repaired, same_text
from skillui.checks.fixes.scalars import quoted, written
from skillui.checks.fixes.source import Source, digest_of
from skillui.checks.rule import SKILL_FILE
from skillui.core.problems import Edit, Fix, Rename
from skillui.core.schema import MAX_NAME, NAME_PATTERN
from skillui.core.skill import ParsedSkill
from skillui.core.text import clipped

Taken = Callable[[str], bool]
"""Tells whether something of this name lies beside the skill's folder."""

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_KEBAB: Final = re.compile(r"[^a-z0-9]+")


def kebab(text: str) -> str | None:
    """Return a name in lowercase kebab case, None where letters would be lost or nothing is left."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text[:500]) if not unicodedata.combining(char))
    if any(char.isalpha() and not char.isascii() for char in plain):
        return None
    name = _NOT_KEBAB.sub("-", _HUMP.sub("-", plain).lower()).strip("-")
    if len(name) > MAX_NAME:
        name = name[: MAX_NAME + 1].rpartition("-")[0] or name[:MAX_NAME]
    return name if _is_name(name) else None


def _is_name(text: str) -> bool:
    return len(text) <= MAX_NAME and NAME_PATTERN.fullmatch(text) is not None


def same_name(parsed: ParsedSkill, taken: Taken) -> Fix | None:
    """Offer to make name and folder the same: by the name, by the folder, or both by a name that is allowed."""
    name = parsed.frontmatter.get("name")
    if not isinstance(name, str) or name == parsed.folder:
        return None
    choices = []
    if _is_name(parsed.folder):
        choices.append(_named(parsed, taken, parsed.folder, rename=False))
    if _is_name(name):
        choices.append(_named(parsed, taken, name, rename=True))
    elif (new := kebab(name)) is not None and new != parsed.folder:
        choices.append(_named(parsed, taken, new, rename=True))
    offered = tuple(choice for choice in choices if choice is not None)
    return Fix("make name and folder the same", SKILL_FILE, choices=offered, asks=True) if offered else None


def kebab_name(parsed: ParsedSkill, taken: Taken) -> Fix | None:
    """Write the name in kebab case; where the folder has another name, it must be renamed with it."""
    name = parsed.frontmatter.get("name")
    if not isinstance(name, str) or _is_name(name):
        return None
    new = kebab(name)
    if new is not None and new == parsed.folder:
        return _named(parsed, taken, new, rename=False)
    if name != parsed.folder:
        return same_name(parsed, taken)
    return None if new is None else _named(parsed, taken, new, rename=True)


def _named(parsed: ParsedSkill, taken: Taken, new: str, *, rename: bool) -> Fix | None:
    """Return the fix after which the skill has the name `new`, with its folder renamed where that is asked for."""
    source = Source.of(parsed)
    if source is None:
        return None
    edits = () if new == parsed.frontmatter.get("name") else _edit_name(parsed, source, new)
    if edits is None:
        return None
    renaming = None
    if rename and new != parsed.folder:
        if taken(new):
            return None
        renaming = Rename(parsed.folder, new)
    parts = [f"write the name as {new}"] if edits else []
    parts += [f"rename the folder to {new}"] if renaming else []
    fix = Fix(clipped(" and ".join(parts)), SKILL_FILE, edits, renaming, digest=digest_of(source.data))
    after = repaired(parsed, fix)
    if after is None or not adds_none(parsed, after) or len(after.problems) >= len(parsed.problems):
        return None
    return fix if same_text(parsed, after, frozenset({"name"})) and after.frontmatter.get("name") == new else None


def _edit_name(parsed: ParsedSkill, source: Source, new: str) -> tuple[Edit, ...] | None:
    node = next((node for key, node in parsed.nodes if key.value == "name"), None)
    if not isinstance(node, yaml.ScalarNode) or node.style in ("|", ">"):
        return None
    start, end = source.span_of(node)
    text = quoted(new) if node.style else written(new)
    return None if text is None else (source.edit(start, end, text),)

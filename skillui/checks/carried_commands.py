"""Commands that stand as values in data: hooks of the frontmatter, install scripts and hooks of JSON files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from skillui.checks.rule import SKILL_FILE

if TYPE_CHECKING:
    from skillui.checks.subject import Subject

_JSON: Final = re.compile(
    r'"(?:(?:pre|post)?install|prepare|prepublish|(?:pre|post)\w{1,20}|command|cmd|onCreateCommand|postCreateCommand)"'
    r'\s{0,20}:\s{0,20}"(?P<command>(?:[^"\\\n]|\\.){1,4000})"'
)
_YAML: Final = re.compile(
    r"^[ \t]{1,40}(?:- )?command:[ \t]{1,20}(?P<quote>[\"'])?(?P<command>[^\n]{1,4000})$", re.MULTILINE
)
_ESCAPE: Final = re.compile(r"\\(.)")
_MAX: Final = 200


def carried_commands(subject: Subject) -> Iterator[tuple[str, int, int, str]]:
    """Yield path, line, column and text of each command that some program runs by itself."""
    inner = subject.parsed.frontmatter_text
    if inner and "command:" in inner:
        for match in islice(_YAML.finditer(inner), _MAX):
            line = inner.count("\n", 0, match.start("command")) + 2
            column = match.start("command") - inner.rfind("\n", 0, match.start("command"))
            yield SKILL_FILE, line, column, match["command"].rstrip("\r\"' ")
    for entry in subject.files:
        if entry.suffix != ".json" or not (text := subject.text(entry.path)) or '"' not in text:
            continue
        for match in islice(_JSON.finditer(text), _MAX):
            start = match.start("command")
            column = start - text.rfind("\n", 0, start)
            yield entry.path, text.count("\n", 0, start) + 1, column, _ESCAPE.sub(_plain, match["command"])


def _plain(match: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(match[1], match[1])

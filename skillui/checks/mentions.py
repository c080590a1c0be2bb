"""Paths of a skill's own files as its texts name them: `references/x.md`, `scripts/run.py`, `assets/form.json`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from skillui.core.resources import RESOURCE_FOLDERS

if TYPE_CHECKING:
    from skillui.checks.markdown import Document

_PATH: Final = re.compile(r"(?:references|scripts|assets)/[\w./@+%-]{0,300}")
_NAMED_FILE: Final = re.compile(r"\.[A-Za-z0-9]{1,10}$")
# What says "the skill's own folder" in one harness or another.
_PREFIX: Final = re.compile(r"(?:\$\{?CLAUDE_SKILL_DIR\}?|\$\{?SKILL_DIR\}?|\$?\{baseDir\}|(?<![\w./\\-])\.)/\Z")
# A path that goes on above the match belongs to the project, to a URL, or to a variable of unknown worth.
_JOINED: Final = re.compile(r"[\w./\\~$})>%-]\Z")
_PLACEHOLDER: Final = re.compile(
    r"(?:^|/)(?:your|my|foo|bar|xxx+|some|example)(?:[-_.]|$)|\.\.|/file\d?\.", re.IGNORECASE
)
_GOES_ON: Final = "*<{[$?…"


@dataclass(frozen=True, slots=True)
class Mention:
    """A file named in a document; `path` is relative to the skill's folder, `offset` is the document's."""

    path: str
    offset: int
    language: str | None
    """The language of the fenced block it stands in, "" where that is not said, None outside of one."""

    @property
    def folder(self) -> str:
        """The resource folder it lies in."""
        return self.path.partition("/")[0]


def find_mentions(document: Document) -> list[Mention]:
    """Return the first mention of each file, in order; placeholders, globs, folders and URLs are none."""
    text = document.text
    if not any(folder + "/" in text for folder in RESOURCE_FOLDERS):
        return []
    found: dict[str, Mention] = {}
    for match in _PATH.finditer(text):
        before = text[max(0, match.start() - 24) : match.start()]
        if _JOINED.search(before) and not _PREFIX.search(before):
            continue
        if text[match.end() : match.end() + 1] in _GOES_ON and match.end() < len(text):
            continue
        path = unquote(match.group().rstrip(".,;:/"))
        if path in found or not _NAMED_FILE.search(path) or _PLACEHOLDER.search(path):
            continue
        if any(span.start <= match.start() < span.end for span in document.comments):
            continue
        fence = document.fence_at(match.start())
        found[path] = Mention(path, match.start(), None if fence is None else fence.language)
    return list(found.values())

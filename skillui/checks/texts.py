"""The texts of a skill as the security rules read them: every file that a person or a model may see as text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from skillui.checks.rule import SKILL_FILE, Finding

if TYPE_CHECKING:
    from skillui.checks.subject import Subject

_TEXT: Final = frozenset(
    {".md", ".markdown", ".mdx", ".txt", ".json", ".yaml", ".yml", ".toml", ".csv", ".html", ".xml"}
)
_MANY: Final = 20
"""Undecodable bytes past which a file without a text's ending counts as binary."""


def readable(subject: Subject) -> Iterator[tuple[str, str]]:
    """Yield path and text of each text file, SKILL.md first; a NUL does not hide a script or a Markdown file."""
    scripts = {script.path for script in subject.scripts}
    yielded = False
    for entry in subject.files:
        surely = entry.path in scripts or entry.suffix in _TEXT
        text = subject.text(entry.path)
        if text is None and surely and (data := subject.data(entry.path)) is not None:
            text = data.decode("utf-8", "replace")
        yielded = yielded or entry.path == SKILL_FILE
        if text and (surely or text.isascii() or text.count("\ufffd") <= _MANY):
            yield entry.path, text
    if not yielded:
        yield SKILL_FILE, subject.parsed.text


def gravest_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with the milder ones behind, for only so many of a rule are told."""
    return sorted(islice(findings, 5_000), key=lambda finding: finding.severity is not None)


class Places:
    """Lines and columns of offsets in one text, a byte-order mark not counted as a column."""

    def __init__(self, text: str) -> None:
        self._newlines = [match.start() for match in re.finditer("\n", text)]
        self._mark = text.startswith("\ufeff")

    def place(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and column of an offset."""
        index = bisect_left(self._newlines, offset)
        start = self._newlines[index - 1] + 1 if index else int(self._mark)
        return index + 1, max(1, offset - start + 1)

"""A SKILL.md as fixes see it: its lines, and where a place of them lies in the bytes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from skillui.core.problems import Edit

if TYPE_CHECKING:
    import yaml

    from skillui.core.skill import ParsedSkill

BOM: Final = b"\xef\xbb\xbf"


def digest_of(data: bytes) -> str:
    """Return the hash by which a fix knows the file it was made for."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class Source:
    """The text of a SKILL.md with its byte-order mark; lines and columns are 1-based, the mark is no column."""

    text: str

    @classmethod
    def of(cls, parsed: ParsedSkill) -> Source | None:
        """Return the source of a skill, None where its text is not its bytes: a file that is not UTF-8."""
        if parsed.frontmatter_text is None:
            return None
        return cls(parsed.text)

    @cached_property
    def data(self) -> bytes:
        """The file's bytes."""
        return self.text.encode("utf-8")

    @cached_property
    def lines(self) -> list[str]:
        """The lines without line ends; line n is at n - 1."""
        return [line.removesuffix("\r") for line in self.text.split("\n")]

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.text.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        return starts

    def offset(self, line: int, column: int) -> int:
        """Return the character offset of a place below the first line."""
        return self._starts[line - 1] + column - 1

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Return the edit that puts `text` in place of the characters from `start` up to `end`."""
        before = len(self.text[:start].encode("utf-8"))
        return Edit(before, before + len(self.text[start:end].encode("utf-8")), text.encode("utf-8"))

    def span_of(self, node: yaml.Node) -> tuple[int, int]:
        """Return where a node of the frontmatter stands, as character offsets."""
        start, end = node.start_mark, node.end_mark
        return self.offset(start.line + 2, start.column + 1), self.offset(end.line + 2, end.column + 1)

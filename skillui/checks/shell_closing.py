"""Finds where a substitution of shell text closes, within bounds that hostile text cannot stretch."""

from __future__ import annotations

import re
from typing import Final

MAX_INNER: Final = 100_000
"""Characters of one substitution."""
_PATIENCE: Final = 20
_NESTING: Final = re.compile(r"[()'\"\\]")


class Closer:
    """Finds the parenthesis that closes a substitution; failing often makes it look less far."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._failures = 0

    def closing(self, begin: int) -> int:
        """Return the offset of the closing parenthesis; a line's end at the latest where there is none."""
        text, depth, at = self._text, 1, begin
        limit = min(len(text), begin + MAX_INNER)
        if self._failures >= _PATIENCE:
            line = text.find("\n", begin, limit)
            limit = min(limit, begin + 500) if line < 0 else min(line, begin + 500)
        missing = ""
        while match := _NESTING.search(text, at, limit):
            at = match.end()
            character = match[0]
            if character == "\\":
                at += 1
            elif character in "'\"":
                close = text.find(character, at, limit) if character not in missing else -1
                missing += character if close < 0 else ""
                at = close + 1 if close >= 0 else at
            else:
                depth += 1 if character == "(" else -1
                if depth == 0:
                    return match.start()
        self._failures += 1
        line = text.find("\n", begin)
        return len(text) if line < 0 else line

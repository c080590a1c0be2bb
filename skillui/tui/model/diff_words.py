"""What changed within a line, word by word."""

from __future__ import annotations

import re
from typing import Final

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

Spans = tuple[tuple[int, int], ...]
"""Stretches of a line, [start, end) in characters."""

_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_CHARACTERS: Final = 2_000
_ALIKE: Final = 50.0
"""How alike two lines are, of 100, when one is the other's new wording."""


def changed_words(old: str, new: str) -> tuple[Spans, Spans]:
    """Return what differs in each line; nothing where they are too long, or not one line's two wordings."""
    if max(len(old), len(new)) > _MOST_CHARACTERS or fuzz.ratio(old, new) < _ALIKE:
        return (), ()
    before, after = _WORD.findall(old), _WORD.findall(new)
    old_starts, new_starts = _starts(before), _starts(after)
    removed: list[tuple[int, int]] = []
    added: list[tuple[int, int]] = []
    for edit in Indel.opcodes(before, after):
        if edit.tag == "equal":
            continue
        if edit.src_end > edit.src_start:
            removed.append((old_starts[edit.src_start], old_starts[edit.src_end]))
        if edit.dest_end > edit.dest_start:
            added.append((new_starts[edit.dest_start], new_starts[edit.dest_end]))
    return tuple(removed), tuple(added)


def _starts(words: list[str]) -> list[int]:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    return starts

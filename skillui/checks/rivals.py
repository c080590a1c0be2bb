"""Which of many descriptions are nearly the same, without comparing each with each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from skillui.checks.rule import Breathe, breathless

ALIKE: Final = 88.0
"""Similarity of the two sets of words, 0 to 100, from which two descriptions compete."""
_SHARED: Final = 0.6
"""Part of the words of both that two descriptions must share to be compared at all."""
_MIN_WORDS: Final = 4
_MAX_CANDIDATES: Final = 64
"""Others that one description is compared with; past it everything competes with everything anyway."""
_MAX_TEXT: Final = 2_000
_BREATH: Final = 16
# Descriptions between two breaths: a millisecond's work or two.
_WORD: Final = re.compile(r"[^\W_]+")


def rivals_of(descriptions: Sequence[str], breathe: Breathe = breathless) -> dict[int, list[tuple[int, float]]]:
    """Return by index who competes with whom and how much they are alike (0 to 100), likest first.

    Ten thousand descriptions take seconds: only those are compared that share one of their rarer words, as any
    two must that share most of their words. `breathe` is called all along.
    """
    from rapidfuzz import fuzz  # only a catalog's check needs it

    sets = [frozenset(_WORD.findall(text[:_MAX_TEXT].lower())) for text in descriptions]
    counts = Counter(word for words in sets for word in words)
    found: dict[int, list[tuple[int, float]]] = {}
    holders: dict[str, list[int]] = {}
    texts = [" ".join(sorted(words)) for words in sets]
    for index, words in enumerate(sets):
        if index % _BREATH == 0:
            breathe()
        if len(words) < _MIN_WORDS:
            continue
        rare = sorted(words, key=lambda word: (counts[word], word))[: len(words) - int(_SHARED * len(words)) + 1]
        for other in _candidates(rare, holders):
            if not _share_most(words, sets[other]):
                continue
            alike = fuzz.token_set_ratio(texts[index], texts[other], score_cutoff=ALIKE)
            if alike:
                found.setdefault(index, []).append((other, alike))
                found.setdefault(other, []).append((index, alike))
        for word in rare:
            holders.setdefault(word, []).append(index)
    return {index: sorted(rivals, key=lambda rival: (-rival[1], rival[0])) for index, rivals in sorted(found.items())}


def _candidates(words: list[str], holders: dict[str, list[int]]) -> list[int]:
    """Return the descriptions before that hold one of the words, those of the rarest word first."""
    found: dict[int, None] = {}
    for word in words:
        for index in holders.get(word, ())[-_MAX_CANDIDATES:]:
            found[index] = None
        if len(found) >= _MAX_CANDIDATES:
            break
    return list(found)[:_MAX_CANDIDATES]


def _share_most(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two sets share most of their words; a short text within a long one is no rival of it."""
    if min(len(one), len(other)) < _SHARED * max(len(one), len(other)):
        return False
    shared = len(one & other)
    return shared >= _SHARED * (len(one) + len(other) - shared)

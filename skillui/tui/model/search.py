"""Search over the catalog: what fits best comes first, and a slip of the finger is forgiven."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from typing import Final

from rapidfuzz import fuzz, process

from skillui.tui.model.filters import Folders, Query, Term, tests
from skillui.tui.model.marks import INITIAL, LIKE_ENOUGH, SHORTEST_SLIP, lowered, scattered
from skillui.tui.model.rows import CatalogRow

# What counts more than any likeness: where in the name or the description the term stands.
_EXACT, _PREFIX, _WORD, _INSIDE, _INITIALS, _SLIP = 1000, 900, 800, 700, 600, 400
_TEXT_WORD, _TEXT, _TEXT_SLIP, _SCATTERED = 300, 200, 100, 50
_MOST_WORDS: Final = 8
"""Words that a misspelt one is taken for."""
_MOST_INITIALS: Final = 6
_MOST_RANKED: Final = 2_000
"""Past this many the finer distinctions are not made: nobody reads so far."""


class SearchIndex:
    """The texts of some rows, prepared once so that a key press costs a few milliseconds with 10,000 of them."""

    def __init__(self, rows: Sequence[CatalogRow]) -> None:
        self.rows = rows
        self._names = [lowered(row.name) for row in rows]
        self._initials = ["".join(INITIAL.findall(name)) for name in self._names]
        self._texts = [row.entry.description.lower() for row in rows]
        self._words: tuple[str, ...] = ()
        self.learned = False
        """Whether misspelt words are known."""
        self._kept: tuple[object, list[int]] | None = None

    def over(self, rows: Sequence[CatalogRow]) -> SearchIndex | None:
        """Return this index over rows of the same skills of which other things are known now, None for others."""
        before = self.rows
        if len(rows) != len(before) or not all(map(_same_texts, rows, before)):
            return None
        renewed = copy(self)
        renewed.rows, renewed._kept = rows, None
        return renewed

    def learn_words(self) -> None:
        """Collect the words of the descriptions, for misspelt ones; takes a while and may run in a worker."""
        found: set[str] = set()
        for text in self._texts:
            found.update(text.split())
        # Nobody misspells a blob, and looking at one takes long.
        self.learned = True
        self._words = tuple(word.strip(".,;:()`'\"") for word in found if SHORTEST_SLIP <= len(word) <= 40)

    def search(self, query: Query, folders: Folders | None = None) -> list[CatalogRow]:
        """Return the rows that fit, best first; without words to look for in the order they came."""
        candidates = self._filtered(query, folders or {})
        if not query.terms:
            return [self.rows[index] for index in candidates]
        scores: dict[int, float] | None = None
        for term in query.terms:
            found = self._score(term, candidates if scores is None else list(scores))
            before = scores
            scores = found if before is None else {index: before[index] + score for index, score in found.items()}
            if not scores:
                return []
        assert scores is not None
        # Equal scores keep the order the rows came in: a stable sort of sorted indexes.
        ranked = sorted(sorted(scores), key=scores.__getitem__, reverse=True)
        return _with_copies([self.rows[index] for index in ranked])

    def _filtered(self, query: Query, folders: Folders) -> list[int]:
        """Return the indexes that pass the filters; they are the same for every further letter of a word."""
        if not query.filters:
            return list(range(len(self.rows)))
        if not query.needs_folders and self._kept is not None and self._kept[0] == query.filters:
            return self._kept[1]
        conditions = tests(query, folders)
        kept = list(range(len(self.rows)))
        for test in conditions:
            kept = [index for index in kept if test(self.rows[index])]
        self._kept = None if query.needs_folders else (query.filters, kept)
        return kept

    def _score(self, term: Term, candidates: list[int]) -> dict[int, float]:
        scores: dict[int, float] = {}
        self._score_texts(term.text, candidates, scores)
        if not term.quoted and len(term.text) >= SHORTEST_SLIP:
            self._score_slips(term.text, candidates, scores)
        self._score_names(term, candidates, scores)
        if not scores and not term.quoted:
            fits = scattered(term.text)
            scores = {index: float(_SCATTERED) for index in candidates if fits(self._names[index])}
        return scores

    def _score_names(self, term: Term, candidates: list[int], scores: dict[int, float]) -> None:
        text, names = term.text, self._names
        found = [index for index in candidates if text in names[index]]
        fine = len(found) <= _MOST_RANKED
        if not term.quoted and 1 < len(text) <= _MOST_INITIALS:
            initials = self._initials
            for index in [index for index in candidates if text in initials[index]]:
                scores[index] = _INITIALS + (fuzz.ratio(text, initials[index]) / 2 if fine else 0)
        for index in found:
            scores[index] = _place(text, names[index]) + (fuzz.ratio(text, names[index]) / 2 if fine else 0)

    def _score_texts(self, text: str, candidates: list[int], scores: dict[int, float]) -> None:
        texts = self._texts
        found = [index for index in candidates if text in texts[index]]
        scores.update(dict.fromkeys(found, float(_TEXT)))
        if len(found) <= _MOST_RANKED:
            word = re.compile(rf"(?<!\w){re.escape(text)}")
            for index in found:
                if word.search(texts[index]):
                    scores[index] = _TEXT_WORD

    def _score_slips(self, text: str, candidates: list[int], scores: dict[int, float]) -> None:
        words = process.extract(text, self._words, scorer=fuzz.ratio, score_cutoff=LIKE_ENOUGH, limit=_MOST_WORDS)
        for word, likeness, _ in words:
            if text in word:
                continue
            for index in candidates:
                if word in self._texts[index]:
                    scores[index] = max(scores.get(index, 0), _TEXT_SLIP + likeness / 2)
        allowed = None if len(candidates) == len(self.rows) else set(candidates)
        names = process.extract(
            text, self._names, scorer=fuzz.partial_ratio, score_cutoff=LIKE_ENOUGH, limit=_MOST_RANKED
        )
        for name, likeness, index in names:
            # A name much shorter than the term would be found inside of it.
            if (allowed is None or index in allowed) and len(name) >= len(text) - 2:
                scores[index] = _SLIP + likeness / 2


def _same_texts(one: CatalogRow, other: CatalogRow) -> bool:
    if one.entry is other.entry:
        return True
    return one.name == other.name and one.entry.description == other.entry.description


def _place(text: str, name: str) -> int:
    if name.startswith(text):
        return _EXACT if len(name) == len(text) else _PREFIX
    before = name[name.find(text) - 1]
    return _INSIDE if before.isalnum() else _WORD


def _with_copies(rows: list[CatalogRow]) -> list[CatalogRow]:
    """Bring shadowed copies below their winner where both were found."""
    if not any(row.depth for row in rows):
        return rows
    winners = {row.name for row in rows if row.shadows}
    copies: dict[str, list[CatalogRow]] = {}
    for row in rows:
        if row.depth and row.name in winners:
            copies.setdefault(row.name, []).append(row)
    placed: list[CatalogRow] = []
    for row in rows:
        if row.depth and row.name in winners:
            continue
        placed.append(row)
        if row.shadows and row.name in copies:
            placed += copies.pop(row.name)
    return placed

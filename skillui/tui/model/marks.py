"""Where the words of a search stand in a name, and how freely they are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from skillui.tui.model.filters import Term

LIKE_ENOUGH: Final = 80.0
"""How alike two words are, of 100, when one may be meant by the other."""
SHORTEST_SLIP: Final = 4
"""Letters a term must have before another word can be meant."""
INITIAL: Final = re.compile(r"(?:^|(?<=[^a-z0-9]))[a-z0-9]")
"""The first letter of each word of a name in lower case."""


def scattered(text: str) -> Callable[[str], object]:
    """Return a test for names that hold the letters in order; it never looks at a letter twice."""
    return re.compile("".join(f"[^{re.escape(letter)}]*+{re.escape(letter)}" for letter in text)).match


def lowered(text: str) -> str:
    """Return `text` in lower case, letter by letter, so that places in it are places in the original."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def marked(name: str, terms: Sequence[Term]) -> tuple[int, ...]:
    """Return the places in a name that the terms matched, in order; none where only the description did."""
    low = lowered(name)
    places: set[int] = set()
    for term in terms:
        places.update(_marked(low, term))
    return tuple(sorted(places))


def _marked(name: str, term: Term) -> Sequence[int]:
    text = term.text
    if (at := name.find(text)) >= 0:
        word = re.search(rf"(?<![a-z0-9]){re.escape(text)}", name)
        at = word.start() if word else at
        return range(at, at + len(text))
    if term.quoted:
        return ()
    starts = [match.start() for match in INITIAL.finditer(name)]
    initials = "".join(name[start] for start in starts)
    if len(text) > 1 and (at := initials.find(text)) >= 0:
        return starts[at : at + len(text)]
    if len(text) >= SHORTEST_SLIP:
        from rapidfuzz import fuzz  # the search has it by now; the first picture needs none

        alignment = fuzz.partial_ratio_alignment(text, name, score_cutoff=LIKE_ENOUGH)
        if alignment is not None and len(name) >= len(text) - 2:
            part = name[alignment.dest_start : alignment.dest_end]
            return [alignment.dest_start + place for place in _in_order(part, text)]
    return _in_order(name, text) if scattered(text)(name) else ()


def _in_order(name: str, text: str) -> list[int]:
    """Return where the letters of `text` stand in `name`, one after the other, skipping those that are missing."""
    places: list[int] = []
    at = 0
    for letter in text:
        found = name.find(letter, at)
        if found >= 0:
            places.append(found)
            at = found + 1
    return places

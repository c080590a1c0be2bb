"""How many cells a text takes on a terminal, for tables that line up."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

_EMOJI_PRESENTATION = "\ufe0f"


@lru_cache(maxsize=4096)
def _cells_of(character: str) -> int:
    if "\u1160" <= character <= "\u11ff" or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def cells(text: str) -> int:
    """Count the cells of a text that went through the gate for hostile text."""
    if text.isascii():
        return len(text)
    # A symbol that is told to look like an emoji grows to two cells on most terminals.
    grown = sum(_cells_of(before) == 1 for before, after in pairwise(text) if after == _EMOJI_PRESENTATION)
    return sum(map(_cells_of, text)) + grown


def clip(text: str, limit: int, ellipsis: str = "…") -> str:
    """Cut a text to `limit` cells, the ellipsis included."""
    if cells(text) <= limit:
        return text
    room = limit - cells(ellipsis)
    if room < 0:
        return ""
    kept: list[str] = []
    for index, character in enumerate(text):
        grows = text[index + 1 : index + 2] == _EMOJI_PRESENTATION
        room -= 2 if grows else _cells_of(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept).rstrip() + ellipsis


def pad(text: str, width: int) -> str:
    """Fill a text with blanks up to `width` cells."""
    return text + " " * (width - cells(text))


def one_line(text: str) -> str:
    """Join lines by single blanks; unlike `split`, no control character passes for white space and vanishes."""
    return re.sub("[ \t\n]+", " ", text).strip(" ")


def wrap(text: str, width: int) -> list[str]:
    """Break a text into lines of at most `width` cells, at blanks where there are any."""
    lines, line = [], ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if cells(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        while cells(word) > width > 1:
            head = clip(word, width, "") or word[0]
            lines.append(head)
            word = word[len(head) :]
        line = word
    return [*lines, line]

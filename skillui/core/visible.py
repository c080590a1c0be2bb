"""The one gate between a skill's text and any screen: what could hide or act is shown as a symbol.

A terminal obeys control characters; a reader sees no bidirectional overrides, zero-width or tag characters.
Nothing is dropped: each is replaced by a symbol that names it, so that it can be found in the file.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

MAX_MARKS = 4
"""Combining marks kept on one character; what is stacked higher paints over the neighbouring lines."""

MARKS_CUT = "⟨+marks⟩"
"""Stands for the combining marks beyond `MAX_MARKS`."""

DOTTED_CIRCLE = "◌"
"""Carries a combining mark that begins a line, which would otherwise join whatever is drawn before it."""

# Letters, marks and symbols by category, invisible all the same.
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc")
_FORMAT_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_PRESENTATION = "\ufe0e\ufe0f"
# What a presentation selector may follow; behind anything else it is one bit of hidden text.
_PRESENTABLE = (
    "#*0-9©®‼⁉™ℹ\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of visible text; `replaced` where it stands for characters that a screen must not get."""

    text: str
    replaced: bool


def visible(text: str, *, newlines: bool = False, tabs: str | None = None, ascii_only: bool = False) -> str:
    r"""Return `text` with everything that acts on a terminal or cannot be seen shown as a symbol.

    Args:
        text: Any string at all, lone surrogates included.
        newlines: Keep `\n` (a block of text); otherwise it becomes ␊ (one line).
        tabs: What a tab becomes; by default it is kept beside newlines and becomes ␉ in one line.
        ascii_only: Name every character beyond ASCII as well, for terminals that have no other.
    """
    if text.isascii() and text.isprintable():
        return text
    return _Reading(text, newlines, tabs, ascii_only).joined()


def pieces(text: str, *, newlines: bool = False, tabs: str | None = None, ascii_only: bool = False) -> Iterator[Piece]:
    """Yield the parts of `visible(text)`, replacements apart from the text that only looks like one."""
    if text.isascii() and text.isprintable():
        return iter([Piece(text, False)] if text else [])
    return _Reading(text, newlines, tabs, ascii_only).parts()


def hidden_count(text: str) -> int:
    """Count the characters that nobody would see or a terminal would obey, save tabs and newlines."""
    if text.isascii() and text.isprintable():
        return 0
    reading = _Reading(text, newlines=True, tabs=None, ascii_only=False)
    counts = Counter(text) if reading.symbols else {}
    stray = sum(len(match[0]) for pattern in reading.patterns() for match in pattern.finditer(text))
    return sum(counts[character] for character in reading.symbols) + stray


@lru_cache(maxsize=8192)
def symbol(character: str) -> str | None:
    """Return what stands for `character` on a screen, or None where it may be shown as it is."""
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    hidden = (
        unicodedata.category(character) in _FORMAT_CATEGORIES
        or character in _BLANK_LETTERS
        or 0xFE00 <= code <= 0xFE0D
        or 0xE0000 <= code <= 0xE0FFF
    )
    return f"⟨U+{code:04X}⟩" if hidden else None


@lru_cache(maxsize=8192)
def _is_mark(character: str) -> bool:
    # The vowels and finals of decomposed Hangul take no cell either and stack just as high.
    return "\u1161" <= character <= "\u11ff" or unicodedata.category(character) in ("Mn", "Me")


def _class(characters: set[str]) -> str:
    return "".join(map(re.escape, sorted(characters)))


class _Reading:
    """One text with what its own characters call for: a table and patterns no larger than the text needs."""

    __slots__ = ("marks", "newlines", "symbols", "text")

    def __init__(self, text: str, newlines: bool, tabs: str | None, ascii_only: bool) -> None:
        self.text = text
        self.newlines = newlines
        characters = set(text)
        self.symbols = {c: s for c in characters if (s := symbol(c)) is not None}
        if newlines:
            self.symbols.pop("\n", None)
        if "\t" in characters:
            if tabs is not None:
                self.symbols["\t"] = tabs
            elif newlines:
                del self.symbols["\t"]
        if ascii_only:
            self._spell_out(characters)
        self.marks = {c for c in characters - self.symbols.keys() if c >= "\u0300" and _is_mark(c)}

    def _spell_out(self, characters: set[str]) -> None:
        for character in characters:
            shown = self.symbols.get(character, character)
            if not shown.isascii():
                self.symbols[character] = f"<U+{ord(character):04X}>"

    def patterns(self) -> Iterator[re.Pattern[str]]:
        """Yield what is replaced for where it stands: stray selectors, marks stacked high."""
        if not self.marks.isdisjoint(_PRESENTATION):
            yield re.compile(f"(?<![{_PRESENTABLE}])[{_PRESENTATION}]")
        if stacking := self.marks.difference(_PRESENTATION):
            one = f"[{_class(stacking)}]"
            yield re.compile(f"(?<={one * MAX_MARKS}){one}+")

    def _leading(self) -> re.Pattern[str] | None:
        if not (stacking := self.marks.difference(_PRESENTATION)):
            return None
        start = "(?m:^)" if self.newlines else r"\A"
        return re.compile(f"{start}(?=[{_class(stacking)}])")

    def joined(self) -> str:
        """Return the whole as one string."""
        shown = self.text
        if self.symbols:
            shown = shown.translate({ord(character): stands for character, stands in self.symbols.items()})
        for pattern in self.patterns():
            shown = pattern.sub(_place_symbol, shown)
        if leading := self._leading():
            shown = leading.sub(DOTTED_CIRCLE, shown)
        return shown

    def parts(self) -> Iterator[Piece]:
        """Yield text and replacements in turn."""
        found = [f"[{_class(set(self.symbols))}]+"] if self.symbols else []
        found += [pattern.pattern for pattern in self.patterns()]
        if leading := self._leading():
            found.append(leading.pattern)
        if not found:
            yield Piece(self.text, False)
            return
        table = {ord(character): stands for character, stands in self.symbols.items()}
        at = 0
        for match in re.finditer("|".join(found), self.text):
            if match.start() > at:
                yield Piece(self.text[at : match.start()], False)
            yield Piece(_shown(match, table), True)
            at = match.end()
        if at < len(self.text):
            yield Piece(self.text[at:], False)


def _place_symbol(match: re.Match[str]) -> str:
    stray = match[0][0] in _PRESENTATION
    return "".join(f"⟨U+{ord(c):04X}⟩" for c in match[0]) if stray else MARKS_CUT


def _shown(match: re.Match[str], table: dict[int, str]) -> str:
    if not match[0]:
        return DOTTED_CIRCLE
    return match[0].translate(table) if ord(match[0][0]) in table else _place_symbol(match)

"""Text that a person cannot see: found, told apart from what scripts and emoji need, and decoded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import Final

from skillui.checks import hidden_codes
from skillui.core.visible import visible

MAX_RUNS: Final = 2_000
"""Runs of one text and gravity that are told, so that mild ones crowd out no grave one."""
MAX_DECODED: Final = 4_096
"""Characters of one run that are decoded."""


class Kind(StrEnum):
    """What hidden characters are, in words that stand in a message."""

    BIDI = "bidirectional controls"
    MARK = "direction marks in text that has no direction to mark"
    TAGS = "Unicode tag characters"
    SELECTORS = "variation selectors"
    JOINERS = "zero-width characters"
    PRIVATE = "private-use characters"
    INVISIBLE = "invisible characters"
    UNASSIGNED = "characters that no standard assigns"


@dataclass(frozen=True, slots=True)
class Hidden:
    """A run of characters that nobody sees, `start` up to `end` (character offsets)."""

    kind: Kind
    start: int
    end: int
    shown: str
    """The characters by name: `U+202E`."""
    decoded: str | None = None
    """What they spell, made visible; None where they spell nothing."""
    grave: bool = True
    """False for what is left behind by copying rather than put there to hide."""


# Letters of scripts written from right to left, in which direction marks and isolates have their use.
_RTL: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_BIDI: Final = "\u202a-\u202e\u2066-\u2069"
_MARKS: Final = "\u200e\u200f\u061c"
_TAGS: Final = "\U000e0000-\U000e007f"
_SELECTORS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINERS: Final = "\u200b-\u200d\u2060\ufeff"
_PRIVATE: Final = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_INVISIBLE: Final = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u2061-\u2065\u206a-\u206f\u2800\u3164"
    "\uffa0\ufff9-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
)
_UNASSIGNED: Final = "\ufdd0-\ufdef\ufffe\uffff"
_RUN: Final = re.compile(
    f"(?P<BIDI>[{_BIDI}]+)|(?P<MARK>[{_MARKS}]+)|(?P<TAGS>[{_TAGS}]+)|(?P<SELECTORS>[{_SELECTORS}]+)"
    f"|(?P<JOINERS>[{_JOINERS}]+)|(?P<PRIVATE>[{_PRIVATE}]+)|(?P<INVISIBLE>[{_INVISIBLE}]+)"
    f"|(?P<UNASSIGNED>[{_UNASSIGNED}]+)"
)
# One class finds every run in a fraction of the time that the kinds take one after the other.
_ANY: Final = re.compile(f"[{_BIDI}{_MARKS}{_TAGS}{_SELECTORS}{_JOINERS}{_PRIVATE}{_INVISIBLE}{_UNASSIGNED}]+")
_PICTURE: Final = re.compile(
    "[#*0-9©®‼⁉™ℹ\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
# Scripts whose spelling needs joiners (Arabic to Sinhala, Tibetan, Myanmar, Khmer, Mongolian, Brahmi's kin).
_JOINING: Final = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1a20-\u1aaf\u1b00-\u1c4f\ua800-\uaaff\uabc0-\uabff"
    "\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]"
)
# Scripts written without blanks, where a zero-width space shows where a line may break.
_UNSPACED: Final = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u1aaf\u3000-\u9fff\uac00-\ud7af]")
_FLAGS: Final = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_BRAILLE: Final = re.compile("[\u2801-\u28ff]")


def hidden_runs(text: str) -> Iterator[Hidden]:
    """Yield every run of hidden characters in order; a byte-order mark that opens the text is no part of it."""
    if text.isascii():
        return
    told = {True: 0, False: 0}
    for match in _kinds_in(text, 1 if text.startswith("\ufeff") else 0):
        found = _judged(text, match)
        if found is not None and told[found.grave] < MAX_RUNS:
            told[found.grave] += 1
            yield found


def _kinds_in(text: str, start: int) -> Iterator[re.Match[str]]:
    """Yield the runs of one kind each."""
    for run in _ANY.finditer(text, start):
        yield from _RUN.finditer(text, run.start(), run.end())


def names(characters: str) -> str:
    """Name characters by their code points, the first few of a long run."""
    named = [f"U+{ord(character):04X}" for character in islice(dict.fromkeys(characters), 4)]
    more = len(characters) - len(named)
    return " ".join(named) + (f" and {more} more" if more > 0 else "")


def _judged(text: str, match: re.Match[str]) -> Hidden | None:
    kind = Kind[match.lastgroup or "INVISIBLE"]
    judge = _JUDGES[kind]
    verdict = judge(text, match.start(), match.end())
    if verdict is None:
        return None
    decoded, grave = verdict
    shown = visible(decoded) if decoded else None
    return Hidden(kind, match.start(), match.end(), names(match[0]), shown, grave)


_Verdict = tuple[str | None, bool]


def _bidi(text: str, start: int, end: int) -> _Verdict:
    return None, not (text[start] > "\u2065" and _RTL.search(_line(text, start)))


def _mark(text: str, start: int, end: int) -> _Verdict | None:
    return None if end - start == 1 and _RTL.search(_line(text, start)) else (None, end - start > 2)


def _tags(text: str, start: int, end: int) -> _Verdict | None:
    if start and _FLAGS.fullmatch(text, start - 1, end):
        return None
    return hidden_codes.from_tags(text[start : min(end, start + MAX_DECODED)]), True


def _selectors(text: str, start: int, end: int) -> _Verdict | None:
    before = text[start - 1] if start else ""
    if end - start == 1 and before and _selected(before, text[start]):
        return None
    data = hidden_codes.from_selectors(text[start : min(end, start + MAX_DECODED)])
    return data, end - start > 1 or text[start] > "\uffff"


def _joiners(text: str, start: int, end: int) -> _Verdict | None:
    run = text[start : min(end, start + MAX_DECODED)]
    if end - start == 1 and _joins(text, start):
        return None
    inside = start > 0 and text[start - 1].isalpha() and text[end : end + 1].isalpha()
    return hidden_codes.from_bits(run), end - start > 2 or inside


def _private(text: str, start: int, end: int) -> _Verdict:
    return None, text[start] > "\uffff"


def _invisible(text: str, start: int, end: int) -> _Verdict | None:
    if text[start] == "\u2800" and _BRAILLE.search(_line(text, start)):
        return None
    if "\u180b" <= text[start] <= "\u180f" and _JOINING.match(text, max(0, start - 1)):
        return None
    jamo = text[start] in "\u115f\u1160" and start and "\u1100" <= text[start - 1] <= "\u11ff"
    return None if jamo else (None, end - start > 2)


def _unassigned(text: str, start: int, end: int) -> _Verdict:
    return None, False


_JUDGES: Final = {
    Kind.BIDI: _bidi,
    Kind.MARK: _mark,
    Kind.TAGS: _tags,
    Kind.SELECTORS: _selectors,
    Kind.JOINERS: _joiners,
    Kind.PRIVATE: _private,
    Kind.INVISIBLE: _invisible,
    Kind.UNASSIGNED: _unassigned,
}


def _selected(before: str, selector: str) -> bool:
    """Tell whether a selector behind a character is one that Unicode gives a meaning."""
    if selector in "\ufe0e\ufe0f":
        return _PICTURE.match(before) is not None
    ideograph = (
        "\u3400" <= before <= "\u9fff" or "\uf900" <= before <= "\ufaff" or "\U00020000" <= before < "\U00040000"
    )
    if selector > "\uffff":
        return ideograph
    # The standard's single selectors stand behind mathematical signs, East Asian punctuation and a few scripts.
    return ideograph or _takes_selector(before)


@lru_cache(maxsize=1024)
def _takes_selector(before: str) -> bool:
    if unicodedata.category(before) == "Sm":
        return True
    return any(low <= before <= high for low, high in (("\u1000", "\u109f"), ("\u1800", "\u18af"), ("\ua840", "\ua87f"),
                                                       ("\u3000", "\u30ff"), ("\uff00", "\uffef")))  # fmt: skip


def _joins(text: str, at: int) -> bool:
    """Tell whether a lone zero-width character stands where an emoji or a script needs it."""
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    character = text[at]
    if character == "\u200d" and _is_picture(text, at) and _PICTURE.match(after):
        return True
    if character in "\u200c\u200d" and (_JOINING.match(before) or (not before.strip() and _JOINING.match(after))):
        return True
    return character in "\u200b\u2060" and bool(_UNSPACED.match(before) or _UNSPACED.match(after))


def _is_picture(text: str, at: int) -> bool:
    """Tell whether an emoji with its own modifiers ends right before an offset."""
    before = text[max(0, at - 3) : at].rstrip("\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
    return bool(before) and before[-1] not in "#*0123456789" and _PICTURE.match(before[-1]) is not None


def _line(text: str, at: int) -> str:
    """Return the stretch of the line around an offset that has to do with it, at most 1,000 characters."""
    start = max(text.rfind("\n", 0, at) + 1, at - 500)
    end = text.find("\n", at, at + 500)
    return text[start : end if end >= 0 else at + 500]

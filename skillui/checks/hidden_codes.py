"""The ways in which hidden characters spell text: tags, variation selectors, zero-width bits."""

from __future__ import annotations

from itertools import permutations
from typing import Final

_MIN_BITS: Final = 14


def from_tags(run: str) -> str | None:
    """Read tag characters as the ASCII they shadow."""
    text = "".join(chr(ord(c) - 0xE0000) for c in run if 0xE0020 <= ord(c) <= 0xE007E)
    return text or None


def from_selectors(run: str) -> str | None:
    """Read variation selectors as bytes (VS1 is 0, VS256 is 255), and those as text where they are text."""
    data = bytes(ord(c) - 0xFE00 if c < "\uffff" else ord(c) - 0xE0100 + 16 for c in run)
    return _as_text(data) if len(data) > 1 else None


def from_bits(run: str) -> str | None:
    """Read zero-width characters as bits: two kinds of them for 0 and 1, a third as a mark between letters."""
    if len(run) < _MIN_BITS:
        return None
    kinds = sorted(set(run), key=lambda c: (-run.count(c), c))
    if not 2 <= len(kinds) <= 4:
        return None
    for zero, one in sorted(permutations(kinds, 2)):  # ZWSP for 0 and ZWNJ for 1 come first
        bits = "".join("0" if c == zero else "1" for c in run if c in (zero, one))
        for width in (8, 7, 16):
            if (text := _from_groups(bits, width)) is not None:
                return text
    return None


def _from_groups(bits: str, width: int) -> str | None:
    if len(bits) % width:
        return None
    numbers = [int(bits[at : at + width], 2) for at in range(0, len(bits), width)]
    if width == 16:
        return _plausible("".join(map(chr, numbers)))
    return _as_text(bytes(numbers))


def _as_text(data: bytes) -> str | None:
    try:
        return _plausible(data.decode())
    except UnicodeDecodeError:
        return None


def _plausible(text: str) -> str | None:
    """Return the text where it reads as one: characters that print, blanks and line ends."""
    return text if text and all(c.isprintable() or c in "\n\r\t" for c in text) else None

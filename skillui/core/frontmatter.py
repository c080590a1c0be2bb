"""Cutting a SKILL.md into frontmatter and body (specification §4.5, rule 1), byte for byte."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_FRONTMATTER = 64 * 1024
"""Bytes the text between the fences may have."""

_FENCE = re.compile(r"---[ \t]*(?:\r?\n|\r?\Z)")


@dataclass(frozen=True, slots=True)
class Sections:
    """The parts of a SKILL.md.

    `frontmatter` is the text between the fences without them, None where the file has no opening
    fence. `body` is what follows the newline of the closing fence, unchanged. Lines are 1-based.
    """

    frontmatter: str | None
    closed: bool
    body: str
    body_line: int
    late_fence_line: int | None = None
    """Where a fence stands later in a file that does not begin with one."""


class EncodingFault(Exception):
    """The bytes are not UTF-8; `reason` names the encoding or the byte offset, `offset` is 0-based."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


def decode(data: bytes) -> str:
    """Decode a SKILL.md; a byte-order mark stays in the text. Raises `EncodingFault`."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        order = "little" if data.startswith(b"\xff\xfe") else "big"
        raise EncodingFault(f"the file is UTF-16 ({order} endian), not UTF-8", 0)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = data[error.start]
        raise EncodingFault(f"byte 0x{byte:02x} at offset {error.start} is not UTF-8", error.start) from None


def _find_closing(text: str, start: int) -> re.Match[str] | None:
    """Find the first fence line at or after `start`, which begins a line."""
    start -= 1
    while (start := text.find("\n---", start)) >= 0:
        start += 1
        if match := _FENCE.match(text, start):
            return match
    return None


def split(text: str) -> Sections:
    """Cut decoded text at its fences; a byte-order mark before the first fence is passed over."""
    start = 1 if text.startswith("\ufeff") else 0
    opening = _FENCE.match(text, start)
    if opening is None:
        late = _find_closing(text, 1)
        line = text.count("\n", 0, late.start()) + 1 if late else None
        return Sections(None, False, text[start:], 1, late_fence_line=line)
    closing = _find_closing(text, opening.end())
    if closing is None:
        return Sections(text[opening.end() :], False, "", text.count("\n") + 1)
    body_line = text.count("\n", 0, closing.end()) + 1
    return Sections(text[opening.end() : closing.start()], True, text[closing.end() :], body_line)

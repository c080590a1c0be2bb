"""Small helpers for text that reaches a model or a log: one line stays one line."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

# C0, DEL and C1 controls, the two Unicode line ends, and the lone surrogates that stand for
# undecodable bytes in file names.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SURROGATE = re.compile("[\ud800-\udfff]")


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    code = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if 0xDC80 <= code <= 0xDCFF:  # how Python keeps a byte of a name that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def escaped(text: str) -> str:
    r"""Show control characters and undecodable bytes as escapes (`\n`, `\xff`): one line, valid UTF-8."""
    return _UNSAFE.sub(_escape, text)


def clipped(text: str, limit: int = 80) -> str:
    """Cut `text` to `limit` characters for a message, escapes included."""
    line = escaped(text)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def attribute(text: str) -> str:
    """Quote `text` as the value of an XML attribute with double quotes."""
    # Not the standard library's quoteattr: it brings urllib, http and ssl, a fifth of a command's start.
    quoted = escaped(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return f'"{quoted}"'


def has_surrogate(text: str) -> bool:
    """Tell whether `text` cannot be written as UTF-8."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def json_safe(value: Any) -> Any:
    """Return `value` with everything JSON cannot hold made text: `.nan`, `.inf`, surrogates, odd keys."""
    if isinstance(value, str):
        return _SURROGATE.sub(_escape, value) if has_surrogate(value) else value
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else (".inf" if value > 0 else "-.inf")
    if isinstance(value, Mapping):
        return {json_safe(str(key)): json_safe(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(item) for item in value]
    return value


def estimated_tokens(characters: int) -> int:
    """Estimate tokens as a quarter of the characters, rounded up; an estimate, and labelled so where shown."""
    return (characters + 3) // 4

"""What goes over the broker's socket: one JSON object a line, bounded, in ASCII.

    app      {"skillui": "broker", "version": 1, "project": "/srv/shop", "started": 1764500000.0}
    client   {"version": 1, "ask": {…}}
    app      {"answer": "allow_once"}    or    {"answer": "deny", "reason": "nobody answered within 120 s"}

Then the app closes. A client that closes before the answer withdraws its question.
"""

from __future__ import annotations

import json
from typing import Any

from skillui.core.text import clipped

VERSION = 1
MAX_LINE = 256 * 1024
"""Bytes a line may have, newline included."""
TIME_LIMIT = 120.0
"""Seconds after which a question is denied."""
HELLO_LIMIT = 5.0
"""Seconds that either side has for its first line."""
MAX_REASON = 200


class LineFault(Exception):
    """A line is not what the other end should have sent; the message says what is wrong with it."""


def encode(message: dict[str, Any]) -> bytes:
    """Return the line of a message. Raises `LineFault` for one that is too long."""
    try:
        line = json.dumps(message, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"
    except (TypeError, ValueError, RecursionError):
        raise LineFault("it cannot be written as JSON") from None
    if len(line) > MAX_LINE:
        raise LineFault(f"it is longer than {MAX_LINE:,} bytes")
    return line


def decode(line: bytes) -> dict[str, Any]:
    """Read a line. Raises `LineFault`."""
    if not line.endswith(b"\n"):
        raise LineFault("the line has no end")
    try:
        message = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise LineFault("the line is not JSON") from None
    if not isinstance(message, dict):
        raise LineFault("the line is no JSON object")
    return message


def text_of(message: dict[str, Any], key: str, limit: int = 4096) -> str:
    """Return a text of a message. Raises `LineFault`."""
    value = message.get(key)
    if not isinstance(value, str) or len(value) > limit:
        raise LineFault(f"'{key}' is not text of at most {limit:,} characters")
    return value


def denial(reason: str) -> dict[str, Any]:
    """Return the answer that denies in words."""
    return {"answer": "deny", "reason": clipped(reason, MAX_REASON)}

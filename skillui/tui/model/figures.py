"""Figures in words: sizes, ages, digests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

_STEPS: Final = (
    (60, 1, "second"),
    (3600, 60, "minute"),
    (86_400, 3600, "hour"),
    (86_400 * 14, 86_400, "day"),
    (86_400 * 60, 86_400 * 7, "week"),
    (86_400 * 730, 86_400 * 30, "month"),
)
_DIGITS: Final = 12


def human_size(size: int) -> str:
    """Write a number of bytes the short way: `812 B`, `12.3 KiB`."""
    if size < 1024:
        return f"{size} B"
    value, unit = size / 1024, "KiB"
    for bigger in ("MiB", "GiB", "TiB"):
        if value < 1000:
            break
        value, unit = value / 1024, bigger
    return f"{value:.1f} {unit}" if value < 100 else f"{value:.0f} {unit}"


def counted(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun: `1 file`, `1,204 files`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def age(then: float, now: float) -> str:
    """Say how long ago a moment was, both in seconds since the epoch."""
    passed = now - then
    if passed < -60:
        return "in the future"
    if passed < 10:
        return "just now"
    for limit, step, word in _STEPS:
        if passed < limit:
            return f"{counted(int(passed // step), word)} ago"
    return f"{counted(int(passed // (86_400 * 365)), 'year')} ago"


def moment(then: float) -> str:
    """Write a moment in the local time zone, to the minute; "" where it is no possible moment."""
    try:
        return datetime.fromtimestamp(then, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return ""


def short_digest(value: str) -> str:
    """Shorten `sha256:<hex>` to what tells two apart at a glance."""
    kind, _, digits = value.partition(":")
    return f"{kind} {digits[:_DIGITS]}" if digits else value[:_DIGITS]

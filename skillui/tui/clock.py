"""The time that the interface writes down and counts ages from, in one place."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def now() -> float:
    """Return the time in seconds since the epoch."""
    return time.time()


def utc_now() -> datetime:
    """Return the time in UTC."""
    return datetime.fromtimestamp(now(), UTC)

"""`skillui.lock`: decisions as a file that a team can keep beside its skills. Reading one grants nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Annotated

import msgspec

from skillui.core.files import ReadFault, read_regular
from skillui.core.text import clipped, escaped
from skillui.review.records import Place, StoredDecision, Verdict

VERSION = 1
MAX_BYTES = 16 * 1024 * 1024
MAX_DECISIONS = 100_000

_Digest = Annotated[str, msgspec.Meta(pattern=r"\Asha256:[0-9a-f]{64}\Z")]
_MAX_SHORT = 4_000
_MAX_NAME = 1_000
_Short = Annotated[str, msgspec.Meta(max_length=_MAX_SHORT)]
_Date = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


class LockFault(Exception):
    """Why a lock file is not taken: one line with the file, the place in it, and what to write instead."""


class LockEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One decision of a lock file."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=_MAX_NAME)]
    digest: _Digest
    decision: Verdict
    reviewer: _Short
    date: _Short
    reason: _Short = ""


class _Lock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    decisions: list[LockEntry]


def lock_entry(decision: StoredDecision) -> LockEntry:
    """Return a stored decision as the lock file tells it."""
    words = (decision.place.name, decision.who, decision.reason)
    name, who, reason = (word.encode("utf-8", "backslashreplace").decode() for word in words)
    return LockEntry(
        name[:_MAX_NAME] or "(no name)", decision.digest, decision.verdict, who[:_MAX_SHORT], decision.when,
        reason[:_MAX_SHORT],
    )  # fmt: skip


def stored_decision(entry: LockEntry, lock: str) -> StoredDecision:
    """Return an entry as the store keeps it once a person took it over; `lock` is where it came from."""
    place = Place(entry.name, "", lock)
    return StoredDecision(
        entry.digest, entry.decision, entry.reviewer, entry.date, place, entry.reason, (), "import"
    )  # fmt: skip


def write_lock(entries: Iterable[LockEntry]) -> str:
    """Return the text of a lock file, in an order that changes little from one to the next."""
    ordered = sorted(entries, key=lambda entry: (entry.name, entry.digest))
    data = msgspec.json.encode(_Lock(VERSION, ordered))
    return msgspec.json.format(data, indent=2).decode() + "\n"


def load_lock(path: str | os.PathLike[str]) -> tuple[LockEntry, ...]:
    """Read a lock file from disk. Raises `LockFault`."""
    shown = os.fspath(path)
    try:
        data, _ = read_regular(shown, MAX_BYTES)
    except ReadFault as fault:
        raise LockFault(escaped(f"{shown} {fault.reason}")) from None
    return read_lock(data, shown)


def read_lock(text: str | bytes, path: str = "skillui.lock") -> tuple[LockEntry, ...]:
    """Read the text of a lock file. Raises `LockFault`."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    try:
        lock = msgspec.json.decode(data, type=_Lock)
    except msgspec.ValidationError as error:
        raise LockFault(escaped(f"{path}: {clipped(str(error), 300)}; write it with `skillui review export`")) from None
    except msgspec.DecodeError as error:
        raise LockFault(escaped(f"{path}{_place_in(data, error)}: no JSON: {clipped(str(error), 200)}")) from None
    if lock.version != VERSION:
        raise LockFault(escaped(f"{path}: version {lock.version} is not known; this skillui writes {VERSION}"))
    if len(lock.decisions) > MAX_DECISIONS:
        raise LockFault(escaped(f"{path}: {len(lock.decisions):,} decisions, past the limit of {MAX_DECISIONS:,}"))
    seen: dict[str, int] = {}
    for number, entry in enumerate(lock.decisions):
        if not _Date.fullmatch(entry.date):
            raise LockFault(
                escaped(
                    f"{path}: decisions[{number}].date: write it as 2026-01-31T12:00:00Z, not {clipped(entry.date)}"
                )
            )
        if entry.digest in seen:
            raise LockFault(
                escaped(f"{path}: decisions[{number}] repeats the digest of decisions[{seen[entry.digest]}]; keep one")
            )
        seen[entry.digest] = number
    return tuple(lock.decisions)


def _place_in(data: bytes, error: Exception) -> str:
    """Tell line and column of a syntax fault, "" where the parser does not say."""
    if (found := re.search(r"byte (\d+)", str(error))) is None:
        return ""
    before = data[: int(found[1])]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return f":{line}:{column}"

"""Lock files at the command line: written for a team, taken over only by a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from skillui.cli import out
from skillui.cli.faults import OK, REFUSED, Fault
from skillui.cli.person import NOBODY, types_word
from skillui.core.files import reason_of
from skillui.review.lockfile import LockEntry, LockFault, load_lock, lock_entry, stored_decision, write_lock
from skillui.review.store import DecisionStore, StoreFault
from skillui.workspace.width import one_line

_SHOWN = 200
"""Entries that are shown one by one."""


def export_lock(store: DecisionStore, file: str | None) -> int:
    """Write all decisions to a file, or to standard output. Returns the exit code."""
    decisions = store.decisions()
    if store.fault is not None:
        raise Fault(store.fault)
    text = write_lock(map(lock_entry, decisions))
    if file is None:
        out.stdout().block(text)
        return OK
    from skillui.workspace.atomic import write_text

    try:
        write_text(file, text)
    except OSError as error:
        raise Fault(f"{file} cannot be written: {reason_of(error)}") from None
    out.stdout().line(f"wrote {len(decisions)} {'decision' if len(decisions) == 1 else 'decisions'} to {file}")
    return OK


def import_lock(store: DecisionStore, file: str) -> int:
    """Show what a lock file would change, and take it over when the person says so. Returns the exit code."""
    try:
        entries = load_lock(file)
    except LockFault as fault:
        raise Fault(str(fault)) from None
    known = {one.digest: one.verdict for one in store.decisions()}
    if store.fault is not None:
        raise Fault(store.fault)
    fresh = [entry for entry in entries if known.get(entry.digest) != entry.decision]
    if not fresh:
        out.stdout().line(f"{file} holds nothing that was not decided already")
        return OK
    typed = types_word(_lines(fresh, known, file), "import", "take this over")
    if typed is None:
        raise Fault(f"{NOBODY}: nothing was taken over")
    if not typed:
        out.complain("nothing was taken over")
        return REFUSED
    try:
        count = store.take_over(stored_decision(entry, file) for entry in fresh)
    except StoreFault as fault:
        raise Fault(str(fault)) from None
    out.stdout().line(f"took over {count} {'decision' if count == 1 else 'decisions'}")
    return OK


def _lines(fresh: list[LockEntry], known: Mapping[str, str], file: str) -> list[str]:
    counts = Counter(entry.decision for entry in fresh)
    lines = [f"{file} would approve {counts['approved']} and deny {counts['denied']} contents:"]
    # What lifts a denial first: it must not be what is out of sight.
    ordered = sorted(fresh, key=lambda entry: (known.get(entry.digest) != "denied", entry.name))
    for entry in ordered[:_SHOWN]:
        before = known.get(entry.digest)
        was = f" (you {before} it)" if before else ""
        because = f": {one_line(entry.reason)}" if entry.reason else ""
        by = f"{entry.reviewer} {entry.date[:10]}{because}"
        lines.append(f"  {entry.decision:<10}{was} {entry.name}  {entry.digest[:19]}  {by}")
    if len(ordered) > _SHOWN:
        lines.append(f"  and {len(ordered) - _SHOWN} more")
    return lines

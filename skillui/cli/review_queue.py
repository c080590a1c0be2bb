"""The queue as a table and as JSON, and what `--require-approved` makes of it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from skillui.cli import out
from skillui.cli.faults import OK, REFUSED, Fault
from skillui.core.text import clipped
from skillui.review.queue import STATES, QueueItem
from skillui.review.store import DecisionStore
from skillui.workspace.width import one_line, pad

if TYPE_CHECKING:
    from skillui.cli.review_sources import Source
    from skillui.workspace.launch import Launch

_SIGNS = {"new": "+", "changed": "~", "approved": "✓", "denied": "✗", "unreadable": "!"}
_ASCII_SIGNS = {**_SIGNS, "approved": "v", "denied": "x"}
_LONGEST_NAME = 40


def open_store(path: str | None) -> DecisionStore:
    """Return the store in `path`, the user's own where it is None. Raises `Fault` where FILE is not there."""
    from skillui.workspace.folders import find_folders

    if path is not None and not os.path.lexists(path):
        raise Fault(f"{path} does not exist")
    return DecisionStore(path if path is not None else find_folders().store_file)


@contextlib.contextmanager
def decisions_of(path: str | None, lockfile: str | None) -> Iterator[DecisionStore]:
    """Hold the decisions that count: those of a store, or of a lock file alone. Raises `Fault`."""
    if lockfile is None:
        yield open_store(path)
        return
    from skillui.review.lockfile import LockFault, load_lock, stored_decision

    try:
        entries = load_lock(lockfile)
    except LockFault as fault:
        raise Fault(str(fault)) from None
    with tempfile.TemporaryDirectory(prefix="skillui-") as folder:
        store = DecisionStore(os.path.join(folder, "decisions.sqlite3"))
        store.take_over(stored_decision(entry, lockfile) for entry in entries)
        yield store


def print_queue(source: Source, launch: Launch, store: DecisionStore, as_json: bool, require_approved: bool) -> int:
    """Print the queue of a source. Returns the exit code."""
    items = list(source.queue(store, launch))
    for warning in source.warnings:
        out.complain(f"warning: {warning}")
    if store.fault is not None:
        out.complain(f"warning: {store.fault}; nothing counts as approved")
    if as_json:
        out.stdout().json({"skills": [item_json(item) for item in items], "summary": _summary(items)})
    else:
        output = out.stdout(launch.settings.ascii)
        output.lines([*_lines(items, output), *([""] if items else []), _count_line(items)])
    # A root that could not be read may hold anything, and so may an archive that cannot be relied on.
    approved = all(item.state == "approved" for item in items) and not source.warnings
    return OK if approved or not require_approved else REFUSED


def item_json(item: QueueItem) -> dict[str, Any]:
    """Return one item as JSON tells it."""
    decision = item.decision
    return {
        "name": item.place.name, "dir": item.place.dir, "root": item.place.root, "state": item.state,
        "digest": item.content.digest, "fault": item.content.fault,
        "decision": None if decision is None else {
            "verdict": decision.verdict, "who": decision.who, "when": decision.when, "reason": decision.reason,
            "dir": decision.place.dir, "via": decision.via,
        },
        "changes": [
            {"path": change.path, "state": change.state} for change in item.changes if change.state != "unchanged"
        ],
        "problems": [finding.to_json() for finding in item.findings],
    }  # fmt: skip


def _summary(items: list[QueueItem]) -> dict[str, int]:
    return {state: sum(item.state == state for item in items) for state in STATES}


def _lines(items: list[QueueItem], output: out.Out) -> list[str]:
    signs = _ASCII_SIGNS if output.ascii_only else _SIGNS
    names = [clipped(one_line(item.place.name), _LONGEST_NAME) for item in items]
    width = max((len(output.shown(name)) for name in names), default=0)
    lines = []
    order = {state: rank for rank, state in enumerate(STATES)}
    for name, item in sorted(zip(names, items, strict=True), key=lambda pair: order[pair[1].state]):
        about = f"{signs[item.state]} {pad(item.state, 10)}  {pad(output.shown(name), width)}  {_words(item)}"
        lines.append(about)
    return lines


def _words(item: QueueItem) -> str:
    """Say in words what matters of an item."""
    if item.content.fault is not None:
        return f"cannot be approved: {item.content.fault}"
    if item.decision is not None:
        where = f", as {item.decision.place.dir or item.decision.place.root}" if item.elsewhere else ""
        because = f": {one_line(item.decision.reason)}" if item.decision.reason else ""
        return f"by {item.decision.who} on {item.decision.when[:10]}{where}{because}"
    parts = []
    if item.state == "changed":
        changed = sum(change.state != "unchanged" for change in item.changes)
        parts.append(f"{changed} of {len(item.changes)} files changed since its approval")
    else:
        parts.append(_count(len(item.content.files), "file"))
    errors = sum(finding.severity == "error" for finding in item.findings)
    if item.findings:
        parts.append(_count(len(item.findings), "finding") + (f", {_count(errors, 'error')}" if errors else ""))
    return "; ".join(parts)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _count_line(items: list[QueueItem]) -> str:
    if not items:
        return "Nothing to review: there is no untrusted skill."
    counts = [f"{count} {state}" for state, count in _summary(items).items() if count]
    return f"{_count(len(items), 'untrusted skill')}: {', '.join(counts)}"

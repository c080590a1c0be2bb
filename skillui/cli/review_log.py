"""The log of decisions, prompts and gated activations, as text and as JSON lines."""

from __future__ import annotations

import json
from dataclasses import asdict

from skillui.cli import out
from skillui.cli.faults import OK, Fault
from skillui.core.text import clipped, json_safe
from skillui.review.store import DecisionStore
from skillui.workspace.width import one_line


def print_log(store: DecisionStore, as_json: bool, limit: int | None) -> int:
    """Print the log, oldest first. Returns the exit code."""
    entries = store.audit(limit)
    if store.fault is not None:
        raise Fault(store.fault)
    output = out.stdout()
    if as_json:
        output.lines([json.dumps(json_safe(asdict(entry)), ensure_ascii=True) for entry in entries])
        return OK
    lines = []
    for entry in entries:
        because = f"  {clipped(one_line(entry.reason), 200)}" if entry.reason else ""
        digest = entry.digest[7:19] if entry.digest else "no digest"
        lines.append(
            f"{entry.when}  {entry.kind:<10}  {entry.answer:<10}  {clipped(one_line(entry.name), 40)}"
            f"  {digest}  {entry.who} ({entry.via}){because}"
        )
    output.lines(lines or ["Nothing was decided or asked yet."])
    return OK

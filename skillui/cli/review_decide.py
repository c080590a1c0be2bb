"""Deciding at the terminal: a person sees what it is about and types a word in full."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillui.cli import out
from skillui.cli.faults import OK, REFUSED, Fault
from skillui.cli.person import NOBODY, types_word
from skillui.core.catalog import BrokenSkill, LoadedSkill
from skillui.core.registry import FilesystemSkillRegistry
from skillui.core.text import clipped
from skillui.review.queue import QueueItem, read_queue, review_item
from skillui.review.records import SeenFinding, Verdict
from skillui.review.store import DecisionStore, StoreFault
from skillui.workspace.width import one_line

if TYPE_CHECKING:
    from skillui.workspace.launch import Launch

_WORDS: Final[dict[Verdict, str]] = {"approved": "approve", "denied": "deny"}
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_FILES = 40
_FINDINGS = 40
"""Lines of each kind that are shown; more than that is read in the app."""


def decide(launch: Launch, store: DecisionStore, name: str, reason: str, verdict: Verdict) -> int:
    """Decide about the untrusted skill of this name, for the bytes it has now. Returns the exit code."""
    item = _find(launch, store, name)
    if item.content.digest is None:
        raise Fault(f"{name} cannot be decided on: {item.content.fault}")
    word = _WORDS[verdict]
    typed = types_word(list(_lines(item)), word, f"{word} exactly this content", launch.settings.ascii)
    if typed is None:
        raise Fault(f"{NOBODY}: nothing was decided")
    if not typed:
        out.complain("nothing was decided")
        return REFUSED
    now = review_item(store, _load(launch, item), item.place.root)
    if now.content.digest != item.content.digest:
        raise Fault(f"the files of {name} changed while the question was open: nothing was decided")
    seen = tuple(map(SeenFinding.of, item.findings))
    try:
        store.decide(verdict, now.content, item.place, reason, seen, via="cli")
    except StoreFault as fault:
        raise Fault(str(fault)) from None
    out.stdout(launch.settings.ascii).line(f"{verdict} {name}: {item.content.digest}")
    return OK


def revoke(store: DecisionStore, what: str, reason: str) -> int:
    """Take back the decision about a digest, or those about a name. Returns the exit code."""
    found = [one for one in store.decisions() if what in (one.digest, one.place.name)]
    if store.fault is not None:
        raise Fault(store.fault)
    if not found:
        shown = "content" if _DIGEST.fullmatch(what) else "a skill named"
        raise Fault(f"nothing was decided about {shown} {clipped(what)}")
    if any(one.verdict == "denied" for one in found):
        lines = [f"{one.verdict} by {one.who} on {one.when[:10]}  {one.place.name}  {one.digest}" for one in found]
        typed = types_word(lines, "revoke", "take this back")
        if typed is None:
            raise Fault(f"{NOBODY}: taking back a denial needs a person")
        if not typed:
            out.complain("nothing was taken back")
            return REFUSED
    try:
        for one in found:
            store.revoke(one.digest, reason)
    except StoreFault as fault:
        raise Fault(str(fault)) from None
    output = out.stdout()
    for one in found:
        output.line(f"no longer {one.verdict}: {one.place.name} {one.digest}")
    return OK


def _find(launch: Launch, store: DecisionStore, name: str) -> QueueItem:
    registry = FilesystemSkillRegistry(launch.config.roots)
    registry.scan()
    roots = [root.source for root in launch.project.roots]
    found = [item for item in read_queue(store, registry, launch.config, roots) if item.place.name == name]
    if not found:
        raise Fault(f"no untrusted skill is named {clipped(name)}; `skillui review` lists them")
    if len(found) > 1:
        places = ", ".join(item.place.dir for item in found)
        raise Fault(f"several untrusted skills are named {clipped(name)}: {places}; name one root with --root")
    return found[0]


def _load(launch: Launch, item: QueueItem) -> LoadedSkill | BrokenSkill:
    skill = FilesystemSkillRegistry(launch.config.roots).load_entry(item.entry)
    if skill is None:
        raise Fault(f"{item.place.name} is gone: nothing was decided")
    return skill


def _lines(item: QueueItem) -> Iterator[str]:
    """Yield what the person is shown; who prints it takes it through the gate."""
    yield f"{item.place.name}  {item.state}"
    yield f"  what       {one_line(item.entry.description)}"
    yield f"  dir        {item.place.dir}"
    yield f"  root       {item.place.root}"
    yield f"  digest     {item.content.digest}"
    if item.decision is not None:
        yield f"  decided    {item.decision.verdict} by {item.decision.who} on {item.decision.when[:10]}"
    changed = [change for change in item.changes if change.state != "unchanged"]
    for change in changed[:_FILES]:
        yield f"  {change.state:<10} {change.path}"
    if len(changed) > _FILES:
        yield f"  and {len(changed) - _FILES} more files"
    for finding in sorted(item.findings, key=lambda one: one.severity.rank)[:_FINDINGS]:
        place = f" line {finding.line}" if finding.line else ""
        yield f"  {finding.severity!s:<10} {finding.code}{place}: {finding.message}"
    if len(item.findings) > _FINDINGS:
        yield f"  and {len(item.findings) - _FINDINGS} more findings"
    yield "  Read the files themselves before you approve: in the app, `skillui`, then 2."

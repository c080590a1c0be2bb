"""The hook's judgement of one call: the store's word on the content of every folder it may come from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from skillui.core.digest import content_digest
from skillui.core.text import clipped
from skillui.serve.hook_input import HookFault, SkillCall
from skillui.serve.hook_resolve import Candidate, Unknown, find_candidates, skill_name

if TYPE_CHECKING:
    from skillui.review.store import DecisionStore

Answer = Literal["allow", "deny", "ask"]
ASKING_MODES = ("", "default", "plan", "acceptEdits")
"""Permission modes in which Claude Code does ask a person when a hook says so."""
_ADVICE = "review it in skillui, or with `skillui review`"


@dataclass(frozen=True, slots=True)
class Judgement:
    """An answer with its reason, and what the log is told beside it."""

    answer: Answer
    reason: str
    kind: Literal["activation", "prompt", "fault"] = "activation"
    name: str = ""
    dir: str = ""
    digest: str | None = None


def judge_call(call: SkillCall, store: DecisionStore, unknown: Answer, environ: Mapping[str, str]) -> Judgement:
    """Judge a call: denied content denies, approved content allows, the rest is `unknown`. Raises `HookFault`."""
    if not os.path.isdir(call.cwd):
        raise HookFault(f"the working directory {clipped(call.cwd)} is no folder")
    try:
        name = skill_name(call.skill)
        candidates = find_candidates(name, call.cwd, environ)
    except Unknown as reason:
        return _unknown(call, unknown, str(reason), clipped(call.skill), None, None)
    if not candidates:
        return _unknown(call, unknown, f"no skill folder holds {clipped(name)}", name, None, None)
    judgements = [_judge(call, candidate, store, unknown) for candidate in candidates]
    rank = {"deny": 0, "ask": 1, "allow": 2}
    return min(judgements, key=lambda judgement: rank[judgement.answer])


def _judge(call: SkillCall, candidate: Candidate, store: DecisionStore, unknown: Answer) -> Judgement:
    found = content_digest(candidate.dir)
    shown = clipped(candidate.dir, 120)
    if found.value is None:
        reason = f"the content of {shown} cannot be recognised: {found.reason}"
        return Judgement("deny", reason, "fault", candidate.name, candidate.dir)
    verdict = store.verdict(found.value)
    if store.fault is not None:
        reason = clipped(store.fault, 400)
        return Judgement("deny", reason, "fault", candidate.name, candidate.dir, found.value)
    if verdict == "denied":
        reason = f"the content of {shown} was denied in a review"
        return Judgement("deny", reason, "activation", candidate.name, candidate.dir, found.value)
    odd = candidate.odd_place() if verdict == "approved" else None
    if verdict == "approved" and odd is None:
        reason = f"the content of {shown} was approved in a review"
        return Judgement("allow", reason, "activation", candidate.name, candidate.dir, found.value)
    what = f"{odd} ({shown})" if odd else f"nobody approved the content of {shown}; {_ADVICE}"
    return _unknown(call, unknown, what, candidate.name, candidate.dir, found.value)


def _unknown(
    call: SkillCall, unknown: Answer, reason: str, name: str, directory: str | None, digest: str | None
) -> Judgement:
    answer: Answer = unknown
    if answer == "ask" and call.mode not in ASKING_MODES:
        # In such a mode Claude Code takes "ask" for a yes.
        answer, reason = "deny", f"{reason}; in mode {clipped(call.mode, 40)} nobody is asked"
    return Judgement(answer, reason, "prompt" if answer == "ask" else "activation", name, directory or "", digest)

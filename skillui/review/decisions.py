"""The decision path: the store, then a person, then denial (specification §5.6)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from skillui.core.permission import HookRefusal, PermissionHook, PermissionRequest
from skillui.core.problems import Problem
from skillui.review.content import skill_content
from skillui.review.records import Place, SeenFinding, StoredDecision
from skillui.review.store import DecisionStore, DenialStands, StoreFault

Findings = Callable[[PermissionRequest], Iterable[Problem]]
"""Says what was found in the skill a request is about; called in a thread."""
CHANGED = "the files of the skill changed while the question was open"


def store_hook(
    store: DecisionStore,
    ask: PermissionHook | None,
    via: str,
    roots: tuple[str, ...] = (),
    findings: Findings | None = None,
) -> PermissionHook:
    """Return a hook that answers from the store, asks `ask` where nothing was decided, and denies where nobody is.

    Denied content is denied wherever it lies. Approved content in a place that it should not lie in (outside the
    workspace, sensitive) is asked about all the same: the approval is for the bytes, the question about the place.
    Every question and every answer lands in the log, under `via`. `roots` are the skill roots as written.
    """
    path = _Path(store, ask, via, roots, findings)
    return path.decide


@dataclass(frozen=True, slots=True)
class _Path:
    """The way of one question."""

    store: DecisionStore
    ask: PermissionHook | None
    via: str
    roots: tuple[str, ...]
    findings: Findings | None

    async def decide(self, request: PermissionRequest) -> str:
        """Answer one request. Raises `HookRefusal` to deny in words."""
        known = await asyncio.to_thread(self.store.decision, request.digest) if request.digest is not None else None
        if known is not None and known.verdict == "denied":
            await self._log(request, "activation", "deny", "decided before")
            raise HookRefusal(_denied_words(known))
        if known is not None and not request.gate.flags:
            await self._log(request, "activation", "allow", "decided before")
            return "allow"
        if self.ask is None:
            reason, kind = self._nobody(request)
            await self._log(request, kind, "deny", reason)
            raise HookRefusal(reason)
        return await self._ask(request, self.ask)

    def _nobody(self, request: PermissionRequest) -> tuple[str, str]:
        """Say why nothing is allowed where nobody is, and what kind of line that is in the log."""
        if self.store.fault is not None:
            return f"nobody is there to ask, and {self.store.fault}", "fault"
        if request.digest is None:
            return f"nobody is there to ask, and it cannot be approved: {request.digest_fault}", "fault"
        return "nobody approved this content, and nobody is there to ask", "prompt"

    async def _ask(self, request: PermissionRequest, ask: PermissionHook) -> str:
        try:
            answer = await ask(request)
        except HookRefusal as refusal:
            await self._log(request, "prompt", "deny", str(refusal))
            raise
        except asyncio.CancelledError:
            # In a thread that nobody waits for but the loop at its end: another process may hold the store for seconds.
            words = ("prompt", "deny", "the question was withdrawn")
            asyncio.get_running_loop().run_in_executor(None, self._log_now, request, *words)
            raise
        if answer not in ("allow", "allow_once"):
            await self._log(request, "prompt", answer if isinstance(answer, str) else "deny")
            return answer
        answer, reason = await asyncio.to_thread(self._allow, request, answer)
        await self._log(request, "prompt", answer, reason)
        if answer == "deny":
            raise HookRefusal(reason)
        return answer

    def _allow(self, request: PermissionRequest, answer: str) -> tuple[str, str]:
        """Hold an allowance against the files as they are now, and keep one for good; say what it is, and why."""
        if request.digest is None:  # it cannot be told whether anything changed, nor be remembered
            return "allow_once", request.digest_fault or ""
        content = skill_content(request.skill)
        if content.digest != request.digest:
            return "deny", CHANGED
        if (known := self.store.decision(request.digest)) is not None and known.verdict == "denied":
            return "deny", _denied_words(known)  # while the question was open, in another window
        if answer == "allow_once":
            return answer, ""
        seen = tuple(map(SeenFinding.of, self.findings(request))) if self.findings is not None else ()
        try:
            self.store.decide("approved", content, self._place(request), "", seen, via="prompt", over_denial=False)
        except DenialStands as stands:
            return "deny", _denied_words(stands.decision)
        except StoreFault as fault:
            return "allow_once", f"could not be remembered: {fault}"
        return answer, ""

    def _place(self, request: PermissionRequest) -> Place:
        index = request.skill.entry.root_index
        return Place(request.name, request.path, self.roots[index] if index < len(self.roots) else "")

    async def _log(self, request: PermissionRequest, kind: str, answer: str, reason: str = "") -> None:
        await asyncio.to_thread(self._log_now, request, kind, answer, reason)

    def _log_now(self, request: PermissionRequest, kind: str, answer: str, reason: str = "") -> None:
        self.store.log(
            kind,
            name=request.name,
            dir=request.path,
            digest=request.digest,
            answer=answer,
            reason=reason,
            via=self.via,
        )


def _denied_words(decision: StoredDecision) -> str:
    because = f": {decision.reason}" if decision.reason else ""
    return f"{decision.who} denied this content on {decision.when[:10]}{because}"

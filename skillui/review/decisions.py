"""Decisions by content digest, and the hook that consults them before it asks a person."""

from __future__ import annotations

from typing import Literal, Protocol

from skillui.core.permission import PermissionHook, PermissionRequest

Verdict = Literal["approved", "denied"]


class Decisions(Protocol):
    """What was decided about content before."""

    def verdict(self, digest: str) -> Verdict | None:
        """Return what holds for exactly this content, None where nothing was decided."""

    def approve(self, request: PermissionRequest) -> None:
        """Remember that this content may be loaded. A request without a digest cannot be remembered."""


class RunDecisions:
    """Decisions that last as long as the program runs, and no longer."""

    def __init__(self) -> None:
        self._approved: set[str] = set()

    def verdict(self, digest: str) -> Verdict | None:
        """Return `approved` for content that was approved in this run."""
        return "approved" if digest in self._approved else None

    def approve(self, request: PermissionRequest) -> None:
        """Remember the content of this request for the rest of the run."""
        if request.digest is not None:
            self._approved.add(request.digest)


def decide_first(decisions: Decisions, ask: PermissionHook) -> PermissionHook:
    """Return a hook that answers from earlier decisions, and asks where there is none.

    Content in a place it should not lie in (outside the workspace, sensitive) is asked about even
    when it was approved elsewhere: the approval was for the bytes, the question is about the place.
    """

    async def hook(request: PermissionRequest) -> str:
        known = decisions.verdict(request.digest) if request.digest is not None else None
        if known == "denied":
            return "deny"
        if known == "approved" and not request.gate.flags:
            return "allow"
        answer = await ask(request)
        if answer == "allow":
            decisions.approve(request)
        return answer

    return hook

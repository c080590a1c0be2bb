"""Asking the hook, failing closed, and the words of a denial."""

from __future__ import annotations

import asyncio

from skillui.core.catalog import SkillEntry
from skillui.core.delivery import meta_of
from skillui.core.gate import Gate
from skillui.core.permission import Decision, HookRefusal, PermissionHook, PermissionRequest, read_answer
from skillui.core.problems import ErrorCode
from skillui.core.results import Error
from skillui.core.state import SessionState
from skillui.core.text import clipped

_MAX_WORDS = 200
_WHY = {
    ErrorCode.OUTSIDE_WORKSPACE: "lies outside every workspace root",
    ErrorCode.SENSITIVE: "lies in a sensitive place",
    ErrorCode.NOT_TRUSTED: "lies in a project root that is not trusted",
    ErrorCode.PERMISSION_DENIED: "was not permitted",
}
_HINT = {
    ErrorCode.OUTSIDE_WORKSPACE: "move the skill below a skill root, or have it approved",
    ErrorCode.SENSITIVE: "move the skill out of the sensitive folder, or have it approved",
    ErrorCode.NOT_TRUSTED: "a person must review and approve the skill; do not retry in another shape",
    ErrorCode.PERMISSION_DENIED: "do not retry in another shape; ask the user",
}


async def ask_hook(
    hook: PermissionHook, request: PermissionRequest, state: SessionState, seconds: float | None
) -> Decision:
    """Ask once; raising, `seconds` of silence, cancellation and nonsense are denials.

    Only the cancellation of the caller itself goes on as CancelledError, the hook cancelled with it.
    """
    if state.closed:
        return Decision(False, "deny", "the session is closed")

    async def ask() -> str:
        return await hook(request)

    task = asyncio.ensure_future(ask())
    state.waiting.add(task)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        state.waiting.discard(task)
        if not task.done():
            task.cancel()
    if not task.done():
        return Decision(False, "deny", f"the permission hook did not answer within {seconds:g} s")
    if task.cancelled():
        return Decision(False, "deny", "the permission hook was cancelled")
    error = task.exception()
    if isinstance(error, HookRefusal):
        return Decision(False, "deny", clipped(str(error), _MAX_WORDS))
    if error is not None:
        return Decision(False, "deny", f"the permission hook failed: {error.__class__.__name__}")
    return read_answer(task.result())


def denial_error(gate: Gate, entry: SkillEntry, words: str) -> Error:
    """Return the error of a denied skill: what stood in the way, and who said no."""
    code = gate.denial
    reason = f"{_WHY[code]}; {words}"
    message = f'skill "{entry.name}" {reason}'
    return Error(code, message, meta_of(entry, path=entry.dir, reason=reason, hint=_HINT[code]))

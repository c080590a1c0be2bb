"""`skillui hook claude-code`: from standard input to one answer on standard output; whatever fails is a denial.

Exit code 0 with the answer, else 2, which Claude Code takes for a denial too, with a line on standard error.
Any other end would let the call through.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skillui.serve.hook_judge import Answer, Judgement

OK, BLOCKED = 0, 2
NO_OPINION = "{}"
"""The answer to a call of another tool: nothing is decided."""
_PREFIX = "skillui: "
_MAX_REASON = 600


def answer_line(answer: str, reason: str) -> str:
    """Return the answer as Claude Code reads it, in ASCII on one line."""
    output = {"hookEventName": "PreToolUse", "permissionDecision": answer, "permissionDecisionReason": reason}
    return json.dumps({"hookSpecificOutput": output}, separators=(",", ":"))


def unknown_of(words: Sequence[str]) -> Answer | None:
    """Read the options of the command, None where they are not plainly right."""
    if not words:
        return "ask"
    value = words[1] if len(words) == 2 and words[0] == "--unknown" else ""
    if len(words) == 1 and words[0].startswith("--unknown="):
        value = words[0].removeprefix("--unknown=")
    return "ask" if value == "ask" else "deny" if value == "deny" else None


def run(unknown: Answer) -> int:
    """Answer the call on the process's own streams and return the exit code; never raises."""
    missing = _occupy_streams()
    try:
        with contextlib.suppress(ValueError, AttributeError):  # not in the main thread; not on this system
            for number in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, _interrupted)
        line = _answer(unknown, 0 in missing)
    except BaseException as error:
        line = answer_line("deny", f"{_PREFIX}the hook failed: {_words(error)}")
    if 1 in missing:
        return _blocked("standard output is closed")
    try:
        _write(1, line + "\n")
    except OSError as error:
        return _blocked(f"the answer cannot be written: {(error.strerror or 'unknown').lower()}")
    except BaseException as error:
        return _blocked(_words(error))
    return OK


def _answer(unknown: Answer, closed: bool) -> str:
    judgement = _judgement(unknown, closed)
    if judgement is None:
        return NO_OPINION
    from skillui.core.text import clipped

    return answer_line(judgement.answer, clipped(_PREFIX + judgement.reason, _MAX_REASON))


def _judgement(unknown: Answer, closed: bool) -> Judgement | None:
    """Judge and log; None for another tool."""
    from skillui.review.store import DecisionStore
    from skillui.serve.hook_input import HookFault, read_call, read_input
    from skillui.serve.hook_judge import Judgement, judge_call
    from skillui.workspace.folders import find_folders

    store = DecisionStore(find_folders().store_file)
    try:
        if closed:
            raise HookFault("standard input is closed")
        call = read_call(read_input(0))
        if call is None:
            return None
        judgement = judge_call(call, store, unknown, os.environ)
    except HookFault as fault:
        judgement = Judgement("deny", str(fault), "fault")
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        judgement = Judgement("deny", f"the hook failed: {_words(error)}", "fault")
    return _logged(judgement, store)


def _logged(judgement: Judgement, store: Any) -> Judgement:
    """Log a judgement; what cannot be logged is not allowed."""
    from dataclasses import replace

    store.log(
        judgement.kind, name=judgement.name, dir=judgement.dir, digest=judgement.digest,
        answer=judgement.answer, reason=judgement.reason, via="hook",
    )  # fmt: skip
    if store.fault is None or judgement.answer == "deny":
        return judgement
    return replace(judgement, answer="deny", reason=f"the answer cannot be logged: {store.fault}")


def _words(error: BaseException) -> str:
    return "it was interrupted" if isinstance(error, KeyboardInterrupt | SystemExit) else error.__class__.__name__


def _interrupted(number: int, frame: FrameType | None) -> None:
    raise SystemExit(BLOCKED)


def _occupy_streams() -> set[int]:
    """Put nothing where a standard stream is closed, so that no file that is opened takes its place; tell which."""
    missing = set()
    for handle in (0, 1, 2):
        try:
            os.fstat(handle)
        except OSError:
            missing.add(handle)
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)  # the lowest that is free: this one
    return missing


def _blocked(reason: str) -> int:
    with contextlib.suppress(OSError):
        _write(2, f"{_PREFIX}{reason}; the skill is denied\n")
    return BLOCKED


def _write(handle: int, text: str) -> None:
    data = text.encode("ascii", "backslashreplace")
    while data:
        data = data[os.write(handle, data) :]

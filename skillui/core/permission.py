"""The permission hook (specification §5.6): what it is told, and how its answer is read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from skillui.core.catalog import LoadedSkill
from skillui.core.gate import Gate
from skillui.core.text import json_safe

ALLOWING = frozenset({"allow", "allow_once"})


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """One question to the hook, with everything at once.

    The bytes in `skill` are the very ones that are returned if it allows.
    """

    skill: LoadedSkill
    gate: Gate
    digest: str | None
    initiator: str
    """`model` or `user`."""
    session: str
    turn: int
    arguments: Any = None
    digest_fault: str | None = None
    """Why there is no digest."""
    tool: str = field(default="skill", init=False)
    action: str = field(default="activate", init=False)

    @property
    def name(self) -> str:
        """The skill's name."""
        return self.skill.entry.name

    @property
    def path(self) -> str:
        """The resolved skill directory."""
        return self.skill.entry.dir

    @property
    def always_patterns(self) -> tuple[str, ...]:
        """What a harness may remember an approval by."""
        return (f"Skill(name:{self.name})",)

    @property
    def metadata(self) -> dict[str, Any]:
        """What §5.6 hands to the hook, with the flags, the digest and the caller."""
        fields = dict(self.skill.parsed.frontmatter)
        return {
            "name": self.name,
            "root_index": self.skill.entry.root_index,
            "frontmatter": {**fields, "allowed_tools": list(self.skill.parsed.allowed_tools)},
            "reason": self.gate.reason,
            "flags": list(self.gate.flags),
            "digest": self.digest,
            "initiator": self.initiator,
            "session": self.session,
            "turn": self.turn,
            "arguments": self.arguments,
        }

    def to_json(self) -> dict[str, Any]:
        """Return the call of §5.6 as a plain mapping."""
        return dict(
            json_safe(
                {
                    "tool": self.tool, "action": self.action, "path": self.path,
                    "always_patterns": list(self.always_patterns), "metadata": self.metadata,
                }
            )
        )  # fmt: skip


PermissionHook = Callable[[PermissionRequest], Awaitable[str]]
"""Answers `allow`, `allow_once` or `deny`; anything else, and any fault, is a denial."""


class HookRefusal(Exception):
    """Raised by a hook to deny in words of its own, for example that nobody is there to ask; one line."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How a hook's answer was read. `answer` is what it said, or why there was none."""

    allowed: bool
    answer: str
    fault: str | None = None
    """Set where the denial is not the hook's own word: it raised, timed out, was cancelled, or spoke nonsense."""

    @property
    def words(self) -> str:
        """Say in words why a denial is one."""
        if self.fault is not None:
            return self.fault
        return (
            "the permission hook returned ask, which counts as a denial"
            if self.answer == "ask"
            else ("the permission hook denied it")
        )


def read_answer(answer: object) -> Decision:
    """Read a hook's answer, failing closed."""
    if isinstance(answer, str) and answer in ALLOWING:
        return Decision(True, answer)
    if isinstance(answer, str) and answer in ("deny", "ask"):
        return Decision(False, answer)
    return Decision(False, "deny", f"the permission hook answered {answer!r:.60}, which is no decision")


def fixed_hook(answer: str) -> PermissionHook:
    """Make a hook that always gives this answer, for harnesses and fixtures."""

    async def hook(request: PermissionRequest) -> str:
        return answer

    return hook

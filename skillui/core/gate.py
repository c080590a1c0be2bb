"""Fence, sensitive patterns and trust (specification §5.3 to §5.5): judged on resolved paths, without asking."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

from skillui.core.config import SessionConfig
from skillui.core.files import SKILL_MD, is_below
from skillui.core.problems import ErrorCode

Reason = Literal["normal", "untrusted_project_skill"]
"""Why the hook is asked (§5.6)."""
OUTSIDE, SENSITIVE = "outside_workspace", "sensitive"


@dataclass(frozen=True, slots=True)
class Gate:
    """What stands between a call and one skill.

    `flags` may hold `outside_workspace` and `sensitive`. `trusted` tells whether the files lie in a
    trusted root, whatever the mode.
    """

    flags: tuple[str, ...]
    reason: Reason
    trusted: bool
    warning: str | None = None
    """What mode `warn` adds to the result."""

    @property
    def denial(self) -> ErrorCode:
        """The code a denial has: the first row of the table that applies."""
        if OUTSIDE in self.flags:
            return ErrorCode.OUTSIDE_WORKSPACE
        if SENSITIVE in self.flags:
            return ErrorCode.SENSITIVE
        return ErrorCode.NOT_TRUSTED if self.reason == "untrusted_project_skill" else ErrorCode.PERMISSION_DENIED

    def opens_without_hook(self, config: SessionConfig) -> bool:
        """Tell whether a session without a hook may load the skill."""
        return not self.flags and config.unsafe_allow_skill_without_hook


def judge(config: SessionConfig, directory: str, skill_md: str) -> Gate:
    """Judge a skill by its resolved directory and the resolved path of its SKILL.md."""
    places = (directory, skill_md)
    inside = all(_below_any(place, config.resolved_fence) for place in places)
    trusted = all(_below_any(place, config.resolved_trusted) for place in places)
    flags = []
    if not inside and not config.bypass_workspace_guard:
        flags.append(OUTSIDE)
    if any(_is_sensitive(config, path) for path in {directory, os.path.join(directory, SKILL_MD), skill_md}):
        flags.append(SENSITIVE)
    mode = config.untrusted_project_skills
    reason: Reason = "normal" if trusted or mode != "hook_required" else "untrusted_project_skill"
    warning = None
    if not trusted and mode == "warn":
        warning = "the skill lies in a root that is not trusted"
    return Gate(tuple(flags), reason, trusted, warning)


def _below_any(path: str, roots: tuple[str, ...]) -> bool:
    return any(is_below(path, root) for root in roots)


def _is_sensitive(config: SessionConfig, path: str) -> bool:
    return config.sensitive_spec.match_file(path.lstrip(os.sep))

"""The settings of one session (specification §5): roots, fence, trust and permission."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from skillui.core.files import resolved

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

TrustMode = Literal["hook_required", "warn", "allow"]
"""What happens to skills of untrusted roots (§5.5)."""

SENSITIVE_PATTERNS = (
    "**/.env/**",
    "**/secrets/**",
    "**/.ssh/**",
    "**/.gnupg/**",
    "**/.aws/**",
    "**/.kube/**",
    "**/credentials/**",
    "**/private/keys/**",
)
"""Git-style patterns of places no skill should lie in (§5.4)."""


class ConfigFault(ValueError):
    """A session setting cannot be used; the message names it."""


@dataclass(frozen=True)
class SessionConfig:
    """Settings of one session; paths may be relative to `cwd`, which is absolute.

    `workspace_roots` is the fence, the skill roots where it is None. Defaults fail closed.
    """

    cwd: str
    skill_roots: tuple[str, ...] = (".skills",)
    workspace_roots: tuple[str, ...] | None = None
    trusted_roots: tuple[str, ...] = ()
    untrusted_project_skills: TrustMode = "hook_required"
    sensitive_patterns: tuple[str, ...] = field(default=SENSITIVE_PATTERNS)
    bypass_workspace_guard: bool = False
    unsafe_allow_skill_without_hook: bool = False
    id: str = ""

    def __post_init__(self) -> None:
        if not os.path.isabs(self.cwd):
            raise ConfigFault(f"cwd must be an absolute path, not {self.cwd!r}")
        if self.untrusted_project_skills not in ("hook_required", "warn", "allow"):
            raise ConfigFault("untrusted_project_skills must be hook_required, warn or allow")
        if self.sensitive_patterns != SENSITIVE_PATTERNS:
            _ = self.sensitive_spec  # a pattern that cannot be read must not be found out at activation

    @property
    def session_id(self) -> str:
        """The id calls share their activated set by; the working directory where none is given."""
        return self.id or self.cwd

    def _absolute(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(os.path.normpath(os.path.join(self.cwd, path)) for path in paths)

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The skill roots, absolute, in order of precedence."""
        return self._absolute(self.skill_roots)

    @cached_property
    def resolved_fence(self) -> tuple[str, ...]:
        """The workspace roots, fully resolved."""
        fence = self.skill_roots if self.workspace_roots is None else self.workspace_roots
        return tuple(resolved(root) for root in self._absolute(fence))

    @cached_property
    def resolved_trusted(self) -> tuple[str, ...]:
        """The trusted roots, fully resolved."""
        return tuple(resolved(root) for root in self._absolute(self.trusted_roots))

    @cached_property
    def sensitive_spec(self) -> GitIgnoreSpec:
        """The compiled sensitive patterns."""
        from pathspec import GitIgnoreSpec  # a tenth of the start of an app that judges nothing yet

        try:
            return GitIgnoreSpec.from_lines(self.sensitive_patterns)
        except (ValueError, re.error) as error:
            raise ConfigFault(f"sensitive_patterns: {error}") from None

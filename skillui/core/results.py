"""What a call returns (specification §3): a union by `kind`, all frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from skillui.core.problems import ErrorCode
from skillui.core.render import already_loaded_output, error_output, not_found_output
from skillui.core.substitution import Substitution
from skillui.core.text import json_safe


@dataclass(frozen=True, slots=True)
class Ok:
    """The skill is activated; `bytes` is the UTF-8 length of the body as delivered."""

    name: str
    dir: str
    body: str
    frontmatter: dict[str, Any]
    resources: tuple[str, ...]
    resources_omitted: dict[str, int]
    bytes: int
    digest: str | None
    output: str
    warnings: tuple[str, ...] = ()
    substitution: Substitution | None = field(default=None, compare=False, repr=False)
    """What was replaced and what stayed literal, for a preview."""
    kind: Literal["ok"] = "ok"

    def to_json(self) -> dict[str, Any]:
        """Return the bridge's result object."""
        shape = {
            "kind": self.kind, "output": self.output, "name": self.name, "dir": self.dir, "body": self.body,
            "frontmatter": self.frontmatter, "resources": list(self.resources),
            "resources_omitted": self.resources_omitted, "bytes": self.bytes, "digest": self.digest,
            "warnings": list(self.warnings),
        }  # fmt: skip
        return dict(json_safe(shape))


@dataclass(frozen=True, slots=True)
class AlreadyLoaded:
    """The skill was activated before in this session, at turn `at_turn`."""

    name: str
    at_turn: int
    kind: Literal["already_loaded"] = "already_loaded"

    @property
    def output(self) -> str:
        """The text of §3.2."""
        return already_loaded_output(self.name, self.at_turn)

    def to_json(self) -> dict[str, Any]:
        """Return the bridge's result object."""
        return {"kind": self.kind, "output": self.output, "name": self.name, "at_turn": self.at_turn}


@dataclass(frozen=True, slots=True)
class NotFound:
    """No skill of this name; `siblings` are the nearest names, best first, at most three."""

    name: str
    siblings: tuple[str, ...] = ()
    kind: Literal["not_found"] = "not_found"

    @property
    def output(self) -> str:
        """The text of §3.3."""
        return not_found_output(self.name, self.siblings)

    def to_json(self) -> dict[str, Any]:
        """Return the bridge's result object."""
        return {"kind": self.kind, "output": self.output, "name": self.name, "siblings": list(self.siblings)}


@dataclass(frozen=True, slots=True)
class Error:
    """The call was refused; `message` is one line that names the skill and the reason.

    `meta` holds what applies of name, dir, root_index, path, line, column, reason, hint, declared_name.
    """

    code: ErrorCode
    message: str
    meta: dict[str, Any] = field(default_factory=dict)
    kind: Literal["error"] = "error"

    @property
    def output(self) -> str:
        """The text of §3.4."""
        return error_output(self.code, self.message, self.meta)

    def to_json(self) -> dict[str, Any]:
        """Return the bridge's result object."""
        error = {"code": str(self.code), "message": self.message, "meta": self.meta}
        return dict(json_safe({"kind": self.kind, "error": error, "output": self.output}))


SkillResult = Ok | AlreadyLoaded | NotFound | Error

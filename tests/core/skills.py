"""Small helpers: write a skill, open a session on it, call it."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from skillui.core import Error, Ok, PermissionHook, SessionConfig, SkillResult, SkillSession
from skillui.core.skill import ParsedSkill, parse_skill


def write_skill(root: Path, name: str, body: str = "Body\n", fields: str = "", description: str = "Does it.") -> Path:
    """Write a valid skill (unless `fields` spoils it) and return its folder."""
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    text = f"---\nname: {name}\ndescription: {description}\n{fields}---\n{body}"
    (folder / "SKILL.md").write_bytes(text.encode())
    return folder


def open_session(cwd: Path, hook: PermissionHook | None = None, **settings: Any) -> SkillSession:
    """Open a session whose one root is `cwd`/skills; without a hook everything inside it loads."""
    settings.setdefault("skill_roots", ("skills",))
    settings.setdefault("unsafe_allow_skill_without_hook", hook is None)
    timeout = settings.pop("hook_timeout", None)
    return SkillSession(SessionConfig(cwd=str(cwd.resolve()), **settings), hook=hook, hook_timeout=timeout)


def call(session: SkillSession, name: str, arguments: Any = None, **how: Any) -> SkillResult:
    """Call once and wait."""
    return asyncio.run(session.skill({"name": name, "arguments": arguments}, **how))


def refused(result: SkillResult) -> Error:
    assert isinstance(result, Error), result
    return result


def loaded(result: SkillResult) -> Ok:
    assert isinstance(result, Ok), result
    return result


def parsed(frontmatter: str, name: str = "foo") -> ParsedSkill:
    """Parse a SKILL.md with these lines between the fences."""
    return parse_skill(f"---\n{frontmatter}---\nBody\n".encode(), name, f"/skills/{name}/SKILL.md")


def parsed_with(field: str) -> ParsedSkill:
    """Parse a valid skill named foo with one more field."""
    return parsed(f"name: foo\ndescription: Does it.\n{field}\n")


IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0

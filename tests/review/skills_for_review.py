"""Skills on disk for the tests of the review, and requests of the real engine about them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from skillui.core import LoadedSkill, PermissionRequest, SessionConfig, SkillResult, SkillSession
from skillui.core.registry import load_folder
from skillui.review.content import ReviewedContent, read_content
from skillui.review.records import Place

Ask = Callable[[PermissionRequest], Awaitable[str]]


def write_skill(root: Path, name: str, body: str = "Do it.\n", fields: str = "") -> Path:
    """Write a skill with one script and return its folder."""
    folder = root / name
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Does it. Use when asked.\n{fields}---\n{body}")
    (folder / "scripts" / "run.sh").write_text("#!/bin/sh\necho run\n")
    return folder


def content(folder: Path) -> ReviewedContent:
    found = read_content(str(folder.resolve()))
    assert found.digest is not None, found.fault
    return found


def place(folder: Path) -> Place:
    return Place(folder.name, str(folder.resolve()), str(folder.parent))


def loaded(folder: Path) -> LoadedSkill:
    skill = load_folder(str(folder))
    assert isinstance(skill, LoadedSkill), skill
    return skill


async def activate(root: Path, name: str, hook: Ask) -> SkillResult:
    """Call a skill of an untrusted project root with this hook, in a session of its own."""
    config = SessionConfig(cwd=str(root.parent), workspace_roots=(str(root.parent),), skill_roots=(str(root),))
    session = SkillSession(config, hook=hook)
    try:
        return await session.skill({"name": name})
    finally:
        session.close()

"""Git repositories and archives made for the tests of registries, and what is read of them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from skillui.checks.run import check_skill
from skillui.checks.subject import subject_of
from skillui.core.catalog import AnyEntry, BrokenSkill, CatalogRegistry, LoadedSkill
from skillui.core.problems import Problem
from skillui.core.registry import FilesystemSkillRegistry
from skillui.review.content import ReviewedContent, skill_content
from skillui.review.memory_registry import MemoryRegistry

SKILL = "---\nname: {name}\ndescription: Does it. Use when asked.\n---\n{body}"
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b", "GIT_COMMITTER_DATE": "1700000000 +0100",
    "GIT_ALLOW_PROTOCOL": "file",
}  # fmt: skip


def git(repo: Path, *arguments: str, data: bytes = b"") -> str:
    """Run the real git in a repository; nothing of the user's configuration is read."""
    done = subprocess.run(
        ["git", "-C", str(repo), *arguments], input=data, capture_output=True, env={**os.environ, **_ENVIRONMENT},
        check=True,
    )  # fmt: skip
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def make_repo(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    return folder


def commit(repo: Path, message: str = "as it is") -> str:
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", message)
    return git(repo, "rev-parse", "HEAD")


def blob(repo: Path, data: bytes) -> str:
    return git(repo, "hash-object", "-w", "--stdin", data=data)


def raw_tree(repo: Path, *entries: tuple[str, bytes, str]) -> str:
    """Write a tree object of any entries, those that git itself would refuse too."""
    data = b"".join(f"{mode} ".encode() + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)
    return git(repo, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", data=data)


def commit_tree(repo: Path, tree: str) -> str:
    """Commit a tree object as it is and return the commit."""
    return git(repo, "commit-tree", tree, "-m", "made")


def entries_of(registry: CatalogRegistry) -> dict[str, AnyEntry]:
    """Return every entry of the last scan by its folder's name."""
    catalog = registry.catalog
    assert catalog is not None
    found: list[AnyEntry] = [*catalog.skills, *catalog.shadowed, *catalog.broken]
    return {os.path.basename(entry.location): entry for entry in found}


def load(registry: CatalogRegistry, folder: str) -> LoadedSkill | BrokenSkill:
    skill = registry.load_entry(entries_of(registry)[folder])
    assert skill is not None
    return skill


def scanned(registry: MemoryRegistry, folder: str) -> tuple[ReviewedContent, LoadedSkill | BrokenSkill]:
    """Scan and return the content and the skill of one folder."""
    registry.scan()
    return registry.content(entries_of(registry)[folder]), load(registry, folder)


def seen(skill: LoadedSkill | BrokenSkill) -> tuple[object, ...]:
    """Return all that is told of a skill but where it lies: what must be alike wherever it was read."""
    entry = skill.entry if isinstance(skill, LoadedSkill) else skill
    same = [(str(p.code), p.severity, p.message, p.line, p.column, p.hint) for p in entry.problems]
    return (
        type(entry), entry.name, entry.description, entry.frontmatter, entry.body_characters, same,
        skill.parsed.text if skill.parsed else None, skill_content(skill) if skill.files else None,
        skill.files.resources() if skill.files else None,
    )  # fmt: skip


def findings(skill: LoadedSkill | BrokenSkill) -> tuple[Problem, ...]:
    return check_skill(subject_of(skill))


def on_disk(root: Path) -> FilesystemSkillRegistry:
    registry = FilesystemSkillRegistry([str(root)])
    registry.scan()
    return registry


def write_files(root: Path, files: Mapping[str, str | bytes]) -> None:
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())


def simple(name: str, body: str = "Do it.\n") -> str:
    """Return the SKILL.md of a valid skill."""
    return SKILL.format(name=name, body=body)

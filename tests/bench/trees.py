"""Generated skill trees: 4 KB a SKILL.md and three resources, the same for the same number."""

from __future__ import annotations

import os
import random
from pathlib import Path

SIZE = 4096
"""Bytes of each SKILL.md."""
_VERBS = ("review", "write", "check", "deploy", "translate", "rename", "migrate", "explain", "measure", "draft")
_NOUNS = ("change", "note", "release", "table", "query", "menu", "invoice", "schema", "report", "ticket", "image")


def make_project(folder: Path, skills: int) -> Path:
    """Write a repository with so many skills in `.skills`, unless it is there, and return it."""
    project = folder / f"project-{skills}"
    if (project / ".git").is_dir():
        return project
    root = project / ".skills"
    for number in range(skills):
        _write_skill(root, number)
    (project / ".git").mkdir(parents=True)  # last: a tree without it is not whole
    return project


def skill_files(root: Path) -> list[str]:
    """Return the SKILL.md of each skill of a root."""
    return [os.path.join(root, name, "SKILL.md") for name in sorted(os.listdir(root))]


def _write_skill(root: Path, number: int) -> None:
    rng = random.Random(number)
    verb, noun = rng.choice(_VERBS), rng.choice(_NOUNS)
    name = f"{verb}-{noun}-{number:05}"
    folder = root / name
    for resource in ("scripts/run.sh", "references/guide.md", "assets/card.txt"):
        path = folder / resource
        path.parent.mkdir(parents=True)
        path.write_text(f"{resource} of {name}\n", encoding="utf-8")
    head = (
        f"---\nname: {name}\n"
        f"description: {verb.title()} a {noun} as the team does it. Use when somebody asks to {verb} a {noun}.\n"
        f"version: 1.{number % 10}.0\nallowed-tools: Read, Grep, Bash(git log:*)\n"
        f"metadata:\n  owner: team-{number % 7}\n---\n"
    )
    line = f"Read the {noun} first, then {verb} it for $ARGUMENTS and say what changed.\n"
    body = (line * (SIZE // len(line) + 1))[: SIZE - len(head) - 1] + "\n"
    (folder / "SKILL.md").write_text(head + body, encoding="utf-8")

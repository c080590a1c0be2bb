"""A skill laid out for one test, and what the rules find in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from skillui.checks.run import check_skill
from skillui.checks.subject import Subject
from skillui.core.problems import Problem
from skillui.core.skill import parse_skill


def skill_at(
    folder: Path,
    body: str = "",
    files: Mapping[str, str | bytes] | None = None,
    *,
    description: str = "Reviews notes. Use when notes are reviewed.",
    frontmatter: str = "",
) -> Subject:
    """Lay out a skill named `notes` below a folder and return what rules look at."""
    root = folder / "notes"
    root.mkdir()
    source = f"---\nname: notes\ndescription: {description}\n{frontmatter}---\n\n{body}\n".encode()
    (root / "SKILL.md").write_bytes(source)
    for path, content in (files or {}).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return Subject(parse_skill(source, "notes", str(root / "SKILL.md")), os.path.realpath(root))


def found_by(subject: Subject, *codes: str) -> list[Problem]:
    """Return what some rules find, a rule that failed included."""
    problems = check_skill(subject, select=frozenset(codes))
    return [problem for problem in problems if problem.code in (*codes, "RULE-FAILED")]


def marks(problems: list[Problem]) -> set[str]:
    """Return codes with `~` behind those of warnings and `.` behind those of notes."""
    signs = {"error": "", "warning": "~", "note": "."}
    return {problem.code + signs[problem.severity.value] for problem in problems}

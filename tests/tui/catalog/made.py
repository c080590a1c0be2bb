"""A few entries that show every state, without a file."""

from __future__ import annotations

from typing import Any

from skillui.core import AnyEntry, BrokenSkill, ErrorCode, Gate, Problem, Severity, SkillEntry
from skillui.core.catalog import assemble
from skillui.core.state import Activation
from skillui.tui.model.rows import CatalogRow, build_rows
from skillui.workspace.project import Root

SHOP, HOME = "/shop/.skills", "/home/ann/.claude/skills"
ROOTS = (Root(SHOP, "project", False, True, ".skills"), Root(HOME, "user", True, True, "~/.claude/skills"))

USER_ONLY: dict[str, Any] = {"disable-model-invocation": True}
MODEL_ONLY: dict[str, Any] = {"user-invocable": False}
NOBODY: dict[str, Any] = {**USER_ONLY, **MODEL_ONLY}


def skill(
    name: str, root: int = 1, description: str = "", problems: tuple[Problem, ...] = (), **fields: Any
) -> SkillEntry:
    folder = f"{ROOTS[root].path}/{name}"
    return SkillEntry(
        name, description or f"About {name}", folder, root, {"name": name, **fields}, (), folder, f"{folder}/SKILL.md",
        problems, 100, 1_000.0,
    )  # fmt: skip


def broken(name: str, root: int = 0, code: ErrorCode = ErrorCode.INVALID_FRONTMATTER, **meta: Any) -> BrokenSkill:
    folder = f"{ROOTS[root].path}/{name}"
    problem = Problem(code, Severity.ERROR, "wrong", f"{folder}/SKILL.md", 3)
    return BrokenSkill(name, folder, root, code, "wrong", meta, folder, f"{folder}/SKILL.md", (problem,))


def gate_of(entry: AnyEntry) -> Gate:
    flags = tuple(flag for flag in ("sensitive", "outside_workspace") if flag in entry.frontmatter)
    trusted = entry.root_index == 1
    return Gate(flags, "normal" if trusted else "untrusted_project_skill", trusted)


def warning(code: str = "SKL-04") -> Problem:
    return Problem(code, Severity.WARNING, "odd", "SKILL.md", 2)


def rows_of(*entries: AnyEntry, activated: tuple[str, ...] = (), **rest: Any) -> tuple[CatalogRow, ...]:
    held = {entry.name: Activation(1, "d", entry.dir) for entry in entries if entry.location in activated}
    return build_rows(assemble(entries), ROOTS, gate_of, held, **rest)


def named(rows: Any) -> list[str]:
    return [row.name for row in rows]

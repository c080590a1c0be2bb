"""From the bytes of one SKILL.md to a loaded or a broken skill, wherever the bytes came from."""

from __future__ import annotations

from dataclasses import dataclass

from skillui.core.catalog import BrokenSkill, LoadedSkill, SkillEntry, SkillFiles
from skillui.core.problems import ErrorCode, Problem, Severity
from skillui.core.render import SPECIFICATION_HINT, broken_message
from skillui.core.skill import ParsedSkill, parse_skill
from skillui.core.text import escaped


@dataclass(frozen=True, slots=True)
class SkillPlace:
    """Where a skill lies: its folder's name, where its root lists it, and its resolved directory."""

    root_index: int
    folder: str
    location: str
    directory: str


def parse_place(
    place: SkillPlace, data: bytes, listed: str, skill_md: str, modified: float, files: SkillFiles
) -> LoadedSkill | BrokenSkill:
    """Parse a SKILL.md. `listed` is its path in the directory, `skill_md` where that resolves to."""
    parsed = parse_skill(data, place.folder, listed)
    if not parsed.valid:
        return _broken(place, skill_md, parsed, modified, files)
    entry = SkillEntry(
        parsed.name, parsed.description, place.directory, place.root_index, parsed.frontmatter, (), place.location,
        skill_md, parsed.problems, len(parsed.body), modified, parsed.arguments,
    )  # fmt: skip
    return LoadedSkill(entry, parsed, files)


def unreadable(place: SkillPlace, path: str, reason: str, files: SkillFiles | None = None) -> BrokenSkill:
    """Return the skill whose SKILL.md could not be read, and why."""
    problem = Problem(ErrorCode.IO_ERROR, Severity.ERROR, escaped(reason), path, hint=_io_hint(reason))
    meta = {"name": place.folder, "path": path, "reason": problem.message, "hint": problem.hint}
    return BrokenSkill(
        place.folder, place.directory, place.root_index, ErrorCode.IO_ERROR,
        broken_message(place.folder, ErrorCode.IO_ERROR, (problem,)), meta, place.location, path, (problem,),
        files=files,
    )  # fmt: skip


def _io_hint(reason: str) -> str:
    if "permission" in reason:
        return "make the file and its folder readable"
    if "limit" in reason:
        return "move long material to references/"
    return "SKILL.md must be a regular file"


def _broken(place: SkillPlace, skill_md: str, parsed: ParsedSkill, modified: float, files: SkillFiles) -> BrokenSkill:
    first = parsed.errors[0]
    code = ErrorCode(first.code)
    meta = {
        "name": place.folder, "path": first.path, "line": first.line, "column": first.column,
        "reason": "; ".join(problem.message for problem in parsed.errors[:5]),
        "hint": first.hint or SPECIFICATION_HINT,
    }  # fmt: skip
    if code is ErrorCode.NAME_MISMATCH:
        meta["declared_name"] = parsed.name
    return BrokenSkill(
        place.folder, place.directory, place.root_index, code, broken_message(place.folder, code, parsed.errors),
        {key: value for key, value in meta.items() if value is not None}, place.location, skill_md, parsed.problems,
        parsed.frontmatter, parsed.description, len(parsed.body), modified, parsed, files,
    )  # fmt: skip

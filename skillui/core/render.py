"""The texts a model reads (specification §3), and nothing but texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skillui.core import yaml_reader
from skillui.core.problems import ErrorCode, Problem
from skillui.core.resources import RESOURCE_FOLDERS, Resources
from skillui.core.text import attribute, clipped, escaped

SPECIFICATION_HINT = (
    "frontmatter must be valid YAML between two `---` lines at the top of the file. See agentskills.io/specification."
)


def skill_output(
    name: str, directory: str, frontmatter: Mapping[str, Any], body: str, resources: Resources, size: int
) -> str:
    """Render an activation (§3.1); `size` is the body's length in bytes."""
    where = escaped(directory)
    return (
        f"<skill name={attribute(name)} dir={attribute(directory)}>\n"
        f"<frontmatter>\n{yaml_reader.dump(dict(frontmatter))}</frontmatter>\n"
        f"{INSTRUCTIONS_OPEN}{body}\n</instructions>\n"
        f"{_resources(resources)}</skill>\n"
        f'(Skill "{name}" activated. Body is {size} bytes. '
        f"Scripts available via bash({where}/scripts/<name>). References via read({where}/references/<name>).)"
    )


INSTRUCTIONS_OPEN = "<instructions>\n"


def _resources(resources: Resources) -> str:
    if not resources.names:
        return ""
    lines: list[str] = []
    for folder in RESOURCE_FOLDERS:
        lines += [escaped(name) for name in resources.names if name.startswith(folder + "/")]
        if more := resources.omitted.get(folder):
            lines.append(f"{folder}/(... {more} more)")
    return "<resources>\n" + "\n".join(lines) + "\n</resources>\n"


def already_loaded_output(name: str, turn: int) -> str:
    """Render a repeated activation (§3.2)."""
    return (
        f'(Skill "{name}" is already active in this session. Body was loaded at turn {turn}. No new content was added.)'
    )


def not_found_output(name: str, siblings: Sequence[str]) -> str:
    """Render an unknown name (§3.3)."""
    guess = f" Did you mean: {', '.join(siblings)}?" if siblings else ""
    return f'(No skill matches "{name}".{guess} Run with a listed name from the catalog.)'


def error_output(code: ErrorCode, message: str, meta: Mapping[str, Any]) -> str:
    """Render an error (§3.4): the message, then what is known of path, reason and hint, a line each."""
    lines = [f"Error [{code}]: {escaped(message)}"]
    for key, label in (("path", "Path"), ("reason", "Reason"), ("hint", "Hint")):
        if meta.get(key):
            where = f" (line {meta['line']}, column {meta['column']})" if key == "reason" and meta.get("line") else ""
            lines.append(f"{label}: {escaped(str(meta[key]))}{where}")
    return "\n".join(lines)


_WHAT = {
    ErrorCode.INVALID_FRONTMATTER: "has invalid frontmatter",
    ErrorCode.NAME_MISMATCH: "has another name than its folder",
    ErrorCode.IO_ERROR: "cannot be read",
}


def broken_message(name: str, code: ErrorCode, problems: Sequence[Problem]) -> str:
    """Say in one line that a skill is broken and why: the first reasons, then how many more."""
    reasons = "; ".join(problem.message for problem in problems[:3])
    more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
    return f'skill "{clipped(name)}" {_WHAT.get(code, "is refused")}: {reasons}{more}'

"""The catalog in the tool's description: one line a skill, within a number of characters."""

from __future__ import annotations

from collections.abc import Sequence

from skillui.core.catalog import SkillEntry
from skillui.core.tool import DESCRIPTION
from skillui.core.visible import visible

HEADING = "**Installed skills.**"
NONE = "No skill is installed."


def describe(entries: Sequence[SkillEntry], budget: int) -> str:
    """Return the description of the tool with the catalog of these skills, of at most `budget` characters."""
    return f"{DESCRIPTION}\n\n{HEADING}\n{catalog_text(entries, budget)}"


def catalog_text(entries: Sequence[SkillEntry], budget: int) -> str:
    """List the skills in their order, whole entries only; a last line tells how many more there are.

    That line is always there when one is needed, even where the budget is too small for it.
    """
    if not entries:
        return NONE
    lines = [f"- {listing_line(entry)}" for entry in entries]
    if sum(map(len, lines)) + len(lines) - 1 <= budget:
        return "\n".join(lines)
    left = budget - len(_more(len(lines)))
    kept: list[str] = []
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join([*kept, _more(len(lines) - len(kept))])


def listing_line(entry: SkillEntry) -> str:
    """Return the skill's listing as one line; what could forge a line or hide from a reader is shown."""
    return visible(" ".join(entry.listing.split()))


def _more(count: int) -> str:
    skills = "skill is" if count == 1 else "skills are"
    return f"({count:,} more {skills} installed; the list has no room for them.)"

"""What stands between a skill and its activation, in words: its states, its trust and why."""

from __future__ import annotations

from dataclasses import dataclass

from skillui.core import AnyEntry, BrokenSkill, Gate, SessionConfig
from skillui.core.files import is_below
from skillui.core.gate import OUTSIDE, SENSITIVE, judge
from skillui.core.skill import model_may_invoke
from skillui.workspace.launch import Launch
from skillui.workspace.project import Root

_GLYPHS = {
    "ok": ("✓", "+"),
    "shadowed": ("└", "`"),
    "broken": ("✗", "x"),
    "outside": ("!", "!"),
    "sensitive": ("!", "!"),
    "untrusted": ("◌", "?"),
    "disabled": ("⊘", "-"),
}


def glyph(state: str, ascii_only: bool) -> str:
    """Return the one-cell sign of a state."""
    return _GLYPHS[state][ascii_only]


@dataclass(frozen=True, slots=True)
class Standing:
    """The states that hold for one entry, gravest first, and the gate they come from."""

    states: tuple[str, ...]
    gate: Gate

    @property
    def words(self) -> str:
        """The states as one text."""
        return ", ".join(self.states)


def standing_of(entry: AnyEntry, config: SessionConfig, shadowed: bool = False) -> Standing:
    """Judge an entry without asking anyone; `shadowed` tells that another root's copy wins."""
    gate = judge(config, entry.dir, entry.skill_md or entry.dir)
    if isinstance(entry, BrokenSkill):
        return Standing(("broken",), gate)
    states = ["shadowed"] if shadowed else []
    if OUTSIDE in gate.flags:
        states.append("outside")
    if SENSITIVE in gate.flags:
        states.append("sensitive")
    if not gate.trusted:
        states.append("untrusted")
    if not model_may_invoke(entry.frontmatter):
        states.append("disabled")
    return Standing(tuple(states) or ("ok",), gate)


def root_words(root: Root, launch: Launch) -> str:
    """Name a root as briefly as it can be told from the others."""
    alike = sum(other.label == root.label for other in launch.project.roots)
    return root.label if alike == 1 else root.source


def trust_words(entry: AnyEntry, launch: Launch, gate: Gate) -> str:
    """Say whether a skill is trusted and why."""
    config, root = launch.config, launch.root_of(entry.root_index)
    if gate.trusted:
        folder = next(folder for folder in config.resolved_trusted if is_below(entry.dir, folder))
        return f"trusted: it lies in {folder}, {_whose(root, folder)}"
    skill_md = entry.skill_md or entry.dir
    if any(is_below(entry.dir, folder) for folder in config.resolved_trusted):
        return f"not trusted: its SKILL.md is a link to {skill_md}, which lies in no trusted folder"
    if root.trusted:
        return f"not trusted: it is a link out of the trusted root {root.source}, to {entry.dir}"
    if root.label == "project":
        return "not trusted: it came with the project, and nobody has said that this folder can be trusted"
    return "not trusted: it lies in no folder that you trust"


def _whose(root: Root, folder: str) -> str:
    if root.label == "user" and root.trusted:
        return "a skill folder of your own"
    return "a folder that you named as trusted"


FLAG_WORDS = {
    OUTSIDE: "it lies outside every folder of this session",
    SENSITIVE: "it lies in a place for secrets, where no skill should be",
}
"""What the flags of a gate mean."""

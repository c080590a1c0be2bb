"""Two copies of a skill beside each other: what differs in their facts, their files and their text."""

from __future__ import annotations

from dataclasses import dataclass

from skillui.core import BrokenSkill
from skillui.core.text import estimated_tokens
from skillui.tui.model.diff import DiffLine, diff_texts
from skillui.tui.model.skill_view import SkillView


@dataclass(frozen=True, slots=True)
class ComparedFact:
    """One line of the table: what it is, and what it is in each copy."""

    label: str
    winner: str
    other: str

    @property
    def differs(self) -> bool:
        """Tell whether it is worth a mark."""
        return self.winner != self.other


@dataclass(frozen=True, slots=True)
class Comparison:
    """The winner against another copy; all texts are the skills' own and go through the gate."""

    name: str
    winner: str
    """Where the winner lies."""
    other: str
    facts: tuple[ComparedFact, ...]
    only_winner: tuple[str, ...]
    """Files only the winner has."""
    only_other: tuple[str, ...]
    lines: tuple[DiffLine, ...]
    """What one would change in the shadowed SKILL.md to get the winner's."""


def compare_views(winner: SkillView, other: SkillView) -> Comparison:
    """Compare two copies that were read already. Takes up to a second for long texts: run it in a worker."""
    facts = tuple(
        ComparedFact(label, first, second)
        for (label, first), (_, second) in zip(_facts(winner), _facts(other), strict=True)
    )
    mine, others = _files(winner), _files(other)
    old, new = _text(other), _text(winner)
    places = winner.place_of(winner.entry), other.place_of(other.entry)
    names = (f"{places[1]}/SKILL.md", f"{places[0]}/SKILL.md")
    return Comparison(
        name=winner.entry.name,
        winner=places[0],
        other=places[1],
        facts=facts,
        only_winner=tuple(sorted(mine - others)),
        only_other=tuple(sorted(others - mine)),
        lines=diff_texts(old, new, *names),
    )


def _facts(view: SkillView) -> list[tuple[str, str]]:
    entry = view.entry
    tools = entry.frontmatter.get("allowed-tools")
    broken = isinstance(entry, BrokenSkill)
    return [
        ("root", view.root.source),
        ("trust", "trusted" if view.gate.trusted else "not trusted"),
        ("state", str(entry.code) if isinstance(entry, BrokenSkill) else "valid"),
        ("description", entry.description.strip()),
        ("tools", ", ".join(map(str, tools)) if isinstance(tools, list | tuple) else ""),
        ("listing", "" if broken else f"~{estimated_tokens(len(entry.name) + 2 + len(entry.description.strip()))}"),
        ("body", f"{entry.body_characters:,} characters"),
        ("files", str(len(view.files) + view.files_omitted)),
        ("digest", (view.digest.value or "") if view.digest is not None else ""),
    ]


def _files(view: SkillView) -> frozenset[str]:
    return frozenset(file.path for file in view.files)


def _text(view: SkillView) -> str:
    return view.parsed.text if view.parsed is not None else ""

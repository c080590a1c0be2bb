"""What a preview shows: the engine's exact output with the places in it that came from the arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from skillui.core import BrokenSkill, Error, LoadedSkill, Ok, SkillResult
from skillui.core.render import INSTRUCTIONS_OPEN
from skillui.core.substitution import Literal, Substitution
from skillui.core.text import estimated_tokens
from skillui.tui.model.marked_text import Mark, MarkedText

FRAME_STYLE = "$text-muted"
SUBSTITUTED_STYLE = "$background on $substituted"
LITERAL_STYLE = "underline $literal"
REFUSED_STYLE = "bold $state-untrusted"
_CLOSE = "\n</instructions>\n"
_OPEN = f"</frontmatter>\n{INSTRUCTIONS_OPEN}"

Arguments = str | dict[str, str] | None


@dataclass(frozen=True, slots=True)
class LiteralNote:
    """A placeholder that stayed: its line in SKILL.md (1-based), why, and its place in the output."""

    text: str
    line: int
    why: str
    position: int


@dataclass(frozen=True, slots=True)
class PreviewText:
    """One answer of the engine, ready to be drawn; `size` is the output's UTF-8 length in bytes."""

    result: SkillResult
    marked: MarkedText
    literals: tuple[LiteralNote, ...]
    replaced: int
    size: int
    tokens: int

    @property
    def first_replaced(self) -> int | None:
        """Where the first value stands in the output."""
        return next((mark.start for mark in self.marked.marks if mark.style == SUBSTITUTED_STYLE), None)

    @property
    def ok(self) -> bool:
        """Tells whether a call would bring the skill."""
        return isinstance(self.result, Ok)


def preview_text(result: SkillResult, skill: LoadedSkill | BrokenSkill, arguments: Arguments) -> PreviewText:
    """Mark an engine's result; `arguments` are those it was computed with."""
    output = result.output
    size = len(output.encode("utf-8", "replace"))
    tokens = estimated_tokens(len(output))
    if not isinstance(result, Ok) or not isinstance(skill, LoadedSkill):
        code = f"Error [{result.code}]" if isinstance(result, Error) else ""
        marks = (Mark(0, len(code), REFUSED_STYLE),) if code and output.startswith(code) else ()
        return PreviewText(result, MarkedText(output, marks), (), 0, size, tokens)
    done = result.substitution or Substitution(result.body)
    start = body_start(output, result.body)
    if start is None:
        return PreviewText(result, MarkedText(output), (), 0, size, tokens)
    found = [*_frame(output, start, start + len(result.body))]
    found += [Mark(start + span.start, start + span.end, SUBSTITUTED_STYLE) for span in done.spans]
    found += [Mark(start + one.start, start + one.start + len(one.text), LITERAL_STYLE) for one in done.literals]
    found.sort(key=lambda mark: (mark.start, mark.end))
    declared = frozenset(argument.name for argument in skill.parsed.arguments or ())
    first = skill.parsed.body_line - 1
    notes = tuple(
        LiteralNote(one.text, first + one.line, why_literal(one, arguments, declared), start + one.start)
        for one in done.literals
    )
    return PreviewText(result, MarkedText(output, tuple(found)), notes, len(done.spans), size, tokens)


def body_start(output: str, body: str) -> int | None:
    """Return where the body begins in an output, None where it is not there.

    Counted from the end: a body or a field may imitate the opening tag, while nothing below the body
    can begin a line with the closing one.
    """
    start = output.rfind(_CLOSE) - len(body)
    if start < len(_OPEN) or not output.startswith(_OPEN, start - len(_OPEN)) or not output.startswith(body, start):
        return None
    return start


def why_literal(literal: Literal, arguments: Arguments, declared: frozenset[str]) -> str:
    """Say why a placeholder has no value."""
    if literal.kind == "name":
        if literal.text[2:-1] in declared:
            return "not given"
        if declared:
            return "the skill declares no argument of this name"
        return "only declared arguments have names"
    if not arguments:
        return "no arguments are given"
    if isinstance(arguments, Mapping):
        return "there are no numbers among named arguments"
    count = len(arguments.split())
    return f"only {count} {'word is' if count == 1 else 'words are'} given" if count else "no words are given"


def _frame(output: str, start: int, end: int) -> list[Mark]:
    """Mark what the engine writes around the skill's own text, by its place and never by its looks."""
    head = output.index("<frontmatter>\n") + len("<frontmatter>\n")
    tail = end + len(_CLOSE)
    marks = [
        Mark(0, head, FRAME_STYLE),
        Mark(start - len(_OPEN), start, FRAME_STYLE),
        Mark(end, tail, FRAME_STYLE),
    ]
    closing = output.rfind("</skill>\n")
    if output.startswith("<resources>\n", tail):
        marks.append(Mark(tail, tail + len("<resources>\n"), FRAME_STYLE))
        closing = output.rfind("</resources>\n", tail)
    if closing >= tail:
        marks.append(Mark(closing, len(output), FRAME_STYLE))
    return marks

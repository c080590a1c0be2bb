"""What a permission prompt says, line by line; everything in it goes through the gate."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from textual.content import Content

from skillui.checks.tools import broad_reason
from skillui.core import PermissionRequest, Problem, Severity
from skillui.core.files import SKILL_MD
from skillui.core.gate import OUTSIDE
from skillui.core.text import clipped
from skillui.tui.glyphs import glyphs
from skillui.tui.model.figures import counted
from skillui.tui.model.prompt_facts import PromptFacts
from skillui.tui.model.standing import BECAUSE
from skillui.tui.safe_text import safe, safe_line
from skillui.tui.widgets.severity import sign_of, style_of
from skillui.workspace.project import Root, shortened

_MOST_TOOLS = 24
_MOST_PROBLEMS = 50
_LONGEST_TOOL = 60
_FOLDER = 200
_ROOT = 60
_SENTENCE = 160
_ASKER = 100
_FILE = 60
"""Cells that a folder, a root and a sentence get at most, so that nothing of importance is pushed out of sight."""
_LONGEST_ARGUMENT = 600
_ABILITIES = {
    "network": "uses the network",
    "writes": "writes or deletes files",
    "shell": "runs shell commands",
    "credentials": "reads credentials",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of the prompt: a label, and content that wraps beside it."""

    label: str
    content: Content


def headline(request: PermissionRequest) -> Content:
    """Say who asks for what."""
    who = "You ask" if request.initiator == "user" else "The model asks"
    if request.initiator not in ("user", "model"):
        who = "Somebody asks"
    asker = Content.assemble("The ", ("model", "bold"), " asks") if who == "The model asks" else Content(who)
    session = safe_line(request.session, 40, "$text-muted")
    name = safe_line(request.name, 80, "bold $primary")
    where = (safe("  (session ", "$text-muted"), session, safe(f", turn {request.turn})", "$text-muted"))
    return Content.assemble(asker, " to activate ", name, *where)


def title(request: PermissionRequest) -> Content:
    """Return the title of the frame."""
    untrusted = request.gate.reason == "untrusted_project_skill"
    return Content("Untrusted project skill" if untrusted else "Permission to activate")


def facts(request: PermissionRequest, known: PromptFacts, whole_digest: bool) -> Iterator[Fact]:
    """Yield the facts, what matters most first."""
    yield Fact("why", Content("\n").join(list(_why(request, known.root))))
    yield Fact("folder", _middle(shortened(request.path, os.path.expanduser("~")), _FOLDER))
    yield Fact("root", _root(request, known.root))
    yield Fact("tools", _tools(request.skill.parsed.allowed_tools))
    if known.asker:
        yield Fact("asked by", safe_line(known.asker, _ASKER, "$state-untrusted"))
    yield Fact("can do", _abilities(known.abilities))
    yield Fact("content", _content(request, known, whole_digest))
    if (arguments := _arguments(request.arguments)) is not None:
        yield Fact("arguments", arguments)


def problems(request: PermissionRequest, known: PromptFacts) -> Iterator[Content]:
    """Yield how many problems there are of each severity, then a line for each, gravest first."""
    own = request.skill.parsed.problems
    found = sorted(
        # The checks tell the engine's own problems too, with the path as theirs.
        {(one.code, one.line, one.column, one.message): one for one in (*own, *known.findings)}.values(),
        key=lambda one: (one.severity.rank, one.code, one.path, one.line or 0, one.column or 0),
    )
    if len(found) > 1:
        yield _counts(found)
    for problem in found[:_MOST_PROBLEMS]:
        style = style_of(problem.severity)
        word = "" if problem.severity is Severity.NOTE else f" {problem.severity}"
        yield Content.assemble(
            safe(f"{sign_of(problem.severity)}{word} ", style),
            safe(str(problem.code), f"bold {style}"),
            safe(f"{_place_of(problem)}: "),
            safe(problem.message),
        )
    if len(found) > _MOST_PROBLEMS:
        yield Content(f"and {len(found) - _MOST_PROBLEMS:,} more")


def _counts(found: Sequence[Problem]) -> Content:
    """Say how many problems there are of each severity."""
    counts = {severity: sum(one.severity is severity for one in found) for severity in Severity}
    parts = [
        Content.styled(f"{sign_of(severity)} {counted(count, severity.value)}", f"bold {style_of(severity)}")
        for severity, count in counts.items()
        if count
    ]
    return Content("   ").join(parts)


def _place_of(problem: Problem) -> str:
    """Say where a problem is: the line, behind the file's name where that is not SKILL.md."""
    line = f" line {problem.line}" if problem.line else ""
    own = problem.path == SKILL_MD or os.path.isabs(problem.path)  # as the engine names SKILL.md
    return line if own else f" {clipped(problem.path, _FILE)}{line}"


def _why(request: PermissionRequest, root: Root | None) -> Iterator[Content]:
    gate = request.gate
    sign = glyphs().states["sensitive"].glyph
    for flag in gate.flags:
        words = "lies outside every workspace root" if flag == OUTSIDE else "lies in a sensitive place"
        yield Content.assemble(safe(f"{sign} {flag} ", "bold $state-sensitive"), safe(words, "$state-sensitive"))
    if gate.reason == "untrusted_project_skill":
        glyph = glyphs().states["untrusted"].glyph
        because = BECAUSE.get(root.label) if root is not None else None
        yield safe(f"{glyph} not trusted: {because or 'it lies in no folder that you trust'}", "$state-untrusted")
    elif not gate.flags:
        yield Content("every activation is asked about" if gate.trusted else "its root is not trusted")
    if gate.warning:
        yield safe(gate.warning, "$state-untrusted")


def _root(request: PermissionRequest, root: Root | None) -> Content:
    entry = request.skill.entry
    place = root.source if root is not None else os.path.dirname(entry.location) or os.path.dirname(entry.dir)
    number = safe(f"  root {entry.root_index + 1}", "$text-muted")
    trusted = request.gate.trusted
    word = safe("  trusted" if trusted else "  not trusted", "$state-ok" if trusted else "$state-untrusted")
    parts = [_middle(place, _ROOT), number, word]
    if entry.location and entry.location != entry.dir:
        parts.append(safe("  reached through a link", "$state-untrusted"))
    return Content.assemble(*parts)


def _tools(tools: tuple[str, ...]) -> Content:
    if not tools:
        return Content.styled("none declared", "$text-muted")
    # Broad ones first: in a list of a hundred they must not be the ones that are out of sight.
    reasons = {tool: _why_marked(tool) for tool in dict.fromkeys(tools)}
    ordered = sorted(reasons, key=lambda tool: reasons[tool] is None)
    parts = []
    for tool in ordered[:_MOST_TOOLS]:
        reason = reasons[tool]
        if reason is None:
            parts.append(safe_line(tool, _LONGEST_TOOL))
        else:
            mark = safe_line(tool, _LONGEST_TOOL, "bold $state-broken")
            parts.append(
                Content.assemble(safe(glyphs().warning, "$state-broken"), " ", mark, " ", safe(reason, "$state-broken"))
            )
    if len(ordered) > _MOST_TOOLS:
        parts.append(Content.styled(f"and {len(ordered) - _MOST_TOOLS:,} more, see the text", "$text-muted"))
    return Content("   ").join(parts)


def _abilities(abilities: tuple[str, ...] | None) -> Content:
    if abilities is None:
        return Content.styled(f"looking at its files{glyphs().ellipsis}", "$text-muted")
    if not abilities:
        return Content.styled("nothing was found in its files", "$text-muted")
    return Content("   ").join([safe(_ABILITIES.get(ability, ability), "$state-untrusted") for ability in abilities])


def _why_marked(tool: str) -> str | None:
    # `Bash` with a Cyrillic `a` is read as one thing by a person and as another by a harness.
    return broad_reason(tool) if tool.isascii() else "not plain ASCII"


def _content(request: PermissionRequest, known: PromptFacts, whole: bool) -> Content:
    if request.digest is None:
        reason = request.digest_fault or "the content cannot be named"
        return Content.assemble(
            safe("no digest: ", "$state-untrusted"), safe_line(reason, _SENTENCE, "$state-untrusted")
        )
    kind, _, digits = request.digest.partition(":")
    shown = digits if whole else f"{digits[:8]}{glyphs().ellipsis}{digits[-4:]}"
    parts = [safe(f"{kind} {shown}")]
    if known.history:
        parts += [Content("  "), safe_line(known.history, _SENTENCE, "$state-untrusted")]
    return Content.assemble(*parts)


def _middle(path: str, cells: int) -> Content:
    """Show a path in at most `cells`, its middle left out: the end names the skill."""
    content = safe(path[: cells * 4])
    if len(path) <= cells * 4 and content.cell_length <= cells:
        return content
    tail = path[-cells // 2 :]
    while tail and safe(tail).cell_length > cells // 2:
        tail = tail[len(tail) // 8 + 1 :]
    length = safe(f" ({len(path):,} characters)", "$text-muted")
    return Content.assemble(safe_line(path, cells - cells // 2), safe(tail), length)


def _arguments(arguments: object) -> Content | None:
    if arguments is None or arguments == {}:
        return None
    if isinstance(arguments, Mapping):
        lines: Iterable[Content] = [
            Content.assemble(safe_line(str(key), 30, "bold"), " ", safe(_cut(str(value))))
            for key, value in arguments.items()
        ]
        return Content("\n").join(list(lines))
    return safe(_cut(str(arguments)))


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_ARGUMENT:
        return text
    return f"{text[:_LONGEST_ARGUMENT]}{glyphs().ellipsis} ({len(text):,} characters)"

"""What the Overview says of a skill, line by line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from textual.content import Content

from skillui.checks.rule import SKILL_FILE
from skillui.checks.tools import broad_reason
from skillui.core import AnyEntry, BrokenSkill, LoadedSkill, Severity
from skillui.core.skill import model_may_invoke
from skillui.core.substitution import substitute
from skillui.core.text import clipped, estimated_tokens
from skillui.tui import clock
from skillui.tui.glyphs import glyphs
from skillui.tui.model import standing
from skillui.tui.model.figures import age, counted, human_size, moment, short_digest
from skillui.tui.model.findings import path_of
from skillui.tui.model.skill_view import SkillView
from skillui.tui.model.standing import Standing
from skillui.tui.safe_text import one_line, safe
from skillui.tui.widgets.fact_table import Fact
from skillui.tui.widgets.severity import sign_of, style_of

LABEL_WIDTH = 13
_MUTED = "$text-muted"
_LONGEST_TEXT = 4_000
_MOST_LISTED = 40
_MOST_PLACEHOLDERS = 12
_LONGEST_PATH = 60


def overview_facts(view: SkillView, now: float | None = None) -> list[Fact]:
    """Return the lines of the Overview; `now` is in seconds since the epoch."""
    parts: list[Iterable[Fact]] = [_faults(view)] if standing.is_broken(view) else []
    parts += [
        _description(view),
        _standing(view),
        _chain(view),
        _tools(view),
        _arguments(view),
        _figures(view),
        _content(view, clock.now() if now is None else now),
    ]
    facts: list[Fact] = []
    for part in parts:
        block = list(part)
        if block and facts:
            facts.append(Fact(Content(""), key=("gap", len(facts))))
        facts += block
    return facts


def _label(text: str) -> Content:
    return Content.styled(text, _MUTED)


def _labelled(label: str, text: Content, target: object = None, indent: int = 0) -> Fact:
    return Fact(text, _label(label), target, label, indent)


def _said(label: str, said: Standing) -> Fact:
    state = glyphs().states[said.state]
    return _labelled(label, Content.assemble(safe(f"{state.glyph} {said.text}", state.style)), indent=2)


def _faults(view: SkillView) -> Iterator[Fact]:
    errors = [problem for problem in view.problems if problem.severity is Severity.ERROR]
    if view.loaded is None:
        yield _labelled("wrong", Content.styled("The folder is gone; this is what was known of it.", "$state-broken"))
    for number, problem in enumerate(errors[:_MOST_LISTED]):
        sign, style = sign_of(problem.severity), style_of(problem.severity)
        place = f"line {problem.line}, column {problem.column or 1}" if problem.line is not None else ""
        file = path_of(problem)
        where = place if file == SKILL_FILE else f"{clipped(file, _LONGEST_PATH)} {place}"
        text = Content.assemble(safe(f"{sign} {problem.message}", f"bold {style}"), safe(f"   {where}", "$text-muted"))
        lead = _label("wrong") if not number else Content("")
        yield Fact(text, lead, problem, ("wrong", number), 2)
        code = safe(f"  {problem.code}", style)
        hint = safe(f": {problem.hint}", "") if problem.hint else Content("")
        yield Fact(Content.assemble(code, hint), Content(""), problem, ("hint", number), 2)
    if len(errors) > _MOST_LISTED:
        yield Fact(Content.styled(f"and {len(errors) - _MOST_LISTED:,} more, see Problems", _MUTED))
    if errors and view.parsed is not None and isinstance(view.loaded, BrokenSkill):
        yield Fact(Content.styled("The engine will not load it. What could still be read follows.", _MUTED))


def _description(view: SkillView) -> Iterator[Fact]:
    loaded = view.loaded
    entry = loaded.entry if isinstance(loaded, LoadedSkill) else None
    if entry is None:
        text = view.parsed.description if view.parsed is not None else view.entry.description
        if text.strip():
            yield _labelled("description", safe(text.strip()[:_LONGEST_TEXT], newlines=True))
        else:
            yield _labelled("description", Content.styled("none could be read", _MUTED))
        return
    description = safe(entry.description.strip()[:_LONGEST_TEXT], newlines=True)
    yield _labelled("model sees", Content.assemble(safe(f"{entry.name}: ", "bold"), description))
    if not model_may_invoke(entry.frontmatter):
        text = "The model does not see it: disable-model-invocation keeps it off the listing."
        yield Fact(Content.styled(text, "$state-disabled"))


def _standing(view: SkillView) -> Iterator[Fact]:
    yield _said("model call", standing.model_call(view))
    yield _said("trust", standing.trust(view))
    root = Content.assemble(safe(view.root.source), Content.styled(f"   {view.root.label} root", _MUTED))
    yield _labelled("root", root, indent=2)
    yield _said("invoked by", standing.invokers(view))
    if view.gate.flags:
        yield _said("gate", Standing("sensitive", standing.gate_standing(view).text))
    if view.loaded_at is not None:
        yield _said("session", Standing("loaded", f"loaded at turn {view.loaded_at}"))
    if view.stale:
        yield Fact(
            safe(f"{glyphs().states['stale'].glyph} stale: it changed since, the session holds the old text",
                 "$state-untrusted"), key="stale",
        )  # fmt: skip


def _chain(view: SkillView) -> Iterator[Fact]:
    chain = view.chain or (view.entry,)
    width = max(len(standing.copy_standing(entry, view).text) for entry in chain[:_MOST_LISTED])
    for number, entry in enumerate(chain[:_MOST_LISTED]):
        said = standing.copy_standing(entry, view)
        state = glyphs().states[said.state]
        here = entry.location == view.key
        text = f"{state.glyph} {said.text:<{width}}   " if len(chain) > 1 else f"{state.glyph} "
        words = Content.styled(text, state.style)
        path = safe(view.place_of(entry), "bold" if here else "")
        link = Content("")
        if entry.location and os.path.normpath(entry.location) != entry.dir:
            link = safe(f" {glyphs().arrow} {view.written(entry.dir)}", _MUTED)
        target = None if here else entry
        lead = _label("precedence" if len(chain) > 1 else "folder") if not number else Content("")
        mark = Content.styled("   this copy" if here and len(chain) > 1 else "", "$text-muted")
        yield Fact(Content.assemble(words, path, link), lead, target, ("copy", entry.location), 2, mark)
    if len(chain) > _MOST_LISTED:
        yield Fact(Content.styled(f"and {len(chain) - _MOST_LISTED:,} more", _MUTED))


def _tools(view: SkillView) -> Iterator[Fact]:
    tools = view.parsed.allowed_tools if view.parsed is not None else ()
    if not tools:
        return
    width = min(32, max(len(one_line(tool, 32)) for tool in tools[:_MOST_LISTED]))
    for number, tool in enumerate(tools[:_MOST_LISTED]):
        reason = broad_reason(tool)
        lead = _label("tools") if not number else Content("")
        name = safe(tool[:_LONGEST_TEXT], "bold $state-sensitive" if reason else "")
        text = Content.assemble(Content.styled(f"{glyphs().warning if reason else ' '} ", "$state-sensitive"), name)
        if reason:
            text = Content.assemble(text.pad_right(max(0, width + 2 - text.cell_length)), f"   {reason}")
        yield Fact(text, lead, key=("tool", number), indent=2)
    if len(tools) > _MOST_LISTED:
        yield Fact(Content.styled(f"  and {len(tools) - _MOST_LISTED:,} more, see Frontmatter", _MUTED))
    words = "  advisory: the skill asks for them, the engine neither grants nor enforces them"
    yield Fact(Content.styled(words, _MUTED), indent=2)


def _arguments(view: SkillView) -> Iterator[Fact]:
    parsed = view.parsed
    if parsed is None:
        return
    declared = parsed.arguments or ()
    for number, argument in enumerate(declared[:_MOST_LISTED]):
        text = Content.assemble(
            safe(argument.name, "bold"),
            Content.styled("   required" if argument.required else "   optional",
                           "$state-untrusted" if argument.required else _MUTED),
            safe(f"   {argument.description[:_LONGEST_TEXT]}") if argument.description else "",
        )  # fmt: skip
        yield Fact(text, _label("arguments") if not number else Content(""), key=("argument", number), indent=2)
    hint = parsed.frontmatter.get("argument-hint")
    if isinstance(hint, str):
        yield _labelled("hint", safe(hint[:_LONGEST_TEXT], newlines=True))
    places: dict[str, int] = {}
    for literal in substitute(parsed.body, {}).literals:
        places.setdefault(literal.text, literal.line + parsed.body_line - 1)
    if places:
        shown = list(places.items())[:_MOST_PLACEHOLDERS]
        parts = [Content.assemble(safe(text[:80], "$literal"), _label(f" line {line}")) for text, line in shown]
        more = f"   and {len(places) - len(shown)} more" if len(places) > len(shown) else ""
        yield _labelled("placeholders", Content.assemble(Content("   ").join(parts), _label(more)))
    elif not declared:
        yield _labelled("arguments", Content.styled("none declared, no placeholder in the body", _MUTED))


def _figures(view: SkillView) -> Iterator[Fact]:
    rows: list[tuple[str, str, str]] = []
    if isinstance(view.loaded, LoadedSkill):
        listing = view.loaded.entry.listing
        rows.append(("listing", _characters(listing), _tokens(len(listing))))
    if view.parsed is not None and view.parsed.body:
        body = view.parsed.body
        size = len(body.encode("utf-8", "replace"))
        rows.append(("body", f"{_characters(body)}, {human_size(size)}", _tokens(len(body))))
    others = [file for file in view.files if file.path != "SKILL.md"]
    if others or view.files_omitted:
        size = sum(file.size for file in others)
        files = counted(len(others) + view.files_omitted, "file")
        rows.append(("resources", f"{files}, {human_size(size)}", f"{len(view.resources.names)} listed"))
    width = max((len(row[1]) for row in rows), default=0)
    for name, figure, tokens in rows:
        yield Fact(Content.assemble(figure.ljust(width), "   ", _label(tokens)), _label(name), key=("figure", name))


def _characters(text: str) -> str:
    return counted(len(text), "character")


def _tokens(characters: int) -> str:
    return f"~{estimated_tokens(characters):,} tokens"


def _content(view: SkillView, now: float) -> Iterator[Fact]:
    digest = view.digest
    if digest is not None and digest.value is not None:
        yield _labelled("content", safe(short_digest(digest.value)))
    elif digest is not None:
        yield _labelled("content", safe(f"no digest: {digest.reason or 'it cannot be read'}", "$state-untrusted"))
    modified = _modified(view.entry)
    if modified:
        yield _labelled("changed", Content.assemble(age(modified, now), _label(f"   {moment(modified)}")))


def _modified(entry: AnyEntry) -> float:
    return 0.0 if isinstance(entry, BrokenSkill) and not entry.modified else entry.modified

"""The text of `skillui show`: a label and its value a line, problems with their place in the file."""

from __future__ import annotations

from collections.abc import Iterator

from skillui.checks.tools import is_broad
from skillui.cli.out import Out
from skillui.cli.report import SkillReport
from skillui.cli.standing import FLAG_WORDS, glyph
from skillui.core import Problem
from skillui.core.files import is_below
from skillui.core.text import estimated_tokens
from skillui.workspace.source_line import PLAIN_WIDTH, caret_lines
from skillui.workspace.width import one_line, pad, wrap

_LABEL = 13


def report_lines(report: SkillReport, out: Out) -> list[str]:
    """Return every line, each text of the skill through the gate."""
    entry = report.entry
    state = f"{glyph(report.standing.states[0], out.ascii_only)} {report.standing.words}"
    lines = [out.shown(f"{entry.name}  {state}"), ""]
    for label, value in _facts(report):
        lines += _labelled(label, value, out)
    lines += _problems(report, out)
    return lines


def _facts(report: SkillReport) -> Iterator[tuple[str, str]]:
    entry, root = report.entry, report.root
    description = one_line(entry.description)
    yield "description", description or "none"
    version = entry.frontmatter.get("version")
    if isinstance(version, str):
        yield "version", version
    yield "dir", entry.dir
    if entry.skill_md and not is_below(entry.skill_md, entry.dir):
        yield "SKILL.md", f"is a link to {entry.skill_md}"
    yield "root", f"{entry.root_index + 1} of the roots in order, {root.label}: {root.source}"
    yield "trust", report.why
    for flag in report.standing.gate.flags:
        yield "flag", f"{flag}: {FLAG_WORDS.get(flag, '')}"
    if not report.broken:
        yield "invocation", report.callers
        yield from _arguments(report)
    yield from _tools(report)
    yield from _resources(report)
    yield from _figures(report)
    for copy in report.shadowed:
        yield "shadows", copy.dir
    for copy in report.broken_copies:
        yield "broken copy", copy.dir


def _arguments(report: SkillReport) -> Iterator[tuple[str, str]]:
    hint = report.entry.frontmatter.get("argument-hint")
    if isinstance(hint, str):
        yield "hint", hint
    if not report.arguments:
        yield "arguments", "none by name"
    for item in report.arguments:
        required = " (required)" if item.required else ""
        yield "argument", f"{item.name}{required}" + (f": {item.description}" if item.description else "")


def _tools(report: SkillReport) -> Iterator[tuple[str, str]]:
    if not report.tools:
        yield "tools", "none declared"
    for tool in sorted(report.tools, key=lambda tool: not is_broad(tool)):
        yield "tool", f"{tool}{BROAD_MARK if is_broad(tool) else ''}"


BROAD_MARK = "   <- broad"
"""Follows a tool that opens more than a skill should need."""


def _resources(report: SkillReport) -> Iterator[tuple[str, str]]:
    if report.resources_fault is not None:
        yield "resources", f"cannot be listed: {report.resources_fault}"
    elif not report.resources.names:
        yield "resources", "none"
    for name in report.resources.names:
        yield "resource", name
    for folder, count in report.resources.omitted.items():
        yield "resource", f"{folder}/ ({count} more)"


def _figures(report: SkillReport) -> Iterator[tuple[str, str]]:
    sizes = (("listing", report.listing_characters), ("body", report.entry.body_characters))
    for label, characters in sizes:
        yield label, f"{characters:,} characters, ~{estimated_tokens(characters):,} tokens"
    yield "digest", report.digest.value or f"none: {report.digest.reason}"


def _labelled(label: str, value: str, out: Out) -> list[str]:
    # Paths and digests are copied: they stay in one piece, whatever the width.
    if " " not in value or label in ("dir", "shadows", "broken copy", "digest"):
        return [pad(label, _LABEL) + out.shown(value)]
    width = max(20, (out.width or PLAIN_WIDTH) - _LABEL)
    first, *rest = wrap(out.shown(value), width)
    return [pad(label, _LABEL) + first, *(" " * _LABEL + line for line in rest)]


def _problems(report: SkillReport, out: Out) -> list[str]:
    problems = report.entry.problems
    if not problems:
        return ["", "no problems"]
    lines = ["", f"{len(problems)} problem{'' if len(problems) == 1 else 's'}"]
    for problem in problems:
        lines += _problem(problem, report.source, out)
    return lines


def _problem(problem: Problem, source: tuple[str, ...], out: Out) -> list[str]:
    place = "SKILL.md"
    if problem.line is not None:
        place += f":{problem.line}:{problem.column or 1}"
    lines = ["", out.shown(f"  {place}: {problem.severity} {problem.code}: {problem.message}")]
    if problem.line is not None and problem.line <= len(source):
        lines += caret_lines(source[problem.line - 1], problem.line, problem.column or 1, out)
    if problem.hint:
        lines.append(out.shown(f"    hint: {problem.hint}"))
    return lines

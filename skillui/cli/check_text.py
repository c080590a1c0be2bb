"""The counts of `skillui check`, and what a rule says of itself, as text."""

from __future__ import annotations

from skillui.checks.explain import explain
from skillui.checks.report import Report
from skillui.checks.rule import AnyRule
from skillui.checks.table import RULES
from skillui.workspace.report_text import counted, summary_line
from skillui.workspace.source_line import PLAIN_WIDTH
from skillui.workspace.width import pad, wrap


def statistics_lines(report: Report) -> list[str]:
    """Return a line for each rule that found something, and the summary."""
    lines = []
    for code, findings, skills in report.statistics:
        rule = RULES.get(code)
        title = rule.title if rule is not None else "the skill format"
        lines.append(f"{findings:>6} in {counted(skills, 'skill'):<12} {pad(code, 20)} {title}")
    return [*lines, *([""] if lines else []), summary_line(report)]


def explained(rule: AnyRule) -> list[str]:
    """Return what a rule says of itself."""
    told = explain(rule)
    lines = [f"{told.code}  {told.title}", f"severity: {told.severity}"]
    for paragraph in told.paragraphs:
        lines += ["", *wrap(paragraph, PLAIN_WIDTH)]
    for label, example in told.examples:
        lines += ["", f"{label}:", *(f"    {line}" for line in example)]
    return lines

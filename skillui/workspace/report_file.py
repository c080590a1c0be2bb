"""A report of the gate as the text of a file, in each of its formats."""

from __future__ import annotations

import json
from typing import Final

from skillui.checks.report import Report
from skillui.workspace.report_text import report_lines
from skillui.workspace.source_line import PlainPage

FORMATS: Final = {"text": ".txt", "json": ".json", "sarif": ".sarif", "github": ".log"}
"""Each format with the ending of its files."""


def report_text(report: Report, format: str, base: str) -> str:
    """Return a report in one of `FORMATS`; paths are relative to `base`, an absolute folder, where a format has them.

    Raises `LookupError` for any other format. Reads the files of the skills for their lines: blocking.
    """
    if format == "text":
        return "".join(f"{line}\n" for line in report_lines(report, PlainPage()))
    if format == "json":
        return _json(report.to_json())
    if format == "sarif":
        from skillui.checks.report_sarif import sarif

        return _json(sarif(report, base))
    if format == "github":
        from skillui.checks.report_github import github_lines

        return "".join(f"{line}\n" for line in github_lines(report, base))
    raise LookupError(f"there is no format '{format}'")


def _json(shape: object) -> str:
    return json.dumps(shape, indent=2, ensure_ascii=True, default=str) + "\n"

"""The cases of the gate: skills as data, what must fire on them, what must stay clean, and on which lines.

Keys of a case: `files` (relative path to text, or a mapping of `base64`, `symlink`, `fifo`, `mode` and `text`, or
`pieces` of text and times), `skill` (the folder that is checked), `expect` (rules that must fire), `clean` (rules
that must not), `soft` (rules that may fire as warnings at most), `expect_lines` (rule to path and line, or several
of which one must be told), `expect_message` and `never_message` (what a message must hold, and what no problem
may), `requires` (programs without which the case says nothing).
"""

from __future__ import annotations

import base64
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from skillui.checks.profiles import Profile
from skillui.core.problems import Problem, Severity
from skillui.workspace.check_run import CheckOptions, check_targets
from skillui.workspace.check_targets import find_targets

FOLDER = Path(__file__).parent / "gate"

Case = dict[str, Any]


@dataclass(frozen=True)
class Verdict:
    """Whether one expectation of one case holds."""

    case: str
    kind: str
    rule: str
    holds: bool
    detail: str = ""

    @property
    def key(self) -> str:
        """How a gap is written in the list of known ones."""
        return f"{self.case} {self.kind} {self.rule}"


@cache
def open_cases() -> tuple[Case, ...]:
    """Return every case of the open set."""
    text = (FOLDER / "open.yaml").read_text(encoding="utf-8")
    return tuple(yaml.load(text, Loader=yaml.CSafeLoader)["cases"])


def known_gaps() -> set[str]:
    """Return the expectations that are known not to hold."""
    lines = (FOLDER / "known_gaps.txt").read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def lay_out(case: Case, root: Path) -> Path:
    """Write the files of a case below `root` and return the folder to check."""
    links = []
    for relative, value in case["files"].items():
        path = root / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(value, dict) and "symlink" in value:
            links.append((path, value["symlink"]))
        elif isinstance(value, dict) and value.get("fifo"):
            os.mkfifo(path)
        else:
            path.write_bytes(_content(value))
            if isinstance(value, dict) and "mode" in value:
                path.chmod(int(value["mode"], 8))
    for path, target in links:
        path.symlink_to(target)
    return root / str(case["skill"])


def _content(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"])
    if "pieces" in value:
        return "".join(text * times for text, times in value["pieces"]).encode()
    return str(value.get("text", "")).encode()


def problems_of(folder: Path, profile: Profile = Profile.PORTABLE) -> list[Problem]:
    """Check a folder as the command does and return every problem."""
    outcome = check_targets(find_targets([str(folder)]), CheckOptions(profile=profile))
    return [problem for skill in outcome.report.skills for problem in skill.problems]


def judge(case: Case, problems: list[Problem]) -> Iterator[Verdict]:
    """Yield whether each expectation of a case holds."""
    by_code: dict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        by_code[str(problem.code)].append(problem)
    name = case["id"]
    for rule in case.get("expect", []):
        yield Verdict(name, "fire", rule, bool(by_code[rule]))
    for group in case.get("expect_any", []):
        yield Verdict(name, "fire", "|".join(group), any(by_code[rule] for rule in group))
    for rule in case.get("clean", []):
        yield Verdict(name, "clean", rule, not by_code[rule], str(by_code[rule]))
    for rule in case.get("soft", []):
        grave = [problem for problem in by_code[rule] if problem.severity is Severity.ERROR]
        yield Verdict(name, "soft", rule, not grave, str(grave))
    for rule, wanted in case.get("expect_lines", {}).items():
        places = [tuple(place) for place in (wanted if isinstance(wanted[0], list) else [wanted])]
        told = [(problem.path, problem.line) for problem in by_code[rule]]
        yield Verdict(name, "line", rule, any(place in told for place in places), f"told {told}, wanted {places}")
    for rule, text in case.get("expect_message", {}).items():
        shown = [f"{problem.message} {problem.hint}" for problem in by_code[rule]]
        yield Verdict(name, "message", rule, any(text in message for message in shown), str(shown))
    for rule, text in case.get("never_message", {}).items():
        masked = all(text not in json.dumps(problem.to_json()) for problem in problems)
        yield Verdict(name, "masked", rule, bool(by_code[rule]) and masked)

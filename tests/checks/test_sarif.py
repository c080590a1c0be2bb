"""SARIF: the log has the shape that version 2.1.0 lays down, whatever a skill holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from skillui.checks.profiles import Profile
from skillui.checks.report import CheckedSkill, Report
from skillui.checks.report_sarif import sarif
from skillui.core.problems import Problem, Severity
from skillui.workspace.check_run import CheckOptions, check_targets
from skillui.workspace.check_targets import find_targets
from tests.checks.planted import FAULTS, write_skill

# The properties this project writes, by the objects of the standard: name to (type, required).
_SHAPES: dict[str, dict[str, tuple[Any, bool]]] = {
    "log": {"$schema": (str, False), "version": (str, True), "runs": (["run"], True)},
    "run": {"tool": ("tool", True), "columnKind": (str, False), "results": (["result"], False)},
    "tool": {"driver": ("toolComponent", True)},
    "toolComponent": {
        "name": (str, True), "version": (str, False), "semanticVersion": (str, False),
        "rules": (["reportingDescriptor"], False),
    },
    "reportingDescriptor": {
        "id": (str, True), "shortDescription": ("multiformat", False), "fullDescription": ("multiformat", False),
        "help": ("multiformat", False), "defaultConfiguration": ("configuration", False),
    },
    "multiformat": {"text": (str, True)},
    "configuration": {"level": ("level", False)},
    "result": {
        "ruleId": (str, False), "ruleIndex": (int, False), "level": ("level", False), "message": ("multiformat", True),
        "locations": (["location"], False),
    },
    "location": {"physicalLocation": ("physicalLocation", False)},
    "physicalLocation": {"artifactLocation": ("artifactLocation", False), "region": ("region", False)},
    "artifactLocation": {"uri": ("uri", False)},
    "region": {"startLine": ("positive", False), "startColumn": ("positive", False)},
}  # fmt: skip


def conform(value: Any, shape: Any, where: str = "log") -> None:
    if isinstance(shape, list):
        assert isinstance(value, list), where
        for number, item in enumerate(value):
            conform(item, shape[0], f"{where}[{number}]")
    elif isinstance(shape, type):
        assert type(value) is shape, where
    elif shape == "level":
        assert value in ("none", "note", "warning", "error"), where
    elif shape == "positive":
        assert type(value) is int, where
        assert value >= 1, where
    elif shape == "uri":
        assert urlsplit(value).scheme in ("", "file"), where
        assert value.isascii(), where
        assert not set(value) & set(' <>"{}|\\^`\n'), where
    else:
        known = _SHAPES[shape]
        assert set(value) <= set(known), where
        assert {name for name, (_, required) in known.items() if required} <= set(value), where
        for name, item in value.items():
            conform(item, known[name][0], f"{where}.{name}")


def test_every_planted_fault_is_a_result_of_a_described_rule(tmp_path: Path) -> None:
    paths = []
    for fault in FAULTS:
        folder = write_skill(tmp_path / fault.name / fault.folder)
        fault.plant(folder)
        paths.append(str(folder))
    outcome = check_targets(find_targets(paths), CheckOptions(profile=Profile.GUIDE))
    log = json.loads(json.dumps(sarif(outcome.report, str(tmp_path))))
    conform(log, "log")
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert {fault.rule for fault in FAULTS} <= {rule["id"] for rule in rules}
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert (tmp_path / uri).exists()


def test_odd_paths_and_texts_stay_within_the_shape() -> None:
    problems = tuple(
        Problem("SEC-01", Severity.NOTE, "a\u202eb\x1b[2J\udcff", path, line, column)
        for path in ("SKILL.md", "a b/ü%\udcff.md", "x\ny")
        for line, column in ((None, None), (1, None), (3, 4))
    )
    report = Report(
        [CheckedSkill("x", "/elsewhere/x y", problems), CheckedSkill("y", "/base/y", problems)], Profile.SPEC
    )
    log = json.loads(json.dumps(sarif(report, "/base")))
    conform(log, "log")
    uris = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in log["runs"][0]["results"]
    }
    assert {"file:///elsewhere/x%20y/SKILL.md", "y/SKILL.md", "y/a%20b/%C3%BC%25%FF.md"} <= uris

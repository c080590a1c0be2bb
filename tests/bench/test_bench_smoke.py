"""The measurement itself: over a tiny tree it ends with a table and with JSON that says the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.figures import Figure, percentile, table
from tests.bench.trees import SIZE, make_project, skill_files

TOP = Path(__file__).parents[2]


@pytest.mark.skipif(os.name != "posix", reason="first paint is measured through a pty")
def test_a_run_over_a_tiny_tree_prints_a_table_and_writes_json(tmp_path: Path) -> None:
    found = tmp_path / "figures.json"
    options = ["--skills", "20", "--runs", "1", "--keys", "4", "--json", str(found)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", *options], cwd=TOP, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(found.read_text(encoding="utf-8"))
    assert {figure["name"] for figure in figures} >= {
        "cold discovery",
        "first paint",
        "peak memory",
        "hook, start to answer",
        "check of all, start to exit",
    }
    assert all(figure["value"] > 0 and figure["skills"] in (1, 20) for figure in figures)
    assert all(figure["name"] in done.stdout for figure in figures)


def test_a_tree_has_skills_of_one_size_with_three_resources(tmp_path: Path) -> None:
    files = skill_files(make_project(tmp_path, 3) / ".skills")
    assert [Path(file).stat().st_size for file in files] == [SIZE] * 3
    assert all(sum(path.is_file() for path in Path(file).parent.rglob("*")) == 4 for file in files)


def test_a_figure_past_its_target_is_missed() -> None:
    met, missed = Figure("met", 10, 8.0, "x", 8.0), Figure("missed", 10, 8.1, "x", 8.0)
    lines = table([met, missed, Figure("free", 10, 1.0, "ms")]).splitlines()
    assert [word in line for line, word in zip(lines[1:], ("ok", "missed", "free"), strict=True)] == [True] * 3
    assert "ok" not in lines[3]


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.5) == 3.0
    assert percentile([5.0], 0.99) == 5.0

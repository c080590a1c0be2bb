"""Measure skillui: `python -m tests.bench [--skills N …] [--runs N] [--json FILE]`.

Every figure that depends on the machine is a ratio of two things measured in one run. What is
measured runs in processes of its own, so that one figure does not pay for another.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench import check_time, first_paint, hook_start
from tests.bench.figures import Figure, median, milliseconds, percentile, table
from tests.bench.trees import make_project

SIZES = (100, 1_000, 10_000)
TARGETS_AT = 10_000
"""The number of skills the targets are set for; a first paint must be quick at any number."""
_PARTS = ("discovery", "paint", "app", "check", "hook")
_TOP = Path(__file__).parents[2]


def measure(sizes: Sequence[int], runs: int, keys: int, folder: Path, only: Sequence[str] = ()) -> list[Figure]:
    """Measure everything, or the parts in `only`, over trees of these sizes below `folder`."""
    environ = _environ(folder)
    figures: list[Figure] = []
    if not only or "hook" in only:
        figures += _hook(folder, runs, environ)
    for skills in sizes if only != ["hook"] else ():
        project = make_project(folder, skills)
        if not only or "discovery" in only:
            figures += _discovery(project, skills, runs, environ)
        if not only or "paint" in only:
            figures += _paint(project, skills, runs, environ)
        if not only or "app" in only:
            figures += _app(project, skills, keys, environ)
        if not only or "check" in only:
            figures += _check(project, skills, runs, environ)
    return figures


def _hook(folder: Path, runs: int, environ: Mapping[str, str]) -> list[Figure]:
    answer, bare = hook_start.compare(folder, environ, runs)
    words = f"{milliseconds(answer)} / {milliseconds(bare)} of python -c pass"
    return [
        Figure("hook, start to answer", 1, 1000 * answer, "ms", 150.0, "a process of its own"),
        Figure("the same as a ratio", 1, answer / bare, "x", None, words),
    ]


def _discovery(project: Path, skills: int, runs: int, environ: Mapping[str, str]) -> list[Figure]:
    seconds = _in_process("tests.bench.discovery", project / ".skills", runs, environ)
    cold, bare, rescan = seconds["cold"], seconds["bare"], seconds["rescan"]
    ratio = Figure("cold discovery", skills, cold / bare, "x", 8.0, f"{milliseconds(cold)} / {milliseconds(bare)} bare")
    part = Figure("rescan of one change", skills, 100 * rescan / cold, "%", 2.0, f"{milliseconds(rescan)} of the above")
    return [_aimed(ratio), _aimed(part)]


def _paint(project: Path, skills: int, runs: int, environ: Mapping[str, str]) -> list[Figure]:
    ours, empty = first_paint.compare(project, environ, runs)
    first = median([paint.first for paint in ours]), median([paint.first for paint in empty])
    whole = median([paint.whole for paint in ours]), median([paint.whole for paint in empty])
    words = "{} / {} of an empty app"
    return [
        Figure("first paint", skills, first[0] / first[1], "x", 1.3, words.format(*map(milliseconds, first))),
        Figure("whole frame", skills, whole[0] / whole[1], "x", None, words.format(*map(milliseconds, whole))),
    ]


def _app(project: Path, skills: int, keys: int, environ: Mapping[str, str]) -> list[Figure]:
    found = _in_process("tests.bench.running_app", project, keys, environ)
    taken, drawn = ([1000 * value for value in found[name]] for name in ("taken", "drawn"))
    count = f"{len(drawn)} keys"
    figures = [
        Figure("keystroke to new list, median", skills, median(taken), "ms", 16.0, count),
        Figure("keystroke to new list, p99", skills, percentile(taken, 0.99), "ms", 33.0, count),
        Figure("keystroke to its drawing, median", skills, median(drawn), "ms", None, "at most 60 drawings a second"),
        Figure("keystroke to its drawing, p99", skills, percentile(drawn, 0.99), "ms", None, ""),
        Figure("first opening of Preview", skills, 1000 * found["preview"], "ms", None, "from the tab to its output"),
        Figure("peak memory", skills, found["peak_mb_after"], "MB", 250.0, f"{found['peak_mb']:,.0f} MB before typing"),
    ]
    return [_aimed(figure) for figure in figures]


def _check(project: Path, skills: int, runs: int, environ: Mapping[str, str]) -> list[Figure]:
    """Return what a check of all costs, and one of a single skill; between two sizes it should grow as they do."""
    one = check_time.seconds_for(next((project / ".skills").iterdir()), 1, environ, runs)
    every = check_time.seconds_for(project / ".skills", skills, environ, runs)
    each = 1000 * (every - one) / skills
    words = f"{each:.2f} ms a skill past the first"
    return [
        Figure("check of one skill, start to exit", skills, 1000 * one, "ms", 250.0, "a process of its own"),
        Figure("check of all, start to exit", skills, every, "s", 2.0 * max(1, skills / 1000), words),
    ]


def _aimed(figure: Figure) -> Figure:
    """Leave out the target for other sizes than it was set for."""
    if figure.skills == TARGETS_AT:
        return figure
    return Figure(figure.name, figure.skills, figure.value, figure.unit, None, figure.base)


def _in_process(module: str, path: Path, number: int, environ: Mapping[str, str]) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", module, str(path), str(number)], cwd=_TOP, env=dict(environ), capture_output=True
    )
    if done.returncode != 0:
        raise RuntimeError(f"{module} failed:\n{done.stderr.decode(errors='replace')}")
    return json.loads(done.stdout)


def _environ(folder: Path) -> dict[str, str]:
    """Return an environment whose home is nobody's."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return kept | {
        "HOME": str(home), "SKILLUI_CONFIG_DIR": str(home / "config"), "SKILLUI_STATE_DIR": str(home / "state"),
        "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONUTF8": "1", "PYTHONPATH": str(_TOP),
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print a table, and write JSON where it is asked for; returns 0 whatever the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure skillui.")
    parser.add_argument("--skills", type=int, nargs="+", default=SIZES, metavar="N", help="sizes of the trees")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="runs that a median is taken of")
    parser.add_argument("--keys", type=int, default=200, metavar="N", help="keystrokes in the search")
    parser.add_argument("--only", nargs="+", choices=_PARTS, default=(), help="parts to measure")
    parser.add_argument("--trees", type=Path, metavar="DIR", help="keep the generated trees in DIR")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="skillui-bench-") as temporary:
        folder = options.trees or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        figures = measure(options.skills, options.runs, options.keys, folder, options.only)
    print(table(figures))
    if options.json is not None:
        text = json.dumps([figure.to_json() for figure in figures], indent=2)
        options.json.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

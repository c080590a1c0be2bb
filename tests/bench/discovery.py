"""Discovery against the bare reading of the same bytes. A process of its own: `python -m … ROOT RUNS`."""

from __future__ import annotations

import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from skillui.core.registry import FilesystemSkillRegistry
from tests.bench.trees import skill_files


def read_bare(root: str) -> int:
    """Read every SKILL.md as plainly as Python can, and return the bytes."""
    total = 0
    with os.scandir(root) as entries:
        for entry in entries:
            with open(f"{entry.path}/SKILL.md", "rb") as file:
                total += len(file.read())
    return total


def _timed(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(root: str, runs: int) -> dict[str, float]:
    """Return medians in seconds of: `bare`, `cold` and `rescan`; the page cache is warm for all."""
    read_bare(root)
    times: dict[str, list[float]] = {"bare": [], "cold": [], "rescan": []}
    files = skill_files(Path(root))
    for run in range(runs):
        registry = FilesystemSkillRegistry([root])
        times["bare"].append(_timed(partial(read_bare, root)))
        times["cold"].append(_timed(registry.scan))
        assert registry.catalog is not None
        assert len(registry.catalog.skills) == len(files)
        changed = files[run % len(files)]
        with open(changed, "a", encoding="utf-8") as file:
            file.write(".\n")
        times["rescan"].append(_timed(partial(registry.refresh, [changed])))
    return {name: statistics.median(values) for name, values in times.items()}


def main(arguments: list[str]) -> None:
    """Measure the root of the first argument, as often as the second says."""
    print(json.dumps(measure(arguments[0], int(arguments[1]))))


if __name__ == "__main__":
    main(sys.argv[1:])

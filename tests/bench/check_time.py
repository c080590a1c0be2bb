"""`skillui check` from start to exit, over a whole tree and over one skill of it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from tests.bench.figures import median

_COSTLY = 2_000
"""Skills past which one run must do: it takes half a minute on a slow machine."""


def seconds_for(path: Path, skills: int, environ: Mapping[str, str], runs: int) -> float:
    """Return the median seconds of a check of `path`, which holds so many skills."""
    return median([_run(path, skills, environ) for _ in range(1 if skills > _COSTLY else max(runs // 2, 1))])


def _run(path: Path, skills: int, environ: Mapping[str, str]) -> float:
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "skillui", "check", str(path)], capture_output=True, env=dict(environ), text=True
    )
    seconds = time.perf_counter() - start
    if done.returncode != 0 or f"{skills:,} skill" not in done.stdout.splitlines()[-1]:
        raise RuntimeError(f"the check said {done.stdout[-200:]!r} {done.stderr!r}")
    return seconds

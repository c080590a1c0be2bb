"""From starting `skillui hook claude-code` to its answer, beside an interpreter that does nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.figures import median

_SKILL = "---\nname: hooked\ndescription: A skill behind the hook.\n---\nDo it.\n"


def compare(folder: Path, environ: Mapping[str, str], runs: int) -> tuple[float, float]:
    """Return the median seconds of the hook's answer, and of `python -c pass`, taken in turns."""
    skill = folder / "hooked-project" / ".claude" / "skills" / "hooked"
    skill.mkdir(parents=True, exist_ok=True)
    (skill / "SKILL.md").write_text(_SKILL, encoding="utf-8")
    cwd = str(skill.parents[2])
    call = {
        "session_id": "bench", "cwd": cwd, "permission_mode": "default", "hook_event_name": "PreToolUse",
        "tool_name": "Skill", "tool_input": {"skill": "hooked"},
    }  # fmt: skip
    given = json.dumps(call).encode()
    own = {**environ, "SKILLUI_DATA_DIR": str(folder / "hooked-data")}
    hook = [sys.executable, "-m", "skillui", "hook", "claude-code"]
    _run(hook, given, own)  # the first run makes the store
    answers, bare = [], []
    for _ in range(max(runs, 3)):
        bare.append(_run([sys.executable, "-c", "pass"], b"", own))
        answers.append(_run(hook, given, own, b'"ask"'))
    return median(answers), median(bare)


def _run(command: Sequence[str], given: bytes, environ: Mapping[str, str], expected: bytes = b"") -> float:
    start = time.perf_counter()
    done = subprocess.run(command, input=given, capture_output=True, env=dict(environ), check=True)
    seconds = time.perf_counter() - start
    if expected not in done.stdout:
        raise RuntimeError(f"the hook said {done.stdout!r}")
    return seconds

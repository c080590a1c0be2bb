"""Real processes in a home that is nobody's, with a small world of skills around them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

TEXT = "---\nname: {name}\ndescription: {description}\n{more}---\n{body}\n"


@dataclass
class World:
    """A home, a repository `shop` and the program; every run is a process of its own."""

    top: Path
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.top / "home"

    @property
    def shop(self) -> Path:
        return self.top / "shop"

    @property
    def project_root(self) -> Path:
        return self.shop / ".skills"

    @property
    def user_root(self) -> Path:
        return self.home / ".claude" / "skills"

    def skill(
        self,
        root: Path,
        name: str,
        *,
        description: str = "Does a thing. Use when asked.",
        more: str = "",
        body: str = "Hello.",
    ) -> Path:
        folder = root / name
        folder.mkdir(parents=True)
        text = TEXT.format(name=name, description=description, more=more and more + "\n", body=body)
        (folder / "SKILL.md").write_text(text, encoding="utf-8")
        return folder

    def commit(self) -> None:
        """Make `shop` a git repository with all that is in it."""
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "x"]):
            subprocess.run(["git", *words], cwd=self.shop, env=self.environ, check=True, timeout=60)

    def run(
        self, *arguments: str, cwd: Path | None = None, stdin: bytes = b"", environ: Mapping[str, str] | None = None
    ) -> Run:
        done = subprocess.run(
            [sys.executable, "-m", "skillui", *arguments],
            cwd=cwd or self.shop,
            env={**self.environ, **(environ or {})},
            input=stdin,
            capture_output=True,
            timeout=60,
            start_new_session=True,  # no controlling terminal: nobody is there
        )
        return Run(done.returncode, done.stdout, done.stderr.decode())


@dataclass(frozen=True)
class Run:
    """What one process did."""

    code: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode()

    def is_one_line_fault(self) -> bool:
        return self.code == 2 and self.err.count("\n") == 1 and self.err.startswith("skillui: ") and not self.raw


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path.resolve())
    made.home.mkdir()
    (made.shop / ".git").mkdir(parents=True)
    (made.top / "tmp").mkdir()
    keep = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "COVERAGE_PROCESS_START")
    made.environ = {name: os.environ[name] for name in keep if name in os.environ}
    made.environ |= {
        "HOME": str(made.home), "USERPROFILE": str(made.home), "TMPDIR": str(made.top / "tmp"),
        "SKILLUI_CONFIG_DIR": str(made.home / "config"), "SKILLUI_STATE_DIR": str(made.home / "state"),
        "TERM": "xterm-256color", "PYTHONUTF8": "1",
        "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONWARNINGS": "error",
    }  # fmt: skip
    return made

"""Checking many skills: processes that share the work find what one finds, whatever becomes of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from skillui.checks.report import CheckedSkill
from skillui.core.catalog import BrokenSkill, Catalog, LoadedSkill
from skillui.core.registry import FilesystemSkillRegistry
from skillui.workspace import check_run, check_skills
from skillui.workspace.check_run import CheckOptions, Outcome, check_targets
from skillui.workspace.check_skills import MANY, Choice, processes_for
from skillui.workspace.check_targets import Targets

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes share the work on Linux only")


def write(root: Path, name: str, text: str) -> None:
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(text, encoding="utf-8")


@pytest.fixture
def roots(tmp_path: Path) -> tuple[str, ...]:
    """Two roots: skills with findings, twins, shadowed ones, broken ones and one that cannot be read."""
    for number in range(45):
        name = f"skill-{number:02}"
        write(tmp_path / "one", name, f"---\nname: {name}\ndescription: Counts {number}.\n---\nRun scripts/gone.sh\n")
    write(tmp_path / "two", "skill-03", "---\nname: skill-03\ndescription: The other third.\n---\nBody.\n")
    write(tmp_path / "two", "broken", "---\nname: [\n---\n")
    (tmp_path / "two" / "odd").mkdir()
    os.mkfifo(tmp_path / "two" / "odd" / "SKILL.md")
    return str(tmp_path / "one"), str(tmp_path / "two")


def outcome_by(processes: int, roots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> Outcome:
    monkeypatch.setattr(check_run, "processes_for", lambda skills: processes)
    return check_targets(Targets(roots=roots), CheckOptions())


def test_processes_find_what_one_finds_in_the_same_order(
    roots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = outcome_by(1, roots, monkeypatch)
    assert len(alone.report.skills) == 48
    assert outcome_by(3, roots, monkeypatch) == alone


def test_what_a_killed_process_leaves_is_checked_all_the_same(
    roots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = outcome_by(1, roots, monkeypatch)
    own, checked = os.getpid(), check_skills.checked

    def killing(loaded: LoadedSkill | BrokenSkill, choice: Choice) -> CheckedSkill:
        if os.getpid() != own and not isinstance(loaded, BrokenSkill) and loaded.entry.name == "skill-30":
            os.kill(os.getpid(), signal.SIGKILL)
        return checked(loaded, choice)

    monkeypatch.setattr(check_skills, "checked", killing)
    assert outcome_by(2, roots, monkeypatch) == alone


@pytest.mark.parametrize("where", ["os.fork", "multiprocessing.synchronize.SemLock.__init__"])
def test_where_the_system_has_no_process_to_spare_one_does_it_alone(
    roots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    alone = outcome_by(1, roots, monkeypatch)

    def refused(*_: object, **__: object) -> None:
        raise BlockingIOError("resource temporarily unavailable")

    monkeypatch.setattr(where, refused)
    assert outcome_by(2, roots, monkeypatch) == alone


def test_where_only_one_process_was_to_spare_it_is_not_left_behind(
    roots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = outcome_by(1, roots, monkeypatch)
    fork, forked = os.fork, list[int]()

    def once() -> int:
        if forked:
            raise BlockingIOError("resource temporarily unavailable")
        child = fork()
        if child:
            forked.append(child)
        return child

    monkeypatch.setattr(os, "fork", once)
    assert outcome_by(2, roots, monkeypatch) == alone
    with pytest.raises(ChildProcessError):  # ended, and waited for
        os.waitpid(forked[0], os.WNOHANG)


def test_a_skill_that_goes_away_after_the_scan_is_left_out(
    roots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:

    path = Path(roots[0]) / "skill-44" / "SKILL.md"
    scan = FilesystemSkillRegistry.scan

    def scan_and_lose(registry: FilesystemSkillRegistry) -> Catalog:
        catalog = scan(registry)
        path.unlink()
        return catalog

    monkeypatch.setattr(FilesystemSkillRegistry, "scan", scan_and_lose)
    names = [skill.name for skill in outcome_by(2, roots, monkeypatch).report.skills]
    assert "skill-43" in names
    assert "skill-44" not in names


def test_few_skills_and_a_process_with_threads_are_checked_alone() -> None:
    assert processes_for(MANY - 1) == 1
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        assert processes_for(10 * MANY) == 1
    finally:
        over.set()
        thread.join()


def helpers_of(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()


@pytest.fixture
def many(tmp_path: Path) -> Path:
    for number in range(400):
        name = f"skill-{number:03}"
        write(tmp_path, name, f"---\nname: {name}\ndescription: Counts {number}.\n---\n{'Say what you saw. ' * 400}\n")
    return tmp_path


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core: nothing is shared")
def test_an_interrupt_ends_all_of_them_without_a_word_of_python(many: Path) -> None:
    check = subprocess.Popen(
        [sys.executable, "-m", "skillui", "check", str(many)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True,
    )  # fmt: skip
    while check.poll() is None and len(helpers_of(check.pid)) < 2:
        time.sleep(0.005)
    os.killpg(check.pid, signal.SIGINT)
    _, errors = check.communicate(timeout=60)
    assert "Traceback" not in errors
    assert check.returncode not in (0, 1)
    with pytest.raises(ProcessLookupError):
        os.killpg(check.pid, 0)

"""The file of a session log: each event as it comes, the owner's alone, no other file's."""

from __future__ import annotations

import json
import resource
import stat
from pathlib import Path

import pytest

from skillui.core import SessionState
from skillui.workspace.session_log import SessionLog, SessionLogFault
from tests.tui.session.session_records import Skills, ok, record, three_calls


async def test_the_file_gets_each_event_as_it_comes(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text('{"earlier": true}\n', encoding="utf-8")
    file = SessionLog(str(path))
    state = SessionState("1")
    sizes: list[int] = []
    state.listeners += [file.record, lambda call: sizes.append(path.read_text(encoding="utf-8").count("\n"))]
    await three_calls(Skills(tmp_path).session(state))
    file.close()
    file.close()
    assert file.fault is None
    assert sizes == [2, 3, 4]
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["kind"] == "already_loaded"


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    SessionLog(str(path)).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(SessionLogFault, match=r"x\.jsonl"):
        SessionLog(str(tmp_path / "missing" / "x.jsonl"))


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "SKILL.md"
    path.write_text("---\nname: x\n---\n")
    with pytest.raises(SessionLogFault, match="is no session log"):
        SessionLog(str(path))
    assert path.read_text() == "---\nname: x\n---\n"


def test_a_failing_write_is_a_fault_and_no_exception(tmp_path: Path) -> None:
    file = SessionLog(str(tmp_path / "x.jsonl"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (5, hard))
        file.record(record(ok()))
        file.record(record(ok(), seq=2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    file.close()
    assert "x.jsonl" in (file.fault or "")


def test_arguments_that_json_cannot_hold_are_a_fault_and_no_exception(tmp_path: Path) -> None:
    endless: list[object] = []
    endless.append(endless)
    file = SessionLog(str(tmp_path / "x.jsonl"))
    file.record(record(ok(), arguments=endless))
    file.close()
    assert "x.jsonl" in (file.fault or "")

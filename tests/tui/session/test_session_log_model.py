"""The sessions of a run, their export, and the file they are appended to."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skillui.core import SessionState
from skillui.tui.model.session_log import SessionLog, export_lines
from tests.tui.hostile import HOSTILE
from tests.tui.session.session_records import Skills, denied, hostile_records, ok, record, three_calls

resource = pytest.importorskip("resource")


def test_no_session_is_current_before_one_began() -> None:
    assert SessionLog().current is None


def test_sessions_are_numbered_and_none_is_dropped() -> None:
    log = SessionLog()
    first = log.begin(SessionState("1"), started=datetime(2026, 11, 30, tzinfo=UTC))
    second = log.begin(SessionState("2"))
    assert log.current is second
    assert [session.title for session in log.listed()] == ["Session 2", "Session 1"]
    assert log.find(first.key) is first
    assert log.find("other") is None
    assert first.started == datetime(2026, 11, 30, tzinfo=UTC)


async def test_a_session_shows_the_calls_of_its_state(tmp_path: Path) -> None:
    session = SessionLog().begin(state := SessionState("1"))
    await three_calls(Skills(tmp_path).session(state))
    assert [call.event.kind for call in session.records] == ["error", "ok", "already_loaded"]


def test_export_writes_one_object_a_line() -> None:
    lines = list(export_lines([record(ok("the\noutput")), record(denied(), seq=2)]))
    assert [json.loads(line)["seq"] for line in lines] == [1, 2]
    assert "output" not in json.loads(lines[0])
    assert json.loads(next(export_lines([record(ok("the\noutput"))], outputs=True)))["output"] == "the\noutput"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_export_of_hostile_text_is_valid_utf8_on_one_line(text: str) -> None:
    for line in export_lines(hostile_records(text), outputs=True):
        assert "\n" not in line
        assert json.loads(line.encode("utf-8"))["kind"]


def test_export_of_arguments_that_json_cannot_hold_costs_the_arguments_alone() -> None:
    endless: list[object] = []
    endless.append(endless)
    (line,) = export_lines([record(ok(), arguments=endless)])
    assert json.loads(line)["arguments"] is None
    assert json.loads(line)["name"] == "deploy"

from __future__ import annotations

import logging
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillui.workspace import log

LOGGER = logging.getLogger("skillui.test")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    log.close_log()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "state" / "skillui.log"
    assert log.open_log(str(path)) is None
    return path


def test_a_record_is_one_line_with_time_level_and_origin(path: Path) -> None:
    LOGGER.warning("read %s", "a.md")
    text = path.read_text()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z WARNING skillui\.test read a\.md\n", text)


def test_the_log_and_its_folder_are_the_owners_alone(path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert log.log_path() == str(path)


def test_hostile_text_can_neither_act_on_a_terminal_nor_pose_as_a_record(path: Path) -> None:
    LOGGER.info("name %s", "a\n2026-01-01T00:00:00.000Z INFO skillui approved\x1b[2J\u202e\u200b\udcff")
    try:
        raise ValueError("first\n2026-01-01T00:00:00.000Z INFO skillui approved\x1b]0;x\x07")
    except ValueError:
        LOGGER.exception("failed")
    text = path.read_bytes().decode("utf-8")
    assert not set("\x1b\x07\u202e\u200b\r") & set(text)
    assert "\\n2026-01-01T00:00:00.000Z INFO skillui approved\\x1b[2J⟨U+202E⟩⟨U+200B⟩\\xff" in text
    assert [line.split()[2] for line in text.splitlines() if not line.startswith("    ")] == ["skillui.test"] * 2


def test_old_files_are_kept_to_three_of_one_mebibyte(path: Path) -> None:
    for _ in range(50):
        LOGGER.info("x" * 100_000)
    assert sorted(os.listdir(path.parent)) == ["skillui.log", "skillui.log.1", "skillui.log.2"]
    for name in os.listdir(path.parent):
        file = path.parent / name
        assert 0 < file.stat().st_size <= log.MAX_BYTES
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_log_that_cannot_be_opened_is_told_and_stops_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "file" / "skillui.log", tmp_path, tmp_path / "pipe", tmp_path / "a\x00b"):
        reason = log.open_log(str(path))
        assert reason is not None
        assert reason.startswith("the log ")
        assert reason.isprintable()
        assert log.log_path() is None
        LOGGER.error("lost")
    assert capfd.readouterr() == ("", "")


def test_a_link_in_the_place_of_the_log_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("")
    (tmp_path / "skillui.log").symlink_to(tmp_path / "victim")
    assert log.open_log(str(tmp_path / "skillui.log")) is not None
    assert (tmp_path / "victim").read_text() == ""


def test_a_fault_while_writing_draws_nothing_on_the_terminal(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    LOGGER.info("%d", "not a number")
    assert capfd.readouterr() == ("", "")


def test_opening_again_moves_on_to_the_new_file(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.log"
    assert log.open_log(str(other)) is None
    LOGGER.info("here")
    assert "here" in other.read_text()
    assert path.read_text() == ""

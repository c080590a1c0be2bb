from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from skillui.workspace.atomic import write_bytes, write_text


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_is_the_owners_alone(tmp_path: Path) -> None:
    write_text(str(tmp_path / "a"), "é\r\n")
    assert (tmp_path / "a").read_bytes() == "é\r\n".encode()
    assert mode(tmp_path / "a") == 0o600
    assert os.listdir(tmp_path) == ["a"]


def test_an_existing_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o640)
    write_bytes(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert mode(path) == 0o640


def test_a_link_stays_a_link_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "file"
    target.write_text("old")
    link = tmp_path / "link"
    link.symlink_to(target)
    write_text(str(link), "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_fault_before_the_replacement_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_text(str(path), "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


def test_what_is_not_a_regular_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(OSError, match="not a regular file"):
            write_text(str(path), "new")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_text(str(tmp_path / "none" / "a"), "new")

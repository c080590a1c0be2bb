from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from skillui.workspace.folders import ensure_folder, find_folders


def test_each_folder_can_be_replaced_by_its_variable(tmp_path: Path) -> None:
    names = {kind: str(tmp_path / kind.lower()) for kind in ("CONFIG", "STATE", "DATA")}
    found = find_folders({f"SKILLUI_{kind}_DIR": path for kind, path in names.items()})
    assert (found.config, found.state, found.data) == tuple(names.values())
    assert found.config_file == str(tmp_path / "config" / "config.yaml")
    assert found.themes == str(tmp_path / "config" / "themes")
    assert found.state_file == str(tmp_path / "state" / "state.json")
    assert found.log_file == str(tmp_path / "state" / "skillui.log")
    assert found.problems == ()
    assert os.listdir(tmp_path) == []


def test_without_variables_the_platform_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    found = find_folders({})
    for folder in (found.config, found.state, found.data):
        assert folder.startswith(str(tmp_path) + os.sep)
        assert "skillui" in folder


@pytest.mark.parametrize("given", ["state", "./state", "../state"])
def test_a_relative_folder_would_lie_in_the_project_and_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    found = find_folders({"SKILLUI_STATE_DIR": given})
    assert found.state == find_folders({}).state
    assert found.problems == (f"SKILLUI_STATE_DIR is not an absolute path and is not used: {given}",)


def test_a_created_folder_is_the_owners_alone_and_an_existing_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b"
    assert ensure_folder(str(path)) == str(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    path.chmod(0o750)
    ensure_folder(str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o750


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(FileExistsError):
        ensure_folder(str(tmp_path / "a"))

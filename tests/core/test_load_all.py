"""Reading every skill at once, and one folder alone: the same entries as a scan, each file read once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skillui.core import registry as registry_module
from skillui.core.catalog import BrokenSkill, LoadedSkill
from skillui.core.files import read_regular
from skillui.core.registry import FilesystemSkillRegistry, load_folder

TEXT = "---\nname: {0}\ndescription: Does {0}. Use when asked.\n---\nBody of {0}.\n"


def roots(tmp_path: Path) -> list[Path]:
    for root, names in (("first", "abc"), ("second", "bcd")):
        for name in names:
            folder = tmp_path / root / name
            folder.mkdir(parents=True)
            (folder / "SKILL.md").write_text(TEXT.format(name), encoding="utf-8")
    (tmp_path / "first/b/SKILL.md").write_text("broken", encoding="utf-8")
    (tmp_path / "first/empty").mkdir()
    (tmp_path / "second/pipe").mkdir()
    os.mkfifo(tmp_path / "second/pipe/SKILL.md")
    return [tmp_path / "first", tmp_path / "second"]


def test_the_catalog_afterwards_is_that_of_a_scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = roots(tmp_path)
    read: list[str] = []

    def counting(path: str, limit: int, before: os.stat_result | None = None) -> tuple[bytes, os.stat_result]:
        read.append(path)
        return read_regular(path, limit, before)

    scanned = FilesystemSkillRegistry(paths).scan()
    monkeypatch.setattr(registry_module, "read_regular", counting)
    registry = FilesystemSkillRegistry(paths)
    loaded = list(registry.load_all())
    assert len(read) == len(set(read)) == len(loaded) == 7
    assert registry.catalog == scanned
    assert [item.parsed is not None for item in loaded if isinstance(item, BrokenSkill)] == [True, False]
    assert all(entry.parsed is None for entry in scanned.broken)
    assert registry.scan() == scanned


def test_one_folder_is_read_in_no_catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roots(tmp_path)
    (tmp_path / "linked").symlink_to(tmp_path / "first/a")
    plain = load_folder(str(tmp_path / "first/a"))
    assert isinstance(plain, LoadedSkill)
    assert plain.entry.dir == str(tmp_path.resolve() / "first/a")
    linked = load_folder(str(tmp_path / "linked"))  # the folder's name is the one it is reached by
    assert isinstance(linked, BrokenSkill)
    assert linked.name == "linked"
    monkeypatch.chdir(tmp_path / "first/a")
    assert load_folder(".") == plain
    assert load_folder(str(tmp_path / "first/empty")) is None
    assert load_folder(str(tmp_path / "nowhere")) is None

"""What a watcher tells of real files: by the system's notices, and where the files themselves are looked at."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from skillui.tui import watched_folders
from skillui.tui.watched_folders import folders_below
from skillui.tui.watching import RootWatcher, WatchReports


class Heard:
    """A watcher, and what it told."""

    def __init__(self, root: Path, *, polling: bool = True) -> None:
        self.changed: list[str] = []
        self.looks = 0
        self.failures: list[str] = []
        reports = WatchReports(self.changed.extend, self._look, self.failures.append)
        self.watcher = RootWatcher([str(root)], [], reports, again=True)
        self.watcher._polling = polling

    def _look(self) -> None:
        self.looks += 1

    def until_told(self, path: str, times: int = 1) -> None:
        """Wait until a path was told of this often."""
        self.until(lambda: self.changed.count(path) >= times)

    def until(self, condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < deadline, (self.changed, self.failures)
            time.sleep(0.02)


@contextmanager
def hearing(root: Path, *, polling: bool) -> Iterator[Heard]:
    heard = Heard(root, polling=polling)
    assert heard.watcher.start()
    try:
        heard.until(lambda: heard.looks)  # the watch stands
        yield heard
    finally:
        heard.watcher.stop()
    assert heard.failures == []


@pytest.fixture
def heard(tmp_path: Path) -> Iterator[Heard]:
    (tmp_path / "gone").symlink_to("nowhere")
    with hearing(tmp_path, polling=True) as heard:
        yield heard


def test_a_link_that_leads_nowhere_is_told_of_once(heard: Heard, tmp_path: Path) -> None:
    for number in range(4):  # each of these is another look at all files
        file = tmp_path / f"file-{number}"
        file.write_text("x")
        heard.until_told(str(file))
    assert heard.changed.count(str(tmp_path / "gone")) <= 1


def test_what_a_link_leads_to_comes_and_goes(heard: Heard, tmp_path: Path) -> None:
    link, target = str(tmp_path / "gone"), tmp_path / "nowhere"
    for act in (target.touch, target.unlink, target.touch):
        before = heard.changed.count(link)
        act()
        heard.until_told(link, before + 1)


def folders(path: Path, *names: str) -> Path:
    for name in names:
        (path / name).mkdir(parents=True)
    return path


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """A root with a skill, a skill that is a link, and links of all kinds that are none."""
    whole = folders(tmp_path / "disk", "usr/share/doc", "usr/lib", "home")
    skill = folders(tmp_path / "elsewhere" / "tool", "scripts", ".git/objects")
    root = folders(tmp_path / "root", "plain/references", "plain/__pycache__")
    (skill / "all").symlink_to(whole)
    (root / "tool").symlink_to(skill)
    (root / "plain" / "all").symlink_to(whole)
    (root / "plain" / "again").symlink_to(root / "plain")
    (root / "circle").symlink_to("circle")
    (root / "here").symlink_to(".")
    (root / "gone").symlink_to("nowhere")
    return root


def test_a_link_is_followed_where_it_is_a_skill_and_nowhere_else(linked: Path, tmp_path: Path) -> None:
    found = [Path(folder).relative_to(tmp_path).as_posix() for folder in folders_below([str(linked)])]
    assert found == ["root", "root/plain", "root/plain/references", "elsewhere/tool", "elsewhere/tool/scripts"]
    assert list(folders_below([str(linked)], (), lambda: True)) == []
    assert list(folders_below([str(tmp_path / "nowhere")])) == []


def test_a_skill_that_is_a_link_to_a_whole_disk_is_watched_in_part(
    linked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (linked / "disk").symlink_to(folders(tmp_path / "vast", *(f"folder-{number:02}" for number in range(30))))
    monkeypatch.setattr(watched_folders, "MAX_LINKED", 10)
    assert sum("/vast" in folder for folder in folders_below([str(linked)])) == 10
    monkeypatch.setattr(watched_folders, "MAX_FOLDERS", 4)
    assert len(list(folders_below([str(linked)]))) == 4


@pytest.mark.parametrize("polling", [True, False], ids=["looks", "notices"])
def test_changes_are_told_among_links_of_all_kinds(linked: Path, tmp_path: Path, polling: bool) -> None:
    with hearing(linked, polling=polling) as heard:
        for folder in (linked / "plain", linked / "plain" / "references", tmp_path / "elsewhere" / "tool" / "scripts"):
            file = folder / "file"
            file.write_text("x")
            heard.until_told(str(file))
        (tmp_path / "disk" / "usr" / "lib" / "file").write_text("x")
        (linked / "plain" / "last").write_text("x")
        heard.until_told(str(linked / "plain" / "last"))
        assert not any("/disk/" in path for path in heard.changed)


@pytest.mark.parametrize("polling", [True, False], ids=["looks", "notices"])
def test_what_comes_into_a_new_folder_is_told(tmp_path: Path, polling: bool) -> None:
    with hearing(tmp_path, polling=polling) as heard:
        looks = heard.looks
        folders(tmp_path, "new/scripts")
        heard.until_told(str(tmp_path / "new"))
        if not polling:
            heard.until(lambda: heard.looks > looks)  # it is watched by now, and what was in it already is read
        file = tmp_path / "new" / "scripts" / "run.sh"
        file.write_text("x")
        heard.until_told(str(file))
        file.unlink()
        heard.until_told(str(file), 2)


def test_a_folder_that_goes_while_the_watch_is_set_up_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = folders(tmp_path, "one", "two") / "two"
    below = watched_folders.folders_below
    asked: list[str] = []

    def and_lose(roots: list[str], skills: list[str], stopped: Callable[[], bool]) -> Iterator[str]:
        yield from below(roots, skills, stopped)
        if not asked:
            gone.rmdir()
        asked.append("looked")

    monkeypatch.setattr(watched_folders, "folders_below", and_lose)
    with hearing(tmp_path, polling=False) as heard:
        (tmp_path / "one" / "file").write_text("x")
        heard.until_told(str(tmp_path / "one" / "file"))
        assert not heard.watcher._polling

"""What a watcher tells of real files, where the files themselves are looked at."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from skillui.tui.watching import RootWatcher, WatchReports


class Heard:
    """A watcher that polls, and what it told."""

    def __init__(self, root: Path) -> None:
        self.changed: list[str] = []
        self.looks = 0
        self.failures: list[str] = []
        reports = WatchReports(self.changed.extend, self._look, self.failures.append)
        self.watcher = RootWatcher([str(root)], [], reports, again=True)
        self.watcher._polling = True

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


@pytest.fixture
def heard(tmp_path: Path) -> Iterator[Heard]:
    (tmp_path / "gone").symlink_to("nowhere")
    heard = Heard(tmp_path)
    assert heard.watcher.start()
    heard.until(lambda: heard.looks)
    yield heard
    heard.watcher.stop()
    assert heard.failures == []


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

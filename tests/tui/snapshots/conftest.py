"""Pictures of the whole app: on the stack they were taken with, at one place, at one moment."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from textual.pilot import Pilot

from skillui.tui import clock
from skillui.tui.app import SkilluiApp
from skillui.tui.glyphs import glyphs
from skillui.workspace.launch import open_launch
from tests.tui.snapshots.scenes import Moment, Scene, Stage, alone, opened, settled

TAKEN_WITH = {"textual": "8.2", "rich": "15.0"}
"""The versions that the pictures were taken with: another minor version draws other pictures."""

Picture = Callable[..., None]
SHOP = "home/work/shop"
_FONTS = re.compile(r"@font-face \{[^}]*\}\s*")


def _why_not() -> str | None:
    """Say why the pictures cannot be compared here, None where they can."""
    for package, wanted in TAKEN_WITH.items():
        found = version(package)
        if found.split(".")[:2] != wanted.split("."):
            return f"the pictures were taken with {package} {wanted}, this is {found}"
    if os.path.realpath("/tmp") != "/tmp":
        return "the pictures hold paths below /tmp, which is no folder of its own here"
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip the pictures where they cannot be compared, and take none there."""
    if (reason := _why_not()) is None:
        return
    pictures = [item for item in items if Path(__file__).parent in item.path.parents]
    if pictures and config.getoption("--snapshot-update", default=False):
        raise pytest.UsageError(f"no picture is taken: {reason}")
    for item in pictures:
        item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def made() -> Path:
    """Return the folder that holds the homes; nothing writes to it."""
    from tests.tui.snapshots.home import made_place  # fcntl, which Windows lacks

    return made_place()


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Iterator[Moment]:
    """Stop the clock; a scene moves it on."""
    moment = Moment()
    monkeypatch.setattr(clock, "now", lambda: moment.now)
    monkeypatch.setattr(
        "skillui.review.store.now", lambda: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment.now))
    )
    monkeypatch.setattr("skillui.review.store.user_name", lambda: "ada")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield moment
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def picture(
    made: Path,
    fake_home: Path,
    moment: Moment,
    monkeypatch: pytest.MonkeyPatch,
    snap_compare: Callable[..., bool],
) -> Picture:
    """Return a function that plays a scene in the whole app and compares what is seen."""
    config = fake_home / ".config" / "skillui"
    config.mkdir(parents=True, exist_ok=True)
    (config / "config.yaml").write_text("watch: false\n", encoding="utf-8")

    def take(
        scene: Scene, size: tuple[int, int], *, theme: str = "skillui-dark", ascii_only: bool = False, at: str = SHOP
    ) -> None:
        if ascii_only:
            monkeypatch.setenv("SKILLUI_ASCII", "1")
            glyphs.cache_clear()
        monkeypatch.setenv("HOME", str(made / at.partition("/")[0]))
        monkeypatch.chdir(made / at)
        with open_launch(".", theme=theme) as launch:
            app = SkilluiApp(launch)

            async def play(pilot: Pilot[int]) -> None:
                stage = Stage(app, pilot, moment)
                try:
                    await opened(stage, skills=at == SHOP)
                    await scene(stage)
                    await settled(stage)
                    await alone(stage)
                except pytest.fail.Exception as fault:  # no Exception: the app would wait for ever
                    raise AssertionError(str(fault)) from fault

            export = app.export_screenshot
            # A picture needs no other machine: whoever looks at it has a font.
            monkeypatch.setattr(app, "export_screenshot", lambda **how: _FONTS.sub("", export(**how)))
            assert snap_compare(app, terminal_size=size, run_before=play)

    return take

"""The fixtures of this folder do what the other tests rely on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Input, TextArea

from tests.tui.conftest import wait_until


class Still(App[None]):
    """Both widgets whose cursor blinks."""

    def compose(self) -> ComposeResult:
        yield Input()
        yield TextArea()


async def test_nothing_moves_by_itself() -> None:
    app = Still()
    async with app.run_test():
        assert app.animation_level == "none"
        assert not app.query_one(Input).cursor_blink
        assert not app.query_one(TextArea).cursor_blink


def test_the_home_is_empty_and_nobodys(fake_home: Path) -> None:
    assert Path.home() == fake_home
    assert all(not file.is_file() for file in fake_home.rglob("*"))
    assert os.environ["XDG_CONFIG_HOME"].startswith(str(fake_home))


async def test_waiting_ends_with_the_condition_or_with_its_name() -> None:
    app = Still()
    async with app.run_test() as pilot:
        seen: list[int] = []

        def third_time() -> bool:
            seen.append(1)
            return len(seen) == 3

        await wait_until(pilot, third_time)

        def never_so() -> bool:
            return False

        with pytest.raises(pytest.fail.Exception, match="never_so"):
            await wait_until(pilot, never_so, seconds=0.05)

"""The line of keys at the foot: whole keys or none."""

from __future__ import annotations

from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets._footer import FooterKey

from skillui.tui.widgets.key_bar import KeyBar, fitting
from tests.tui.conftest import wait_until


@pytest.mark.parametrize(
    ("room", "shown"), [(100, [0, 1, 2, 3, 4]), (28, [0, 1, 2, 3, 4]), (27, [0, 1, 3, 4]), (16, [0, 3, 4]),
                        (15, [0, 3]), (9, [0]), (3, [])],
)  # fmt: skip
def test_the_first_key_and_the_last_two_stay_longest(room: int, shown: list[int]) -> None:
    assert fitting([4, 4, 4, 4, 4], room) == shown


class KeysApp(App[None]):
    ENABLE_COMMAND_PALETTE = False
    CSS = "KeyBar { padding: 0 1; } FooterKey { margin: 0 2 0 0; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"do_{key}", name)
        for key, name in zip("abcdef", ("Activate", "Begin", "Compare", "Drop", "Explain", "Find"), strict=True)
    ]

    def compose(self) -> ComposeResult:
        yield KeyBar()

    def names(self) -> list[str]:
        return [key.description for key in self.query(FooterKey)]


async def test_a_resize_shows_as_many_keys_as_fit() -> None:
    app = KeysApp()
    async with app.run_test(size=(80, 5)) as pilot:
        await wait_until(pilot, lambda: len(app.names()) == 6)
        await pilot.resize_terminal(40, 5)
        await wait_until(pilot, lambda: app.names() == ["Activate", "Begin", "Explain", "Find"])
        assert all(key.region.right <= 40 for key in app.query(FooterKey))
        await pilot.resize_terminal(80, 5)
        await wait_until(pilot, lambda: len(app.names()) == 6)

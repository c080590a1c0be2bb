"""The line of keys at the foot: whole keys or none."""

from __future__ import annotations

from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skillui.tui.widgets.key_bar import KeyBar, fitting
from tests.tui.conftest import at_rest, wait_until


@pytest.mark.parametrize(
    ("room", "shown"), [(100, [0, 1, 2, 3, 4]), (28, [0, 1, 2, 3, 4]), (27, [0, 1, 3, 4]), (16, [0, 3, 4]),
                        (15, [0, 3]), (9, [0]), (3, [])],
)  # fmt: skip
def test_the_first_key_and_the_last_two_stay_longest(room: int, shown: list[int]) -> None:
    assert fitting([4, 4, 4, 4, 4], room) == shown


class KeysApp(App[None]):
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"do_{key}", name)
        for key, name in zip("abcdef", ("Activate", "Begin", "Compare", "Drop", "Explain", "Find"), strict=True)
    ]

    def compose(self) -> ComposeResult:
        yield KeyBar()

    def names(self) -> list[str]:
        return [key.words for key in self.query_one(KeyBar).drawn]


async def test_a_resize_shows_as_many_keys_as_fit() -> None:
    app = KeysApp()
    async with app.run_test(size=(80, 5)) as pilot:
        await wait_until(pilot, lambda: len(app.names()) == 6)
        await pilot.resize_terminal(40, 5)
        await wait_until(pilot, lambda: app.names() == ["Activate", "Begin", "Explain", "Find"])
        await pilot.resize_terminal(80, 5)
        await wait_until(pilot, lambda: len(app.names()) == 6)


async def test_a_click_does_what_the_key_does_and_no_other() -> None:
    done: list[str] = []

    class ClickedApp(KeysApp):
        def action_do_b(self) -> None:
            done.append("b")

        def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
            return None if action == "do_c" else True

    app = ClickedApp()
    async with app.run_test(size=(80, 5)) as pilot:
        await wait_until(pilot, lambda: len(app.names()) == 6)
        bar = app.query_one(KeyBar)
        shown = str(bar.render())
        assert shown.startswith("a Activate  b Begin  c Compare")
        await pilot.click(KeyBar, offset=(1 + shown.index("c Compare"), 0))  # it may not be pressed now
        await pilot.click(KeyBar, offset=(shown.index("b Begin"), 0))  # the gap in front of it
        assert done == []
        await pilot.click(KeyBar, offset=(1 + shown.index("b Begin"), 0))
        await pilot.click(KeyBar, offset=(shown.index("b Begin") + len("b Begin"), 0))
        assert done == ["b", "b"]
        await pilot.hover(KeyBar, offset=(1 + shown.index("d Drop"), 0))
        assert bar.hovered == 3
        await pilot.hover(offset=(0, 0))
        await wait_until(pilot, lambda: bar.hovered is None)


async def test_keys_that_stay_the_same_are_not_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    app = KeysApp()
    async with app.run_test(size=(80, 5)) as pilot:
        await wait_until(pilot, lambda: len(app.names()) == 6)
        await at_rest(pilot)
        drawings: list[str] = []
        render = KeyBar.render

        def counted(bar: KeyBar) -> Content:
            drawings.append("drawn")
            return render(bar)

        monkeypatch.setattr(KeyBar, "render", counted)
        for _ in range(3):
            app.screen.refresh_bindings()
            await at_rest(pilot)
        assert drawings == []

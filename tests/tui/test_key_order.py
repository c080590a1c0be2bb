"""Keys in one go reach whatever the key before them gave the keyboard to."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Button, Input

from skillui.tui.key_order import KeysInOrder
from tests.tui.conftest import wait_until


class Typing(KeysInOrder[None]):
    """A button with keys of its own, one of which leads to a field and one of which removes the button."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "field"),
        Binding("a", "count"),
        Binding("x", "remove"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.counted = 0

    def compose(self) -> ComposeResult:
        yield Button("b")
        yield Input()

    def action_field(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _done(self) -> None:
        self.query_one(Button).focus()

    def action_count(self) -> None:
        self.counted += 1

    def action_remove(self) -> None:
        self.query_one(Button).remove()

    def burst(self, keys: str) -> None:
        for key in keys:
            self.post_message(events.Key({"/": "slash", "\r": "enter"}.get(key, key), key))


async def test_a_word_behind_the_key_that_leads_to_a_field_is_typed_there() -> None:
    app = Typing()
    async with app.run_test() as pilot:
        app.query_one(Button).focus()
        await wait_until(pilot, lambda: app.query_one(Button).has_focus)
        app.burst("aa/attack")
        await wait_until(pilot, lambda: app.query_one(Input).value == "attack")
        assert app.counted == 2


async def test_a_key_behind_one_whose_widget_sends_a_message_waits_for_that_too() -> None:
    app = Typing()
    async with app.run_test() as pilot:
        app.burst("/word\raaa/s")
        await wait_until(pilot, lambda: app.query_one(Input).value == "s")  # typed over what is selected
        assert app.counted == 3


async def test_no_key_is_lost_when_the_widget_that_had_the_last_one_goes() -> None:
    app = Typing()
    async with app.run_test() as pilot:
        app.query_one(Button).focus()
        await wait_until(pilot, lambda: app.query_one(Button).has_focus)
        app.burst("xaaa")
        # Textual gives the keyboard to the next widget, here the field.
        await wait_until(pilot, lambda: app.query_one(Input).value == "aaa")
        assert not app.query(Button)

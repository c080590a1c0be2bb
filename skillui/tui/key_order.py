"""Keys that arrive in one go: each is handled before the next one is given to whatever has the keyboard then."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import Final, TypeVar

from textual import events, on
from textual.app import App
from textual.message import Message
from textual.widget import Widget

Value = TypeVar("Value")

LONGEST: Final = 1.0
"""Seconds that a key may take before the next one no longer waits: the widget that had it may be gone."""


@dataclass
class KeyPassed(Message):
    """Goes the way of a key, right behind it, and so arrives once that key was handled.

    It goes that way again behind the messages by which what the key did asks for more.
    """

    number: int
    target: Widget
    again: bool = True


class KeysInOrder(App[Value]):
    """An app that never hands out two keys at once.

    Textual gives a key to the focused widget at once, while what a key is bound to happens later. A slow line
    delivers `/` and the word after it together: the letters would be keys of the list, and one of them activates.
    """

    def __init__(self) -> None:
        super().__init__()
        self._held: deque[events.Key] = deque()
        self._key_number = 0
        self._key_on_its_way = False
        self.busy_at = 0.0
        """When the person last touched a key or the mouse, by the monotonic clock."""

    async def on_event(self, event: events.Event) -> None:
        """Hold a key back while another one is on its way."""
        if isinstance(event, events.InputEvent):
            self.busy_at = time.monotonic()
        if not isinstance(event, events.Key) or event.is_forwarded:
            await super().on_event(event)
        elif self._key_on_its_way:
            self._held.append(event)
        else:
            await self._hand_out(event)

    async def _hand_out(self, event: events.Key) -> None:
        self._key_on_its_way = True
        self._key_number += 1
        number = self._key_number
        target = self.focused or self.screen
        await super().on_event(event)
        if target.post_message(KeyPassed(number, target)):
            self.set_timer(LONGEST, lambda: self.call_later(self._next_key, number))
        else:
            self.call_later(self._next_key, number)

    @on(KeyPassed)
    def _key_passed(self, message: KeyPassed) -> None:
        number, target = message.number, message.target
        if message.again and target.post_message(KeyPassed(number, target, again=False)):
            return
        # Later: a change of focus that the key asked for is in the queue before this.
        self.call_later(self._next_key, number)

    async def _next_key(self, number: int) -> None:
        if number != self._key_number or not self._key_on_its_way:
            return
        self._key_on_its_way = False
        if self._held:
            await self._hand_out(self._held.popleft())

"""`KeyBar`: the keys of what has the keyboard, each whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.dom import DOMNode
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget

from skillui.tui.safe_text import safe

GAP: Final = 2
"""Cells between two keys."""
_KEPT: Final = 2
# Help and palette come last and lead to all the others.


@dataclass(frozen=True)
class ShownKey:
    """One key of the line: what stands there, and what it does."""

    key: str
    words: str
    enabled: bool
    node: DOMNode
    binding: Binding

    @property
    def width(self) -> int:
        """Cells that it takes."""
        return cell_len(self.key) + 1 + cell_len(self.words)


def fitting(widths: Sequence[int], room: int) -> list[int]:
    """Return which of the keys fit into `room` cells, in order: the two at the end and the first stay longest."""
    shown = list(range(len(widths)))

    def needed() -> int:
        return sum(widths[index] for index in shown) + GAP * (len(shown) - 1)

    while shown and needed() > room:
        if len(shown) > _KEPT + 1:
            del shown[-_KEPT - 1]
        else:
            del shown[-1]
    return shown


class KeyBar(Widget):
    """A footer that cuts no key in half, drawn as one line.

    Textual's own holds a widget for each key and makes them all anew whenever the keyboard goes elsewhere:
    that took longer than all else a key press does.
    """

    DEFAULT_CSS = """
    KeyBar {
        dock: bottom;
        height: 1;
        padding: 0 1;
        color: $footer-foreground;
        background: $footer-background;

        & > .key-bar--key { color: $footer-key-foreground; background: $footer-key-background; text-style: bold; }
        & > .key-bar--words {
            color: $footer-description-foreground;
            background: $footer-description-background;
        }
        & > .key-bar--hover { color: $footer-key-foreground; background: $block-hover-background; }
    }
    """
    COMPONENT_CLASSES = {"key-bar--key", "key-bar--words", "key-bar--hover"}
    ALLOW_SELECT = False

    keys: reactive[tuple[ShownKey, ...]] = reactive(())
    """All keys of what has the keyboard; those that fit are drawn."""
    hovered: reactive[int | None] = reactive(None)
    """The place of the drawn key under the mouse."""

    def on_mount(self) -> None:
        """Follow the keyboard."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def _follow(self, screen: Screen[object]) -> None:
        # While the terminal is out of focus nothing has the keyboard: the line stays as it was.
        if self.is_attached and self.app.app_focus:
            self.keys = tuple(_shown(screen))
            self.hovered = None

    @property
    def drawn(self) -> tuple[ShownKey, ...]:
        """The keys that fit, in order."""
        shown = fitting([key.width for key in self.keys], self.content_size.width)
        return tuple(self.keys[index] for index in shown)

    def render(self) -> Content:
        """Draw the line."""
        key, words, hover = map(self.get_visual_style, ("key-bar--key", "key-bar--words", "key-bar--hover"))
        parts: list[Content | str] = []
        for index, shown in enumerate(self.drawn):
            over = index == self.hovered
            label = Content.assemble(
                (shown.key, key.without_color + hover if over else key), (f" {shown.words}", hover if over else words)
            )
            parts += (label if shown.enabled else label.stylize("dim"), " " * GAP)
        return Content.assemble(*parts[:-1])

    def _at(self, event: events.MouseEvent) -> int | None:
        offset = event.get_content_offset(self)
        start = 0
        for index, shown in enumerate(self.drawn):
            if offset is not None and start <= offset.x < start + shown.width:
                return index
            start += shown.width + GAP
        return None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow the mouse."""
        self.hovered = self._at(event)

    def on_leave(self) -> None:
        """The mouse is gone."""
        self.hovered = None

    def watch_hovered(self, hovered: int | None) -> None:
        """Say more of the key under the mouse, where there is more."""
        self.tooltip = None if hovered is None else self.drawn[hovered].binding.tooltip or None

    async def on_click(self, event: events.Click) -> None:
        """A click on a key does what the key does."""
        event.stop()
        if (index := self._at(event)) is None:
            return
        shown = self.drawn[index]
        if shown.enabled:
            await self.app.run_action(shown.binding.action, shown.node)
        else:
            self.app.bell()


def _shown(screen: Screen[object]) -> Iterator[ShownKey]:
    """Yield the keys to show, one for each action, in the order of their bindings."""
    actions: set[str] = set()
    for node, binding, enabled, _ in screen.active_bindings.values():
        if binding.show and binding.action not in actions:
            actions.add(binding.action)
            yield ShownKey(
                safe(screen.app.get_key_display(binding)).plain, safe(binding.description).plain, enabled, node, binding
            )

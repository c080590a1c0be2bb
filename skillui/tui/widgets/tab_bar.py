"""A line of tabs: as much of each as fits, the active one always in view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from skillui.tui.glyphs import glyphs
from skillui.tui.safe_text import safe, safe_line

_LEAST_TITLE = 4
_NONE = Content("")


@dataclass
class TabSelected(Message):
    """The person chose a tab with the mouse, or the owner moved on with `TabBar.move`."""

    tab: str
    bar: TabBar

    @property
    def control(self) -> TabBar:
        """The bar it happened in."""
        return self.bar


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab. `badge` stands behind the title, such as a count."""

    name: str
    title: str
    badge: Content = _NONE

    def label(self, width: int | None = None) -> Content:
        """Return title and badge through the gate, the title cut to `width` cells."""
        title = safe(self.title) if width is None else safe_line(self.title, width)
        return Content.assemble(title, " ", self.badge.first_line) if self.badge else title


@dataclass(frozen=True, slots=True)
class Placed:
    """A tab in its place on the line, from `start` up to `end` in cells."""

    name: str
    label: Content
    start: int
    end: int


def place_tabs(tabs: Sequence[Tab], active: str, width: int) -> list[Placed]:
    """Lay tabs out on a line of `width` cells: gaps shrink first, then the other titles, then the ends go."""
    labels = {tab.name: tab.label() for tab in tabs}
    longest = min(width, max((len(tab.title) for tab in tabs), default=0))
    for gap in (4, 3, 2):
        if _width(labels.values(), gap) <= width:
            return _line(labels, gap)
    for room in range(longest, _LEAST_TITLE - 1, -1):
        labels = {tab.name: tab.label(None if tab.name == active else room) for tab in tabs}
        if _width(labels.values(), 2) <= width:
            return _line(labels, 2)
    return _window(tabs, active, width)


def _width(labels: Iterable[Content], gap: int) -> int:
    cells = [label.cell_length for label in labels]
    return sum(cells) + gap * max(0, len(cells) - 1)


def _line(labels: dict[str, Content], gap: int, start: int = 0) -> list[Placed]:
    placed = []
    for name, label in labels.items():
        placed.append(Placed(name, label, start, start + label.cell_length))
        start += label.cell_length + gap
    return placed


def _window(tabs: Sequence[Tab], active: str, width: int) -> list[Placed]:
    """Keep the active tab and its nearest neighbours, with a sign where there is more."""
    if not tabs:
        return []
    names = [tab.name for tab in tabs]
    first = last = names.index(active) if active in names else 0
    shown = {first: tabs[first].label().truncate(max(1, width), ellipsis=True)}
    grown = True
    while grown:
        grown = False
        for index in (last + 1, first - 1):
            label = tabs[index].label(_LEAST_TITLE) if 0 <= index < len(tabs) else None
            # Two cells at each end are kept for the signs that there is more.
            if label is not None and _width([*shown.values(), label], 2) + 4 <= width:
                shown[index] = label
                first, last, grown = min(first, index), max(last, index), True
    labels = {names[index]: shown[index] for index in sorted(shown)}
    return _with_signs(
        labels, names[first - 1] if first else None, names[last + 1] if last + 1 < len(tabs) else None, width
    )


def _with_signs(labels: dict[str, Content], before: str | None, after: str | None, width: int) -> list[Placed]:
    """Put a sign at each end where there are more tabs; it leads to the nearest of them."""
    sign = Content(glyphs().ellipsis)
    begin = 2 if before is not None and _width(labels.values(), 2) + 2 <= width else 0
    placed = _line(labels, 2, begin)
    if before is not None and begin:
        placed.insert(0, Placed(before, sign, 0, 1))
    if after is not None and placed[-1].end + 2 <= width:
        placed.append(Placed(after, sign, placed[-1].end + 1, placed[-1].end + 2))
    return placed


class TabBar(Widget):
    """One line of tabs for an owner that shows what they name; keys are the owner's."""

    DEFAULT_CSS = """
    TabBar {
        height: 1;
        width: 1fr;
        color: $foreground;
    }
    """

    active: reactive[str] = reactive("")
    """Name of the active tab; setting it tells nobody."""
    hovered: reactive[str | None] = reactive(None)
    """Name of the tab under the mouse."""

    def __init__(self, tabs: Iterable[tuple[str, str] | Tab] = (), *, id: str | None = None) -> None:
        """Take names and titles in order; the first tab is active."""
        super().__init__(id=id)
        self._tabs: list[Tab] = []
        self.set_tabs(tabs)

    @property
    def tabs(self) -> Sequence[Tab]:
        """The tabs in order."""
        return self._tabs

    def set_tabs(self, tabs: Iterable[tuple[str, str] | Tab]) -> None:
        """Show other tabs; the active one stays where it is still there."""
        self._tabs = [tab if isinstance(tab, Tab) else Tab(*tab) for tab in tabs]
        names = [tab.name for tab in self._tabs]
        if self.active not in names:
            self.set_reactive(TabBar.active, names[0] if names else "")
        self.refresh()

    def set_badge(self, tab: str, badge: Content) -> None:
        """Change what stands behind a title; a name that is no tab's changes nothing."""
        changed = [replace(one, badge=badge) if one.name == tab else one for one in self._tabs]
        if changed != self._tabs:
            self._tabs = changed
            self.refresh()

    def validate_active(self, active: str) -> str:
        """Keep to the tabs there are."""
        return active if any(tab.name == active for tab in self._tabs) else self.active

    def move(self, by: int) -> None:
        """Go `by` tabs further, round the ends, and tell of it."""
        names = [tab.name for tab in self._tabs]
        if names:
            self._select(names[(names.index(self.active) + by) % len(names)])

    def render(self) -> Content:
        """Draw the line."""
        width = self.size.width
        if width <= 0:
            return Content("")
        return Content.assemble(*self._drawn(place_tabs(self._tabs, self.active, width)))

    def _drawn(self, placed: list[Placed]) -> Iterator[Content | str]:
        at = 0
        for tab in placed:
            yield " " * (tab.start - at)
            yield self._styled(tab)
            at = tab.end

    def _styled(self, tab: Placed) -> Content:
        if tab.name == self.active:
            return tab.label.stylize_before("bold underline $accent")
        return tab.label.stylize_before("underline") if tab.name == self.hovered else tab.label

    def _tab_at(self, event: events.MouseEvent) -> str | None:
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        placed = place_tabs(self._tabs, self.active, self.size.width)
        return next((tab.name for tab in placed if tab.start - 1 <= offset.x < tab.end + 1), None)

    def _select(self, tab: str) -> None:
        self.active = tab
        self.post_message(TabSelected(tab, self))

    def on_click(self, event: events.Click) -> None:
        """A click on a tab chooses it."""
        event.stop()
        if (tab := self._tab_at(event)) is not None:
            self._select(tab)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow the mouse."""
        self.hovered = self._tab_at(event)

    def on_leave(self) -> None:
        """The mouse is gone."""
        self.hovered = None

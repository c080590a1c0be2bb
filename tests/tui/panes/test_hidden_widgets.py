"""What is shown to a widget while it is out of sight is what it draws when it comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from skillui.tui.model.marked_text import MarkedText
from skillui.tui.widgets.fact_table import Fact, FactTable
from skillui.tui.widgets.source_view import SourceView
from skillui.tui.widgets.wrapped_text import WrappedText
from tests.tui.panes.stage import Stage, screen_text

WaitFor = Callable[..., Any]
Show = Callable[[Any, str], None]

LONG = "".join(f"Zeile {number} mit Ümlauten\n" for number in range(60_000))


def _facts(table: FactTable, text: str) -> None:
    table.show_facts([Fact(Content(text))])


def _same_facts(table: FactTable, text: str) -> None:
    table.show_facts([Fact(Content(text))], same=True)


def _source(view: SourceView, text: str) -> None:
    view.show_source(text)


def _same_source(view: SourceView, text: str) -> None:
    view.show_source(text, same=True)


def _long_source(view: SourceView, text: str) -> None:
    view.show_source(f"{text}\n{LONG}")


def _wrapped(view: WrappedText, text: str) -> None:
    view.show(MarkedText(text))


def _long_wrapped(view: WrappedText, text: str) -> None:
    view.show(MarkedText(f"{text}\n{LONG}"))


WIDGETS: list[tuple[Callable[[], Widget], Show]] = [
    (lambda: FactTable(4), _facts),
    (lambda: FactTable(4), _same_facts),
    (SourceView, _source),
    (SourceView, _same_source),
    (SourceView, _long_source),
    (WrappedText, _wrapped),
    (WrappedText, _long_wrapped),
]


@pytest.mark.parametrize(("make", "show"), WIDGETS, ids=[show.__name__[1:] for _, show in WIDGETS])
async def test_what_came_while_hidden_is_drawn_afterwards(
    make: Callable[[], Widget], show: Show, wait_for: WaitFor
) -> None:
    widget = make()
    box = Vertical(widget)
    app = Stage(box)
    async with app.stage() as pilot:
        show(widget, "the first text")
        await wait_for(pilot, lambda: "the first text" in screen_text(app))
        box.display = False
        await wait_for(pilot, lambda: widget.size.width == 0 and "the first text" not in screen_text(app))
        show(widget, "the second text")
        await pilot.pause()
        box.display = True
        await wait_for(pilot, lambda: "the second text" in screen_text(app))
        assert "the first text" not in screen_text(app)


@pytest.mark.parametrize("show", [_long_source, _long_wrapped])
async def test_a_long_text_that_was_hidden_while_it_was_laid_out_is_drawn(show: Show, wait_for: WaitFor) -> None:
    widget = SourceView() if show is _long_source else WrappedText()
    box = Vertical(widget)
    app = Stage(box)
    async with app.stage() as pilot:
        await wait_for(pilot, lambda: widget.size.width > 0)
        show(widget, "the only text")
        box.display = False
        await wait_for(pilot, lambda: widget.size.width == 0)
        await app.workers.wait_for_complete()
        await pilot.pause()
        box.display = True
        await wait_for(pilot, lambda: "the only text" in screen_text(app))


async def test_other_facts_that_came_while_hidden_begin_at_their_top(wait_for: WaitFor) -> None:
    table = FactTable(4)
    box = Vertical(table)
    app = Stage(box)
    async with app.stage() as pilot:
        table.show_facts([Fact(Content(f"old {number}")) for number in range(5)])
        await wait_for(pilot, lambda: "old 4" in screen_text(app))
        table.move_to(4)
        box.display = False
        await wait_for(pilot, lambda: table.size.width == 0)
        table.show_facts([Fact(Content(f"new {number}")) for number in range(5)])
        box.display = True
        await wait_for(pilot, lambda: "new 4" in screen_text(app))
        assert table.cursor == 0


class Followed(Stage):
    """Notes which facts were followed."""

    def __init__(self, *widgets: Widget) -> None:
        super().__init__(Vertical(*widgets))
        self.followed: list[object] = []

    def on_fact_table_chosen(self, event: FactTable.Chosen) -> None:
        """A fact was followed."""
        self.followed.append(event.target)


async def test_enter_before_there_are_rows_follows_the_first_that_leads_somewhere(wait_for: WaitFor) -> None:
    table, other = FactTable(4, start_on_target=True), FactTable(4)
    app = Followed(table, other)
    async with app.stage() as pilot:
        table.focus()
        await pilot.press("enter")
        assert app.followed == []
        table.show_facts([Fact(Content("leads nowhere")), Fact(Content("leads on"), target="there")])
        await wait_for(pilot, lambda: app.followed == ["there"])
        table.show_facts([Fact(Content("other"), target="elsewhere")])
        await pilot.pause()
        assert app.followed == ["there"]


async def test_enter_before_there_are_rows_is_forgotten_when_the_person_goes_elsewhere(wait_for: WaitFor) -> None:
    table, other = FactTable(4), FactTable(4)
    app = Followed(table, other)
    async with app.stage() as pilot:
        table.focus()
        await pilot.press("enter")
        other.focus()
        await wait_for(pilot, lambda: other.has_focus)
        table.show_facts([Fact(Content("leads on"), target="there")])
        await wait_for(pilot, lambda: "leads on" in screen_text(app))
        assert app.followed == []

"""The search line of the catalog: everything printable is text, a few keys lead out of it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static

from skillui.tui.keymap import binding
from skillui.tui.widgets.gated_input import GatedInput

HINT = "search   is:broken  has:scripts  tool:Bash"
"""What the empty line says."""


_LONGEST = 200
"""Characters of a search: each key compares all of it with every skill."""


class SearchInput(GatedInput):
    """Takes the text of a search."""

    BINDINGS = [
        binding("search.accept", "accept"),
        binding("search.leave", "leave"),
    ]

    @dataclass
    class Left(Message):
        """The person is done; the list has the keyboard from here on."""

    def action_accept(self) -> None:
        """To the list, with the best match selected."""
        self.post_message(self.Left())

    def action_leave(self) -> None:
        """Clear the search, or leave it when it is clear."""
        if self.value:
            self.value = ""
        else:
            self.post_message(self.Left())


class CatalogSearch(Horizontal):
    """A sign and the line to type in."""

    DEFAULT_CSS = """
    CatalogSearch {
        height: 1;
        & > Static { width: 2; color: $primary; text-style: bold; }
        & > SearchInput, & > SearchInput:focus { width: 1fr; padding: 0; background: transparent; }
    }
    """

    def compose(self) -> ComposeResult:
        """The slash is the key that leads here."""
        yield Static("/", markup=False)
        yield SearchInput(placeholder=HINT, select_on_focus=False, max_length=_LONGEST)

    @property
    def input(self) -> SearchInput:
        """The line."""
        return self.query_one(SearchInput)

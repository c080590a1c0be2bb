"""The only way for a skill's text into a widget: visible, never markup, never wider than its place."""

from __future__ import annotations

from itertools import islice
from typing import Final

from rich.cells import cell_len, set_cell_size
from textual.content import Content, Span
from textual.style import Style

from skillui.core.visible import hidden_count, pieces
from skillui.core.visible import visible as _visible
from skillui.tui.glyphs import glyphs

__all__ = ["HIDDEN_STYLE", "cell_width", "hidden_count", "one_line", "safe", "safe_line", "visible"]

HIDDEN_STYLE: Final = "bold reverse $hidden-text"
"""How a symbol looks that stands for a character nobody could see; it stays apart without colour too."""

_MOST_SPANS = 2_000
# A character takes a cell, save for the few combining marks on it, which are cut beyond that.
_CHARACTERS_PER_CELL = 8


def visible(text: str, *, newlines: bool = False, tabs: str | None = None) -> str:
    """Return `text` fit for this terminal, see `skillui.core.visible`."""
    return _visible(text, newlines=newlines, tabs=tabs, ascii_only=glyphs().ascii_only)


def safe(text: str, style: str | Style = "", *, newlines: bool = False, tabs: str | None = None) -> Content:
    """Return `text` as content that is never read as markup, its replaced characters marked.

    Past a few thousand replacements they are no longer marked one by one: such text is hostile throughout.
    """
    ascii_only = glyphs().ascii_only
    found = list(islice(pieces(text, newlines=newlines, tabs=tabs, ascii_only=ascii_only), _MOST_SPANS))
    if len(found) == _MOST_SPANS:
        shown = _visible(text, newlines=newlines, tabs=tabs, ascii_only=ascii_only)
        return Content.styled(shown, style)
    spans: list[Span] = []
    at = 0
    for piece in found:
        if piece.replaced:
            spans.append(Span(at, at + len(piece.text), HIDDEN_STYLE))
        at += len(piece.text)
    if style and at:
        spans.insert(0, Span(0, at, style))
    return Content("".join(piece.text for piece in found), spans)


def one_line(text: str, width: int) -> str:
    """Return `text` as one visible line of at most `width` cells, cut with an ellipsis."""
    if width <= 0:
        return ""
    # Only as much as can show is read, so that a line of a megabyte costs no more than a short one.
    head = text[: (width + 1) * _CHARACTERS_PER_CELL]
    shown = visible(head)
    if len(head) == len(text) and cell_len(shown) <= width:
        return shown
    return set_cell_size(shown, width - 1).rstrip(" ") + glyphs().ellipsis


def safe_line(text: str, width: int, style: str | Style = "") -> Content:
    """Return what `one_line` does as content, its replaced characters marked."""
    if width <= 0:
        return Content("")
    head = text[: (width + 1) * _CHARACTERS_PER_CELL]
    content = safe(head, style)
    if len(head) == len(text) and content.cell_length <= width:
        return content
    return content.truncate(width - 1).rstrip(" ") + Content.styled(glyphs().ellipsis, style)


def cell_width(text: str) -> int:
    """Return how many terminal cells `text` takes once it is visible."""
    return cell_len(visible(text))

"""Cells in aligned columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from skillui.tui.safe_text import HIDDEN_STYLE
from skillui.tui.widgets.columns import Column, aligned, column_widths
from tests.tui.hostile import HOSTILE

CATALOG = (
    Column(1),
    Column(8, grow=3),
    Column(7, drop=1),
    Column(10, grow=1),
    Column(3, drop=2),
    Column(5, align="right"),
)


def test_what_is_left_over_goes_to_the_growing_columns() -> None:
    assert column_widths((Column(2), Column(4, grow=2), Column(4, grow=1)), 21) == (2, 10, 7)


def test_columns_leave_in_their_order_when_there_is_no_room() -> None:
    assert column_widths(CATALOG, 39) == (1, 8, 7, 10, 3, 5)
    assert column_widths(CATALOG, 38) == (1, 10, 7, 11, 0, 5)
    assert column_widths(CATALOG, 30) == (1, 10, 0, 11, 0, 5)
    assert column_widths(CATALOG, 5) == (1, 8, 0, 10, 0, 5)


@given(st.integers(27, 300), st.sampled_from(["short", "漢字" * 50, "x" * 200, "a\u202eb"]))
def test_a_line_fills_its_width_exactly(width: int, name: str) -> None:
    line = aligned(["+", name, "project", ("broken", "red"), Content("▂▄ "), "~48"], CATALOG, width)
    assert line.cell_length == width
    assert line.plain.endswith("~48")


def test_figures_are_aligned_right_and_text_left() -> None:
    columns = (Column(6), Column(6, align="right"))
    assert aligned(["ab", "~1"], columns, 13).plain == "ab         ~1"
    assert aligned(["漢字漢字", "1234567"], columns, 13).plain == "漢字…  12345…"


def test_styles_cover_their_cell_and_hidden_characters_stay_marked() -> None:
    line = aligned(["a\u202e", ("b", "red")], (Column(10, style="blue"), Column(4)), 15)
    styles = {str(span.style): line.plain[span.start : span.end] for span in line.spans}
    assert styles == {"blue": "a⟨U+202E⟩", HIDDEN_STYLE: "⟨U+202E⟩", "red": "b"}


def test_content_is_cut_and_padded_like_text() -> None:
    line = aligned([Content("abcdef"), Content("x")], (Column(4, style="blue"), Column(3, align="right")), 8)
    assert line.plain == "abc…   x"


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_breaks_the_columns(name: str) -> None:
    line = aligned([HOSTILE[name], "end"], (Column(12), Column(3)), 16)
    assert line.cell_length == 16
    assert line.plain.endswith(" end")

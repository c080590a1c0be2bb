import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from skillui.tui.model.source_rows import TAB, SourceRows, shown_line
from skillui.tui.safe_text import visible
from tests.tui.hostile import HOSTILE

TEXT = st.lists(st.text(alphabet="ab \t\u202e\u200b漢é\u0301👍\r", max_size=60), min_size=1, max_size=8)


@settings(max_examples=150, deadline=None)
@given(lines=TEXT, width=st.integers(min_value=8, max_value=40))
def test_every_character_stands_in_exactly_one_row(lines: list[str], width: int) -> None:
    rows = SourceRows(lines, width)
    joined: list[str] = [""] * len(lines)
    for row in rows:
        assert row.start == len(joined[row.line])
        joined[row.line] += lines[row.line][row.start : row.end]
    assert joined == lines


@settings(max_examples=150, deadline=None)
@given(lines=TEXT, width=st.integers(min_value=10, max_value=40))
def test_no_row_is_wider_than_the_room(lines: list[str], width: int) -> None:
    for row in SourceRows(lines, width):
        shown = visible(shown_line(lines[row.line])[row.start : row.end], tabs=TAB)
        # One symbol such as ⟨U+E0065⟩ may be all there is in a row.
        assert cell_len(shown) <= width or row.end - row.start == 1


@settings(max_examples=100, deadline=None)
@given(lines=TEXT, width=st.integers(min_value=8, max_value=40), data=st.data())
def test_a_place_is_found_in_the_row_that_shows_it(lines: list[str], width: int, data: st.DataObject) -> None:
    rows = SourceRows(lines, width)
    line = data.draw(st.integers(0, len(lines) - 1))
    column = data.draw(st.integers(0, max(0, len(lines[line]) - 1)))
    row = rows[rows.row_of(line, column)]
    assert row.line == line
    assert row.start <= column < row.end or not lines[line]


def test_rows_break_between_words() -> None:
    rows = SourceRows(["the quick brown fox jumps over the lazy dog"], 20)
    assert [rows.lines[0][row.start : row.end] for row in rows] == [
        "the quick brown fox ",
        "jumps over the lazy ",
        "dog",
    ]


def test_a_crlf_takes_no_room() -> None:
    assert len(SourceRows(["x" * 20 + "\r"], 20)) == 1


def test_short_lines_are_their_own_rows() -> None:
    rows = SourceRows(["a", "b" * 25, "c"], 10)
    assert [(row.line, row.start) for row in rows] == [(0, 0), (1, 0), (1, 10), (1, 20), (2, 0)]
    assert rows[-1] == rows[4]
    assert rows[1:3] == [rows[1], rows[2]]
    with pytest.raises(IndexError):
        rows[5]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_lines_are_laid_out(text: str) -> None:
    lines = text.split("\n")
    assert "".join(lines[row.line][row.start : row.end] for row in SourceRows(lines, 12)) == "".join(lines)

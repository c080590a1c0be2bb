"""Text of a skill in a widget: not markup, not too wide, its replaced characters marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from skillui.tui.glyphs import glyphs
from skillui.tui.safe_text import HIDDEN_STYLE, cell_width, one_line, safe, safe_line, visible
from tests.tui.hostile import HOSTILE, LONG_BODY

TEXT = st.text(st.characters() | st.sampled_from("漢👍⚠\ufe0f\u0301\u202e\x1b\n\t x"))


@given(TEXT, st.integers(-1, 30))
def test_a_line_never_passes_its_width(text: str, width: int) -> None:
    shown = one_line(text, width)
    assert cell_len(shown) <= max(0, width)
    assert "\n" not in shown


@given(TEXT, st.integers(0, 30))
def test_a_line_is_cut_only_where_it_must(text: str, width: int) -> None:
    whole = visible(text)
    if cell_len(whole) <= width:
        assert one_line(text, width) == whole
    elif width:
        assert one_line(text, width).endswith(glyphs().ellipsis)


@given(TEXT, st.integers(0, 30))
def test_the_marked_line_reads_like_the_plain_one(text: str, width: int) -> None:
    assert safe_line(text, width, "bold").plain == one_line(text, width)


@given(TEXT)
def test_content_holds_exactly_the_visible_text(text: str) -> None:
    content = safe(text, "bold", newlines=True)
    assert content.plain == visible(text, newlines=True)
    assert all(span.end <= len(content.plain) for span in content.spans)


def test_markup_stays_text() -> None:
    content = safe("[@click=app.quit]x[/] [red]y[/]")
    assert content.plain == "[@click=app.quit]x[/] [red]y[/]"
    assert content.spans == []


def test_replaced_characters_are_marked_and_their_lookalikes_are_not() -> None:
    content = safe("⟨U+202E⟩ \u202e", "red")
    assert [(span.start, span.end) for span in content.spans if span.style == HIDDEN_STYLE] == [(9, 17)]


def test_text_that_is_hostile_throughout_is_still_shown_whole() -> None:
    content = safe(LONG_BODY, "bold", newlines=True)
    assert content.plain.count("⟨U+202E⟩") == 10_000
    assert len(content.spans) < 2_500


def test_wide_characters_are_cut_by_cells() -> None:
    assert one_line("漢字漢字", 8) == "漢字漢字"
    assert one_line("漢字漢字", 7) == "漢字漢…"
    assert one_line("漢字漢字", 6) == "漢字…"
    assert one_line("x", 0) == ""


def test_a_line_of_a_megabyte_is_read_only_as_far_as_it_shows() -> None:
    assert one_line("x" * 10 + "\u202e" * 1_000_000, 12) == "x" * 10 + "⟨…"


def test_width_counts_what_is_shown() -> None:
    assert cell_width("a漢\u202e") == 1 + 2 + 8


@pytest.mark.parametrize("name", HOSTILE)
def test_on_an_ascii_terminal_only_ascii_is_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLUI_ASCII", "1")
    glyphs.cache_clear()
    assert one_line(HOSTILE[name], 40).isascii()
    assert safe(HOSTILE[name], newlines=True).plain.isascii()

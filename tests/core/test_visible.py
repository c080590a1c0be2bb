"""What may reach a screen: nothing that acts on it, nothing that cannot be seen."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillui.core.visible import DOTTED_CIRCLE, MARKS_CUT, MAX_MARKS, hidden_count, pieces, symbol, visible
from tests.tui.hostile import HOSTILE, LONG_BODY, TAGS

ODD = "\x00\x07\x1b\r\n\t\x7f\x85\x9b\u00ad\u0301\u0316\u034f\u061c\u115f\u1175\u180e\u200b\u200d\u202e\u2028\u2066"
ANY_TEXT = st.text(st.characters() | st.sampled_from(ODD + "\ufe0f\ufe0e\ufeff\ud800\udc80" + TAGS + "⚠1a"))
HIDDEN_CATEGORIES = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def leaks(text: str, allowed: str = "") -> list[str]:
    return [c for c in text if unicodedata.category(c) in HIDDEN_CATEGORIES and c not in allowed]


@given(ANY_TEXT)
def test_no_line_holds_a_control_or_an_invisible_character(text: str) -> None:
    assert leaks(visible(text)) == []


@given(ANY_TEXT)
def test_a_block_holds_none_but_newlines_and_tabs(text: str) -> None:
    assert leaks(visible(text, newlines=True), allowed="\n\t") == []
    assert leaks(visible(text, newlines=True, tabs="  "), allowed="\n") == []


@given(ANY_TEXT)
def test_what_is_visible_stays_as_it_is(text: str) -> None:
    assert visible(visible(text)) == visible(text)
    block = visible(text, newlines=True)
    assert visible(block, newlines=True) == block


@given(ANY_TEXT, st.booleans())
def test_the_pieces_are_the_whole(text: str, newlines: bool) -> None:
    found = list(pieces(text, newlines=newlines))
    assert "".join(piece.text for piece in found) == visible(text, newlines=newlines)


@given(ANY_TEXT)
def test_what_is_not_replaced_is_in_the_source(text: str) -> None:
    at = 0
    for piece in pieces(text, newlines=True):
        if not piece.replaced:
            at = text.index(piece.text, at) + len(piece.text)


@given(ANY_TEXT)
def test_lines_stay_lines(text: str) -> None:
    assert visible(text, newlines=True).count("\n") == text.count("\n")
    assert "\n" not in visible(text)


@given(ANY_TEXT)
def test_ascii_terminals_get_ascii(text: str) -> None:
    shown = visible(text, newlines=True, ascii_only=True)
    assert shown.isascii()
    assert leaks(shown, allowed="\n\t") == []


@given(ANY_TEXT)
def test_nothing_is_hidden_where_nothing_is_replaced(text: str) -> None:
    replaced = [piece for piece in pieces(text, newlines=True) if piece.replaced and piece.text != DOTTED_CIRCLE]
    assert (hidden_count(text) == 0) == (not replaced)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;t\x07", "␛]0;t␇"),
        ("a\nb\tc", "a␊b␉c"),
        ("\x7f\x9b", "␡⟨U+009B⟩"),
        ("\u202e", "⟨U+202E⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("\udc80", "⟨U+DC80⟩"),
        ("\u3164", "⟨U+3164⟩"),
        ("⚠\ufe0f 1\ufe0f\u20e3", "⚠\ufe0f 1\ufe0f\u20e3"),
        ("a\ufe0f", "a⟨U+FE0F⟩"),
        ("⚠\ufe0f\ufe0f", "⚠\ufe0f⟨U+FE0F⟩"),
        ("\u0301x", DOTTED_CIRCLE + "\u0301x"),
        ("z" + "\u0301" * 9, "z" + "\u0301" * MAX_MARKS + MARKS_CUT),
        ("e\u0301 漢字 한", "e\u0301 漢字 한"),
    ],
)
def test_symbols_name_what_they_stand_for(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_mark_that_begins_a_later_line_is_carried_too() -> None:
    assert visible("a\n\u0301b", newlines=True) == "a\n" + DOTTED_CIRCLE + "\u0301b"


def test_decomposed_hangul_stays_readable() -> None:
    text = unicodedata.normalize("NFD", "한글 문서")
    assert visible(text) == text


def test_a_false_symbol_is_told_from_a_real_one() -> None:
    found = list(pieces("⟨U+202E⟩\u202e"))
    assert [(piece.text, piece.replaced) for piece in found] == [("⟨U+202E⟩", False), ("⟨U+202E⟩", True)]


def test_hidden_characters_are_counted_one_by_one() -> None:
    assert hidden_count("plain\ttext\n") == 0
    assert hidden_count("Grüße, 漢字 ⚠\ufe0f") == 0
    assert hidden_count("a\u202eb" + TAGS) == 1 + len(TAGS)
    assert hidden_count("z" + "\u0301" * (MAX_MARKS + 3)) == 3


def test_clean_text_is_handed_back_itself() -> None:
    text = "A clean line, und noch eine: 漢字"
    assert visible(text) is text
    assert list(pieces("")) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_every_hostile_text_becomes_plain(name: str) -> None:
    assert leaks(visible(HOSTILE[name])) == []


def test_a_body_of_ten_thousand_lines_keeps_them() -> None:
    shown = visible(LONG_BODY, newlines=True)
    assert shown.count("⟨U+202E⟩") == 10_000
    assert len(shown.splitlines()) == 10_000


def test_every_invisible_character_of_unicode_has_a_symbol() -> None:
    seen = [code for code in range(0x110000) if unicodedata.category(chr(code)) in HIDDEN_CATEGORIES]
    assert [hex(code) for code in seen if symbol.__wrapped__(chr(code)) is None] == []

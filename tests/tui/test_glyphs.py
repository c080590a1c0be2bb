"""One table of signs, each a single cell, in Unicode and in ASCII."""

from __future__ import annotations

import dataclasses

import pytest
from rich.cells import cell_len
from textual.css.constants import VALID_BORDER

from skillui.tui.glyphs import ASCII, UNICODE, Glyphs, glyphs, glyphs_for
from skillui.tui.themes import SEMANTIC_DEFAULTS

SETS = [UNICODE, ASCII]


def signs(found: Glyphs) -> list[str]:
    plain = [getattr(found, field.name) for field in dataclasses.fields(found)]
    texts = [value for value in plain if isinstance(value, str) and "border" not in value]
    single = [text for text in texts if text not in {found.bars, found.border, found.heavy_border}]
    return single + list(found.bars) + [state.glyph for state in found.states.values()]


@pytest.mark.parametrize("found", SETS)
def test_every_sign_takes_one_cell(found: Glyphs) -> None:
    assert [sign for sign in signs(found) if cell_len(sign) != 1] == []


@pytest.mark.parametrize("found", SETS)
def test_states_differ_by_glyph_and_by_word(found: Glyphs) -> None:
    states = found.states.values()
    assert len({state.glyph for state in states}) == len({state.word for state in states}) == len(found.states)


def test_states_are_coloured_by_theme_variables() -> None:
    assert {state.style.removeprefix("$") for state in UNICODE.states.values()} <= SEMANTIC_DEFAULTS.keys()


def test_the_ascii_set_is_ascii() -> None:
    assert "".join(signs(ASCII)).isascii()
    assert ASCII.states.keys() == UNICODE.states.keys()


@pytest.mark.parametrize("found", SETS)
def test_borders_are_known_to_textual(found: Glyphs) -> None:
    assert {found.border, found.heavy_border} <= VALID_BORDER


@pytest.mark.parametrize(
    ("encoding", "environ", "expected"),
    [
        ("utf-8", {}, UNICODE),
        ("UTF8", {"SKILLUI_ASCII": "0"}, UNICODE),
        ("utf-8", {"SKILLUI_ASCII": "1"}, ASCII),
        ("iso-8859-1", {}, ASCII),
        ("ascii", {}, ASCII),
        ("no-such-encoding", {}, ASCII),
        (None, {}, ASCII),
    ],
)
def test_the_set_follows_the_terminal(encoding: str | None, environ: dict[str, str], expected: Glyphs) -> None:
    assert glyphs_for(encoding, environ) is expected


def test_the_set_is_chosen_once() -> None:
    assert glyphs() is glyphs() is UNICODE


@pytest.mark.parametrize(
    ("value", "bar"), [(0, "   "), (-1, "   "), (1, "▂  "), (34, "▂▄ "), (99, "▂▄▆"), (100, "▂▄▆"), (900, "▂▄▆")]
)
def test_a_bar_grows_with_its_value(value: int, bar: str) -> None:
    assert UNICODE.bar(value, 100) == bar


def test_a_bar_keeps_its_width() -> None:
    assert ASCII.bar(50, 100, cells=4) == "##  "
    assert UNICODE.bar(5, 0) == "   "
    assert UNICODE.bar(5, 5, cells=1) == "▂"

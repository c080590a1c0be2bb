from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from skillui.workspace.settings import Settings
from skillui.workspace.state import State, load_state, remember_theme, save_state, theme_to_use


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    path = str(tmp_path / "new" / "state.json")
    state = State(theme="night", theme_over="day", sort="tokens", grouped=True, panes={"catalog": 40})
    save_state(path, state)
    assert load_state(path) == state
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"theme": 3}',
        b'{"panes": {"a": -1}}',
        b'{"theme": ""}',
        b"\xff\xfe",
        b"[" * 100_000,
        b" " * 300_000,
    ],
)
def test_a_state_that_cannot_be_read_is_a_first_start(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(data)
    assert load_state(str(path)) == State()


def test_a_missing_state_or_a_folder_in_its_place_is_a_first_start(tmp_path: Path) -> None:
    assert load_state(str(tmp_path / "none")) == State()
    assert load_state(str(tmp_path)) == State()


def test_what_a_later_version_remembers_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text('{"sort": "name", "new_thing": {"a": 1}}')
    assert load_state(str(path)) == State(sort="name")


def test_the_last_choice_of_a_theme_wins_wherever_it_was_made() -> None:
    configured = Settings(theme="day")
    assert theme_to_use(configured, State()) == "day"
    chosen = remember_theme(State(sort="name"), "night", configured)
    assert chosen.sort == "name"
    assert theme_to_use(configured, chosen) == "night"
    assert theme_to_use(Settings(theme="contrast"), chosen) == "contrast"
    assert theme_to_use(Settings(), chosen) is None


def test_a_theme_is_remembered_without_any_configuration() -> None:
    assert theme_to_use(Settings(), remember_theme(State(), "night", Settings())) == "night"
    assert theme_to_use(Settings(), State()) is None

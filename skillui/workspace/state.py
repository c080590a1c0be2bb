"""What the app remembers between two runs. Losing it is harmless, so what cannot be read is ignored."""

from __future__ import annotations

import os
from typing import Annotated

import msgspec

from skillui.core.files import ReadFault, read_regular
from skillui.workspace.atomic import write_bytes
from skillui.workspace.folders import ensure_folder
from skillui.workspace.settings import Settings

MAX_STATE = 256 * 1024
"""Bytes a state file may have."""

_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
_Size = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """The remembered choices; the defaults are a first start."""

    theme: _Name | None = None
    """The theme chosen in the app."""
    theme_over: _Name | None = None
    """The `theme` that config.yaml named when that choice was made."""
    sort: _Name | None = None
    """How the catalog was last sorted."""
    grouped: bool = False
    """Whether the catalog was grouped by root."""
    panes: dict[_Name, _Size] = {}  # msgspec copies the default for each instance
    """Sizes of panes that were moved, in cells, by the pane's name."""


def load_state(path: str) -> State:
    """Read the state file; a missing, damaged or foreign one is a first start."""
    try:
        data, _ = read_regular(path, MAX_STATE)
        return msgspec.json.decode(data, type=State)
    except (ReadFault, msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return State()


def save_state(path: str, state: State) -> None:
    """Write the state file, crash-safe, and its folder if need be. Raises `OSError`."""
    ensure_folder(os.path.dirname(path))
    write_bytes(path, msgspec.json.format(msgspec.json.encode(state), indent=2) + b"\n")


def theme_to_use(settings: Settings, state: State) -> str | None:
    """Return the theme to start with: the last choice wins, wherever it was made.

    A theme chosen in the app is kept until `theme` in config.yaml is changed. config.yaml itself
    is never written, so its comments, its links and a read-only one are safe.
    """
    if state.theme is not None and state.theme_over == settings.theme:
        return state.theme
    return settings.theme


def remember_theme(state: State, name: str, settings: Settings) -> State:
    """Return the state with `name` as the theme chosen just now."""
    return msgspec.structs.replace(state, theme=name, theme_over=settings.theme)

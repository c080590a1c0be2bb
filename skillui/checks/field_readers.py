"""Which harness reads which key of a SKILL.md, as plain data.

What it states: the harness's own documentation or source says that the key has an effect there. A key
that a harness accepts and ignores has no reader. Observed on 15 October 2026, in these versions: Codex
0.162.1, Claude Code 2.1.299, Cursor 2026.10.12, OpenCode 1.19.0 and 2.0.29, Pi 1.2.0; `hooks` and
`shell` by the documentation of Claude Code 2.1.311 on 14 November 2026.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

AS_OF: Final = "2026-11-14"
"""The day of the newest observation below."""

CODEX, CLAUDE, CURSOR = "Codex", "Claude Code", "Cursor"
OPENCODE_1, OPENCODE_2, PI = "OpenCode 1", "OpenCode 2", "Pi"
HARNESSES: Final = (CODEX, CLAUDE, CURSOR, OPENCODE_1, OPENCODE_2, PI)
"""All that were looked at, in the order they are named."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A harness that reads a key; `note` says what of it, or what for, where that is not plain."""

    harness: str
    note: str = ""


def _all(note: str = "") -> tuple[Reader, ...]:
    return tuple(Reader(harness, note) for harness in HARNESSES)


FIELD_READERS: Final[Mapping[str, tuple[Reader, ...]]] = MappingProxyType(
    {
        "name": tuple(
            Reader(harness, "for display; the folder is the identity") if harness == OPENCODE_2 else Reader(harness)
            for harness in HARNESSES
        ),
        "description": _all(),
        "metadata": (
            Reader(CODEX, "only short-description"),
            Reader(CURSOR, "surfaces hides it from the CLI"),
            Reader(OPENCODE_2, "only opencode/autoinvoke"),
        ),
        "disable-model-invocation": (Reader(CLAUDE), Reader(CURSOR), Reader(OPENCODE_2), Reader(PI)),
        "user-invocable": (Reader(CLAUDE), Reader(CURSOR)),
        "argument-hint": (Reader(CLAUDE, "shown in autocomplete"),),
        "arguments": (Reader(CLAUDE, "names for $name in the body"),),
        "allowed-tools": (Reader(CLAUDE, "approves them for the turn, forbids nothing"),),
        "disallowed-tools": (Reader(CLAUDE, "removes them while the skill is active"),),
        "when_to_use": (Reader(CLAUDE, "joins the description in the listing"),),
        "paths": (
            Reader(CLAUDE, "listed while matching files are worked on"),
            Reader(CURSOR, "listed while matching files are worked on"),
        ),
        "model": (Reader(CLAUDE, "switches the model for the turn"),),
        "effort": (Reader(CLAUDE, "switches the effort for the turn"),),
        "context": (Reader(CLAUDE, "fork runs it in a subagent"),),
        "agent": (Reader(CLAUDE, "the subagent of a fork"),),
        "background": (Reader(CLAUDE, "whether a fork is waited for"),),
        "hooks": (Reader(CLAUDE, "run while the skill is active"),),
        "shell": (Reader(CLAUDE, "runs the shell lines of the body"),),
        "icon": (Reader(CURSOR),),
        "color": (Reader(CURSOR),),
    }
)
"""Readers by key; a key that is missing here has none that is known."""


def readers_of(key: str) -> tuple[Reader, ...]:
    """Return who reads a key, () where nobody is known to."""
    return FIELD_READERS.get(key, ())


def readers_in_short(key: str) -> str:
    """Return who reads a key in a few words, for a cell of a table."""
    readers = readers_of(key)
    if not readers:
        return "no known reader"
    if len(readers) == len(HARNESSES):
        return "all"
    return ", ".join(reader.harness for reader in readers)


def readers_at_length(key: str) -> str:
    """Return who reads a key and what for, as a sentence."""
    readers = readers_of(key)
    if not readers:
        return "No harness is known to read it."
    if len(readers) == len(HARNESSES) and not any(reader.note for reader in readers):
        return f"Read by all harnesses that were looked at: {', '.join(HARNESSES)}."
    parts = (f"{reader.harness} ({reader.note})" if reader.note else reader.harness for reader in readers)
    return f"Read by {', '.join(parts)}."

"""The user's `config.yaml`: read with positions, checked value by value, never a reason not to start."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from skillui.core import yaml_reader
from skillui.core.files import ReadFault, read_regular
from skillui.core.text import clipped
from skillui.workspace.config_values import KNOWN_KEYS, BadValueError, ValueReader, did_you_mean

MAX_CONFIG = 256 * 1024
"""Bytes a configuration file may have."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user configured; the defaults are an absent file."""

    theme: str | None = None
    """The name of a theme; None is the app's own choice."""
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """The keys of an action, by the action's id."""
    roots: tuple[str, ...] = ()
    """More skill roots after those that were found, absolute."""
    trusted_roots: tuple[str, ...] = ()
    """Folders whose skills are trusted beside the user's own roots, absolute."""
    editor: str | None = None
    """A command line, used where neither `$VISUAL` nor `$EDITOR` is of use."""
    ascii: bool | None = None
    """Whether to draw with ASCII characters only; None asks the terminal."""
    markdown_limit_kb: int = 64
    """Bodies larger than this many KiB are shown as source only, for rendering them takes seconds."""
    watch: bool = True
    """Whether changed files are noticed."""

    def keymap(self) -> dict[str, str]:
        """Return `keys` in the form of action id to keys joined by commas."""
        return {action: ",".join(keys) for action, keys in self.keys.items()}


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """One thing in a configuration file that is not used as written; `line` and `column` are 1-based."""

    path: str
    message: str
    line: int | None = None
    column: int | None = None
    key: str | None = None
    """The top-level key it is about, where there is one."""
    hint: str | None = None
    """What to write instead."""

    def __str__(self) -> str:
        place = "".join(f":{number}" for number in (self.line, self.column) if number is not None)
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.path}{place}: {self.message}{hint}"


@dataclass(frozen=True, slots=True)
class SettingsLoad:
    """The settings that hold, and what of the file does not."""

    settings: Settings
    problems: tuple[SettingsProblem, ...] = ()


def load_settings(path: str, *, home: str | None = None, actions: Collection[str] | None = None) -> SettingsLoad:
    """Read the configuration file at `path`; a missing one is the defaults. Never raises.

    Whatever is valid is used. `trusted_roots` is the exception: one doubt about it and nothing of it counts.

    Args:
        path: The file; it must be the user's, for it grants trust.
        home: What `~` stands for; by default the user's home folder.
        actions: The ids `keys` may name; None accepts any.
    """
    reading = _Reading(path, os.path.expanduser("~") if home is None else home, actions)
    try:
        data, info = read_regular(path, MAX_CONFIG)
    except ReadFault as fault:
        if fault.missing:
            return SettingsLoad(Settings())
        reading.add(f"the file cannot be read: {fault.reason}; the defaults are used")
        return SettingsLoad(Settings(), tuple(reading.problems))
    values = reading.values(data)
    if "trusted_roots" in values and (doubt := _foreign(info)):
        del values["trusted_roots"]
        reading.add(f"{doubt}, so its `trusted_roots` is not used", "chmod go-w", key="trusted_roots")
    return SettingsLoad(Settings(**values), tuple(reading.problems))


def _foreign(info: os.stat_result) -> str | None:
    """Say why somebody else could have written the file, or None."""
    if os.name == "nt":  # modes and owners say nothing there
        return None
    if info.st_uid not in (0, os.geteuid()):
        return "the file belongs to another user"
    return "every user of this machine can write the file" if info.st_mode & 0o002 else None


class _Reading:
    """One file being read, and the problems found so far."""

    def __init__(self, path: str, home: str, actions: Collection[str] | None) -> None:
        self.path, self.home, self.actions = path, home, actions
        self.problems: list[SettingsProblem] = []

    def add(
        self, message: str, hint: str | None = None, *, node: yaml.Node | None = None, key: str | None = None
    ) -> None:
        """Note a problem, at the place of `node` where there is one."""
        mark = None if node is None else node.start_mark
        line, column = (None, None) if mark is None else (mark.line + 1, mark.column + 1)
        self.problems.append(SettingsProblem(self.path, message, line, column, key, hint))

    def values(self, data: bytes) -> dict[str, Any]:
        """Return the valid values by key."""
        values: dict[str, Any] = {}
        for key_node, node in self._pairs(data):
            key = key_node.value
            if key not in KNOWN_KEYS:
                self.add(f"unknown key `{clipped(key)}`", did_you_mean(key, KNOWN_KEYS), node=key_node, key=key)
            elif not yaml_reader.is_null(node):
                self._read(key, node, values)
        return values

    def _read(self, key: str, node: yaml.Node, values: dict[str, Any]) -> None:
        def complain(bad: BadValueError) -> None:
            self.add(bad.message, bad.hint, node=bad.node, key=key)

        try:
            values[key] = ValueReader(self.home, self.actions, complain).read(key, node)
        except BadValueError as bad:
            complain(bad)

    def _pairs(self, data: bytes) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
        try:
            root = yaml_reader.compose(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            self.add(f"the file is not UTF-8 (byte {error.start:,}); the defaults are used", "save it as UTF-8")
            return []
        except yaml_reader.YamlFault as fault:
            reason = fault.reason.replace("the frontmatter", "the file").replace("frontmatter", "the file")
            message = f"{reason}; the defaults are used"
            self.problems.append(SettingsProblem(self.path, message, fault.line, fault.column, None, fault.hint))
            return []
        return [] if root is None else root.value

"""A project's say in `check`: `.skillui.toml`, or `[tool.skillui]` of its `pyproject.toml`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from skillui.checks.profiles import Profile
from skillui.checks.rule import Family
from skillui.checks.table import RULES, UnknownRule, codes_of
from skillui.core.files import SKILL_MD, ReadFault, read_regular
from skillui.core.text import clipped
from skillui.workspace.locate import resolved_path, surroundings

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from skillui.core.problems import Problem

OWN_FILE: Final = ".skillui.toml"
PYPROJECT: Final = "pyproject.toml"
MAX_CONFIG: Final = 256 * 1024
KEYS: Final = ("profile", "select", "ignore", "per-path-ignores")


class CheckConfigFault(Exception):
    """Why a configuration cannot be used; the message is one line with the file's path."""


@dataclass(frozen=True)
class CheckConfig:
    """What a project asks of the gate. Codes are those of rules, families already spelt out."""

    path: str = ""
    """The file, "" where there is none."""
    profile: Profile | None = None
    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    by_path: tuple[tuple[GitIgnoreSpec, frozenset[str]], ...] = ()
    """Patterns relative to the file's folder, each with the codes that are ignored where it matches."""
    withheld: tuple[str, ...] = field(default=())
    """Security rules it asked to ignore and may not."""

    def ignores(self, code: str, path: str) -> bool:
        """Tell whether a code is ignored in one file, named absolutely."""
        if not self.by_path:
            return False
        relative = os.path.relpath(path, os.path.dirname(self.path)).replace(os.sep, "/")
        return any(code in codes and patterns.match_file(relative) for patterns, codes in self.by_path)

    def kept(self, problems: Iterable[Problem], directory: str) -> tuple[Problem, ...]:
        """Return the problems of a skill that are not ignored by their paths; `directory` is its folder."""
        if not self.by_path:
            return tuple(problems)
        return tuple(one for one in problems if not self.ignores(str(one.code), os.path.join(directory, one.path)))


def find_config(path: str, allow_ignore_sec: bool = False) -> CheckConfig:
    """Return the configuration of the project around a skill or root. Raises `CheckConfigFault`.

    The nearest folder above that has one decides, up to the project's own. A skill's own folder is
    never asked: what is checked must not choose its rules.
    """
    top, _, _ = surroundings(resolved_path(path))
    folder = os.path.dirname(path) if os.path.lexists(os.path.join(path, SKILL_MD)) else path
    while True:
        for name, inner in ((OWN_FILE, False), (PYPROJECT, True)):
            table = _table(os.path.join(folder, name), inner)
            if table is not None:
                return _config(os.path.join(folder, name), table, allow_ignore_sec)
        above = os.path.dirname(folder)
        if above == folder or resolved_path(folder) == top:
            return CheckConfig()
        folder = above


def _table(path: str, inner: bool) -> Mapping[str, Any] | None:
    try:
        data, _ = read_regular(path, MAX_CONFIG)
    except ReadFault as fault:
        if fault.missing:
            return None
        raise CheckConfigFault(f"{path} {fault.reason}") from None
    if inner and b"skillui" not in data:
        return None
    try:
        table: Any = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise CheckConfigFault(f"{path} is no TOML: {clipped(str(error))}") from None
    if inner:
        tool = table.get("tool")
        table = tool.get("skillui") if isinstance(tool, dict) else None
        if table is None:
            return None
    if not isinstance(table, dict):
        raise CheckConfigFault(f"{path}: [tool.skillui] is no table")
    return table


def _config(path: str, table: Mapping[str, Any], allow_ignore_sec: bool) -> CheckConfig:
    for key in table:
        if key not in KEYS:
            raise CheckConfigFault(f"{path}: unknown key '{clipped(key)}'; known are {', '.join(KEYS)}")
    profile = table.get("profile")
    if profile is not None and profile not in list(Profile):
        raise CheckConfigFault(f"{path}: profile is one of {', '.join(Profile)}")
    ignore = _codes(path, "ignore", table.get("ignore", []))
    by_path = _by_path(path, table.get("per-path-ignores", {}))
    withheld: set[str] = set()
    if not allow_ignore_sec:
        security = frozenset(code for code, rule in RULES.items() if rule.family is Family.SEC)
        withheld = set((ignore | {code for _, codes in by_path for code in codes}) & security)
        ignore -= security
        by_path = [(patterns, codes - security) for patterns, codes in by_path]
    return CheckConfig(
        path, Profile(profile) if profile is not None else None, _codes(path, "select", table.get("select", [])),
        ignore, tuple(by_path), tuple(sorted(withheld)),
    )  # fmt: skip


def _by_path(path: str, table: object) -> list[tuple[GitIgnoreSpec, frozenset[str]]]:
    if not isinstance(table, dict):
        raise CheckConfigFault(f"{path}: per-path-ignores is a table of patterns to lists of rules")
    if not table:
        return []
    from pathspec import GitIgnoreSpec

    found = []
    for pattern, names in table.items():
        try:
            patterns = GitIgnoreSpec.from_lines([pattern])
        except ValueError as error:
            raise CheckConfigFault(f"{path}: pattern '{clipped(pattern)}': {clipped(str(error))}") from None
        found.append((patterns, _codes(path, f"per-path-ignores of '{clipped(pattern)}'", names)))
    return found


def _codes(path: str, key: str, names: Iterable[Any]) -> frozenset[str]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CheckConfigFault(f"{path}: {key} is a list of rules")
    try:
        return codes_of(names)
    except UnknownRule as fault:
        raise CheckConfigFault(f"{path}: {key}: {fault}") from None

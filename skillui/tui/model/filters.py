"""What a person types into the search: words to look for, and filters such as `is:broken`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from skillui.core import SkillEntry
from skillui.core.resources import RESOURCE_FOLDERS
from skillui.tui.model.rows import CatalogRow

STATES: Final = (
    "broken", "shadowed", "untrusted", "disabled", "loaded", "stale", "sensitive", "outside", "valid",
)  # fmt: skip
"""Values of `is:`."""
PARTS: Final = (*RESOURCE_FOLDERS, "arguments", "problems")
"""Values of `has:`."""
KEYS: Final = ("is", "has", "root", "tool", "code", "key")
"""The filters."""

Folders = Mapping[str, frozenset[str]]
"""Which of the resource folders a skill has, by the row's key; a row that is missing was not looked at."""
Test = Callable[[CatalogRow], bool]


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition; `value` is in lower case."""

    key: str
    value: str
    negated: bool = False

    @property
    def needs_folders(self) -> bool:
        """Tell whether the skill's folder must be looked into."""
        return self.key == "has" and any(part in RESOURCE_FOLDERS for part in _meant(PARTS, self.value))


@dataclass(frozen=True, slots=True)
class Term:
    """Something to look for, in lower case."""

    text: str
    quoted: bool = False
    """Quoted text is looked for as it stands, without forgiving a slip."""


@dataclass(frozen=True, slots=True)
class Query:
    """A search, read. All its parts must hold."""

    terms: tuple[Term, ...] = ()
    filters: tuple[Filter, ...] = ()
    notices: tuple[str, ...] = ()
    """What could not be followed, in few words; quotes what was typed."""

    @property
    def empty(self) -> bool:
        """Tell whether it keeps everything."""
        return not self.terms and not self.filters

    @property
    def needs_folders(self) -> bool:
        """Tell whether the skills' folders must be looked into."""
        return any(condition.needs_folders for condition in self.filters)


_WORD: Final = re.compile(r'-?([A-Za-z]+):(?!\S)|(?:(-?)([A-Za-z]+):)?(?:"([^"]*)"?|([^\s"]\S*))')


def read_query(text: str) -> Query:
    """Read what was typed, finished or not. Never fails: what is no filter is text to look for."""
    terms: list[Term] = []
    filters: list[Filter] = []
    notices: list[str] = []
    for match in _WORD.finditer(text):
        open_key, minus, key, quoted, plain = match.groups()
        key = (key or open_key or "").lower()
        value = (quoted if quoted is not None else plain or "").lower()
        if key not in KEYS:
            _read_term(match[0], key, value, quoted is not None, terms, notices)
        elif not value:
            notices.append(f"{key}: {_choices(key)}")
        elif (values := _VALUES.get(key)) and not _meant(values, value):
            notices.append(f"no filter {key}:{value}")
        else:
            filters.append(Filter(key, value, minus == "-"))
    return Query(tuple(terms), tuple(filters), tuple(notices))


def _read_term(whole: str, key: str, value: str, quoted: bool, terms: list[Term], notices: list[str]) -> None:
    if key:
        # `https://…` is text; `foo:bar` is more likely a filter that does not exist.
        if not value.startswith("/"):
            notices.append(f"no filter {key}:")
        terms.append(Term(whole.replace('"', "").lower(), quoted=True))
    elif value:
        terms.append(Term(value, quoted=True) if quoted else Term(whole.lower()))


_VALUES: Final[Mapping[str, tuple[str, ...]]] = {"is": STATES, "has": PARTS}
_EXAMPLES: Final = {"root": "project or a path", "tool": "Bash", "code": "SKL-04", "key": "version"}


def _choices(key: str) -> str:
    return " ".join(_VALUES[key]) if key in _VALUES else f"such as {_EXAMPLES[key]}"


def _meant(values: tuple[str, ...], given: str) -> tuple[str, ...]:
    """Return the values that what was typed so far can become."""
    return (given,) if given in values else tuple(value for value in values if value.startswith(given))


def tests(query: Query, folders: Folders) -> tuple[Test, ...]:
    """Return the conditions of the query as functions, to be run over many rows."""
    return tuple(_negated(_test(one, folders)) if one.negated else _test(one, folders) for one in query.filters)


def _negated(test: Test) -> Test:
    return lambda row: not test(row)


def _test(condition: Filter, folders: Folders) -> Test:
    value = condition.value
    if condition.key == "is":
        states = frozenset(_meant(STATES, value))
        return lambda row: not states.isdisjoint(row.facts)
    if condition.key == "has":
        wanted = _meant(PARTS, value)
        return lambda row: any(_has(row, part, folders) for part in wanted)
    if condition.key == "root":
        return lambda row: any(value in word for word in row.root.words)
    if condition.key == "code":
        code = value.upper()
        return lambda row: any(found.startswith(code) for found in row.codes)
    if condition.key == "tool":
        return lambda row: any(tool.startswith(value) for tool in _tools(row))
    return lambda row: value in _fields(row)


def _has(row: CatalogRow, part: str, folders: Folders) -> bool:
    if part == "problems":
        return row.problems > 0
    if part == "arguments":
        return isinstance(row.entry, SkillEntry) and row.entry.arguments is not None
    return part in folders.get(row.key, ())


def _tools(row: CatalogRow) -> list[str]:
    declared: Any = row.entry.frontmatter.get("allowed-tools")
    return [str(tool).lower() for tool in declared] if isinstance(declared, list | tuple) else []


def _fields(row: CatalogRow) -> list[str]:
    """Return the keys of the frontmatter, those of `metadata` too: a version may stand in either."""
    metadata: Any = row.entry.frontmatter.get("metadata")
    inner = list(metadata) if isinstance(metadata, dict) else []
    return [str(key).lower() for key in (*row.entry.frontmatter, *inner)]

"""The shapes of a catalog: what was found, what won, what is shadowed, what is broken (specification §5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from skillui.core.skill import ParsedSkill, model_may_invoke, user_may_invoke
from skillui.core.text import json_safe

if TYPE_CHECKING:
    from skillui.core.digest import ContentDigest, FileRecord, Keep
    from skillui.core.problems import ErrorCode, Problem
    from skillui.core.reading import Argument
    from skillui.core.resources import Resources

Audience = Literal["model", "user"]
"""Whose view of the catalog: a model never sees manual skills, a menu never the model's own."""


@dataclass(frozen=True, slots=True)
class SkillEntry:
    """One valid skill of a catalog (§10).

    `dir` is the resolved directory, `location` the folder as its root lists it (the identity of a
    row). Sizes count characters; `modified` is SKILL.md's time in seconds since the epoch.
    """

    name: str
    description: str
    dir: str
    root_index: int
    frontmatter: dict[str, Any]
    shadowed: tuple[str, ...] = ()
    """Directories of the valid skills of this name in later roots, in order (§5.1)."""
    location: str = ""
    skill_md: str = ""
    """The resolved path of SKILL.md, elsewhere than in `dir` where it is a link."""
    problems: tuple[Problem, ...] = ()
    body_characters: int = 0
    modified: float = 0.0
    arguments: tuple[Argument, ...] | None = None
    """Declared named arguments; None where the skill declares none."""

    @property
    def meta(self) -> dict[str, Any]:
        """What tooling may audit (§5.1)."""
        return {"shadowed": list(self.shadowed)}

    @property
    def listing(self) -> str:
        """The text a model sees of the skill at all times: name and description."""
        return f"{self.name}: {self.description.strip()}"

    def offered_to(self, audience: Audience) -> bool:
        """Tell whether the catalog of this audience lists the skill (§4.3)."""
        return model_may_invoke(self.frontmatter) if audience == "model" else user_may_invoke(self.frontmatter)

    def to_json(self) -> dict[str, Any]:
        """Return the `catalog` shape of the bridge."""
        shape = {
            "name": self.name, "description": self.description, "dir": self.dir, "root_index": self.root_index,
            "frontmatter": self.frontmatter, "meta": self.meta,
            "problems": [problem.to_json() for problem in self.problems],
        }  # fmt: skip
        return dict(json_safe(shape))


@dataclass(frozen=True, slots=True)
class BrokenSkill:
    """A folder with a SKILL.md that activation refuses; `name` is the folder's."""

    name: str
    dir: str
    root_index: int
    code: ErrorCode
    message: str
    meta: dict[str, Any]
    """What applies of path, line, column, reason, hint and declared_name."""
    location: str = ""
    skill_md: str = ""
    problems: tuple[Problem, ...] = ()
    frontmatter: dict[str, Any] = field(default_factory=dict)
    description: str = ""
    body_characters: int = 0
    modified: float = 0.0
    parsed: ParsedSkill | None = field(default=None, compare=False, repr=False)
    """The file as it was read, when it was read for this value; a catalog does not keep it."""
    files: SkillFiles | None = field(default=None, compare=False, repr=False)
    """The files, likewise; None where they lie in the folder `dir`, and nothing of them was read."""

    def to_json(self) -> dict[str, Any]:
        """Return the `catalog` shape of the bridge."""
        shape = {
            "name": self.name, "dir": self.dir, "root_index": self.root_index, "code": str(self.code),
            "message": self.message, "meta": self.meta,
        }  # fmt: skip
        return dict(json_safe(shape))


AnyEntry = SkillEntry | BrokenSkill


@dataclass(frozen=True)
class Catalog:
    """Everything the roots hold. `skills` are the winners, sorted by name; nothing is dropped."""

    skills: tuple[SkillEntry, ...] = ()
    shadowed: tuple[SkillEntry, ...] = ()
    broken: tuple[BrokenSkill, ...] = ()
    warnings: tuple[str, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, SkillEntry]:
        """The winners by name."""
        return {entry.name: entry for entry in self.skills}

    @cached_property
    def broken_by_name(self) -> dict[str, BrokenSkill]:
        """The first broken skill of each folder name."""
        return {entry.name: entry for entry in reversed(self.broken)}

    def view(self, audience: Audience) -> tuple[SkillEntry, ...]:
        """Return the winners that this audience is offered."""
        return tuple(entry for entry in self.skills if entry.offered_to(audience))

    def to_json(self, audience: Audience | None = None) -> dict[str, Any]:
        """Return the `catalog` result of the bridge."""
        skills = self.skills if audience is None else self.view(audience)
        broken = self.broken if audience is None else ()
        return {
            "skills": [entry.to_json() for entry in skills],
            "broken": [entry.to_json() for entry in broken],
            "warnings": [json_safe(warning) for warning in self.warnings],
        }


class SkillFiles(Protocol):
    """The files of one loaded skill, wherever they lie."""

    def resources(self) -> Resources:
        """List the resources (§8). May raise OSError."""

    def digest(self) -> ContentDigest:
        """Digest the content, SKILL.md's part from the bytes that were loaded."""

    def records(self, keep: Keep | None = None) -> tuple[FileRecord, ...]:
        """Return what the digest is made of, with the content that `keep` allows. Raises `NoDigest`."""


@dataclass(frozen=True, slots=True)
class LoadedSkill:
    """A skill as read for one activation (§10): the entry, the parsed bytes, and its files."""

    entry: SkillEntry
    parsed: ParsedSkill
    files: SkillFiles

    @property
    def body(self) -> str:
        """The body before substitution."""
        return self.parsed.body


class SkillRegistry(Protocol):
    """Where skills come from (§10)."""

    async def discover(self) -> Sequence[SkillEntry]:
        """Look at every source and return the skills it offers."""

    async def load(self, name: str) -> LoadedSkill | BrokenSkill | None:
        """Read one skill of the catalog now; broken since discovery is a value, gone is None."""


@runtime_checkable
class CatalogRegistry(SkillRegistry, Protocol):
    """A registry that also tells what is shadowed, what is broken and what could not be read."""

    @property
    def catalog(self) -> Catalog | None:
        """The catalog that was read last, None before the first time."""

    async def read_catalog(self) -> Catalog:
        """Look at every source; faults are entries and warnings, never raised."""

    def load_entry(self, entry: AnyEntry) -> LoadedSkill | BrokenSkill | None:
        """Read one entry now, shadowed ones too (blocking); None where it is gone."""


async def catalog_of(registry: SkillRegistry) -> Catalog:
    """Return the catalog of any registry, read before or now: all it tells, or the skills it offers."""
    if isinstance(registry, CatalogRegistry):
        return registry.catalog or await registry.read_catalog()
    return Catalog(skills=tuple(sorted(await registry.discover(), key=lambda entry: entry.name)))


def assemble(entries: Iterable[AnyEntry], warnings: Iterable[str] = ()) -> Catalog:
    """Order entries and decide who shadows whom (§5.1; a broken skill shadows nothing).

    One directory reached twice is one skill, listed under its first valid entry.
    """
    ordered = sorted(entries, key=_precedence)
    winners: dict[str, SkillEntry] = {}
    hidden: dict[str, list[SkillEntry]] = {}
    broken: dict[tuple[str, str], BrokenSkill] = {}
    places: set[str] = set()
    for entry in ordered:
        if isinstance(entry, BrokenSkill):
            broken.setdefault((entry.name, entry.dir), entry)
        elif entry.dir not in places:
            places.add(entry.dir)
            if entry.name in winners:
                hidden.setdefault(entry.name, []).append(entry)
            else:
                winners[entry.name] = entry
    for name, copies in hidden.items():
        winners[name] = replace(winners[name], shadowed=tuple(copy.dir for copy in copies))
    return Catalog(
        tuple(sorted(winners.values(), key=lambda entry: entry.name)),
        tuple(copy for name in sorted(hidden) for copy in hidden[name]),
        tuple(broken.values()),
        tuple(warnings),
    )


def _precedence(entry: AnyEntry) -> tuple[int, str]:
    return entry.root_index, entry.name


Observer = Callable[[int, int, "list[AnyEntry]"], None]
"""Told now and then during a scan: folders looked at, folders in all, entries found since last told."""

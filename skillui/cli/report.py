"""Everything that `skillui show` tells about one skill, as values; the text and the JSON come from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skillui.checks.tools import is_broad
from skillui.cli.standing import Standing, standing_of, trust_words
from skillui.core import (
    AnyEntry,
    BrokenSkill,
    Catalog,
    ContentDigest,
    FilesystemSkillRegistry,
    LoadedSkill,
    content_digest,
)
from skillui.core.files import MAX_SKILL_MD, ReadFault, read_regular, reason_of
from skillui.core.reading import Argument
from skillui.core.resources import Resources, list_resources
from skillui.core.skill import model_may_invoke, user_may_invoke
from skillui.core.text import estimated_tokens, json_safe
from skillui.workspace.launch import Launch
from skillui.workspace.project import Root


@dataclass(frozen=True, slots=True)
class SkillReport:
    """One skill, valid or broken. Sizes count characters."""

    entry: AnyEntry
    standing: Standing
    root: Root
    why: str
    """Whether it is trusted, and why."""
    source: tuple[str, ...]
    """The lines of SKILL.md, undecodable bytes replaced; none where it cannot be read."""
    resources: Resources
    resources_fault: str | None
    digest: ContentDigest
    shadowed: tuple[AnyEntry, ...]
    """Valid copies in later roots that this one hides."""
    broken_copies: tuple[AnyEntry, ...]
    """Broken folders of the same name."""

    @property
    def broken(self) -> bool:
        """Whether activation refuses it."""
        return isinstance(self.entry, BrokenSkill)

    @property
    def tools(self) -> tuple[str, ...]:
        """The declared tools, as far as they can be read."""
        tools = self.entry.frontmatter.get("allowed-tools")
        return tuple(map(str, tools)) if isinstance(tools, list | tuple) else ()

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The declared named arguments."""
        return () if isinstance(self.entry, BrokenSkill) else self.entry.arguments or ()

    @property
    def listing_characters(self) -> int:
        """The size of what a model sees at all times; 0 for a broken skill, which no model sees."""
        return 0 if isinstance(self.entry, BrokenSkill) else len(self.entry.listing)

    @property
    def callers(self) -> str:
        """Who may activate it."""
        model, user = model_may_invoke(self.entry.frontmatter), user_may_invoke(self.entry.frontmatter)
        return {
            (True, True): "model and user",
            (True, False): "model only (hidden from menus)",
            (False, True): "user only (disable-model-invocation)",
            (False, False): "nobody's menu (disable-model-invocation, and user-invocable is false)",
        }[model, user]

    def to_json(self) -> dict[str, Any]:
        """Return the plain mapping that `show --json` prints."""
        entry, root = self.entry, self.root
        shape = {
            "name": entry.name, "state": list(self.standing.states), "description": entry.description,
            "dir": entry.dir, "skill_md": entry.skill_md,
            "root": {
                "index": entry.root_index, "path": root.path, "label": root.label, "source": root.source,
                "trusted": root.trusted,
            },
            "trust": {"trusted": self.standing.gate.trusted, "why": self.why, "flags": list(self.standing.gate.flags)},
            "frontmatter": entry.frontmatter,
            "invocation": {
                "model": model_may_invoke(entry.frontmatter), "user": user_may_invoke(entry.frontmatter),
            },
            "arguments": [
                {"name": item.name, "required": item.required, "description": item.description}
                for item in self.arguments
            ],
            "tools": [{"tool": tool, "broad": is_broad(tool)} for tool in self.tools],
            "problems": [problem.to_json() for problem in entry.problems],
            "resources": list(self.resources.names), "resources_omitted": self.resources.omitted,
            "resources_fault": self.resources_fault,
            "sizes": {
                "listing": _size(self.listing_characters), "body": _size(entry.body_characters),
            },
            "digest": self.digest.value, "digest_fault": self.digest.reason,
            "shadowed": [copy.dir for copy in self.shadowed],
            "broken_copies": [copy.dir for copy in self.broken_copies],
        }  # fmt: skip
        return dict(json_safe(shape))


def _size(characters: int) -> dict[str, int]:
    return {"characters": characters, "estimated_tokens": estimated_tokens(characters)}


def find_entry(catalog: Catalog, name: str) -> AnyEntry | None:
    """Return the skill that a call by this name meets: the winner, else the first broken folder."""
    return catalog.by_name.get(name) or catalog.broken_by_name.get(name)


def report_on(entry: AnyEntry, catalog: Catalog, registry: FilesystemSkillRegistry, launch: Launch) -> SkillReport:
    """Read all there is to tell about an entry; what cannot be read is told as such."""
    standing = standing_of(entry, launch.config)
    loaded = registry.load_entry(entry)
    digest = loaded.files.digest() if isinstance(loaded, LoadedSkill) else content_digest(entry.dir)
    fault = None
    try:
        resources = list_resources(entry.dir)
    except OSError as error:
        resources, fault = Resources(), reason_of(error)
    return SkillReport(
        entry, standing, launch.root_of(entry.root_index), trust_words(entry, launch, standing.gate),
        _source(entry.skill_md), resources, fault, digest,
        tuple(copy for copy in catalog.shadowed if copy.name == entry.name),
        tuple(copy for copy in catalog.broken if copy.name == entry.name and copy is not entry),
    )  # fmt: skip


def _source(path: str) -> tuple[str, ...]:
    try:
        data, _ = read_regular(path, MAX_SKILL_MD)
    except ReadFault:
        return ()
    return tuple(data.decode("utf-8-sig", "replace").split("\n"))

"""Skills as resources, behind the same gate as their activation: no file is given out that nobody trusts.

Nobody is asked here. A file is read where its skill is offered to the model, lies where it should, and
either lies in a trusted root or is exactly the content that was approved. Denied content is never read.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skillui.core.catalog import AnyEntry, BrokenSkill, LoadedSkill, SkillEntry
from skillui.core.digest import FileRecord, NoDigest, digest_of
from skillui.core.files import SKILL_MD, ReadFault, read_regular
from skillui.core.gate import OUTSIDE, Gate, judge
from skillui.core.text import clipped
from skillui.serve.mcp_address import Address, ResourceFault, read_address

if TYPE_CHECKING:
    from skillui.core.registry import FilesystemSkillRegistry
    from skillui.core.session import SkillSession
    from skillui.review.store import DecisionStore

MAX_RESOURCE = 1 << 20
"""Bytes of one file that are given out."""


@dataclass(frozen=True, slots=True)
class Content:
    """One file as a resource."""

    address: Address
    data: bytes

    @property
    def text(self) -> str | None:
        """The content as text, None where it is none."""
        if b"\0" in self.data:
            return None
        try:
            return self.data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    @property
    def media_type(self) -> str:
        """What the content is, as far as it matters to a client."""
        if self.text is None:
            return "application/octet-stream"
        return "text/markdown" if self.address.path.lower().endswith(b".md") else "text/plain"


@dataclass(frozen=True, slots=True)
class SkillResources:
    """The files of a session's skills, as its registry found them last. Every method blocks."""

    session: SkillSession
    registry: FilesystemSkillRegistry
    store: DecisionStore

    def read(self, uri: str) -> Content:
        """Read one file. Raises `ResourceFault` that says why not."""
        address = read_address(uri)
        skill = self._load(address.name)
        records: Sequence[FileRecord] = ()
        try:
            records = skill.files.records()
            digest, fault = digest_of(records), ""
        except NoDigest as reason:
            digest, fault = None, str(reason)
        self._admit(skill.entry, digest, fault)
        if address.path == SKILL_MD.encode():
            return Content(address, _bounded(skill.parsed.text.encode("utf-8"), SKILL_MD))
        if digest is None:
            raise ResourceFault(f'no other file of skill "{skill.entry.name}" is given out: {fault}')
        return Content(address, self._file(skill.entry, address, records))

    def _admit(self, entry: SkillEntry, digest: str | None, fault: str) -> None:
        """Hold the skill against the gate, and log what the gate decided. Raises `ResourceFault`."""
        gate = self.session.judge(entry)
        refusal = self._refusal(gate, digest, fault)
        if not gate.trusted or refusal is not None:
            self.store.log(
                "activation", name=entry.name, dir=entry.dir, digest=digest, via="mcp",
                answer="allow" if refusal is None else "deny", reason=f"as a resource: {refusal or 'decided before'}",
            )  # fmt: skip
        if refusal is not None:
            raise ResourceFault(f'skill "{entry.name}" {refusal}')

    def _load(self, name: str) -> LoadedSkill:
        """Read the skill anew, where the model may have it. Raises `ResourceFault`."""
        catalog = self.registry.catalog or self.registry.scan()
        entry: AnyEntry | None = catalog.by_name.get(name) or catalog.broken_by_name.get(name)
        skill = self.registry.load_entry(entry) if entry is not None else None
        if skill is None:
            raise ResourceFault(f'there is no skill "{clipped(name)}"; the list of resources names them all')
        if isinstance(skill, BrokenSkill):
            raise ResourceFault(f'skill "{clipped(name)}" is broken: {clipped(skill.message, 200)}')
        if not skill.entry.offered_to("model"):
            raise ResourceFault(f'skill "{clipped(name)}" is for people alone (disable-model-invocation)')
        return skill

    def _refusal(self, gate: Gate, digest: str | None, fault: str) -> str | None:
        """Say why nothing of the skill is given out, None where it is."""
        if gate.flags:
            place = "lies outside every workspace root" if OUTSIDE in gate.flags else "lies in a sensitive place"
            return f"{place}; activate it with the `skill` tool, which asks a person"
        decision = self.store.decision(digest) if digest is not None else None
        if decision is not None and decision.verdict == "denied":
            return f"was denied by {clipped(decision.who)} on {decision.when[:10]}"
        if self.store.fault is not None:  # a denial that cannot be read must not count as none
            return f"cannot be looked up among the decisions: {self.store.fault}"
        if gate.trusted or decision is not None:
            return None
        if digest is None:
            return f"lies in a root that is not trusted and cannot be approved: {fault}"
        return "lies in a root that is not trusted, and nobody approved this content"

    def _file(self, entry: SkillEntry, address: Address, records: Sequence[FileRecord]) -> bytes:
        """Read a file that the digest covers: the path is looked up there, and never joined as it was sent."""
        found = [record for record in records if record.path == address.path]
        if not found or _is_hidden(address.path):
            raise ResourceFault(f'skill "{entry.name}" has no file {address.shown}')
        if found[0].kind != "f":
            raise ResourceFault(f'{address.shown} of skill "{entry.name}" is a link; ask for the file it leads to')
        location = os.path.join(entry.dir, os.fsdecode(found[0].path))
        if judge(self.session.config, entry.dir, location).flags:
            raise ResourceFault(f'{address.shown} of skill "{entry.name}" lies in a sensitive place')
        try:
            data, _ = read_regular(location, MAX_RESOURCE)
        except ReadFault as reason:
            raise ResourceFault(f'{address.shown} of skill "{entry.name}" {reason.reason}') from None
        if hashlib.sha256(data).hexdigest() != found[0].sha256:
            raise ResourceFault(f'{address.shown} of skill "{entry.name}" changed while it was read')
        return data


def _is_hidden(path: bytes) -> bool:
    return any(part.startswith(b".") for part in path.split(b"/"))


def _bounded(data: bytes, name: str) -> bytes:
    if len(data) > MAX_RESOURCE:
        raise ResourceFault(f"{name} is {len(data):,} bytes, past the limit of {MAX_RESOURCE:,}")
    return data

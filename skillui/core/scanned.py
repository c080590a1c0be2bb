"""What every registry that is scanned as a whole has in common: the protocol of §10 over one scan."""

from __future__ import annotations

from abc import ABC, abstractmethod

from skillui.core.catalog import AnyEntry, BrokenSkill, Catalog, LoadedSkill, Observer, SkillEntry


class ScannedRegistry(ABC):
    """A `CatalogRegistry` by a blocking scan and a blocking load, each run in a thread where it is awaited."""

    @property
    @abstractmethod
    def catalog(self) -> Catalog | None:
        """The catalog of the last scan, None before the first."""

    @abstractmethod
    def scan(self, observer: Observer | None = None) -> Catalog:
        """Look at every source; faults become entries and warnings."""

    @abstractmethod
    def load_entry(self, entry: AnyEntry) -> LoadedSkill | BrokenSkill | None:
        """Read one skill of the catalog now, shadowed ones too; None where it is gone."""

    def close(self) -> None:  # noqa: B027 - most hold nothing
        """Let go of whatever is held to read skills with; another scan takes it up again."""

    async def read_catalog(self) -> Catalog:
        """Scan in a thread (§5.2)."""
        import asyncio  # a fifth of the start of a command that only scans

        return await asyncio.to_thread(self.scan)

    async def discover(self) -> tuple[SkillEntry, ...]:
        """Scan and return the winners (§10)."""
        return (await self.read_catalog()).skills

    async def load(self, name: str) -> LoadedSkill | BrokenSkill | None:
        """Read the catalog's skill of this name now (§10)."""
        import asyncio

        catalog = self.catalog or await self.read_catalog()
        entry = catalog.by_name.get(name)
        return None if entry is None else await asyncio.to_thread(self.load_entry, entry)

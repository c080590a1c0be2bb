"""What the catalog's rows are made from, in one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skillui.core import Catalog
    from skillui.core.state import Activation
    from skillui.tui.model.findings import Summary
    from skillui.tui.model.rows import CatalogRow, Judge, RowBuilder
    from skillui.workspace.project import Root


@dataclass(frozen=True)
class CatalogInputs:
    """A catalog and what is known of it, see `RowBuilder.build`; `done` and `total` count folders while a scan runs."""

    catalog: Catalog
    roots: Sequence[Root]
    judge: Judge
    activated: Mapping[str, Activation] | None = None
    stale: frozenset[str] = frozenset()
    found: Mapping[str, Summary] | None = None
    done: int = 1
    total: int = 1

    @property
    def size(self) -> int:
        """How many rows there will be."""
        return len(self.catalog.skills) + len(self.catalog.shadowed) + len(self.catalog.broken)

    def rows(self, builder: RowBuilder) -> tuple[CatalogRow, ...]:
        """Build the rows."""
        return builder.build(self.catalog, self.roots, self.judge, self.activated, self.stale, self.found)

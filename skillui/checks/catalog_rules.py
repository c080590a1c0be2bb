"""Rules over a whole catalog: DSC-02 and CAT-01."""

from __future__ import annotations

from skillui.checks.rule import CatalogRule

RULES: tuple[CatalogRule, ...] = ()

"""SKL-10: scripts and assets that are referenced exist and parse."""

from __future__ import annotations

from skillui.checks.rule import Rule

RULES: tuple[Rule, ...] = ()

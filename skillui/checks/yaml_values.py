"""Rules over values that YAML readers see differently: YML-01."""

from __future__ import annotations

from skillui.checks.rule import Rule

RULES: tuple[Rule, ...] = ()

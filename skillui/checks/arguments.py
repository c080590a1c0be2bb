"""Rules over placeholders and declared arguments: ARG-01 to ARG-03."""

from __future__ import annotations

from skillui.checks.rule import Rule

RULES: tuple[Rule, ...] = ()

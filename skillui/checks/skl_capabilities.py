"""What a skill can do: SKL-11 over its scripts, SKL-12 over its declared tools."""

from __future__ import annotations

from skillui.checks.rule import Rule

RULES: tuple[Rule, ...] = ()

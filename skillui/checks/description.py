"""Rules over the description of one skill: DSC-01."""

from __future__ import annotations

from skillui.checks.rule import Rule

RULES: tuple[Rule, ...] = ()

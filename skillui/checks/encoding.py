"""Rules over the bytes of a skill's text: ENC-01."""

from __future__ import annotations

from skillui.checks.rule import Rule

RULES: tuple[Rule, ...] = ()

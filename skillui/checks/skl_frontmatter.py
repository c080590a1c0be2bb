"""Rules over the frontmatter: SKL-01 to SKL-07."""

from __future__ import annotations

from skillui.checks.rule import Rule

RULES: tuple[Rule, ...] = ()

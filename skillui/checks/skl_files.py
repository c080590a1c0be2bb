"""Rules over the files of a skill: SKL-08, SKL-09 and TRB-DOC."""

from __future__ import annotations

from skillui.checks.rule import Rule

RULES: tuple[Rule, ...] = ()

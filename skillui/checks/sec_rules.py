"""The security rules in one table: SEC-01 to SEC-08."""

from __future__ import annotations

from skillui.checks.rule import Rule

RULES: tuple[Rule, ...] = ()

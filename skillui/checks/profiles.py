"""Profiles: which rules run, and what counts as an error."""

from __future__ import annotations

from enum import StrEnum

from skillui.checks.rule import AnyRule, Family
from skillui.core.problems import Severity


class Profile(StrEnum):
    """How hard the gate looks."""

    SPEC = "spec"
    """The engine's errors and warnings alone."""
    PORTABLE = "portable"
    """All rules with their own severities."""
    GUIDE = "guide"
    """The twelve SKL rules are errors."""
    STRICT = "strict"
    """Warnings fail too, and trust boundaries must be written down."""

    def runs(self, rule: AnyRule) -> bool:
        """Tell whether a rule runs."""
        return self is not Profile.SPEC and (self is Profile.STRICT or not rule.strict_only)

    def severity(self, rule: AnyRule, own: Severity | None) -> Severity:
        """Return how grave a finding is; `own` is the finding's, for the soft cases of a rule."""
        severity = rule.severity if own is None else own
        if self is Profile.GUIDE and rule.family is Family.SKL and own is None:
            return Severity.ERROR
        return self.raised(severity)

    def raised(self, severity: Severity) -> Severity:
        """Return a severity as this profile counts it."""
        return Severity.ERROR if self is Profile.STRICT and severity is Severity.WARNING else severity

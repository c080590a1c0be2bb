"""The security rules in one table: SEC-01 to SEC-08."""

from __future__ import annotations

from skillui.checks.rule import Rule
from skillui.checks.sec_comments import SEC_04
from skillui.checks.sec_credentials import SEC_06
from skillui.checks.sec_files import SEC_05
from skillui.checks.sec_hidden import SEC_01, SEC_02
from skillui.checks.sec_lookalikes import SEC_08
from skillui.checks.sec_scripts import SEC_07
from skillui.checks.sec_wrapper import SEC_03

RULES: tuple[Rule, ...] = (SEC_01, SEC_02, SEC_03, SEC_04, SEC_05, SEC_06, SEC_07, SEC_08)

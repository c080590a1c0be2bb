"""Thirteen planted faults: each fails its own rule and no other of the twelve, and the whole skill fails none."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillui.checks.profiles import Profile
from skillui.checks.report import GUIDE_RULES
from skillui.core.problems import Problem, Severity
from tests.checks.gate_cases import problems_of
from tests.checks.planted import FAULTS, NAME, Fault, write_skill


def _failed(problems: list[Problem]) -> set[str]:
    return {str(problem.code) for problem in problems if problem.severity is Severity.ERROR}


def test_the_table_has_a_fault_for_each_of_the_twelve_rules() -> None:
    assert len(FAULTS) == 13
    assert tuple(dict.fromkeys(fault.rule for fault in FAULTS)) == GUIDE_RULES
    assert len(GUIDE_RULES) == 12


@pytest.mark.parametrize("profile", [Profile.GUIDE, Profile.STRICT])
def test_the_reference_skill_passes_every_rule(profile: Profile, tmp_path: Path) -> None:
    assert problems_of(write_skill(tmp_path / NAME), profile) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_fails_its_own_rule_and_passes_the_other_eleven(fault: Fault, tmp_path: Path) -> None:
    folder = write_skill(tmp_path / fault.folder)
    fault.plant(folder)
    problems = problems_of(folder, Profile.GUIDE)
    assert _failed(problems) & set(GUIDE_RULES) == {fault.rule}
    own = [problem for problem in problems if problem.code == fault.rule]
    assert any(fault.words in problem.message for problem in own), own

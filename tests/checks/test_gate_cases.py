"""The gate over its cases: what must fire fires, on its line, and what must stay clean does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.checks.gate_cases import Case, judge, known_gaps, lay_out, open_cases, problems_of

MAX_GAPS = 0
"""Expectations that may be missed; the number only ever goes down."""


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in open_cases()])
def test_every_expectation_of_the_case_holds(case: Case, tmp_path: Path) -> None:
    if any(shutil.which(program) is None for program in case.get("requires", [])):
        pytest.skip(f"needs {case['requires']}")
    verdicts = list(judge(case, problems_of(lay_out(case, tmp_path))))
    gaps = known_gaps()
    missed = {verdict.key: verdict.detail for verdict in verdicts if not verdict.holds}
    assert {key: detail for key, detail in missed.items() if key not in gaps} == {}
    stale = {verdict.key for verdict in verdicts if verdict.holds} & gaps
    assert stale == set(), "this gap is closed: take it off the list"


def test_the_list_of_known_gaps_never_grows_and_names_only_real_cases() -> None:
    gaps = known_gaps()
    assert len(gaps) <= MAX_GAPS
    assert {gap.split()[0] for gap in gaps} <= {case["id"] for case in open_cases()}

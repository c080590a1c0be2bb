"""Every conformance case through the Python API."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from skillui.core import SessionConfig, SkillSession, fixed_hook
from tests.conformance.cases import Case, all_cases, faults, lay_out, refuse_unknown

CASES = all_cases()


class PythonSurface:
    def __init__(self, base: Path, settings: dict[str, Any]) -> None:
        hook = settings.pop("hook", None)
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in settings.items()
        }
        self.session = SkillSession(
            SessionConfig(cwd=str(base), **fields), hook=None if hook is None else fixed_hook(hook)
        )

    def catalog(self) -> dict[str, Any]:
        return asyncio.run(self.session.catalog()).to_json()

    def call(self, params: Any, user_initiated: bool, turn: int | None) -> dict[str, Any]:
        return asyncio.run(self.session.skill(params, user_initiated=user_initiated, turn=turn)).to_json()


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_engine_answers_as_the_case_says(case: Case, tmp_path: Path) -> None:
    base = tmp_path.resolve()
    lay_out(base, case["files"])
    assert faults(case, base, PythonSurface(base, dict(case["session"]))) == []


def test_no_two_cases_share_an_id() -> None:
    ids = [case["id"] for case in CASES]
    assert len(set(ids)) == len(ids) >= 139


@pytest.mark.parametrize(
    "case",
    [
        {"id": "x", "files": {}, "session": {}, "colour": 1},
        {"id": "x", "files": {"a": {"txt": ""}}, "session": {}},
        {"id": "x", "files": {}, "session": {}, "calls": [{"params": {}, "expect": {"kinds": "ok"}}]},
        {"id": "x", "files": {}, "session": {}, "calls": [{"params": {}, "by": 1, "expect": {}}]},
    ],
)
def test_a_case_with_an_unknown_key_is_refused(case: Case) -> None:
    with pytest.raises(ValueError, match="unknown keys"):
        refuse_unknown(case)


def test_the_runner_sees_what_does_not_hold(tmp_path: Path) -> None:
    case: Case = {
        "id": "x",
        "files": {"s/foo/SKILL.md": "---\nname: foo\ndescription: d\n---\nB\n", "s/foo/scripts/a": ""},
        "session": {"skill_roots": ["s"], "hook": "allow"},
        "rows": 2,
        "listed": {"foo": "absent"},
        "winner": {"foo": "t"},
        "catalog": [{"name": "bar"}],
        "calls": [
            {
                "params": {"name": "foo"},
                "expect": {
                    "kind": "ok", "equals": {"body": "C"}, "output": "", "contains": ["ZZ"], "output_contains": ["YY"],
                    "lacks": ["B"], "frontmatter": {"name": "x"}, "resources_of": {"scripts": []},
                    "resources_have": ["scripts/b"], "body_length": 9,
                },
            },
            {"params": {"name": "foo"}, "expect": {"kind": "ok"}},
            {"params": {}, "expect": {"kind": "error", "code": "IO_ERROR", "meta": {"line": 3}}},
        ],
    }  # fmt: skip
    base = tmp_path.resolve()
    lay_out(base, case["files"])
    assert len(faults(case, base, PythonSurface(base, dict(case["session"])))) == 4 + 9 + 1 + 2

"""The SKL rules at their edges: places in the file, soft cases, and what is no fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillui.checks.profiles import Profile
from skillui.checks.run import check_skill
from skillui.checks.subject import Subject
from skillui.checks.table import codes_of
from skillui.core.problems import Problem, Severity
from skillui.core.skill import parse_skill
from tests.checks.gate_cases import problems_of

HEAD = "---\nname: menus\ndescription: Compares menus. Use when a menu is printed.\n---\n"
SKL = codes_of(["SKL"])


def skill(tmp_path: Path, body: str = "# Menus\n", head: str = HEAD, **files: str) -> Path:
    folder = tmp_path / "menus"
    folder.mkdir()
    (folder / "SKILL.md").write_bytes((head + body).encode())
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def found(folder: Path, code: str, profile: Profile = Profile.PORTABLE) -> list[Problem]:
    return [problem for problem in problems_of(folder, profile) if problem.code == code]


def parsed(text: str) -> list[tuple[str, int | None, int | None]]:
    subject = Subject(parse_skill(text.encode(), "menus", "SKILL.md"), "/nonexistent")
    return [(str(problem.code), problem.line, problem.column) for problem in check_skill(subject, select=SKL)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("---\nname: menus\ndescription: A <b> c.\n---\n", (3, 16)),
        ("\ufeff---\r\nname: menus\r\ndescription: A <b> c.\r\n---\r\n", (3, 16)),
        ("---\nname: menus\ndescription: |\n  One line.\n  Two with <b>.\n---\n", (5, 12)),
        ("---\nname: menus\ndescription: >-\n    One line\n    and <b>.\nlicense: MIT <b>\n---\n", (5, 9)),
        ('---\nname: menus\ndescription: "献立 🍜 <b>"\n---\n', (3, 20)),
    ],
)
def test_a_tag_is_placed_in_the_file_by_characters(text: str, place: tuple[int, int]) -> None:
    assert parsed(text) == [("SKL-06", *place)]


def test_what_the_engine_refuses_is_told_once_and_stays_told_when_the_rule_is_ignored() -> None:
    subject = Subject(parse_skill(HEAD.encode(), "dishes", "SKILL.md"), "/nonexistent")
    assert [str(problem.code) for problem in check_skill(subject, select=SKL)] == ["SKL-01"]
    assert [str(problem.code) for problem in check_skill(subject, Profile.SPEC)] == ["NAME_MISMATCH"]
    left = check_skill(subject, ignore=frozenset({"SKL-01"}), select=SKL)
    assert [str(problem.code) for problem in left] == ["NAME_MISMATCH"]


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("effort: high", "effort: read by Claude Code alone"),
        ("colour: red", "colour: read by no known harness, move it below metadata"),
        ("allowedTools: Read", "allowedTools: write it as 'allowed-tools'"),
        ("user-invocable: true", "user-invocable: read by Claude Code and Cursor alone"),
    ],
)
def test_an_unexpected_key_is_told_with_its_readers(key: str, words: str, tmp_path: Path) -> None:
    (problem,) = found(skill(tmp_path, head=HEAD.replace("\n---\n", f"\n{key}\n---\n")), "SKL-04")
    assert problem.hint is not None
    assert words in problem.hint


@pytest.mark.parametrize(
    "body",
    [
        "Run `${CLAUDE_SKILL_DIR}/scripts/gone.py`.",
        "Run `{baseDir}/scripts/gone.py`.",
        "Run ./scripts/gone.py now.",
        "Run @scripts/gone.py.",
        "```\npython3 scripts/gone.py --all\n```",
    ],
)
def test_a_missing_script_is_told_however_the_skill_is_named(body: str, tmp_path: Path) -> None:
    (problem,) = found(skill(tmp_path, body), "SKL-10")
    assert problem.message == "missing referenced script 'scripts/gone.py'"


@pytest.mark.parametrize(
    "body",
    [
        "Run `$HOME/scripts/gone.py`, `~/scripts/gone.py`, `../scripts/gone.py` or `tools/scripts/gone.py`.",
        "See https://example.org/scripts/gone.py and `scripts/{name}.py`, `scripts/*.py`, `scripts/<name>.py`.",
        "Put it into `scripts/your-script.py` or `scripts/my_script.py`. Look into scripts/ and assets/.",
        "<!-- scripts/gone.py went away -->",
        "The folders scripts/references/assets are all optional; ascripts/x.py is another.",
    ],
)
def test_a_path_that_is_not_the_skills_own_is_no_missing_file(body: str, tmp_path: Path) -> None:
    assert found(skill(tmp_path, body), "SKL-10") == []


def test_a_blank_in_a_link_is_the_blank_of_the_file(tmp_path: Path) -> None:
    body = "[a](references/the%20list.md) [b](references/no%20list.md)"
    folder = skill(tmp_path, body)
    (folder / "references").mkdir()
    (folder / "references" / "the list.md").write_text("# A\n", encoding="utf-8")
    assert [problem.message for problem in found(folder, "SKL-09")] == [
        "missing referenced file 'references/no list.md'"
    ]


def test_a_reference_that_skill_md_names_as_well_is_a_note(tmp_path: Path) -> None:
    folder = skill(
        tmp_path, "[a](references/a.md) [b](references/b.md)", references__a_dot_md="[b](b.md) [c](c.md) [d](d.md)",
        references__b_dot_md="# B", references__c_dot_md="# C",
    )  # fmt: skip
    told = [(problem.severity, problem.message) for problem in found(folder, "SKL-09", Profile.GUIDE)]
    assert told == [
        (Severity.NOTE, "reference 'references/a.md' links on to 'references/b.md'"),
        (Severity.ERROR, "reference 'references/a.md' links on to 'references/c.md'"),
        (Severity.ERROR, "missing referenced file 'references/d.md'"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("scripts__a_dot_py", "x = 1\ndef f(:\n", 2),
        ("scripts__a_dot_sh", "echo a\nif true; then\n  echo b\n", 4),
        ("scripts__run", "#!/bin/bash\nfor x in; do\n", 3),
        ("assets__a_dot_json", '{\n  "a": 1,\n}\n', 3),
        ("assets__a_dot_toml", "a = 1\nb = c\n", 2),
        ("assets__a_dot_yaml", "a: 1\nb: [1, 2\nc: 3\n", 2),
    ],
)
def test_a_file_that_does_not_parse_is_told_on_its_line(name: str, text: str, line: int, tmp_path: Path) -> None:
    folder = skill(tmp_path, **{name: text})
    if name.endswith("run"):
        (folder / "scripts/run").chmod(0o755)
    (problem,) = found(folder, "SKL-10")
    assert "does not parse as" in problem.message
    assert problem.line is not None
    assert abs(problem.line - line) <= 1  # shells count the line past the end differently


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("assets__a_dot_yaml", "a: !Ref b\n---\nc: !!python/object:os.system {}\n"),
        ("assets__a_dot_yaml", "a: {{ value }}\n"),
        ("assets__a_dot_json", "\ufeff{}"),
        ("scripts__a_dot_py", 'print("\\d")\n'),
        ("scripts__a_dot_sh", "[[ $a =~ ^(b|c)$ ]] && cat <<'END'\nif\nEND\n"),
        ("scripts__a_dot_py", "-" * 100_000 + "1"),
        ("assets__a_dot_json", "[" * 100_000),
        ("assets__a_dot_json", "1" * 10_000),
        ("assets__a_dot_toml", "a = " + "[" * 50_000),
    ],
)
def test_what_parses_or_cannot_be_told_passes(name: str, text: str, tmp_path: Path) -> None:
    problems = problems_of(skill(tmp_path, **{name: text}))
    assert [problem for problem in problems if problem.code in ("SKL-10", "RULE-FAILED")] == []


def test_no_program_is_handed_the_variables_that_would_make_it_run_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"touch {tmp_path}/ran\n", encoding="utf-8")
    monkeypatch.setenv("BASH_ENV", str(trap))
    monkeypatch.setenv("ENV", str(trap))
    monkeypatch.setenv("NODE_OPTIONS", f"--require {tmp_path}/trap.js")
    (tmp_path / "trap.js").write_text(f"require('fs').writeFileSync('{tmp_path}/ran', '')", encoding="utf-8")
    folder = skill(
        tmp_path, scripts__a_dot_sh=f"touch {tmp_path}/ran\n`touch {tmp_path}/ran`\n",
        scripts__b_dot_mjs=f"import fs from 'node:fs';\nfs.writeFileSync('{tmp_path}/ran', '');\n",
        scripts__c_dot_js=f"require('fs').writeFileSync('{tmp_path}/ran', '');\n",
        scripts__d_dot_py=f"open('{tmp_path}/ran', 'w')\n",
    )  # fmt: skip
    assert found(folder, "SKL-10") == []
    assert not (tmp_path / "ran").exists()


def test_trust_boundaries_must_say_what_is_read_run_and_written(tmp_path: Path) -> None:
    folder = skill(tmp_path)
    assert found(folder, "TRB-DOC") == []
    assert [problem.message for problem in found(folder, "TRB-DOC", Profile.STRICT)] == [
        "trust-boundaries.md is missing"
    ]
    (folder / "trust-boundaries.md").write_text("It reads menus.", encoding="utf-8")
    (problem,) = found(folder, "TRB-DOC", Profile.STRICT)
    assert problem.message == "trust-boundaries.md does not say what the skill runs and what it writes"

"""The frame of the gate: the table, the runner, the bounds, and fixes that keep every other byte."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillui.checks import run as run_module
from skillui.checks import tree as tree_module
from skillui.checks.fixes.apply import apply_fixes, fixes_by_path
from skillui.checks.profiles import Profile
from skillui.checks.rule import Family, Finding, Rule
from skillui.checks.run import MAX_FINDINGS, RULE_FAILED, check_skill
from skillui.checks.subject import MAX_TEXT, Subject
from skillui.checks.table import CATALOG_RULES, RULES, SKILL_RULES, UnknownRule, codes_of, rule
from skillui.core.problems import Edit, Fix, Problem, Severity
from skillui.core.skill import parse_skill

TEXT = b"---\nname: menus\ndescription: Compares menus. Use when printed.\n---\n# Menus\n"


def subject(directory: str = "/nonexistent", data: bytes = TEXT) -> Subject:
    return Subject(parse_skill(data, "menus", "SKILL.md"), directory)


def test_every_rule_is_documented_and_in_its_family() -> None:
    assert len(RULES) == len(SKILL_RULES) + len(CATALOG_RULES)
    for code, found in RULES.items():
        assert code.startswith(found.family)
        assert not found.title.endswith(".")
        assert len(found.explanation) > 80, code


def test_an_unknown_rule_names_the_closest() -> None:
    with pytest.raises(UnknownRule, match="did you mean SKL-09"):
        rule("SKL-99")
    with pytest.raises(UnknownRule):
        codes_of(["SKL", "nonsense"])
    assert rule("skl-01").code == "SKL-01"
    assert codes_of(["skl-01", " TRB "]) == {"SKL-01", "TRB-DOC"}


def _raising(subject: Subject) -> Iterator[Finding]:
    yield Finding("before it fell")
    raise ValueError("a\x1bfault")


def _endless(subject: Subject) -> Iterator[Finding]:
    while True:
        yield Finding("again")


def _made(check: object, severity: Severity = Severity.WARNING) -> Rule:
    return replace(SKILL_RULES[0], code="RES-99", family=Family.RES, severity=severity, check=check)  # type: ignore[arg-type]


def test_a_rule_that_raises_becomes_a_note_and_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "SKILL_RULES", (_made(_raising), *SKILL_RULES))
    problems = check_skill(subject())
    assert [str(problem.code) for problem in problems if problem.code in ("RES-99", RULE_FAILED)] == [
        "RES-99", RULE_FAILED,
    ]  # fmt: skip
    (failed,) = [problem for problem in problems if problem.code == RULE_FAILED]
    assert failed.severity is Severity.NOTE
    assert "\x1b" not in failed.message


def test_an_endless_rule_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "SKILL_RULES", (_made(_endless),))
    assert len(check_skill(subject())) == MAX_FINDINGS


@pytest.mark.parametrize(
    ("profile", "severity", "own", "expected"),
    [
        (Profile.PORTABLE, Severity.WARNING, None, Severity.WARNING),
        (Profile.GUIDE, Severity.NOTE, None, Severity.ERROR),
        (Profile.GUIDE, Severity.WARNING, Severity.WARNING, Severity.WARNING),
        (Profile.STRICT, Severity.WARNING, None, Severity.ERROR),
        (Profile.STRICT, Severity.NOTE, None, Severity.NOTE),
    ],
)
def test_a_profile_decides_the_severity(
    profile: Profile, severity: Severity, own: Severity | None, expected: Severity
) -> None:
    assert profile.severity(replace(SKILL_RULES[0], severity=severity), own) is expected


def test_files_are_read_within_the_skill_and_within_bounds(tmp_path: Path) -> None:
    folder = tmp_path / "menus"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (folder / "out").symlink_to(tmp_path / "secret")
    (folder / "in").symlink_to("sub/a.txt")
    (folder / "nowhere").symlink_to("gone")
    (folder / "sub/a.txt").write_text("inside", encoding="utf-8")
    (folder / "big.txt").write_bytes(b"x" * (MAX_TEXT + 1))
    (folder / "edge.txt").write_bytes(b"x" * MAX_TEXT)
    (folder / "binary").write_bytes(b"\x7fELF\0\0")
    os.mkfifo(folder / "pipe")
    made = subject(str(folder.resolve()))
    assert made.text("sub/a.txt") == made.text("in") == "inside"
    assert len(made.text("edge.txt") or "") == MAX_TEXT
    for path in ("out", "nowhere", "big.txt", "pipe", "binary", "gone", "../secret", "sub"):
        assert made.text(path) is None, path
    assert {entry.path for entry in made.tree.entries if entry.leaves} == {"out"}
    assert {entry.path for entry in made.tree.entries if entry.dangling} == {"nowhere"}
    assert [entry.path for entry in made.tree.entries if entry.odd] == ["pipe"]


def test_the_tree_is_cut_at_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_module, "MAX_ENTRIES", 10)
    for number in range(20):
        (tmp_path / f"f{number}").touch()
    made = subject(str(tmp_path.resolve()))
    assert made.tree.cut
    assert len(made.tree.entries) == 10


def test_an_unclosed_frontmatter_leaves_the_whole_text_to_the_rules() -> None:
    made = subject(data=b"---\nname: menus\n\n[a](references/a.md)\n")
    assert made.body.first_line == 1
    assert [mention.path for mention in made.mentions("SKILL.md")] == ["references/a.md"]


@given(st.binary(max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 8), st.binary(max_size=5))))
def test_fixes_touch_nothing_but_their_edits(data: bytes, raw: list[tuple[int, int, bytes]]) -> None:
    fixes = [Fix("x", "a", (Edit(start, start + length, new),)) for start, length, new in raw]
    fixed = apply_fixes(data, fixes)
    taken = [fix.edits[0] for fix in fixes if fix.edits[0].end <= len(data)]
    if not taken:
        assert fixed == data
    first = min((edit.start for edit in taken), default=len(data))
    last = max((edit.end for edit in taken), default=0)
    assert fixed.startswith(data[:first])
    assert fixed.endswith(data[last:])


def test_a_fix_is_applied_whole_or_waits() -> None:
    one = Fix("one", "a", (Edit(0, 1, b"X"), Edit(4, 5, b"Y")))
    two = Fix("two", "a", (Edit(4, 6, b"Z"), Edit(8, 9, b"")))
    assert apply_fixes(b"0123456789", [one, two]) == b"X123Y56789"
    shared = [Problem("ENC-01", Severity.WARNING, str(number), "a", fix=one) for number in range(3)]
    assert fixes_by_path(shared) == {"a": [one]}

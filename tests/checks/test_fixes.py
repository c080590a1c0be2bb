"""Fixes: each removes its problem, adds none, and leaves every other byte as it was."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillui.checks.fixes import FixRefused, apply_fix, apply_fixes, diff_of, fixes_by_path
from skillui.checks.fixes.naming import kebab
from skillui.checks.run import check_skill
from skillui.checks.subject import Subject
from skillui.core.problems import Fix, Problem
from skillui.core.skill import ParsedSkill, parse_skill
from skillui.workspace.atomic import write_bytes

NOWHERE = "/nonexistent/skills"
BODY = "\n# Notes\n\nRead the merged changes: then compare.\n"
DESCRIPTION = "description: Compares notes with changes. Use when a release is due.\n"


def parsed(data: bytes, folder: str = "notes") -> ParsedSkill:
    return parse_skill(data, folder, "SKILL.md")


def problems(data: bytes, folder: str = "notes") -> tuple[Problem, ...]:
    return check_skill(Subject(parsed(data, folder), f"{NOWHERE}/{folder}"))


def skill(fields: str, end: str = "\n") -> bytes:
    return f"---\n{fields}---\n{BODY}".replace("\n", end).encode()


def fix_of(data: bytes, code: str, folder: str = "notes") -> Fix:
    fixes = [problem.fix for problem in problems(data, folder) if problem.code == code and problem.fix is not None]
    assert fixes, [(problem.code, problem.message) for problem in problems(data, folder)]
    return fixes[0]


def has_fix(data: bytes, code: str, folder: str = "notes") -> bool:
    return any(problem.fix is not None for problem in problems(data, folder) if problem.code == code)


def told(data: bytes, folder: str) -> Counter[tuple[str, str]]:
    return Counter((problem.code, problem.message) for problem in problems(data, folder))


def leaves_of(fix: Fix) -> list[Fix]:
    return [leaf for choice in fix.choices for leaf in leaves_of(choice)] if fix.choices else [fix]


def assert_outside_edits_same(before: bytes, after: bytes, fix: Fix) -> None:
    at = shift = 0
    for edit in fix.edits:
        assert after[at + shift : edit.start + shift] == before[at : edit.start]
        at, shift = edit.end, shift + len(edit.data) - (edit.end - edit.start)
    assert after[at + shift :] == before[at:]


@pytest.mark.parametrize(
    ("fields", "value"),
    [
        ("description: Use when: a release is due\n", "Use when: a release is due"),
        ('description: Says "yes": and it\'s done\n', 'Says "yes": and it\'s done'),
        ("description: Ends with a colon:\n", "Ends with a colon:"),
        ("description: Compares notes\n  of a release: with changes\n", "Compares notes of a release: with changes"),
        ("description: `notes` are compared\n", "`notes` are compared"),
        ("description: *Notes* are compared\n", "*Notes* are compared"),
        ("description: [BETA] compares notes\n", "[BETA] compares notes"),
        ("description: @notes are compared\n", "@notes are compared"),
        ("description: Vergleicht 日本: Notizen — ünïcode\n", "Vergleicht 日本: Notizen — ünïcode"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_description_that_breaks_the_frontmatter_is_quoted(fields: str, value: str, end: str) -> None:
    before = skill(f"name: notes\n{fields}license: MIT\n", end)
    fix = fix_of(before, "SKL-01")
    after = apply_fixes(before, [fix])
    assert fix.safe
    assert parsed(after).description == value
    assert parsed(after).frontmatter["license"] == "MIT"
    assert parsed(after).valid
    assert_outside_edits_same(before, after, fix)


def test_two_broken_values_are_quoted_by_one_fix() -> None:
    before = skill("name: notes\ndescription: Use when: due\ncompatibility: Needs: git\nmetadata:\n  note: a: b\n")
    after = apply_fixes(before, [fix_of(before, "SKL-01")])
    assert parsed(after).valid
    assert parsed(after).frontmatter["metadata"] == {"note": "a: b"}


@pytest.mark.parametrize(
    "fields",
    [
        'description: "Notes" are: compared\n',
        "description: 'it's\n",
        "description: Notes: of #12 # a comment\n",
        "description: |\n  Notes\n bad: indent\n",
        "description: Notes\n\tmetadata: x\n",
        "description: a\ndescription: b\n",
    ],
)
def test_what_quotes_alone_do_not_repair_has_no_fix(fields: str) -> None:
    assert not has_fix(skill(f"name: notes\n{fields}"), "SKL-01")


@pytest.mark.parametrize("hint", ["[file]", "[file, mode]", '["a b", c]', "[ x ]", "[\n  a,\n  b\n]"])
def test_a_list_as_argument_hint_is_quoted_and_means_the_same(hint: str) -> None:
    before = skill(f"name: notes\n{DESCRIPTION}argument-hint: {hint}\nlicense: MIT\n")
    after = apply_fixes(before, [fix_of(before, "ARGUMENT_HINT_LIST")])
    assert parsed(after).frontmatter == parsed(before).frontmatter
    assert "ARGUMENT_HINT_LIST" not in {problem.code for problem in problems(after)}


def test_a_list_as_description_is_quoted_as_it_is_written() -> None:
    before = skill("name: notes\ndescription: [Compares, notes]\n")
    after = apply_fixes(before, [fix_of(before, "SKL-03")])
    assert parsed(after).description == "[Compares, notes]"


def test_a_byte_order_mark_and_blanks_behind_fences_go() -> None:
    before = b"\xef\xbb\xbf--- \r\n" + f"name: notes\n{DESCRIPTION}---\t\n{BODY}".encode()
    found = problems(before)
    after = apply_fixes(before, fixes_by_path(found)["SKILL.md"])
    assert after == before[3:].replace(b"--- \r", b"---\r").replace(b"---\t\n", b"---\n")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Review Notes", "review-notes"),
        ("reviewNotes", "review-notes"),
        ("review__notes", "review-notes"),
        ("-Café 2-", "cafe-2"),
        ("日本", None),
        ("Notes 日本", None),
        ("!!!", None),
        ("x" * 70, "x" * 64),
        ("word-" * 20, "-".join(["word"] * 13)),
    ],
)
def test_names_in_kebab_case(name: str, expected: str | None) -> None:
    assert kebab(name) == expected


def test_a_name_that_differs_from_its_folder_only_in_form_is_written_like_it() -> None:
    before = skill(f"name: 'Review Notes' # the name\n{DESCRIPTION}")
    fix = fix_of(before, "SKL-02", "review-notes")
    after = apply_fixes(before, [fix])
    assert fix.safe
    assert parsed(after, "review-notes").valid
    assert b"# the name\n" in after


def test_a_name_and_folder_of_one_bad_form_change_together() -> None:
    fix = fix_of(skill(f"name: Review Notes\n{DESCRIPTION}"), "SKL-02", "Review Notes")
    assert not fix.safe
    assert fix.rename is not None
    assert fix.rename.new == "review-notes"


def test_a_mismatch_asks_which_name_is_meant() -> None:
    before = skill(f"name: old-notes\n{DESCRIPTION}")
    fix = fix_of(before, "SKL-01")
    assert not fix.safe
    assert [choice.title for choice in fix.choices] == ["write the name as notes", "rename the folder to old-notes"]
    assert fixes_by_path(problems(before)) == {}


@pytest.mark.parametrize("folder", ["123", "true", "on", "1-2"])
def test_a_name_that_yaml_takes_for_something_else_is_quoted(folder: str) -> None:
    fix = fix_of(skill(f"name: other\n{DESCRIPTION}"), "SKL-01", folder)
    after = apply_fixes(skill(f"name: other\n{DESCRIPTION}"), [fix.choices[0]])
    assert f'name: "{folder}"\n'.encode() in after


def test_keys_that_nobody_reads_become_comments_with_all_their_lines() -> None:
    before = skill(
        f"name: notes\n{DESCRIPTION}tags:\n  - a\n\n  # aside\n  - b\nversion: 1.0.0\nauthor: >\n  me: too\n"
        "license: MIT\n"
    )
    fix = fix_of(before, "SKL-04")
    after = apply_fixes(before, [fix])
    assert fix.safe
    assert parsed(after).frontmatter == {
        key: value for key, value in parsed(before).frontmatter.items() if key not in ("tags", "author")
    }
    assert b"# tags:\n#   - a\n\n#   # aside\n#   - b\nversion" in after
    assert_outside_edits_same(before, after, fix)


@pytest.mark.parametrize("key", ["effort: high", "hooks: {}", "when_to_use: now"])
def test_a_key_that_some_client_reads_is_only_taken_away_after_asking(key: str) -> None:
    fix = fix_of(skill(f"name: notes\n{DESCRIPTION}{key}\n"), "SKL-04")
    assert fix.asks
    assert not fix.safe


@pytest.mark.parametrize(
    "key",
    ["disable-model-invocation: true", "user-invocable: false", "arguments: {a: {}}", "argument-hint: x",
     "version: 1.0.0", "allowed_tools: Read", "allowedTools: Read", "Metadata: {}"],
)  # fmt: skip
def test_a_key_that_the_engine_reads_or_that_is_a_field_misspelt_stays(key: str) -> None:
    assert not has_fix(skill(f"name: notes\n{DESCRIPTION}{key}\n"), "SKL-04")


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        ("allowed-tools: Read, Grep,Bash(git log:*)\n", "allowed-tools: Read Grep Bash(git log:*)\n"),
        ("allowed-tools:\n  - Read\n  - Grep\n", "allowed-tools: Read Grep\n"),
        ("allowed-tools: [Read, 'Bash(git log:*)']\n", "allowed-tools: Read Bash(git log:*)\n"),
        ('allowed-tools: "Read, Grep"\n', "allowed-tools: Read Grep\n"),
    ],
)
def test_tools_are_written_with_blanks_between_them(tools: str, expected: str) -> None:
    before = skill(f"name: notes\n{DESCRIPTION}{tools}license: MIT\n")
    after = apply_fixes(before, [fix_of(before, "YML-01")])
    assert after == before.replace(tools.encode(), expected.encode())
    assert parsed(after).allowed_tools == parsed(before).allowed_tools


@pytest.mark.parametrize(
    "tools",
    ["allowed-tools:\n  - Read # why\n  - Grep\n", "allowed-tools:\n  - My Tool\n", "allowed-tools: Read Grep\n"],
)
def test_tools_that_would_change_or_lose_a_comment_stay(tools: str) -> None:
    assert not has_fix(skill(f"name: notes\n{DESCRIPTION}{tools}"), "YML-01")


# Lines of frontmatter that are nearly right, put together at random.
LINES = st.sampled_from([
    "name: notes", "name: Notes", "name: 'No Tes'", "name: other-name", "name: 日本", "name: {a: b}",
    "name: |\n  notes",
    "description: Compares notes. Use when due.", "description: Use when: due", "description: \"a\": b",
    "description: [x]", "description: 'it''s' x", "description: >\n  Folded: text\n  more", "description: `x`",
    "description: a\n  b: c\n  d", "description: {x: y} z", "description: a #1 b: c", "description:   ",
    "description: é: ü", "argument-hint: [a, b]", "argument-hint: [a] [b]", "argument-hint: {a: b}",
    "argument-hint: [\"x: y\"]", "effort: high", "tags: [a, b]", "tags:\n  - a\n  - b", "author: |\n  x\n\n  y",
    "author: x # y", "hooks:\n  a: {b: c}", "allowed-tools: Read, Grep", "allowed-tools:\n- Read\n- \"Bash(a b:*)\"",
    "allowed-tools: [Read]", "allowed-tools: '*'", "allowed-tools: Read,\n  Grep", "version: 1.10", "metadata: {a: b}",
    "metadata:\n  a: b: c", "# a comment", "", "license: MIT", "user-invocable: false", "arguments: {a: {}}", "? x",
    "- y", "key:value", "\tx: y", "*x: y", "compatibility: [git]",
])  # fmt: skip
TEXTS = st.builds(
    lambda mark, fence, lines, end: (mark + fence + "\n" + "\n".join(lines) + "\n---\n" + BODY).replace("\n", end),
    st.sampled_from(["", "\ufeff"]), st.sampled_from(["---", "--- "]), st.lists(LINES, max_size=7),
    st.sampled_from(["\n", "\r\n"]),
)  # fmt: skip


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, st.sampled_from(["notes", "No Tes", "other", "other-name"]))
def test_every_fix_removes_its_problem_and_adds_none(text: str, folder: str) -> None:
    before = text.encode()
    first = told(before, folder)
    was_broken = not parsed(before, folder).nodes
    for problem in problems(before, folder):
        for fix in leaves_of(problem.fix) if problem.fix is not None else ():
            after = apply_fixes(before, [fix])
            name = folder if fix.rename is None else fix.rename.new
            assert_outside_edits_same(before, after, fix)
            assert parsed(after, name).body == parsed(before, folder).body
            then = told(after, name)
            assert then[problem.code, problem.message] < first[problem.code, problem.message]
            if not was_broken:  # broken frontmatter hides the problems of its fields
                codes = Counter(code for code, _ in then)
                codes.subtract(code for code, _ in first)
                if not parsed(before, folder).description:  # nothing of it could be judged
                    codes -= Counter({"DSC-01": 1})
                assert all(count <= 0 for count in codes.values()), (fix.title, then - first)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_all_safe_fixes_together_leave_a_text_with_nothing_to_fix_within_a_few_rounds(text: str) -> None:
    data = text.encode()
    for _ in range(8):
        fixes = fixes_by_path(problems(data)).get("SKILL.md", [])
        if not fixes:
            break
        after = apply_fixes(data, fixes)
        assert after != data
        data = after
    else:
        pytest.fail("fixes never end")


def laid_out(root: Path, data: bytes, folder: str = "notes") -> str:
    (root / folder).mkdir()
    (root / folder / "SKILL.md").write_bytes(data)
    return str(root / folder)


def test_a_fix_is_written_whole_and_keeps_the_mode(tmp_path: Path) -> None:
    before = b"\xef\xbb\xbf" + skill(f"name: notes\n{DESCRIPTION}", "\r\n")
    folder = laid_out(tmp_path, before)
    os.chmod(f"{folder}/SKILL.md", 0o640)
    assert apply_fix(fix_of(before, "ENC-01"), folder, write_bytes) == os.path.realpath(folder)
    assert Path(folder, "SKILL.md").read_bytes() == before[3:]
    assert os.stat(f"{folder}/SKILL.md").st_mode & 0o777 == 0o640


def test_a_file_that_changed_since_is_not_touched(tmp_path: Path) -> None:
    before = b"\xef\xbb\xbf" + skill(f"name: notes\n{DESCRIPTION}")
    folder = laid_out(tmp_path, before + b"more\n")
    with pytest.raises(FixRefused, match="has changed"):
        apply_fix(fix_of(before, "ENC-01"), folder, write_bytes)
    assert apply_fixes(before + b"more\n", [fix_of(before, "ENC-01")]) == before + b"more\n"
    assert Path(folder, "SKILL.md").read_bytes() == before + b"more\n"


def test_a_chosen_renaming_moves_the_folder_and_never_over_another(tmp_path: Path) -> None:
    before = skill(f"name: old-notes\n{DESCRIPTION}")
    folder = laid_out(tmp_path, before)
    fix = fix_of(before, "SKL-01")
    with pytest.raises(FixRefused, match="several ways"):
        apply_fix(fix, folder, write_bytes)
    (tmp_path / "old-notes").mkdir()
    with pytest.raises(FixRefused, match="is there already"):
        apply_fix(fix.choices[1], folder, write_bytes)
    (tmp_path / "old-notes").rmdir()
    assert apply_fix(fix.choices[1], folder, write_bytes) == str(tmp_path / "old-notes")
    assert (tmp_path / "old-notes" / "SKILL.md").read_bytes() == before


def test_a_renaming_that_fails_takes_the_edits_back(tmp_path: Path) -> None:
    before = skill(f"name: Old Notes\n{DESCRIPTION}")
    folder = laid_out(tmp_path, before, "Old Notes")
    fix = fix_of(before, "SKL-02", "Old Notes")
    assert fix.edits
    assert fix.rename is not None

    def refuse(old: str, new: str) -> None:
        raise PermissionError(13, "Permission denied", old)

    with pytest.raises(PermissionError):
        apply_fix(fix, folder, write_bytes, refuse)
    assert Path(folder, "SKILL.md").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["Old Notes"]


def test_a_name_that_is_taken_is_not_offered(tmp_path: Path) -> None:
    before = skill(f"name: old-notes\n{DESCRIPTION}")
    folder = laid_out(tmp_path, before)
    laid_out(tmp_path, before, "old-notes")
    found = check_skill(Subject(parsed(before), folder))
    fix = next(problem.fix for problem in found if problem.code == "SKL-01")
    assert fix is not None
    assert [choice.title for choice in fix.choices] == ["write the name as notes"]


def test_a_link_out_of_the_skill_is_not_written_through(tmp_path: Path) -> None:
    before = b"\xef\xbb\xbf" + skill(f"name: notes\n{DESCRIPTION}")
    outside = tmp_path / "outside.md"
    outside.write_bytes(before)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "SKILL.md").symlink_to(outside)
    with pytest.raises(FixRefused, match="leads out"):
        apply_fix(fix_of(before, "ENC-01"), str(tmp_path / "notes"), write_bytes)
    assert outside.read_bytes() == before


def test_the_diff_shows_the_lines_that_change() -> None:
    before = skill("name: notes\ndescription: Use when: due\n")
    diff = diff_of(fix_of(before, "SKL-01"), before.decode())
    assert '-description: Use when: due\n+description: "Use when: due"\n' in diff
    renamed = fix_of(skill(f"name: Notes X\n{DESCRIPTION}"), "SKL-02", "Notes X")
    shown = diff_of(renamed, skill(f"name: Notes X\n{DESCRIPTION}").decode())
    assert shown.startswith("rename Notes X to notes-x\n--- a/SKILL.md\n")

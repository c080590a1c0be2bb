"""The authoring rules at their edges: arguments, descriptions, resources, encoding, values of YAML, rivals, shadows."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from skillui.checks.rivals import rivals_of
from skillui.checks.run import check_catalog, check_skill
from skillui.checks.subject import Subject
from skillui.core.catalog import BrokenSkill, Catalog, SkillEntry, assemble
from skillui.core.problems import ErrorCode, Problem, Severity
from skillui.core.skill import parse_skill
from skillui.core.substitution import substitute

NAME_LINE = "name: notes\n"
DESCRIPTION = "description: Compares notes with changes. Use when a release is due.\n"
FIELDS = NAME_LINE + DESCRIPTION
ARGUMENTS = "arguments:\n  path: {required: true}\n  mode: {}\n"


def found(code: str, fields: str = FIELDS, body: str = "", directory: str = "/nonexistent/notes") -> list[Problem]:
    data = f"---\n{fields}---\n{body}".encode()
    problems = check_skill(Subject(parse_skill(data, "notes", "SKILL.md"), directory))
    assert "RULE-FAILED" not in {problem.code for problem in problems}
    return [problem for problem in problems if problem.code == code]


def lines(problems: list[Problem]) -> list[int | None]:
    return [problem.line for problem in problems]


# ARG-01


def test_a_declared_argument_that_nothing_uses_is_told_at_its_declaration() -> None:
    problems = found("ARG-01", FIELDS + ARGUMENTS, "Read ${path}.\n")
    assert [(problem.line, problem.column) for problem in problems] == [(6, 3)]
    assert "'mode'" in problems[0].message


@pytest.mark.parametrize(
    "body", ["Take $ARGUMENTS.", "${path} ${mode}", "$path and $mode", "```sh\nx ${path} ${mode}\n```"]
)
def test_arguments_that_are_used_in_any_form_are_clean(body: str) -> None:
    assert found("ARG-01", FIELDS + ARGUMENTS, body) == []


def test_an_undeclared_placeholder_hints_at_the_likely_name() -> None:
    problems = found("ARG-01", FIELDS + ARGUMENTS, "Read ${path} in ${mode}, then ${paht}.\n")
    assert len(problems) == 1
    assert problems[0].hint == "did you mean `${path}`?"


@pytest.mark.parametrize(
    "text",
    [
        "${HOME}",
        "${CLAUDE_SKILL_DIR}/x",
        "${x:-y}",
        "```js\nlet a = `${name}`\n```",
        "```sh\nfile=1; echo ${file}\n```",
        "```sh\nfor file in *; do echo ${file}; done\n```",
    ],
)
def test_what_belongs_to_a_shell_or_another_language_is_no_undeclared_argument(text: str) -> None:
    assert found("ARG-01", FIELDS + ARGUMENTS, f"${{path}} ${{mode}}\n{text}\n") == []


def test_numbers_beside_names_are_told_once() -> None:
    assert lines(found("ARG-01", FIELDS + ARGUMENTS, "${path} ${mode}\n$1 and $2\n")) == [9]


@pytest.mark.parametrize("body", ["$1 and $2 and $3", "$1", "costs $5 or $7.50", "$ARGUMENTS[0] $ARGUMENTS[1]", "$0"])
def test_numbers_without_a_gap_are_clean(body: str) -> None:
    assert found("ARG-01", FIELDS, body) == []


@pytest.mark.parametrize("body", ["$1 and\n$3", "$ARGUMENTS[0] and\n$ARGUMENTS[2]"])
def test_a_gap_is_told_where_it_is_jumped_over(body: str) -> None:
    assert lines(found("ARG-01", FIELDS, body)) == [6]


# ARG-02


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("Compare $1", "second in Claude Code"),
        ("Run $0", "first argument in Claude Code"),
        ("See $ARGUMENTS[0]", "behind in OpenCode 1"),
        ("Read $path ${mode}", "the argument of that name in Claude Code"),
    ],
)
def test_each_form_says_what_it_means_where(body: str, words: str) -> None:
    fields = FIELDS + (ARGUMENTS if "path" in body else "")
    problems = found("ARG-02", fields, body)
    assert len(problems) == 1
    assert words in problems[0].message


@pytest.mark.parametrize(
    "body",
    ["$ARGUMENTS", "${path} ${mode}", "`awk '{print $1}'`", "$5 a month", "$PATH $HOME", "US$0.50", "$0.005 each"],
)
def test_forms_that_mean_one_thing_or_are_no_placeholders_are_clean(body: str) -> None:
    assert found("ARG-02", FIELDS + (ARGUMENTS if "path" in body else ""), body) == []


# ARG-03


@pytest.mark.parametrize(
    "body",
    [
        "```bash\nps | awk '{print $2}'\n```",
        "Run `awk -F: '{print $1}' x`",
        "It costs $5.00.",
        "about $5/month",
        "$2M ARR",
        "```awk\n{ print $3 }\n```",
        '```bash\nf() {\n  echo "$1"\n}\n```',
        "```sql\nSELECT * FROM a WHERE b = $1\n```",
        "```js\ndb.query('x = $1')\n```",
        "```bash\nawk '\n  { n += $4 }\n  END { print n }' x\n```",
        "`perl -pe 's/(a)/$1/'`",
        '```bash\necho "run \\$1" > x\n```',
        "under $10 a day",
    ],
)
def test_what_reads_as_code_or_a_price_is_told_for_the_engine_would_replace_it(body: str) -> None:
    replaced = substitute(body, " ".join("abcdefghijkl"))
    assert replaced.body != body
    assert len(found("ARG-03", FIELDS, body)) == 1


@pytest.mark.parametrize(
    "body",
    [
        "```bash\ngh pr view $1\n```",
        "`git show $1`",
        "```\n$1 is the file\n```",
        "```awk\n{ print $(1) }\n```",
        "$ARGUMENTS",
        '```bash\nf() { echo "${1}" "$@" "$#"; }\n```',
        "```bash\necho $HOME $$ $?\n```",
        "$500 or $1000 a month",
    ],
)
def test_arguments_and_what_is_never_replaced_are_clean(body: str) -> None:
    assert found("ARG-03", FIELDS, body) == []


def test_a_declared_name_that_a_shell_block_sets_itself_is_told() -> None:
    body = "${path} ${mode}\n```bash\nfor path in *; do cat ${path}; done\n```\n"
    assert lines(found("ARG-03", FIELDS + ARGUMENTS, body)) == [10]


# DSC-01


@pytest.mark.parametrize(
    "text",
    [
        "Helps with notes.",
        "TODO",
        "A skill",
        "Complete and informative explanation TODO write it later on",
        "Compares the notes of a release with the merged changes of a branch.",
    ],
)
def test_stubs_and_descriptions_without_a_when_are_told(text: str) -> None:
    assert lines(found("DSC-01", f"{NAME_LINE}description: {text}\n")) == [3]


@pytest.mark.parametrize(
    "text",
    [
        "Drafts notes. Use this skill whenever the user asks for a changelog.",
        "Must be loaded before any edit of the notes.",
        "Guides the review of a branch if somebody wants to merge it.",
        "Ideal for teams that ship on a Friday evening.",
        "Invoke on demand to draft the notes of a release.",
        "Notes of releases. Triggers: changelog, release, notes.",
        "This is designed for writing the notes of a release.",
        "Applies to any request about release notes here.",
        "Vergleicht die Notizen mit den Änderungen des Zweigs.",
        "比较发布说明",
        "リリースノートを作成する",
        "Compara las notas de la versión con los cambios.",
        "Сравнивает заметки",
        "Porównuje notatki wydania z gałęzią",
    ],
)
def test_descriptions_that_say_when_or_are_in_another_language_are_clean(text: str) -> None:
    assert found("DSC-01", f'{NAME_LINE}description: "{text}"\n') == []


@pytest.mark.parametrize("key", ["disable-model-invocation: true", "when_to_use: for notes", "paths: ['*.md']"])
def test_the_when_may_stand_elsewhere_or_not_matter(key: str) -> None:
    assert found("DSC-01", f"{NAME_LINE}description: Compares the notes of a release with changes.\n{key}\n") == []


# RES-01


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "notes"
    made.mkdir()
    return made


def write(folder: Path, path: str, text: str = "x\n") -> None:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "body",
    [
        "See `references/list.md`.",
        "See list.md.",
        "All of references/ matters.",
        "Pick `references/*.md`.",
        "See the references folder.",
        "See references/<topic>.md.",
        "See references\\list.md",
        "See [it](./references/list.md#top).",
        "Read references/list",
    ],
)
def test_a_file_that_is_named_in_some_way_is_clean(folder: Path, body: str) -> None:
    write(folder, "references/list.md")
    assert found("RES-01", FIELDS, body, str(folder)) == []


@pytest.mark.parametrize("body", ["", "See references/other.md.", "These references help.", "See checklist.md."])
def test_a_file_that_nothing_names_is_told_at_its_path(folder: Path, body: str) -> None:
    write(folder, "references/list.md", "# list.md\n")
    assert [problem.path for problem in found("RES-01", FIELDS, body, str(folder))] == ["references/list.md"]


def test_mentions_in_references_and_scripts_count(folder: Path) -> None:
    write(folder, "references/a.md", "Then assets/form.txt.")
    write(folder, "scripts/run.py", "from helpers import load\nload('data.bin')\n")
    write(folder, "scripts/helpers.py", "x = 1\n")
    write(folder, "assets/form.txt")
    write(folder, "assets/data.bin")
    assert found("RES-01", FIELDS, "Read references/a.md and run scripts/run.py.", str(folder)) == []


@pytest.mark.parametrize(
    "path",
    [
        "LICENSE.txt",
        "README.md",
        "CHANGELOG.md",
        "scripts/__init__.py",
        ".gitignore",
        "package.json",
        "tests/test_a.py",
        "scripts/a.test.ts",
        "requirements-dev.txt",
        "agents/openai.yaml",
        "trust-boundaries.md",
        "inner/SKILL.md",
    ],
)
def test_files_that_need_no_mention_are_clean(folder: Path, path: str) -> None:
    write(folder, path)
    write(folder, "inner/SKILL.md", "---\nname: inner\n---\n")
    write(folder, "inner/deep/x.md")
    assert found("RES-01", FIELDS, "", str(folder)) == []


def test_many_lost_files_of_one_folder_are_told_together(folder: Path) -> None:
    for number in range(40):
        write(folder, f"fonts/font{number:02}.txt")
    problems = found("RES-01", FIELDS, "", str(folder))
    assert len(problems) == 1
    assert "40 files in fonts/" in problems[0].message


# ENC-01


def encoded(data: bytes, directory: str = "/nonexistent/notes") -> list[Problem]:
    problems = check_skill(Subject(parse_skill(data, "notes", "SKILL.md"), directory))
    return [problem for problem in problems if problem.code == "ENC-01"]


def test_line_ends_and_marks_are_told_once_each() -> None:
    plain = f"---\n{FIELDS}---\nText\n".encode()
    assert encoded(plain) == []
    assert [problem.line for problem in encoded(plain.replace(b"\n", b"\r\n"))] == [1]
    mixed = encoded(plain.replace(b"due.\n", b"due.\r\n"))
    assert [problem.line for problem in mixed] == [3]
    assert "1 of 5 lines" in mixed[0].message
    assert [problem.fix is not None for problem in encoded(b"\xef\xbb\xbf" + plain)] == [True]
    assert [problem.line for problem in encoded(plain + b"a\rb\n")] == [6]


def test_blanks_behind_each_fence_are_told_and_those_of_a_rule_in_the_body_are_not() -> None:
    data = f"--- \n{FIELDS}---\t \nText\n\n--- \n".encode()
    assert [(problem.line, problem.column) for problem in encoded(data)] == [(1, 4), (4, 4)]


def test_a_script_whose_first_line_names_no_program_is_told(folder: Path) -> None:
    write(folder, "run.sh", "")
    (folder / "run.sh").write_bytes(b"#!/bin/sh\r\necho\r\n")
    (folder / "mark.py").write_bytes(b"\xef\xbb\xbf#!/usr/bin/env python3\n")
    (folder / "win.bat").write_bytes(b"echo\r\n")
    problems = encoded(f"---\n{FIELDS}---\nrun.sh mark.py win.bat\n".encode(), str(folder))
    assert [(problem.path, problem.fix is not None) for problem in problems] == [("mark.py", True), ("run.sh", False)]


# YML-01


@pytest.mark.parametrize(
    "value",
    [
        "yes",
        "No",
        "on",
        "OFF",
        "y",
        "1.10",
        "2.0",
        "012",
        "0o14",
        "2026-01-02",
        "2026-01-02T10:00:00Z",
        "12:30:00",
        "1:30",
        "1_000",
        "1e3",
        "12345678901234567890",
        "text #12 more",
    ],
)
def test_values_that_readers_see_otherwise_are_told_on_their_line(value: str) -> None:
    assert lines(found("YML-01", f"{FIELDS}metadata:\n  a: b\n  c: {value}\n")) == [6]


@pytest.mark.parametrize(
    "value",
    [
        '"yes"',
        "'1.10'",
        '"2026-01-02"',
        "true",
        "null",
        "1",
        "1.5",
        "0.2.0",
        "0",
        "v1.10",
        "yes please",
        "http://a.b/c",
        "a:b",
        "text # a comment",
        "C#",
        "2026",
        "12:30 o'clock",
        "-1",
        "0x1F",
        "1.2.3",
        '"#12"',
    ],
)
def test_values_that_all_readers_agree_on_are_clean(value: str) -> None:
    assert found("YML-01", f"{FIELDS}metadata:\n  a: b\n  c: {value}\n") == []


def test_keys_and_near_misses_of_colons_and_comments_are_told() -> None:
    assert lines(found("YML-01", f"{FIELDS}on: push\n")) == [4]
    assert lines(found("YML-01", f"{FIELDS}metadata: {{version:1.0}}\n")) == [4]
    assert lines(found("YML-01", f"{NAME_LINE}description: Use when the header ## [date] is read\n")) == [3]
    assert found("YML-01", f"{NAME_LINE}description: Use when due. # the owner's words\n") == []


def test_tools_in_another_form_are_a_note() -> None:
    (problem,) = found("YML-01", f"{FIELDS}allowed-tools: Read, Grep\n")
    assert problem.severity is Severity.NOTE
    assert found("YML-01", f"{FIELDS}allowed-tools: Read Bash(git log:*, x)\n") == []


# DSC-02 and CAT-01


def entry(name: str, description: str, root: int = 0, **fields: object) -> SkillEntry:
    place = f"/skills/{root}/{name}"
    return SkillEntry(name, description, place, root, dict(fields), location=place)


def test_rivals_name_each_other_and_hidden_skills_are_no_rivals() -> None:
    text = "Compares release notes with the merged changes. Use when a release is being prepared."
    catalog = Catalog((
        entry("a", text),
        entry("b", text + " Today."),
        entry("c", "Resizes photographs for the web. Use when a gallery loads slowly."),
        entry("d", text, **{"disable-model-invocation": True}),
    ))  # fmt: skip
    told = check_catalog(catalog)
    assert set(told) == {"/skills/0/a", "/skills/0/b"}
    assert "'b'" in told["/skills/0/a"][0].message


def test_a_short_description_within_a_long_one_is_no_rival() -> None:
    short = "Compares release notes with changes"
    assert rivals_of([short, short + " and drafts mail, resizes pictures, plans travel, pays bills, books rooms"]) == {}


def test_ten_thousand_descriptions_take_seconds_even_where_all_are_alike() -> None:
    start = time.monotonic()
    rivals = rivals_of(
        [f"Guide for topic{n}. Use when the user asks for help with it in a project." for n in range(10_000)]
    )
    assert len(rivals) == 10_000
    assert time.monotonic() - start < 30


def test_shadows_are_told_on_both_sides_and_a_broken_one_in_front_too() -> None:
    broken = BrokenSkill("b", "/skills/0/b", 0, ErrorCode.INVALID_FRONTMATTER, "broken", {}, location="/skills/0/b")
    catalog = assemble([entry("a", "x", 0), entry("a", "x", 1), broken, entry("b", "y", 1), entry("c", "z", 1)])
    told = {
        place: [problem.message for problem in problems if problem.code == "CAT-01"]
        for place, problems in check_catalog(catalog).items()
    }
    assert told == {
        "/skills/0/a": ["shadows another skill of its name: /skills/1/a"],
        "/skills/1/a": ["shadowed by /skills/0/a: it is never used"],
        "/skills/0/b": ["it is broken, and /skills/1/b is used in its place"],
        "/skills/1/b": ["stands in for a broken skill of its name: /skills/0/b"],
    }


# Hostile text


@pytest.mark.parametrize(
    "body",
    [
        "$1" * 200_000,
        "$5 " * 200_000,
        "${a} " * 100_000,
        "```bash\n" + "echo $1 '\n" * 50_000,
        "awk '" + "$1" * 100_000,
        "$ARGUMENTS[" * 50_000,
        "a/" * 200_000,
        "`" * 300_000,
    ],
    ids=range(8),
)
def test_hostile_bodies_are_looked_at_in_a_few_seconds(folder: Path, body: str) -> None:
    write(folder, "lost.txt")
    start = time.monotonic()
    for code in ("ARG-01", "ARG-02", "ARG-03", "RES-01", "DSC-01"):
        data = f"---\n{FIELDS}{ARGUMENTS}---\n{body}".encode()
        subject = Subject(parse_skill(data, "notes", "SKILL.md"), str(folder))
        check_skill(subject, select=frozenset({code}))
    assert time.monotonic() - start < 15

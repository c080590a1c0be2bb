"""Each frontmatter field: what is taken, what is warned of, what is refused, and where it stands."""

from __future__ import annotations

from typing import Any

import pytest

from skillui.core.problems import ErrorCode, Problem, Severity
from skillui.core.reading import Argument
from tests.core.skills import parsed, parsed_with


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version: 1.10", "1.10"),
        ("version: 1.2.3-beta+5", "1.2.3-beta+5"),
        ("license: 0x1F", "0x1F"),
        ("license: yes", "yes"),
        ("compatibility: true", "true"),
        ("argument-hint: '[path] [--fix]'", "[path] [--fix]"),
        ("argument-hint: [a, {b: [c]}]", "[a, {b: [c]}]"),
        ("metadata: {a: 1.10, b: true, c: 012, e: ~}", {"a": "1.10", "b": "true", "c": "012", "e": "~"}),
        ("metadata: {a: {b: 1.0}, c: [2.0]}", {"a": {"b": "1.0"}, "c": ["2.0"]}),
        ("allowed-tools: Bash(git log:*), Read  Grep", ["Bash(git log:*)", "Read", "Grep"]),
        ("allowed-tools: 'A(b(c, d) e), F'", ["A(b(c, d) e)", "F"]),
        ("allowed-tools: [Read, 'Bash(a, b)']", ["Read", "Bash(a, b)"]),
        ("allowed-tools: ''", []),
        ("disable-model-invocation: True", True),
        ("user-invocable: FALSE", False),
        ("hooks: {a: [1, 0x10, 0o17, 1.5, null, yes, on, 2024-01-01, 012]}",
         {"a": [1, 16, 15, 1.5, None, "yes", "on", "2024-01-01", 12]}),
    ],
)  # fmt: skip
def test_a_value_is_taken_as_it_is_meant(field: str, value: Any) -> None:
    skill = parsed_with(field)
    assert skill.valid, skill.problems
    assert skill.frontmatter[field.split(":")[0]] == value


def only(field: str) -> Problem:
    problems = parsed_with(field).problems
    assert len(problems) == 1, problems
    return problems[0]


@pytest.mark.parametrize(
    ("field", "code", "words"),
    [
        ("version: 1.2", "VERSION_NOT_SEMVER", "'1.2' is not a semantic version"),
        ("version: ''", "EMPTY_FIELD", "'version' is empty"),
        ("license:", "EMPTY_FIELD", "'license' is empty"),
        ("compatibility: ' '", "EMPTY_FIELD", "'compatibility' is empty"),
        ("argument-hint: ~", "EMPTY_FIELD", "'argument-hint' is empty"),
        ("argument-hint: [file]", "ARGUMENT_HINT_LIST", "[file]"),
        ("metadata:", "EMPTY_FIELD", "'metadata' is empty"),
        ("metadata: {a: [1], b: [2]}", "NESTED_METADATA", "metadata 'a' is a list or mapping"),
        ("allowed-tools:", "EMPTY_FIELD", "'allowed-tools' is empty"),
        ("allowed-tools: Bash(git", "UNBALANCED_PARENTHESES", "unbalanced"),
        ("allowed-tools: a) (b", "UNBALANCED_PARENTHESES", "unbalanced"),
        ("allowed-tools: ['a(']", "UNBALANCED_PARENTHESES", "unbalanced"),
        ("arguments:", "EMPTY_FIELD", "'arguments' is empty"),
        ("arguments: {a: {type: integer}}", "ARGUMENT_TYPE", "has type 'integer'"),
        ("arguments: {a: {type: [string]}}", "ARGUMENT_TYPE", "has type 'a list or mapping'"),
    ],
)
def test_a_doubtful_value_is_a_warning(field: str, code: str, words: str) -> None:
    problem = only(field)
    assert (problem.severity, problem.code) == (Severity.WARNING, code)
    assert words in problem.message
    assert problem.hint is not None
    assert problem.line == 4
    assert parsed_with(field).valid


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("version: [1]", "'version' is a list, not text"),
        ("license: {a: b}", "'license' is a mapping, not text"),
        ("argument-hint:\n- a", "'argument-hint' is a list"),
        ("argument-hint: {a: b}", "'argument-hint' is a mapping"),
        (f"argument-hint: {'x' * 201}", "201 characters, past the limit of 200"),
        (f"argument-hint: [{'x' * 199}]", "201 characters, past the limit of 200"),
        (f"compatibility: {'x' * 501}", "501 characters, past the limit of 500"),
        ("metadata: text", "'metadata' is not a mapping"),
        ("metadata: [a]", "'metadata' is not a mapping"),
        ("disable-model-invocation: 'true'", "neither true nor false but 'true'"),
        ("disable-model-invocation: yes", "neither true nor false but 'yes'"),
        ("disable-model-invocation:", "neither true nor false but ''"),
        ("user-invocable: [true]", "neither true nor false but 'a list or mapping'"),
        ("allowed-tools: 3", "neither text nor a list of text"),
        ("allowed-tools: {a: b}", "neither text nor a list of text"),
        ("allowed-tools: [Read, 3]", "something that is not text"),
        ("allowed-tools: [[Read]]", "something that is not text"),
        ("arguments: a a", "'a' is declared twice"),
        ("arguments: [[a]]", "lists something that is not a name"),
        ("arguments: [~]", "lists something that is not a name"),
        ("arguments: ['a b']", "'a b' cannot be the name of an argument"),
        ("arguments: {'$a': }", "'$a' cannot be the name of an argument"),
        ("arguments: a,b", "'a,b' cannot be the name of an argument"),
        ("arguments: {a: text}", "neither a mapping nor nothing"),
        ("arguments: {a: {required: yes}}", "'required' of argument 'a' is neither true nor false"),
        (f"hooks: [{'9' * 4301}]", "more than 4,300 digits"),
    ],
)
def test_a_wrong_value_is_an_error(field: str, words: str) -> None:
    skill = parsed_with(field)
    assert [problem.code for problem in skill.errors] == [ErrorCode.INVALID_FRONTMATTER]
    problem = skill.errors[0]
    assert words in problem.message
    assert problem.hint is not None
    assert problem.line in (4, 5)
    assert problem.field == field.split(":")[0]


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("", None),
        ("arguments: ~", None),
        ("arguments: ''", ()),
        ("arguments: {}", ()),
        ("arguments: path  mode", (Argument("path"), Argument("mode"))),
        ("arguments: [path, 3]", (Argument("path"), Argument("3"))),
        ("arguments: {path: , mode: ~}", (Argument("path"), Argument("mode"))),
        (
            "arguments: {path: {type: string, required: true, description: Where}, mode: {required: FALSE}}",
            (Argument("path", True, "Where"), Argument("mode")),
        ),
        ("arguments: {path: {description: ~}, mode: {description: [x]}}", (Argument("path"), Argument("mode"))),
    ],
)
def test_declared_arguments(field: str, arguments: tuple[Argument, ...] | None) -> None:
    skill = parsed_with(field)
    assert skill.valid, skill.problems
    assert skill.arguments == arguments


class TestRequired:
    @pytest.mark.parametrize("value", ["", " ~", " null", " ''", " '  '", " # all of it a comment"])
    def test_an_empty_name_or_description_is_missing(self, value: str) -> None:
        for text in (f"name:{value}\ndescription: d\n", f"name: foo\ndescription:{value}\n"):
            (problem,) = parsed(text).errors
            assert "is missing or empty" in problem.message
            assert problem.hint is not None

    def test_all_that_is_missing_is_told_gravest_and_required_first(self) -> None:
        skill = parsed("version: x\nlicense: [1]\n")
        assert [problem.field for problem in skill.problems] == ["name", "description", "license", "version"]
        assert [problem.line for problem in skill.problems] == [1, 1, 3, 2]
        assert (skill.name, skill.description) == ("foo", "")

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("Foo", "not lowercase-kebab-case"),
            ("foo--bar", "not lowercase-kebab-case"),
            ("-foo", "not lowercase-kebab-case"),
            ("'foo\n\n'", "not lowercase-kebab-case"),
            ("fóo", "not lowercase-kebab-case"),
            ("a" * 65, "65 characters, past the limit of 64"),
        ],
    )
    def test_a_bad_name(self, name: str, words: str) -> None:
        skill = parsed(f"name: {name}\ndescription: d\n")
        assert words in skill.errors[0].message
        assert skill.errors[-1].code is ErrorCode.NAME_MISMATCH

    def test_a_name_that_is_not_the_folders(self) -> None:
        (problem,) = parsed("description: d\nname:   bar\n").problems
        assert (problem.code, problem.line, problem.column) == (ErrorCode.NAME_MISMATCH, 3, 9)

    @pytest.mark.parametrize(("length", "valid"), [(1024, True), (1025, False)])
    def test_the_description_counts_characters_without_the_blanks_around(self, length: int, valid: bool) -> None:
        assert parsed(f"name: foo\ndescription: '  {'é' * length}  '\n").valid is valid


def test_a_problem_is_json_and_a_severity_has_a_rank() -> None:
    problem = only("version: 1.2")
    assert problem.to_json() == {
        "code": "VERSION_NOT_SEMVER", "severity": "warning", "message": problem.message,
        "path": "/skills/foo/SKILL.md", "line": 4, "column": 10, "hint": problem.hint,
    }  # fmt: skip
    assert [severity.rank for severity in Severity] == [0, 1, 2]


def test_fields_tell_where_they_stand() -> None:
    skill = parsed("name: foo\ndescription: d\nhooks:\n  - 1\n")
    assert [(field.key, field.line, field.column, field.value_line, field.value_column) for field in skill.fields] == [
        ("name", 2, 1, 2, 7),
        ("description", 3, 1, 3, 14),
        ("hooks", 4, 1, 5, 3),
    ]
    assert [(field.type, field.raw) for field in skill.fields] == [("str", "foo"), ("str", "d"), ("seq", None)]
    assert skill.allowed_tools == ()

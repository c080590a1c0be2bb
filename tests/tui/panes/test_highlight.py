import sys

import pytest

from skillui.tui.model.highlight import HIGHLIGHT_LIMIT, highlight, language_of
from tests.tui.hostile import HOSTILE

SKILL = "---\nname: deploy\ncount: 3\n---\n# Deploy `now`\n\nA **bold** word\n\n```python\nimport os  # why\n```\n"


def found(text: str, language: str) -> list[tuple[str, str]]:
    lines = text.split("\n")
    tokens = highlight(text, language)
    return [(lines[line][t.start : t.end], t.kind) for line in sorted(tokens) for t in tokens[line]]


def test_fields_prose_and_fenced_code_of_a_skill_are_told_apart() -> None:
    tokens = found(SKILL, "markdown")
    for expected in [
        ("name", "property"),
        ("3", "number"),
        ("# Deploy `now`", "heading"),
        ("`now`", "code"),
        ("**bold**", "strong"),
        ("import", "keyword"),
        ("# why", "comment"),
    ]:
        assert expected in tokens


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("yaml", "a: b # c", ("# c", "comment")),
        ("json", '{"key": "value"}', ('"key"', "property")),
        ("python", "def f(): pass", ("def", "keyword")),
        ("toml", "[table]\na = true", ("true", "number")),
        ("bash", "echo $HOME", ("echo", "function")),
    ],
)
def test_each_language_is_coloured(language: str, text: str, expected: tuple[str, str]) -> None:
    assert expected in found(text, language)


def test_positions_count_characters_not_bytes() -> None:
    assert ("`é`", "code") in found("漢字 👍 \u202e `é` x", "markdown")
    assert ("`b`", "code") in found("\ud800 a `b`", "markdown")


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("SKILL.md", "", "markdown"),
        ("a/b.YML", "", "yaml"),
        ("run", "#!/usr/bin/env python3\n", "python"),
        ("run", "#!/bin/sh\n", "bash"),
        ("run", "#!/usr/bin/env -S bash -e\n", "bash"),
        ("run", "#!/usr/bin/perl\n", None),
        ("image.png", "", None),
        ("", "", None),
    ],
)
def test_the_language_comes_from_the_name_or_the_first_line(name: str, text: str, language: str | None) -> None:
    assert language_of(name, text) == language


def test_what_is_too_large_or_has_no_grammar_stays_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    assert highlight("# x\n" * HIGHLIGHT_LIMIT, "markdown") == {}
    assert highlight("x", None) == {}
    assert highlight("x", "klingon") == {}
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    assert highlight("# x", "markdown") == {}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("language", ["markdown", "yaml", "json", "python", "toml", "bash"])
def test_hostile_text_has_runs_inside_its_lines(text: str, language: str) -> None:
    lines = text.split("\n")
    for line, tokens in highlight(text, language).items():
        assert all(0 <= token.start < token.end <= len(lines[line]) for token in tokens)

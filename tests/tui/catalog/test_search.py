"""What a search finds, in what order, and what its filters mean."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skillui.tui.model.filters import read_query
from skillui.tui.model.folders import look_into
from skillui.tui.model.marks import marked
from skillui.tui.model.rows import CatalogRow
from skillui.tui.model.search import SearchIndex
from tests.tui.catalog.made import USER_ONLY, broken, named, rows_of, skill, warning
from tests.tui.hostile import HOSTILE

BASH: dict[str, Any] = {"allowed-tools": ["Read", "Bash(git log:*)"]}
LOADED = skill("write-tests")
ROWS = rows_of(
    skill("api-conventions", 0, **BASH),
    skill("api-conventions", 1),
    broken("broken-yaml", line=3),
    skill("deploy", 0, "Ships the shop to production", metadata={"version": "1"}),
    skill("pre-deploy", 1, version="2"),
    skill("redeploy-all"),
    skill("release-notes", 1, "Writes the changelog before you deploy", **USER_ONLY),
    skill("weekly-report", problems=(warning(),)),
    LOADED,
    activated=(LOADED.location,),
)


def found(text: str, rows: tuple[CatalogRow, ...] = ROWS) -> list[str]:
    index = SearchIndex(rows)
    index.learn_words()
    return named(index.search(read_query(text)))


def test_the_name_ranks_before_the_description() -> None:
    assert found("deploy") == ["deploy", "pre-deploy", "redeploy-all", "release-notes"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", named(ROWS)),
        ("DEPLOY ships", ["deploy"]),
        ("rn", ["release-notes"]),
        ("wkrpt", ["weekly-report"]),
        ("convnetions", ["api-conventions", "api-conventions"]),
        ("prodution", ["deploy"]),
        ('"prodution"', []),
        ('"before you"', ["release-notes"]),
        ('"before me"', []),
        ("zzzz", []),
        ("is:broken", ["broken-yaml"]),
        ("is:bro", ["broken-yaml"]),
        ("is:shadowed", ["api-conventions"]),
        ("is:untrusted", ["api-conventions", "deploy"]),
        ("is:disabled", ["release-notes"]),
        ("is:loaded", ["write-tests"]),
        ("is:stale", []),
        ("-is:valid", ["broken-yaml"]),
        ("has:problems", ["broken-yaml", "weekly-report"]),
        ("has:arguments", []),
        ("root:project -is:broken", ["api-conventions", "deploy"]),
        ("root:.claude is:shadowed", ["api-conventions"]),
        ("tool:bash", ["api-conventions"]),
        ('tool:"Bash(git log"', ["api-conventions"]),
        ("code:skl", ["weekly-report"]),
        ("code:INVALID", ["broken-yaml"]),
        ("key:version", ["deploy", "pre-deploy"]),
        ("is:untrusted deploy", ["deploy"]),
        ("deploy is:broken", []),
    ],
)
def test_what_a_search_keeps(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_a_copy_follows_its_winner_when_both_are_found() -> None:
    index = SearchIndex(ROWS)
    rows = index.search(read_query("api"))
    assert [row.depth for row in rows] == [0, 1]


@pytest.mark.parametrize(
    ("text", "notice"),
    [
        ("is:nothing", "no filter is:nothing"),
        ("foo:bar", "no filter foo:"),
        ("has:", "has: scripts references assets arguments problems"),
        ("tool:", "tool: such as Bash"),
        ("https://example.org", None),
        ("is:broken", None),
    ],
)
def test_what_is_no_filter_is_said_and_not_an_error(text: str, notice: str | None) -> None:
    assert read_query(text).notices == ((notice,) if notice else ())


def test_an_unknown_filter_value_keeps_everything() -> None:
    assert found("is:nothing") == named(ROWS)


@pytest.mark.parametrize(
    ("name", "text", "letters"),
    [
        ("pre-deploy", "deploy", "deploy"),
        ("api-conventions", "con", "con"),
        ("release-notes", "rn", "rn"),
        ("weekly-report", "wkrpt", "wkrpt"),
        ("weekly-report", "prodution", ""),
        ("İx-deploy", "deploy", "deploy"),
        ("tepid-pi", "pi", "pi"),
    ],
)
def test_matched_letters_are_marked(name: str, text: str, letters: str) -> None:
    assert "".join(name[place] for place in marked(name, read_query(text).terms)) == letters


def test_a_word_start_is_marked_rather_than_the_middle_of_a_word() -> None:
    assert marked("tepid-pi", read_query("pi").terms) == (6, 7)


def test_a_name_next_to_the_typed_one_is_marked_where_it_fits() -> None:
    places = marked("api-conventions", read_query("convnetions").terms)
    assert "".join("api-conventions"[place] for place in places).startswith("conv")
    assert places == tuple(sorted(set(places)))


def test_folders_are_looked_into_for_has(tmp_path: Path) -> None:
    rows = rows_of(skill("a"), skill("b"))
    (tmp_path / "scripts").mkdir()
    (tmp_path / "assets").write_text("a file is no folder", encoding="utf-8")
    key = rows[0].key
    folders = {key: frozenset({"scripts"})}
    index = SearchIndex(rows)
    assert read_query("has:scripts").needs_folders
    assert not read_query("has:arguments").needs_folders
    assert named(index.search(read_query("has:scripts"), folders)) == ["a"]
    assert named(index.search(read_query("-has:scripts"), folders)) == ["b"]
    # The same filter once more, with other folders: nothing stale is kept.
    assert named(index.search(read_query("has:scripts"), {})) == []
    here = replace(rows[0], entry=replace(rows[0].entry, dir=str(tmp_path)))
    assert look_into([here]) == {key: frozenset({"scripts"})}
    assert look_into([here], lambda: True) is None


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_can_be_searched_and_searched_for(text: str) -> None:
    rows = rows_of(broken(text or "x"), skill("b", description=text or "x"))
    found(text, rows)
    for word in text.split()[:1]:
        for row in rows:
            places = marked(row.name, read_query(word).terms)
            assert all(0 <= place < len(row.name) for place in places)

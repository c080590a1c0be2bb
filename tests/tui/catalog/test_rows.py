"""What a row says of an entry, and what a rebuild costs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skillui.core import AnyEntry, ErrorCode, Gate, Severity
from skillui.core.catalog import assemble
from skillui.tui.model.arrange import GroupHeader, Sort, arrange
from skillui.tui.model.findings import Summaries
from skillui.tui.model.root_names import root_names
from skillui.tui.model.rows import CatalogRow, RowBuilder, count
from skillui.tui.panes.catalog_lines import tail_of
from skillui.workspace.project import Root
from tests.tui.catalog.made import (
    HOME,
    MODEL_ONLY,
    NOBODY,
    ROOTS,
    SHOP,
    USER_ONLY,
    broken,
    gate_of,
    named,
    rows_of,
    skill,
    warning,
)


@pytest.mark.parametrize(
    ("entry", "state", "word"),
    [
        (skill("a"), "ok", "ok"),
        (skill("a", 0), "untrusted", "untrusted"),
        (skill("a", **USER_ONLY), "disabled", "user only"),
        (skill("a", **MODEL_ONLY), "ok", "model only"),
        (skill("a", **NOBODY), "disabled", "disabled"),
        (skill("a", 0, sensitive=1), "sensitive", "sensitive"),
        (skill("a", 0, outside_workspace=1), "sensitive", "outside"),
        (broken("a", line=3), "broken", "line 3"),
        (broken("a", code=ErrorCode.NAME_MISMATCH, line=2), "broken", "≠ folder"),
        (broken("a", code=ErrorCode.IO_ERROR), "broken", "unreadable"),
        (broken("a"), "broken", "broken"),
    ],
)
def test_a_row_shows_the_state_that_matters_most(entry: AnyEntry, state: str, word: str) -> None:
    (row,) = rows_of(entry)
    assert (row.state, row.word) == (state, word)


def test_an_activated_skill_is_loaded_and_then_stale() -> None:
    entry = skill("a", 0)
    (loaded,) = rows_of(entry, activated=(entry.location,))
    (stale,) = rows_of(entry, activated=(entry.location,), stale=frozenset({"a"}))
    assert (loaded.state, stale.state) == ("loaded", "stale")
    assert {"loaded", "untrusted"} <= loaded.facts
    assert {"loaded", "stale"} <= stale.facts


def test_another_copy_of_an_activated_name_is_not_loaded() -> None:
    winner, copy = skill("a", 0), skill("a", 1)
    rows = rows_of(winner, copy, activated=(copy.location,), stale=frozenset({"a"}))
    assert [row.state for row in rows] == ["untrusted", "shadowed"]
    assert "loaded" in rows[1].facts
    assert "stale" not in rows[0].facts


def test_broken_and_shadowed_ones_stand_in_name_order() -> None:
    rows = rows_of(skill("c"), skill("b", 0), skill("b", 1), broken("a"), broken("bb"), broken("c", 0))
    assert [(row.name, row.depth, row.shadows) for row in rows] == [
        ("a", 0, 0),
        ("b", 0, 1),
        ("b", 1, 0),
        ("bb", 0, 0),
        ("c", 0, 0),
        ("c", 0, 0),
    ]
    assert [row.state for row in rows[-2:]] == ["broken", "ok"]


def test_problems_are_counted_once_and_notes_not_at_all() -> None:
    entry = skill("a", problems=(warning(),))
    note = replace(warning("SKL-11"), severity=Severity.NOTE)
    error = replace(warning("skl-12"), severity=Severity.ERROR)
    (row,) = rows_of(entry, found={entry.location: Summaries().of((warning(), note, error))})
    assert (row.problems, row.gravest) == (2, Severity.ERROR)
    assert row.codes == {"SKL-04", "SKL-11", "SKL-12"}
    assert rows_of(entry)[0].gravest is Severity.WARNING


def test_only_what_is_listed_costs_tokens() -> None:
    rows = rows_of(skill("b", 0), skill("b", 1), broken("c"))
    assert [row.tokens > 0 for row in rows] == [True, False, False]


def test_counts_agree_with_the_filters() -> None:
    counts = count(rows_of(skill("b", 0), skill("b", 1), broken("c"), skill("d")))
    assert (counts.total, counts.broken, counts.shadowed, counts.untrusted) == (4, 1, 1, 1)


def test_a_rebuild_judges_only_what_changed() -> None:
    asked: list[str] = []

    def judge(entry: AnyEntry) -> Gate:
        asked.append(entry.name)
        return gate_of(entry)

    builder = RowBuilder()
    first, second = skill("a"), skill("b")
    before = builder.build(assemble([first, second]), ROOTS, judge)
    after = builder.build(assemble([first, replace(second, description="new")]), ROOTS, judge)
    assert asked == ["a", "b", "b"]
    assert after[0] is before[0]
    assert after[1] is not before[1]
    builder.build(assemble([first]), ROOTS, lambda entry: judge(entry))
    assert asked[3:] == ["a"]


def test_roots_that_share_a_label_are_told_apart() -> None:
    roots = (*ROOTS, Root("/home/ann/.agents/skills", "user", True, True, "~/.agents/skills"))
    assert [name.shown for name in root_names(roots)] == ["project", "~/.claude", "~/.agents"]


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("name", ["a", "b", "b", "c"]),
        ("tokens", ["c", "a", "b", "b"]),
        ("problems", ["b", "b", "a", "c"]),
        ("changed", ["a", "b", "b", "c"]),
    ],
)
def test_copies_stay_below_their_winner_in_every_order(sort: Sort, names: list[str]) -> None:
    rows = rows_of(
        skill("a"), skill("b", 0, problems=(warning(),)), skill("b", 1), skill("c", description="long " * 50)
    )
    arranged = arrange(rows, sort)
    assert named(arranged) == names
    copy = next(row for row in arranged if isinstance(row, CatalogRow) and row.depth)
    assert arranged[arranged.index(copy) - 1].key == f"{SHOP}/b"


def test_groups_hold_what_lies_in_each_root() -> None:
    rows = rows_of(skill("a"), skill("b", 0), skill("b", 1))
    items = arrange(rows, grouped=True)
    heads = [(item.title, item.count) for item in items if isinstance(item, GroupHeader)]
    assert heads == [("project", 1), ("user", 2)]
    assert [item.key for item in items if isinstance(item, CatalogRow)] == [f"{SHOP}/b", f"{HOME}/a", f"{HOME}/b"]


def test_roots_of_one_place_are_told_apart_by_their_ends() -> None:
    roots = ["/srv/teams/shared/alpha/skills", "/srv/teams/shared/beta/skills"]
    names = root_names([Root(root, "root", False, True, root) for root in roots])
    assert [tail_of(name.shown, 12) for name in names] == ["…hared/alpha", "…shared/beta"]
    assert tail_of("project", 12) == "project"

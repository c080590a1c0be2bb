"""The table of actions, and a person's own keys against it."""

from __future__ import annotations

import re
from typing import ClassVar

import pytest
from textual.app import App
from textual.binding import BindingType
from textual.keys import format_key

from skillui.tui.actions import ACTIONS, BESIDE, GROUPS, KEPT
from skillui.tui.keymap import KeymapProblem, binding, clashes, default_keys, load_keymap


def test_ids_are_dotted_kebab_in_a_known_group() -> None:
    for id, action in ACTIONS.items():
        assert re.fullmatch(r"[a-z]+\.[a-z]+(-[a-z]+)*", id)
        assert action.group in GROUPS
        assert action.description


def test_the_table_is_free_of_clashes() -> None:
    assert clashes({id: default_keys(action) for id, action in ACTIONS.items()}) == []


def test_groups_that_stand_beside_each_other_exist() -> None:
    assert {*BESIDE, *(group for others in BESIDE.values() for group in others)} <= GROUPS.keys()


@pytest.mark.parametrize(
    ("id", "keys"),
    [
        ("app.browse", "1"),
        ("app.session", "3"),
        ("app.quit", "ctrl+q"),
        ("app.palette", "ctrl+p"),
        ("catalog.search", "slash"),
        ("catalog.group", "g"),
        ("catalog.new", "n"),
        ("skill.activate", "a"),
        ("skill.activate-as-user", "A"),
        ("skill.edit", "e"),
        ("skill.copy-path", "y"),
        ("skill.copy-output", "o"),
        ("skill.rendered", "r"),
        ("problems.fix", "f"),
        ("session.new", "n"),
        ("session.export", "x"),
        ("session.replay", "R"),
        ("prompt.allow-once", "o"),
        ("prompt.always", "a"),
    ],
)
def test_the_keys_of_the_help_page(id: str, keys: str) -> None:
    assert ",".join(default_keys(ACTIONS[id])) == keys


def test_bindings_take_keys_and_words_from_the_table() -> None:
    made = binding("skill.edit", "edit_skill", show=False, priority=True)
    assert (made.key, made.action, made.description, made.id) == ("e", "edit_skill", "Edit", "skill.edit")
    assert (made.show, made.priority) == (False, True)
    with pytest.raises(KeyError):
        binding("skill.no-such-action", "x")


def test_an_own_key_is_followed() -> None:
    load = load_keymap({"skill.edit": "E, f4", "catalog.search": ["/", "ctrl+f"], "app.browse": 9})
    assert load.problems == ()
    assert load.keys == {"skill.edit": "E,f4", "catalog.search": "slash,ctrl+f", "app.browse": "9"}


def test_an_entry_that_changes_nothing_is_left_out() -> None:
    assert load_keymap({"catalog.search": "/"}).keys == {}


def test_an_unknown_action_is_named_with_the_nearest() -> None:
    load = load_keymap({"catalog.serch": "x", "[/x]\x1b": "y", 7: "z"})
    assert load.keys == {}
    assert load.problems[0].id == "catalog.serch"
    assert "catalog.search" in load.problems[0].reason
    assert [problem.id for problem in load.problems[1:]] == ["[/x]\x1b", "7"]


@pytest.mark.parametrize("keys", ["crtl+k", "", "a,,b", " ", "ctrl+", "no_such_key", None, 12, True, {"a": 1}, [1], []])
def test_what_is_no_key_is_refused(keys: object) -> None:
    load = load_keymap({"skill.edit": keys})
    assert load.keys == {}
    assert [problem.id for problem in load.problems] == ["skill.edit"]


def test_a_key_that_another_action_has_is_refused() -> None:
    load = load_keymap({"catalog.sort": "a"})
    assert load.keys == {}
    assert load.problems == (
        KeymapProblem(
            "catalog.sort", "the key `a` already belongs to skill.activate; write another, or give that one another too"
        ),
    )


def test_two_actions_may_swap_their_keys() -> None:
    load = load_keymap({"catalog.sort": "g", "catalog.group": "s"})
    assert load.problems == ()
    assert load.keys == {"catalog.sort": "g", "catalog.group": "s"}


def test_two_own_entries_for_one_key_are_both_refused() -> None:
    load = load_keymap({"catalog.sort": "z", "skill.edit": "z"})
    assert load.keys == {}
    assert {problem.id for problem in load.problems} == {"catalog.sort", "skill.edit"}


def test_groups_that_are_never_heard_together_may_share_a_key() -> None:
    assert load_keymap({"session.export": "e"}).problems == ()


@pytest.mark.parametrize("id", sorted(KEPT))
def test_nobody_is_locked_in(id: str) -> None:
    kept = default_keys(ACTIONS[id])
    assert set(kept) < set(load_keymap({id: "f9"}).keys[id].split(","))
    thief = load_keymap({"catalog.sort": kept[0], id: "f9"})
    assert set(kept) < set(thief.keys[id].split(","))
    assert [problem.id for problem in thief.problems] == ["catalog.sort"]


async def test_textual_follows_the_keys() -> None:
    class Bound(App[None]):
        BINDINGS: ClassVar[list[BindingType]] = [
            binding("skill.edit", "mark('edit')"),
            binding("app.help", "mark('help')"),
        ]
        marks: ClassVar[list[str]] = []

        def action_mark(self, what: str) -> None:
            self.marks.append(what)

    app = Bound()
    async with app.run_test() as pilot:
        app.set_keymap(load_keymap({"skill.edit": "f4", "app.help": "h"}).keys)
        await pilot.press("e", "f4", "h", "question_mark", "f1")
        assert app.marks == ["edit", "help", "help", "help"]


def test_every_key_has_a_name_to_show() -> None:
    for action in ACTIONS.values():
        assert all(format_key(key) for key in default_keys(action))

"""The help lists what exists: every action of the table has a binding, and every binding is of the table."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from textual.binding import Binding
from textual.dom import DOMNode

import skillui.tui
from skillui.tui.actions import ACTIONS


def _classes() -> Iterator[type[DOMNode]]:
    for module in pkgutil.walk_packages(skillui.tui.__path__, "skillui.tui."):
        for thing in vars(importlib.import_module(module.name)).values():
            if isinstance(thing, type) and issubclass(thing, DOMNode) and thing.__module__.startswith("skillui."):
                yield thing


def _bound() -> set[str]:
    found = set()
    for owner in _classes():
        for bound in vars(owner).get("BINDINGS", ()):
            assert isinstance(bound, Binding), f"{owner.__name__} has a key outside the table: {bound}"
            assert bound.id, f"{owner.__name__} has a key without a name: {bound.key}"
            found.add(bound.id)
    return found


def test_every_action_of_the_table_is_bound_and_every_binding_is_in_the_table() -> None:
    bound = _bound()
    assert set(ACTIONS) - bound == set()
    assert bound - set(ACTIONS) == set()

"""Bindings made from the table of actions, and a person's own keys checked against it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from textual.binding import Binding
from textual.keys import REPLACED_KEYS, Keys

from skillui.tui.actions import ACTIONS, BESIDE, KEPT, Action

_MODIFIERS: Final = frozenset({"ctrl", "shift", "alt", "super", "meta", "hyper"})
_NAMED: Final = frozenset(key.value.rpartition("+")[2] for key in Keys if "<" not in key.value) | {
    *REPLACED_KEYS.values()
}
_CLOSE_ENOUGH: Final = 60


@dataclass(frozen=True, slots=True)
class KeymapProblem:
    """Why an entry of a key file is not followed; `reason` may quote the file: show it through the gate."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class KeymapLoad:
    """What is left of a key file."""

    keys: dict[str, str]
    """Action id to keys, ready for `App.set_keymap`; only what differs from the table."""
    problems: tuple[KeymapProblem, ...]


def binding(
    id: str,
    action: str,
    *,
    show: bool = True,
    priority: bool = False,
    tooltip: str = "",
    description: str = "",
) -> Binding:
    """Return the Textual binding of an action; `description` where it means something narrower in this place.

    Raises KeyError for an id that the table lacks: a mistake in the code, not in a key file.
    """
    known = ACTIONS[id]
    words = description or known.description
    return Binding(known.keys, action, words, show=show, priority=priority, tooltip=tooltip, id=known.id)


def load_keymap(mapping: Mapping[object, object]) -> KeymapLoad:
    """Check a person's mapping of action id to keys (text or a list of texts) against the table.

    What is wrong is reported and left out; the action then has the keys of the table.
    """
    wanted: dict[str, tuple[str, ...]] = {}
    problems: list[KeymapProblem] = []
    for given_id, given_keys in mapping.items():
        action = ACTIONS.get(given_id) if isinstance(given_id, str) else None
        if action is None:
            problems.append(_unknown(str(given_id)))
            continue
        keys, reason = _read_keys(given_keys)
        if reason:
            problems.append(KeymapProblem(action.id, reason))
        else:
            wanted[action.id] = _with_kept(action, keys)
    _drop_clashes(wanted, problems)
    changed = {id: ",".join(keys) for id, keys in wanted.items() if keys != default_keys(ACTIONS[id])}
    return KeymapLoad(changed, tuple(problems))


def default_keys(action: Action) -> tuple[str, ...]:
    """Return the keys an action has by the table, in their long form."""
    return tuple(long_form(key) for key in action.keys.split(","))


def clashes(keys: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str, str]]:
    """Return `(key, action id, action id)` for every key that two actions heard at the same time want."""
    found = []
    by_key: dict[str, list[str]] = {}
    for action_id, action_keys in keys.items():
        for key in action_keys:
            by_key.setdefault(key, []).append(action_id)
    for key, ids in by_key.items():
        for position, first in enumerate(ids):
            found += [(key, first, second) for second in ids[position + 1 :] if _heard_together(first, second)]
    return found


def long_form(key: str) -> str:
    """Return Textual's own name of a key, such as `question_mark` for `?`."""
    (named,) = Binding.make_bindings([Binding(key.strip(), "")])
    return named.key


def _heard_together(first: str, second: str) -> bool:
    one, other = ACTIONS[first].group, ACTIONS[second].group
    return one == other or other in BESIDE.get(one, ()) or one in BESIDE.get(other, ())


def _unknown(given: str) -> KeymapProblem:
    from rapidfuzz import process  # only a mistake needs it

    close = process.extractOne(given, list(ACTIONS), score_cutoff=_CLOSE_ENOUGH)
    hint = f"; did you mean {close[0]}?" if close else "; `?` in the app lists all that can be done"
    return KeymapProblem(given, f"there is no action of this name{hint}")


def _read_keys(given: object) -> tuple[tuple[str, ...], str]:
    """Return the keys in their long form, and what is wrong with them."""
    names = given.split(",") if isinstance(given, str) else given
    # A YAML file may well say `app.browse: 1`.
    if isinstance(names, int) and not isinstance(names, bool) and 0 <= names <= 9:
        names = [str(names)]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return (), "keys are text such as `ctrl+s`, several separated by commas"
    stripped = [name.strip() for name in names]
    if not stripped or "" in stripped:
        return (), "a key is missing; name a comma `comma`"
    wrong = [name for name in stripped if not _is_key(name)]
    if wrong:
        return (), f"there is no key `{wrong[0]}`; write one such as `ctrl+s`, `f5` or `x`"
    return tuple(dict.fromkeys(long_form(name) for name in stripped)), ""


def _is_key(name: str) -> bool:
    if len(name) == 1:
        return name.isprintable() and name != " "
    *modifiers, key = name.split("+")
    if not set(modifiers) <= _MODIFIERS or not key:
        return False
    if len(key) == 1 or key in _NAMED:
        return True
    try:
        unicodedata.lookup(key.replace("_", " "))
    except KeyError:
        return False
    return True


def _with_kept(action: Action, keys: tuple[str, ...]) -> tuple[str, ...]:
    if action.id not in KEPT:
        return keys
    return tuple(dict.fromkeys((*keys, *default_keys(action))))


def _drop_clashes(wanted: dict[str, tuple[str, ...]], problems: list[KeymapProblem]) -> None:
    """Give up what clashes until nothing does: the table itself is free of clashes, so this ends."""
    while True:
        keys = {id: wanted.get(id, default_keys(action)) for id, action in ACTIONS.items()}
        guilty: dict[str, str] = {}
        for key, first, second in clashes(keys):
            for one, other in ((first, second), (second, first)):
                # Whoever has the key by the table keeps it.
                if one in wanted and key not in default_keys(ACTIONS[one]):
                    reason = f"the key `{key}` already belongs to {other}; write another, or give that one another too"
                    guilty.setdefault(one, reason)
        if not guilty:
            return
        for id, reason in guilty.items():
            del wanted[id]
            problems.append(KeymapProblem(id, reason))

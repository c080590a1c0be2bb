"""The values of `config.yaml`, one reader a key; each says what is wrong and what to write instead."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any

import msgspec
import yaml

from skillui.core import yaml_reader
from skillui.core.text import clipped

_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=1000, pattern=r"\S")]
_Kilobytes = Annotated[int, msgspec.Meta(ge=1, le=4096)]


class BadValueError(Exception):
    """A value that is not used; `node` is where it stands."""

    def __init__(self, node: yaml.Node, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.node, self.message, self.hint = node, message, hint


class ValueReader:
    """Reads the value of one key; what is left out of a list or mapping goes to `complain`."""

    def __init__(self, home: str, actions: Collection[str] | None, complain: Callable[[BadValueError], None]) -> None:
        self.home, self.actions, self.complain = home, actions, complain

    def read(self, key: str, node: yaml.Node) -> Any:
        """Return the value of a known key. Raises `BadValueError`."""
        return _READERS[key](self, key, node)

    def scalar(self, key: str, node: yaml.Node) -> Any:
        """Read one plain value of the type that the key wants."""
        kind, wanted = _SCALARS[key]
        try:
            return msgspec.convert(yaml_reader.value(node), kind)
        except (msgspec.ValidationError, yaml_reader.YamlFault):
            raise BadValueError(node, f"`{key}` {_is_what(node)}", f"write {wanted}") from None

    def editor(self, key: str, node: yaml.Node) -> str:
        """Read a command line."""
        text: str = self.scalar(key, node)
        try:
            shlex.split(text)
        except ValueError:
            message = "`editor` has a quotation mark or backslash without its end"
            raise BadValueError(node, message, f"write {_SCALARS[key][1]}") from None
        return text

    def roots(self, key: str, node: yaml.Node) -> tuple[str, ...]:
        """Read a list of folders, leaving out what is not one."""
        found: list[str] = []
        for item in self._items(key, node):
            try:
                found.append(self._folder(key, item))
            except BadValueError as bad:
                self.complain(bad)
        return tuple(found)

    def trusted_roots(self, key: str, node: yaml.Node) -> tuple[str, ...]:
        """Read the trusted folders, all or none: what was meant by a broken list is not guessed."""
        try:
            return tuple(self._folder(key, item) for item in self._items(key, node))
        except BadValueError as bad:
            raise BadValueError(bad.node, f"{bad.message}; no configured root is trusted", bad.hint) from None

    def _items(self, key: str, node: yaml.Node) -> list[yaml.Node]:
        if not isinstance(node, yaml.SequenceNode):
            raise BadValueError(node, f"`{key}` {_is_what(node)}", "write a list, one `- ~/some/folder` a line")
        items: list[yaml.Node] = node.value
        return items

    def _folder(self, key: str, node: yaml.Node) -> str:
        hint = 'write an absolute path or one that begins with "~/"'
        if yaml_reader.is_null(node):  # a lone ~ means nothing at all in YAML
            raise BadValueError(node, f"an entry of `{key}` is empty", f'{hint}; for the home folder "~" in quotes')
        if not yaml_reader.is_string(node):
            raise BadValueError(node, f"an entry of `{key}` {_is_what(node)}", hint)
        text: str = node.value
        if text == "~" or text.startswith("~/"):
            text = self.home + text[1:]
        if not os.path.isabs(text) or "\0" in text:
            # A relative path would lie in whatever project is open, and could trust it.
            raise BadValueError(node, f"an entry of `{key}` is not an absolute path: `{clipped(node.value)}`", hint)
        return os.path.normpath(text)

    def keys(self, key: str, node: yaml.Node) -> Mapping[str, tuple[str, ...]]:
        """Read the key bindings, leaving out what is not one."""
        if not isinstance(node, yaml.MappingNode):
            raise BadValueError(node, f"`keys` {_is_what(node)}", "write `action: key` lines below it")
        found: dict[str, tuple[str, ...]] = {}
        for action_node, value in node.value:
            action = action_node.value
            if self.actions is not None and action not in self.actions:
                hint = did_you_mean(action, self.actions, list_all=False)
                self.complain(BadValueError(action_node, f"unknown action `{clipped(action)}` under `keys`", hint))
                continue
            try:
                found[action] = _keys_of(action, value)
            except BadValueError as bad:
                self.complain(bad)
        return found


def _keys_of(action: str, node: yaml.Node) -> tuple[str, ...]:
    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
    hint = "write a key such as `f5` or `ctrl+k`, or a list of keys; a comma is called `comma`, a blank `space`"
    if not nodes:
        raise BadValueError(node, f"`{clipped(action)}` has no key", hint)
    for item in nodes:
        # A digit is a number to YAML, yet what else than the key could it mean here?
        is_key = yaml_reader.is_string(item) or (yaml_reader.kind(item) == "int" and len(item.value) == 1)
        if not is_key or not 0 < len(item.value) <= 60 or not item.value.isprintable():
            raise BadValueError(item, f"the key of `{clipped(action)}` {_is_what(item)}", hint)
        if "," in item.value or " " in item.value:
            raise BadValueError(item, f"`{clipped(item.value)}` is not one key", hint)
    return tuple(item.value for item in nodes)


def _is_what(node: yaml.Node) -> str:
    kind = yaml_reader.kind(node)
    if kind == "null" or (kind == "str" and not node.value.strip()):
        return "is empty"
    if kind in ("seq", "map"):
        return "is a list" if kind == "seq" else "is a mapping"
    words = {"str": "the text", "int": "the number", "float": "the number"}.get(kind, "the value")
    return f"is {words} `{clipped(node.value, 40)}`"


def did_you_mean(word: str, known: Collection[str], *, list_all: bool = True) -> str | None:
    """Return a hint that names the closest of the known words, else all of them if wanted."""
    from rapidfuzz import process  # only a mistake needs it
    from rapidfuzz.distance import Levenshtein

    similarity = Levenshtein.normalized_similarity
    best = process.extractOne(word.lower(), sorted(known), scorer=similarity, score_cutoff=0.5)
    if best is not None:
        return f"did you mean `{best[0]}`?"
    return f"known keys are {', '.join(sorted(known))}" if list_all else None


_SCALARS: dict[str, tuple[Any, str]] = {
    "theme": (_Text, "the name of a theme"),
    "editor": (_Text, 'a command such as `nano` or `"code --wait"`'),
    "ascii": (bool, "`true`, `false` or `null`"),
    "markdown_limit_kb": (_Kilobytes, "a whole number from 1 to 4096"),
    "watch": (bool, "`true` or `false`"),
}

_READERS: dict[str, Callable[[ValueReader, str, yaml.Node], Any]] = {
    "theme": ValueReader.scalar,
    "keys": ValueReader.keys,
    "roots": ValueReader.roots,
    "trusted_roots": ValueReader.trusted_roots,
    "editor": ValueReader.editor,
    "ascii": ValueReader.scalar,
    "markdown_limit_kb": ValueReader.scalar,
    "watch": ValueReader.scalar,
}

KNOWN_KEYS = tuple(_READERS)
"""The keys a configuration file may have."""

"""What the variables of a shell text hold, as far as its own assignments tell."""

from __future__ import annotations

import re
from typing import Final

from skillui.checks.places_of_harm import UNKNOWN
from skillui.checks.shell_commands import Command, Word, plain

_EXPANSION: Final = re.compile(
    r"\$\{(?P<long>[^{}\n]{1,300})\}|\$(?P<short>[A-Za-z_]\w*)|\$(?P<odd>[0-9@*#?!$-])|\$\((?P<run>[^\n]{0,400}?)\)|\$\("
)
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_HERE: Final = re.compile(r"\s*(?:pwd|git rev-parse --show-toplevel)(?:\s*(?:2>|\|\|).*)?\s*$", re.DOTALL)
# What such a program prints holds no `/`: it leads nowhere else.
_HARMLESS: Final = re.compile(r"\s*(?:date\b(?![^\n]*/)|hostname\s*$|uuidgen|whoami\s*$|id -u\s*$|nproc|wc\b)")
_HOOKS: Final = re.compile(r"hooksPath|git-path\s+hooks")
_MAX: Final = 2_000


class Values:
    """Variables by name, filled in the order of the text."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {"PWD": ".", "HOME": "~", "RANDOM": "0", "$": "0"}

    def assign(self, name: str, word: Word) -> None:
        """Note one assignment."""
        self._known[name] = self.resolve(word)

    def forget(self, name: str) -> None:
        """Note that a variable holds what only running would tell."""
        self._known[name] = UNKNOWN

    def resolve(self, word: Word) -> str:
        """Return a word's text with all that is known put in, and `UNKNOWN` for the rest."""
        text = word.text[:_MAX]
        if "$" in text:
            text = _EXPANSION.sub(self._value, text)
        return plain(text)[:_MAX]

    def _value(self, match: re.Match[str]) -> str:
        if (inner := match["run"]) is not None:
            if _HERE.match(inner):
                return "."
            if _HARMLESS.match(inner):
                return "0"
            return UNKNOWN + ("hooksPath" if _HOOKS.search(inner) else "")
        if (odd := match["odd"]) is not None:
            return "0" if odd in "$?#" else UNKNOWN
        if (short := match["short"]) is not None:
            return self._known.get(short, UNKNOWN)
        if (long := match["long"]) is None:
            return UNKNOWN
        name = _NAME.match(long)
        if long == (name[0] if name else None):
            return self._known.get(long, UNKNOWN)
        return UNKNOWN if not name or name[0] != "HOME" else "~"


def names_in(text: str) -> set[str]:
    """Return the variables that a word's text refers to."""
    names = (match["short"] or match["long"] for match in _EXPANSION.finditer(text[:_MAX]))
    return {match[0] for name in names if name and (match := _NAME.match(name))}


def loop_variable(command: Command) -> str | None:
    """Return the variable that a `for`, `read` or `select` fills."""
    words = [word.text for word in command.words[:6]]
    if words[:1] in (["for"], ["select"]) and len(words) > 1:
        return words[1]
    if words[:1] == ["read"]:
        return next((word for word in words[1:] if not word.startswith("-")), None)
    return None

"""What names and expressions of JavaScript tokens stand for: constants, joined paths, imported modules."""

from __future__ import annotations

import itertools
import re
from typing import Final

from skillui.checks.js_tokens import Sort, Token, plain, tokens
from skillui.checks.places_of_harm import UNKNOWN
from skillui.checks.python_scopes import joined
from skillui.checks.shell_commands import Lines

MAX_ARGUMENT: Final = 120
"""Tokens of one argument that are looked at."""
MAX_WORK: Final = 3_000_000
"""Tokens of one text that are passed over in search of what closes a call."""
_MAX_DEPTH: Final = 6
_JOINERS: Final = frozenset({"join", "resolve", "normalize"})
_OPEN: Final = {"(": ")", "[": "]", "{": "}"}


class JsValues:
    """The tokens of one text with what its names are given."""

    def __init__(self, text: str) -> None:
        self._lines = Lines(text)
        self._tokens: list[Token] = plain(tokens(text))
        self._values: dict[str, list[int]] = {}
        self._from: dict[str, str] = {}
        self._members: dict[int, int] = {}
        self._renamed: dict[str, int] = {}
        self._left = 200_000
        self._work = MAX_WORK
        self._collect()

    def _at(self, index: int) -> str:
        return self._tokens[index].text if 0 <= index < len(self._tokens) and self._is_code(index) else ""

    def _is_code(self, index: int) -> bool:
        return self._tokens[index].sort in (Sort.NAME, Sort.MARK)

    def _string(self, index: int) -> str | None:
        token = self._tokens[index] if 0 <= index < len(self._tokens) else None
        return token.text if token and token.sort in (Sort.STRING, Sort.TEMPLATE) else None

    def _collect(self) -> None:
        """Note what names are given, and which modules names come from."""
        for index, token in enumerate(self._tokens):
            if token.sort is not Sort.NAME:
                continue
            if token.text in ("const", "let", "var") and self._at(index + 2) in ("=", ":"):
                at = index + 3 if self._at(index + 2) == "=" else self._assigned(index + 2)
                if at:
                    self._values.setdefault(self._at(index + 1), []).append(at)
            elif (
                self._at(index + 1) == "="
                and self._at(index + 2) != "="
                and self._at(index - 1) not in (".", "const", "let", "var")
            ):
                self._values.setdefault(token.text, []).append(index + 2)
            if token.text in ("from", "require", "import"):
                self._names_of_module(index)

    def _meant(self, index: int) -> int:
        """Return where the name stands that this one was made of: `{ rm as drop }`, `const get = globalThis.fetch`."""
        for _ in range(_MAX_DEPTH):
            if self._at(index - 1) == ".":
                break
            name = self._at(index)
            places = self._values.get(name, ())
            if name in self._renamed:
                index = self._renamed[name]
            elif len(places) == 1 and (last := self._last_member(places[0])):
                index = last
            else:
                break
        return index

    def _last_member(self, start: int) -> int:
        """Return where the last name of `a.b.c` or `require("a").b` stands, 0 where an expression is more than that."""
        if (known := self._members.get(start)) is None:
            known = self._members[start] = self._read_member(start)
        return known

    def _read_member(self, start: int) -> int:
        end = self._end(start)
        if end - start > MAX_ARGUMENT or not all(
            token.sort in (Sort.NAME, Sort.STRING) or token.text in (".", "(", ")") for token in self._tokens[start:end]
        ):
            return 0
        last = end - 1
        alone = end - start == 1
        return last if self._at(last) not in ("", ")") and (alone or self._at(last - 1) == ".") else 0

    def _assigned(self, index: int) -> int:
        """Return where the value of a typed name begins: `const out: string = ...`."""
        return next((at + 1 for at in range(index, min(index + 12, len(self._tokens))) if self._at(at) == "="), 0)

    def _names_of_module(self, index: int) -> None:
        module = self._string(index + 1) if self._at(index) == "from" else self._string(index + 2)
        if module is None:
            return
        at = index - 1
        while at >= 0 and index - at < 60 and self._at(at) not in ("import", "const", "let", "var", ";"):
            if self._tokens[at].sort is Sort.NAME and self._at(at) not in ("as", "await", "type", "require"):
                self._from[self._at(at)] = module
                if self._at(at - 1) in ("as", ":") and self._at(at - 2) not in ("", "*"):
                    self._renamed[self._at(at)] = at - 2
            at -= 1

    def _close(self, index: int) -> int:
        """Return the index of the mark that closes the one at `index`, within bounds."""
        depth = 0
        for at in range(index, min(len(self._tokens), index + 400) if self._work >= 0 else index):
            self._work -= 1
            if self._tokens[at].sort is Sort.MARK:
                text = self._tokens[at].text
                depth += (text in _OPEN) - (text in ")]}")
                if depth == 0:
                    return at
        return len(self._tokens)

    def _arguments(self, opening: int, count: int) -> list[tuple[int, int]]:
        """Return the first spans between commas behind an opening mark."""
        spans: list[tuple[int, int]] = []
        depth, start = 0, opening + 1
        for at in range(opening, min(len(self._tokens), opening + 600) if self._work >= 0 else opening):
            self._work -= 1
            text = self._tokens[at].text if self._tokens[at].sort is Sort.MARK else ""
            depth += (text in _OPEN) - (text != "" and text in ")]}")
            if depth == 0 or (depth == 1 and text == ","):
                if at > start:
                    spans.append((start, at))
                start = at + 1
                if depth == 0 or len(spans) >= count:
                    break
        return spans

    def _value(self, spans: list[tuple[int, int]]) -> str:
        return self._resolve(*spans[0]) if spans else UNKNOWN

    def _resolve(self, start: int, end: int, depth: int = 0) -> str:
        """Return the path or text that tokens come to, `UNKNOWN` in it for what only running would tell."""
        self._left -= 1
        if end <= start or depth > _MAX_DEPTH or end - start > MAX_ARGUMENT or self._left < 0:
            return UNKNOWN
        if end - start == 1:
            return self._one(start, depth)
        cuts = self._pluses(start, end)
        if cuts:
            bounds = [start, *(cut + 1 for cut in cuts), end + 1]
            return "".join(self._resolve(low, high - 1, depth + 1) for low, high in itertools.pairwise(bounds))
        opening = next((at for at in range(start, end) if self._at(at) == "("), end)
        if opening < end and self._close(opening) == end - 1:
            return self._call(start, opening, depth)
        text = "".join(token.text for token in self._tokens[start:end])
        return "~" if text in ("process.env.HOME", "process.env.USERPROFILE") else UNKNOWN

    def _one(self, index: int, depth: int) -> str:
        token = self._tokens[index]
        if token.sort is Sort.STRING:
            return token.text
        if token.sort is Sort.TEMPLATE:
            return re.sub(r"\$\{([^}]{0,200})\}", lambda match: self._named(match[1].strip(), depth), token.text)
        return self._named(token.text, depth) if token.sort is Sort.NAME else UNKNOWN

    def _named(self, name: str, depth: int) -> str:
        if name in ("homedir()", "os.homedir()", "process.env.HOME"):
            return "~"
        places = self._values.get(name, ())
        if len(places) != 1:
            return UNKNOWN
        return self._resolve(places[0], self._end(places[0]), depth + 1)

    def _end(self, start: int) -> int:
        """Return where the expression that begins at a token ends: at `;`, `,`, or a new statement."""
        depth = 0
        for at in range(start, min(len(self._tokens), start + MAX_ARGUMENT)):
            text = self._tokens[at].text if self._is_code(at) else ""
            if depth == 0 and at > start and (text in (";", ",", ")", "}", "]") or self._begins(at)):
                return at
            depth += (text in _OPEN) - (text != "" and text in ")]}")
        return start + MAX_ARGUMENT + 1

    def _begins(self, at: int) -> bool:
        """Tell whether a token stands first in its line behind something that ends a statement."""
        before, token = self._tokens[at - 1], self._tokens[at]
        new_line = self._lines.place(before.start)[0] < self._lines.place(token.start)[0]
        ended = before.sort is not Sort.MARK or before.text in (")", "]", "}")
        return new_line and ended and token.sort is not Sort.MARK

    def _pluses(self, start: int, end: int) -> list[int]:
        found, depth = [], 0
        for at in range(start, end):
            text = self._tokens[at].text if self._tokens[at].sort is Sort.MARK else ""
            depth += (text in _OPEN) - (text != "" and text in ")]}")
            if depth == 0 and text == "+":
                found.append(at)
        return found

    def _call(self, start: int, opening: int, depth: int) -> str:
        name = self._at(opening - 1)
        if name == "homedir":
            return "~"
        if name == "cwd":
            return "."
        if name in _JOINERS:
            path = ""
            for span in self._arguments(opening, 20):
                part = self._resolve(*span, depth + 1)
                path = joined(path, part) if path else part
            return path or UNKNOWN
        if name in ("String", "URL", "fileURLToPath"):
            return self._resolve(*self._arguments(opening, 1)[0], depth + 1) if self._arguments(opening, 1) else UNKNOWN
        return "0" if name in ("now", "getTime", "toISOString", "randomUUID", "getpid") else UNKNOWN

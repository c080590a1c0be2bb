"""The tokens of JavaScript and TypeScript text, in one linear pass: comments are left out, nothing is run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

MAX_TOKENS: Final = 200_000


class Sort(Enum):
    """What a token is."""

    NAME = 1
    STRING = 2
    TEMPLATE = 3
    REGEX = 4
    NUMBER = 5
    MARK = 6


@dataclass(frozen=True, slots=True)
class Token:
    """One token; the text of a string or template is its inside, `start` an offset."""

    sort: Sort
    text: str
    start: int


_SCAN: Final = re.compile(
    r"(?P<blank>\s+)|(?P<line>//[^\n]*)|(?P<block>/\*)|(?P<name>[A-Za-z_$\u00a0-\U0010ffff][\w$]*)"
    r"|(?P<number>\d[\w.]*)|(?P<single>')|(?P<double>\")|(?P<template>`)|(?P<mark>=>|\?\.|\.\.\.|[^\w\s])"
)
_STRINGS: Final = {
    "single": re.compile(r"[^'\\\n]*+(?:\\.[^'\\\n]*+)*+", re.DOTALL),
    "double": re.compile(r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+', re.DOTALL),
}
_TEMPLATE: Final = re.compile(r"[^`\\]*+(?:\\.[^`\\]*+)*+", re.DOTALL)
_REGEX: Final = re.compile(r"/(?![*/])(?:[^\\/\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n]){0,100}+\]){1,300}+/[a-z]{0,8}")
_BEFORE_REGEX: Final = frozenset(
    {"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await", "yield"}
)
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][\w$]{0,60}")
_ESCAPE: Final = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|(.))", re.DOTALL)
_PLAIN: Final = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text, at most `MAX_TOKENS`; what cannot be read is a mark of its own."""
    found: list[Token] = []
    at, size = 0, len(text)
    while at < size and len(found) < MAX_TOKENS:
        match = _SCAN.match(text, at)
        if match is None:
            at += 1
            continue
        kind = match.lastgroup or "mark"
        if kind == "block":
            end = text.find("*/", match.end())
            at = size if end < 0 else end + 2
        elif kind in ("blank", "line"):
            at = match.end()
        elif kind in ("single", "double", "template"):
            at = _string(text, match, kind, found)
        elif match[0] == "/" and _may_be_regex(found) and (regex := _REGEX.match(text, at)):
            found.append(Token(Sort.REGEX, regex[0], at))
            at = regex.end()
        else:
            sort = Sort.NAME if kind == "name" else Sort.NUMBER if kind == "number" else Sort.MARK
            found.append(Token(sort, match[0], at))
            at = match.end()
    return found


def plain(found: list[Token]) -> list[Token]:
    """Return the tokens with one way to write a member and a call: `a["b"]` and `a?.b` are `a.b`, `a?.()` is `a()`."""
    kept: list[Token] = []
    at = 0
    while at < len(found):
        token = found[at]
        if _is_mark(token, "?."):
            if not (at + 1 < len(found) and _is_mark(found[at + 1], "(", "[")):
                kept.append(Token(Sort.MARK, ".", token.start))
        elif kept and _is_member(found, at, kept[-1]):
            kept.append(Token(Sort.MARK, ".", token.start))
            kept.append(Token(Sort.NAME, found[at + 1].text, found[at + 1].start))
            at += 2
        else:
            kept.append(token)
        at += 1
    return kept


def _is_mark(token: Token, *texts: str) -> bool:
    return token.sort is Sort.MARK and token.text in texts


def _is_member(found: list[Token], at: int, before: Token) -> bool:
    """Tell whether `["name"]` begins at a token, behind something that has members."""
    if not (_is_mark(found[at], "[") and at + 2 < len(found) and _is_mark(found[at + 2], "]")):
        return False
    holds = _is_mark(before, ")", "]") or (before.sort is Sort.NAME and before.text not in _BEFORE_REGEX)
    inside = found[at + 1]
    return holds and inside.sort in (Sort.STRING, Sort.TEMPLATE) and _IDENTIFIER.fullmatch(inside.text) is not None


def _string(text: str, match: re.Match[str], kind: str, found: list[Token]) -> int:
    pattern = _TEMPLATE if kind == "template" else _STRINGS[kind]
    inner = pattern.match(text, match.end())
    end = inner.end() if inner else match.end()
    value = text[match.end() : end]
    sort = Sort.TEMPLATE if kind == "template" else Sort.STRING
    found.append(Token(sort, _unescaped(value), match.start()))
    return end + 1


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if digits:
        code = int(digits, 16)
        return chr(code) if code < 0x110000 else ""
    return _PLAIN.get(match[4], match[4])


def _may_be_regex(found: list[Token]) -> bool:
    if not found:
        return True
    last = found[-1]
    if last.sort is Sort.NAME:
        return last.text in _BEFORE_REGEX
    return last.sort is Sort.MARK and last.text not in (")", "]", "}")

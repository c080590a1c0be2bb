"""A small reader of shell text: commands with their words, pipes and redirections. It expands and runs nothing.

It knows quotes, comments, here-documents, substitutions, `[[ ]]` and `(( ))`; what it cannot read it takes for
plain words, so that hostile text costs no more than its length.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from skillui.checks.shell_closing import MAX_INNER, Closer
from skillui.checks.shell_commands import LITERAL_DOLLAR, MAX_COMMANDS, Command, Redirect, Word

MAX_DEPTH: Final = 8
"""Substitutions inside substitutions that are looked into."""
MAX_WORDS: Final = 100_000
"""Words of one text that are looked at."""
_BLANK: Final = " \t\r"
_SPECIAL: Final = re.compile(r"[\s'\"`$\\;&|<>()#]")
_REDIRECT: Final = re.compile(r"(?:\d{1,3}|&)?(<<<|<<-?|<>|>>|>\||>&|<&|&>>|&>|>|<)")
_ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w{0,100})(?:\[[^\]\n]{0,50}\])?\+?=")
_PLACEHOLDER: Final = re.compile(r"<[A-Za-z][\w .,:/|-]{0,60}>(?![>&])")
_KEYWORDS: Final = frozenset(
    {"if", "then", "else", "elif", "fi", "do", "done", "while", "until", "{", "}", "!", "time", "esac", "coproc"}
)
_DECLARING: Final = frozenset({"export", "local", "readonly", "declare", "typeset"})


class ShellText:
    """The commands of one shell text, in order; substitutions' commands stand in their words."""

    def __init__(self, text: str, depth: int = 0, base: int = 0) -> None:
        self.text = text
        self.depth = depth
        self.base = base
        self.commands: list[Command] = []
        self._at = 0
        self._pipe = 0
        self._command = Command()
        self._heredocs: list[tuple[Command, Word, bool]] = []
        self._in_test = False
        self._after_pattern = False
        self._case = 0
        self._no_close: dict[str, int] = {}
        self._closer = Closer(text)
        self.cut = False
        self._left = MAX_WORDS
        self._read()

    def _read(self) -> None:
        text, size = self.text, len(self.text)
        while self._at < size and len(self.commands) < MAX_COMMANDS and self._left > 0:
            character = text[self._at]
            if character in _BLANK:
                self._at += 1
            elif character == "\n":
                self._newline()
            elif character == "#" and not self._glued():
                end = text.find("\n", self._at)
                self._at = size if end < 0 else end
            elif text.startswith("\\\n", self._at):
                self._at += 2
            elif self._in_test:
                self._test_word()
            elif character in ";&|()":
                self._operator(character)
            elif (match := _REDIRECT.match(text, self._at)) and not self._is_special(match):
                self._redirect(match)
            else:
                self._add(self._word())
        self.cut = self._at < size
        self._end()

    def _glued(self) -> bool:
        return self._at > 0 and self.text[self._at - 1] not in " \t\r\n;&|()"

    def _is_special(self, match: re.Match[str]) -> bool:
        """Tell a process substitution and a placeholder `<name>` from a redirection."""
        if match[0][0].isdigit() and self._glued():
            return True
        after = self.text[match.end() : match.end() + 1]
        return (after == "(" and match[0] in "<>") or _PLACEHOLDER.match(self.text, self._at) is not None

    def _newline(self) -> None:
        self._end()
        self._at += 1
        for command, mark, tabs in self._heredocs:
            self._heredoc(command, mark, tabs)
        self._heredocs.clear()

    def _heredoc(self, command: Command, mark: Word, tabs: bool) -> None:
        start = self._at
        lead = r"[ \t]*" if tabs else ""
        pattern = re.compile(rf"^{lead}{re.escape(mark.text)}[ \t\r]*$", re.MULTILINE)
        match = pattern.search(self.text, start)
        end = match.start() if match else len(self.text)
        command.heredoc = Word(self.text[start:end], self.base + start)
        if not mark.quoted and self.text.find("$(", start, end) >= 0:
            for opening in islice(re.finditer(r"(?<!\\)\$\((?!\()", command.heredoc.text), 50):
                begin = start + opening.end()
                close = min(self._closer.closing(begin), end)
                self._look_into(self.text[begin:close], begin, command.heredoc)
        self._at = match.end() if match else len(self.text)

    def _operator(self, character: str) -> None:
        text = self.text
        pair = text[self._at : self._at + 2]
        if character == "&" and pair in ("&>",):
            match = _REDIRECT.match(text, self._at)
            if match:
                self._redirect(match)
                return
        if pair == "((" and not self._command.words:
            end = text.find("))", self._at, self._at + 2_000)
            self._at = end + 2 if end >= 0 else self._at + 2
            return
        piped = character == "|" and pair != "||"
        if character == ")" and self._case and self._command.words and len(self._command.words) <= 1:
            self._command = Command(pipe=self._pipe)  # a pattern of `case`
            self._at += 1
            return
        self._end(piped)
        double = pair in ("||", "&&", ";;", "|&", ";&")
        self._at += 2 if double else 1

    def _redirect(self, match: re.Match[str]) -> None:
        self._at = match.end()
        operator = match[1].lstrip("&") if match[1] != "&>" else ">"
        operator = ">>" if match[1] == "&>>" else operator
        while self._at < len(self.text) and self.text[self._at] in _BLANK:
            self._at += 1
        word = self._word() if self._at < len(self.text) and self.text[self._at] not in "\n;|()" else Word("", self._at)
        if operator in ("<<", "<<-"):
            if word.text:
                self._heredocs.append((self._command, word, operator == "<<-"))
            return
        self._command.redirects.append(Redirect(operator, word))

    def _add(self, word: Word) -> None:
        command = self._command
        if not command.words:
            command.start = command.start or word.start
        plain = not word.quoted
        if not command.words and plain and word.text in _KEYWORDS:
            self._case -= word.text == "esac" and self._case > 0
            return
        assigns = _ASSIGNMENT.match(word.text)
        if assigns and (not command.words or command.words[0].text in _DECLARING):
            value = Word(word.text[assigns.end() :], word.start, word.quoted, word.inner, word.feeds)
            command.assignments.append((assigns[1], value))
            return
        if plain and word.text == "[[" and not command.words:
            self._in_test = True
            return
        if plain and word.text == "in" and command.words and command.words[0].text == "case":
            self._case += 1
            self._end()
            return
        command.words.append(word)

    def _test_word(self) -> None:
        """Pass over the inside of `[[ ]]`, where `<`, `>` and `&&` compare."""
        if self.text.startswith("]]", self._at):
            self._in_test = False
            self._at += 2
            return
        if self.text[self._at] in ";&|<>()":
            self._at += 1
            return
        word = self._word()
        if word.inner:
            self._command.words.append(Word("[[", word.start, True, word.inner))

    def _end(self, piped: bool = False) -> None:
        command = self._command
        if command.words or command.redirects or command.assignments:
            command.pipe = self._pipe
            self.commands.append(command)
        self._pipe += not piped
        self._in_test = False
        self._command = Command(pipe=self._pipe)

    def _word(self) -> Word:
        """Read one word; at least one character is passed."""
        text, size, start = self.text, len(self.text), self._at
        self._left -= 1
        word = Word("", self.base + start)
        parts: list[str] = []
        while self._at < size:
            character = text[self._at]
            if character in " \t\r\n" or (character in ";&|()" and self._at > start):
                break
            if character in "<>":
                if not self._angle(word, parts):
                    break
                continue
            self._piece(character, word, parts)
        if self._at == start:
            self._at += 1
        word.text = "".join(parts)
        return word

    def _angle(self, word: Word, parts: list[str]) -> bool:
        text = self.text
        if text.startswith("(", self._at + 1):
            word.feeds = word.feeds or text[self._at] == "<"
            begin = self._at
            self._substitution(self._at + 2, word)
            parts.append(text[begin : self._at])
            return True
        if match := _PLACEHOLDER.match(text, self._at):
            parts.append(match[0])
            self._at = match.end()
            return True
        return False

    def _piece(self, character: str, word: Word, parts: list[str]) -> None:
        text = self.text
        if character == "'":
            self._single(word, parts)
        elif character == '"':
            self._double(word, parts)
        elif character == "\\":
            parts.append(text[self._at + 1 : self._at + 2].replace("\n", "").replace("$", LITERAL_DOLLAR))
            self._at += 2
        elif character == "$":
            self._dollar(word, parts)
        elif character == "`":
            self._backticks(word, parts)
        else:
            match = _SPECIAL.search(text, self._at + 1)
            end = match.start() if match else len(text)
            parts.append(text[self._at : end])
            self._at = end

    def _find(self, mark: str, start: int) -> int:
        """Find a closing mark; where there is none behind an offset, that is remembered."""
        if self._no_close.get(mark, len(self.text) + 1) <= start:
            return -1
        end = self.text.find(mark, start)
        if end < 0:
            self._no_close[mark] = start
        return end

    def _single(self, word: Word, parts: list[str]) -> None:
        end = self._find("'", self._at + 1)
        if end < 0:  # an apostrophe of prose
            parts.append("'")
            self._at += 1
            return
        word.quoted = True
        parts.append(self.text[self._at + 1 : end].replace("$", LITERAL_DOLLAR))
        self._at = end + 1

    def _double(self, word: Word, parts: list[str]) -> None:
        text, size = self.text, len(self.text)
        if self._find('"', self._at + 1) < 0:
            parts.append('"')
            self._at += 1
            return
        word.quoted = True
        self._at += 1
        while self._at < size and text[self._at] != '"':
            character = text[self._at]
            if character == "\\":
                taken = text[self._at + 1 : self._at + 2]
                kept = taken if taken in '"\\`$' else "\\" + taken
                parts.append(kept.replace("$", LITERAL_DOLLAR) if taken != "\n" else "")
                self._at += 2
            elif character == "$":
                self._dollar(word, parts)
            elif character == "`":
                self._backticks(word, parts)
            else:
                match = _QUOTED_END.search(text, self._at)
                end = match.start() if match else size
                parts.append(text[self._at : end])
                self._at = end
        self._at += 1

    def _dollar(self, word: Word, parts: list[str]) -> None:
        text, start = self.text, self._at
        if text.startswith("$((", start):
            end = text.find("))", start, start + 1_000)
            self._at = end + 2 if end >= 0 else start + 3
            parts.append("0" if end >= 0 else "$((")
            return
        if text.startswith("$(", start):
            self._substitution(start + 2, word)
        elif text.startswith("${", start):
            end = text.find("}", start, start + 300)
            self._at = end + 1 if end >= 0 else start + 2
        elif text.startswith("$'", start):
            self._at += 1
            self._single(word, parts)
            return
        else:
            self._at += 1
            match = _NAME.match(text, self._at)
            self._at = match.end() if match else self._at
        parts.append(text[start : self._at])

    def _backticks(self, word: Word, parts: list[str]) -> None:
        start = self._at
        end = self._find("`", start + 1)
        if end < 0:
            parts.append("`")
            self._at += 1
            return
        self._at = end + 1
        inner = self.text[start + 1 : end]
        parts.append("$(" + inner + ")")
        self._look_into(inner, start + 1, word)

    def _substitution(self, begin: int, word: Word) -> None:
        """Pass over `( ... )` from behind its opening mark, and read what stands inside."""
        end = self._closer.closing(begin)
        self._at = min(end + 1, len(self.text))
        self._look_into(self.text[begin:end], begin, word)

    def _look_into(self, inner: str, begin: int, word: Word) -> None:
        if self.depth < MAX_DEPTH and len(inner) <= MAX_INNER:
            word.inner += ShellText(inner, self.depth + 1, self.base + begin).commands


_QUOTED_END: Final = re.compile(r'["\\$`]')
_NAME: Final = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]")

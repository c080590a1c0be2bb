"""A small scanner for Markdown: code, comments, headings and links with their places, in one linear pass."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

MAX_ITEMS = 10_000
"""Items of one kind that are looked at in one document."""
_MAX_SPAN = 2_000
"""Characters an inline code span may have."""

# Possessive quantifiers throughout: a line of a million blanks must not cost its square.
_FENCE = re.compile(r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?+(?P<mark>`{3,}+|~{3,}+)(?P<info>[^\n]*+)")
_TICKS = re.compile(r"`++")
_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")
_HEADING = re.compile(r"^ {0,3}(?P<marks>#{1,6})[ \t]++(?P<text>[^\n]*+)$", re.MULTILINE)
_INLINE_LINK = re.compile(r"\]\([ \t]*+<?(?P<target>[^)\s<>]{1,1000})")
_DEFINITION = re.compile(r"^ {0,3}\[[^\[\]\n]{1,300}\]:[ \t]*+<?(?P<target>[^\s<>]{1,1000})", re.MULTILINE)
_ATTRIBUTE = re.compile(r"""\b(?:href|src|HREF|SRC)[ \t]*+=[ \t]*+["'](?P<target>[^"'\s]{1,1000})["']""")
_LINKS = ((_INLINE_LINK, "]("), (_DEFINITION, "]:"), (_ATTRIBUTE, "="))
_INDENTED = re.compile(r"^(?: {4}| {0,3}\t)[ \t]*+\S", re.MULTILINE)
_MARKER = re.compile(r" *+(?:[-*+]|\d{1,9}[.)]) +")
_NOT_NEWLINE = re.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a document's text, `start` up to `end`, 0-based character offsets."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced code block; `start` up to `end` is its content without the fence lines."""

    info: str
    """All that stands behind the opening marks, stripped."""
    opening: int
    """Offset of the opening marks."""
    start: int
    end: int
    closed: bool
    after: int
    """Offset of the end of the closing line, or of the text."""

    @property
    def language(self) -> str:
        """The first word of the info string, lower case, "" where there is none."""
        words = self.info.lstrip("{").split(None, 1)
        return words[0].strip("{},.").lower() if words else ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with its level from 1 to 6."""

    level: int
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Link:
    """A link or image; `start` is the offset of its target."""

    target: str
    text: str
    start: int


class Document:
    """One Markdown text, scanned once. Offsets count characters of `text`; `first_line` is its line in the file."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self.first_line = first_line

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, 1-based and counted in the file, of an offset."""
        index = bisect_left(self._newlines, offset)
        start = self._newlines[index - 1] + 1 if index else 0
        return self.first_line + index, offset - start + 1

    def line_at(self, offset: int) -> str:
        """Return the whole line an offset lies in, without its newline."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")

    def content(self, part: Span | Fence) -> str:
        """Return the text of a part."""
        return self.text[part.start : part.end]

    @cached_property
    def fences(self) -> tuple[Fence, ...]:
        """The fenced code blocks, in order."""
        return self._blocks[0]

    @cached_property
    def indented(self) -> tuple[Fence, ...]:
        """The code blocks that have no marks but four blanks before each line, in order."""
        text = self._outside_blocks
        if not _INDENTED.search(text):
            return ()
        return tuple(islice(_indented(text, [fence.opening for fence in self.fences]), MAX_ITEMS))

    @cached_property
    def comments(self) -> tuple[Span, ...]:
        """HTML comments outside code, their marks included."""
        return self._blocks[1]

    @cached_property
    def code_spans(self) -> tuple[Span, ...]:
        """The insides of inline code, outside fences and comments."""
        return tuple(islice(_spans(self._outside_blocks, 0, len(self.text)), MAX_ITEMS))

    @cached_property
    def prose(self) -> str:
        """The text with all code and comments blanked out; newlines and offsets stay."""
        return _blanked(self._outside_blocks, [(span.start, span.end) for span in self.code_spans])

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """The headings marked by `#`."""
        found = islice(_HEADING.finditer(self._outside_blocks), MAX_ITEMS)
        return tuple(
            Heading(len(match["marks"]), match["text"].strip(" \t\r#"), match.start("marks")) for match in found
        )

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Links and images outside code: inline, by definition, and `href` or `src` of a tag."""
        found = []
        for pattern, sign in _LINKS:
            if sign not in self.prose:
                continue
            for match in islice(pattern.finditer(self.prose), MAX_ITEMS):
                text = self._link_text(match.start()) if pattern is _INLINE_LINK else ""
                found.append(Link(match["target"], text, match.start("target")))
        return tuple(sorted(found, key=lambda link: link.start))

    def fence_at(self, offset: int) -> Fence | None:
        """Return the fenced block whose content an offset lies in."""
        index = bisect_right(self.fences, offset, key=lambda fence: fence.start) - 1
        return self.fences[index] if index >= 0 and offset < self.fences[index].end else None

    def in_code(self, offset: int) -> bool:
        """Tell whether an offset lies in a fenced block or in inline code."""
        if self.fence_at(offset) is not None:
            return True
        index = bisect_right(self.code_spans, offset, key=lambda span: span.start) - 1
        return index >= 0 and offset < self.code_spans[index].end

    def _link_text(self, end: int) -> str:
        start = self.text.rfind("[", max(0, end - 300), end)
        return self.text[start + 1 : end] if start >= 0 else ""

    @cached_property
    def _newlines(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    @cached_property
    def _outside_blocks(self) -> str:
        fences, comments = self._blocks
        parts = [(fence.opening, fence.after) for fence in fences]
        parts += [(comment.start, comment.end) for comment in comments]
        return _blanked(self.text, sorted(parts))

    @cached_property
    def _blocks(self) -> tuple[tuple[Fence, ...], tuple[Span, ...]]:
        """Tell fences and comments apart: what begins first holds what begins inside it."""
        fences: list[Fence] = []
        comments: list[Span] = []
        text, at = self.text, 0
        lines = _fence_lines(text)
        number = 0
        comment = text.find("<!--")
        while (number < len(lines) or comment >= 0) and len(fences) + len(comments) < MAX_ITEMS:
            line = lines[number] if number < len(lines) else None
            if line is not None and (comment < 0 or line.start("mark") < comment):
                number += 1
                if not _opens(line):
                    continue
                fence, number = _fence(text, line, lines, number)
                fences.append(fence)
                at = fence.after
            else:
                at, found = _comment(text, comment)
                comments += found
            while number < len(lines) and lines[number].start() < at:
                number += 1
            if 0 <= comment < at:
                comment = text.find("<!--", at)
        return tuple(fences), tuple(comments)


def _fence_lines(text: str) -> list[re.Match[str]]:
    """Return the lines that look like a fence, opening or closing."""
    found = []
    for marks in ("```", "~~~"):
        at = text.find(marks)
        while at >= 0:
            start = text.rfind("\n", 0, at) + 1
            match = _FENCE.match(text, start)
            if match and match["mark"][0] == marks[0]:
                found.append(match)
            newline = text.find("\n", at)
            at = text.find(marks, newline) if newline >= 0 else -1
    return sorted(found, key=lambda match: match.start())


def _opens(line: re.Match[str]) -> bool:
    """Tell whether a line opens a fence: backticks behind backticks are inline code."""
    return line["mark"][0] == "~" or "`" not in line["info"]


def _fence(text: str, opening: re.Match[str], lines: list[re.Match[str]], number: int) -> tuple[Fence, int]:
    """Return the block that a line opens, and the index of the first line behind it."""
    mark, info = opening["mark"], opening["info"].strip()
    start = min(opening.end() + 1, len(text))
    for index in range(number, len(lines)):
        match = lines[index]
        if match["mark"].startswith(mark) and not match["info"].strip():
            return Fence(info, opening.start("mark"), start, match.start(), True, match.end()), index + 1
    return Fence(info, opening.start("mark"), start, len(text), False, len(text)), len(lines)


def _indented(text: str, others: Iterable[int]) -> Iterator[Fence]:
    """Yield runs of lines behind an empty one that stand four columns or more inside of what holds them.

    `others` are the offsets of what was blanked out of the text and ends such a run.
    """
    at, start, end, after_blank = 0, -1, 0, True
    inside = [0]  # columns at which the text of the lists around begins
    ends = iter(others)
    other = next(ends, len(text))
    for line in text.splitlines(keepends=True):
        shown = line.expandtabs(4).rstrip()
        column = len(shown) - len(shown.lstrip())
        while shown and column < inside[-1]:
            inside.pop()
        code = column - inside[-1] >= 4 and (after_blank or start >= 0)
        if start >= 0 and (at > other or (shown and not code)):
            yield Fence("", start, start, end, True, end)
            start = -1
        while other < at:
            other = next(ends, len(text))
        if code:
            start, end = (at if start < 0 else start), at + len(line)
        elif shown:
            marker = _MARKER.match(shown)
            while marker is not None:  # `- - x` opens two lists
                inside.append(marker.end())
                marker = _MARKER.match(shown, marker.end())
        after_blank = not shown or _HEADING.match(line) is not None
        at += len(line)
    if start >= 0:
        yield Fence("", start, start, end, True, end)


def _comment(text: str, start: int) -> tuple[int, list[Span]]:
    """Return where the search goes on, and the comment unless it stands in inline code."""
    line = text.rfind("\n", 0, start) + 1
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    if end - line <= _MAX_SPAN and any(span.start <= start < span.end for span in _spans(text, line, end)):
        return start + 4, []
    close = text.find("-->", start + 2)
    end = len(text) if close < 0 else close + 3
    return end, [Span(start, end)]


def _spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the insides of inline code: a run of backticks up to the next run as long, within a paragraph."""
    runs = list(_TICKS.finditer(text, start, end))
    by_length: dict[int, list[int]] = {}
    for index, run in enumerate(runs):
        by_length.setdefault(run.end() - run.start(), []).append(index)
    index = 0
    while index < len(runs):
        run = runs[index]
        same = by_length[run.end() - run.start()]
        at = bisect_right(same, index)
        index += 1
        if at == len(same):
            continue
        close = runs[same[at]]
        start, end = run.end(), close.start()
        if end - start > _MAX_SPAN:
            continue
        if text.find("\n", start, end) < 0 or not _BLANK_LINE.search(text, start, end):
            yield Span(start, end)
            index = same[at] + 1


def _blanked(text: str, parts: Iterable[tuple[int, int]]) -> str:
    """Return `text` with the parts, in order, turned to blanks; newlines are kept."""
    pieces: list[str] = []
    at = 0
    for start, end in parts:
        pieces.append(text[at:start])
        part = text[start:end]
        pieces.append(_NOT_NEWLINE.sub(_blanks, part) if "\n" in part else " " * len(part))
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


def _blanks(match: re.Match[str]) -> str:
    return " " * (match.end() - match.start())

"""The difference of two texts as lines to show, in bounded time whatever the texts."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

from skillui.tui.model.diff_words import Spans, changed_words

Kind = Literal["context", "added", "removed", "header", "fold", "note"]
Opcode = tuple[str, int, int, int, int]

MAX_LINES: Final = 20_000
"""Lines of the longer text past which nothing is compared."""
MAX_SECONDS: Final = 1.0
"""Time after which what is left counts as replaced."""
_MOST_STEPS: Final = 8_000_000
"""Steps one unmatched stretch may take by difflib's way of work, which is cubic at worst."""

_MOST_PAIRS: Final = 500
"""Lines of one replaced stretch whose words are compared."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a difference, its text without the line's end."""

    kind: Kind
    """`fold` stands for unchanged lines, `note` says something about the texts."""
    text: str
    old_no: int | None = None
    """1-based line in the old text."""
    new_no: int | None = None
    spans: Spans = ()
    """What changed within the line, [start, end) in characters; empty where the whole line did."""
    folded: tuple[DiffLine, ...] = ()
    """The lines a fold stands for."""


def diff_texts(old: str, new: str, old_name: str, new_name: str, context: int = 3) -> tuple[DiffLine, ...]:
    """Return the unified difference, two headers first, unchanged stretches folded.

    A text that is too long gets a plain statement instead. `context` is in lines.
    """
    headers = (DiffLine("header", f"--- {old_name}"), DiffLine("header", f"+++ {new_name}"))
    if old == new:
        return (*headers, DiffLine("note", "no difference"))
    before, after = _split(old), _split(new)
    if max(len(before), len(after)) > MAX_LINES:
        text = f"too long to compare line by line: {len(before):,} and {len(after):,} lines"
        return (*headers, DiffLine("note", text))
    lines = list(_lines(before, after, _opcodes(before, after, time.monotonic() + MAX_SECONDS)))
    ends: tuple[DiffLine, ...] = ()
    if old and new and old.endswith("\n") != new.endswith("\n"):
        which = "old" if old.endswith("\n") else "new"
        ends = (DiffLine("note", f"only the {which} text ends its last line"),)
    return (*headers, *_folded(lines, context), *ends)


def _split(text: str) -> list[str]:
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _opcodes(old: Sequence[str], new: Sequence[str], deadline: float) -> Iterator[Opcode]:
    """Yield equal and replaced stretches: between lines that stand once in both texts, then by difflib."""
    anchors = [*_anchors(old, new), (len(old), len(new))]
    i = j = 0
    for i_end, j_end in anchors:
        yield from _stretch(old, new, (i, i_end, j, j_end), deadline)
        if i_end < len(old) and j_end < len(new):
            yield "equal", i_end, i_end + 1, j_end, j_end + 1
        i, j = i_end + 1, j_end + 1


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest run of lines that are the only ones of their kind and stand in the same order."""
    in_old, in_new = Counter(old), Counter(new)
    at = {line: number for number, line in enumerate(new) if in_new[line] == 1}
    pairs = [(number, at[line]) for number, line in enumerate(old) if in_old[line] == 1 and line in at]
    return _longest_rising(pairs)


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        place = bisect_left(tails, j)
        before.append(ends[place - 1] if place else -1)
        tails[place : place + 1] = [j]
        ends[place : place + 1] = [number]
    rising: list[tuple[int, int]] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        rising.append(pairs[at])
        at = before[at]
    return rising[::-1]


def _stretch(
    old: Sequence[str], new: Sequence[str], bounds: tuple[int, int, int, int], deadline: float
) -> Iterator[Opcode]:
    i, i_end, j, j_end = bounds
    start, stop = i, i_end
    while i < i_end and j < j_end and old[i] == new[j]:
        i, j = i + 1, j + 1
    while i < i_end and j < j_end and old[i_end - 1] == new[j_end - 1]:
        i_end, j_end = i_end - 1, j_end - 1
    if i > start:
        yield "equal", start, i, j - (i - start), j
    a, b = old[i:i_end], new[j:j_end]
    if not a or not b or _steps(a, b) > _MOST_STEPS or time.monotonic() > deadline:
        if a or b:
            yield "replace", i, i_end, j, j_end
    else:
        for tag, a0, a1, b0, b1 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
            yield "equal" if tag == "equal" else "replace", i + a0, i + a1, j + b0, j + b1
    if i_end < stop:
        yield "equal", i_end, stop, j_end, j_end + (stop - i_end)


def _steps(a: Sequence[str], b: Sequence[str]) -> int:
    in_a, in_b = Counter(a), Counter(b)
    pairs = sum(number * in_b[line] for line, number in in_a.items() if line in in_b)
    return (pairs + len(a)) * min(len(a), len(b), pairs + 1)


def _lines(old: Sequence[str], new: Sequence[str], opcodes: Iterator[Opcode]) -> Iterator[DiffLine]:
    for tag, i, i_end, j, j_end in _merged(opcodes):
        if tag == "equal":
            for offset in range(i_end - i):
                yield DiffLine("context", old[i + offset], i + offset + 1, j + offset + 1)
            continue
        pairs = [changed_words(old[i + n], new[j + n]) for n in range(min(i_end - i, j_end - j, _MOST_PAIRS))]
        for number in range(i, i_end):
            spans = pairs[number - i][0] if number - i < len(pairs) else ()
            yield DiffLine("removed", old[number], number + 1, None, spans)
        for number in range(j, j_end):
            spans = pairs[number - j][1] if number - j < len(pairs) else ()
            yield DiffLine("added", new[number], None, number + 1, spans)


def _merged(opcodes: Iterator[Opcode]) -> Iterator[Opcode]:
    """Join neighbours of one kind."""
    current: Opcode | None = None
    for opcode in opcodes:
        if current is not None and current[0] == opcode[0]:
            current = (current[0], current[1], opcode[2], current[3], opcode[4])
            continue
        if current is not None:
            yield current
        current = opcode
    if current is not None:
        yield current


def _folded(lines: list[DiffLine], context: int) -> Iterator[DiffLine]:
    """Replace unchanged stretches by folds, save `context` lines beside a change."""
    start = 0
    while start < len(lines):
        end = start
        kind = lines[start].kind
        while end < len(lines) and (lines[end].kind == "context") == (kind == "context"):
            end += 1
        block = lines[start:end]
        if kind == "context":
            yield from _fold(block, 0 if start == 0 else context, 0 if end == len(lines) else context)
        else:
            yield from block
        start = end


def _fold(block: list[DiffLine], head: int, tail: int) -> Iterator[DiffLine]:
    hidden = block[head : len(block) - tail]
    if len(hidden) < 2:
        yield from block
        return
    yield from block[:head]
    yield DiffLine("fold", f"{len(hidden):,} unchanged lines", folded=tuple(hidden))
    yield from block[len(block) - tail :]


def side_by_side(lines: Sequence[DiffLine]) -> tuple[tuple[DiffLine | None, DiffLine | None], ...]:
    """Return the lines in pairs, what was removed beside what was added in its place.

    A line that belongs to both sides, such as context, is in the pair twice.
    """
    pairs: list[tuple[DiffLine | None, DiffLine | None]] = []
    removed: list[DiffLine] = []
    added: list[DiffLine] = []
    line_before: DiffLine | None = None

    def flush() -> None:
        for number in range(max(len(removed), len(added))):
            left = removed[number] if number < len(removed) else None
            pairs.append((left, added[number] if number < len(added) else None))
        removed.clear()
        added.clear()

    for line in lines:
        if line.kind == "removed":
            if added:
                flush()
            removed.append(line)
        elif line.kind == "added":
            added.append(line)
        else:
            flush()
            if line.kind == "header" and line_before is not None and line_before.kind == "header":
                pairs[-1] = (line_before, line)
            else:
                pairs.append((line, line))
        line_before = line
    flush()
    return tuple(pairs)

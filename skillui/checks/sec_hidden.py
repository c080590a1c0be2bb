"""SEC-01 and SEC-02: text that nobody sees, and characters that a terminal obeys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

from skillui.checks import hidden_codes
from skillui.checks.hidden_text import Hidden, Kind, hidden_runs, names
from skillui.checks.rule import SKILL_FILE, Family, Finding, Rule
from skillui.checks.texts import Places, gravest_first, readable
from skillui.core.problems import Severity
from skillui.core.text import clipped
from skillui.core.visible import visible

if TYPE_CHECKING:
    from skillui.checks.subject import Subject

_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]+")
# Of the C1 controls, those that terminals act on; the others are what a wrong decoding left behind.
_ACTING: Final = "\x84\x85\x88\x8d\x8e\x8f\x90\x96\x97\x98\x9a\x9b\x9c\x9d\x9e\x9f"
_ESCAPE_SEQUENCE: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-9;:?]{0,64}[ -/]{0,4}[@-~]|\x1b[\]P_^X][^\x07\x1b\n]{0,200}|\x1b.?"
)
_MAX_QUOTED: Final = 200
_PER_FILE: Final = 50


@dataclass(slots=True)
class _Line:
    """What is hidden in one line, of one kind."""

    first: Hidden
    column: int
    places: int = 1
    decoded: list[str] = field(default_factory=list)
    grave: bool = False


def hidden(subject: Subject) -> list[Finding]:
    """Return what cannot be seen in file names, in texts, and in frontmatter values written as escapes."""
    return gravest_first(_hidden(subject))


def _hidden(subject: Subject) -> Iterator[Finding]:
    for path, text in readable(subject):
        if not text.isascii():
            yield from gravest_first(_in_text(path, text))[:_PER_FILE]
        if path == SKILL_FILE:
            yield from _in_values(subject)
    for entry in subject.tree.entries:
        if not entry.path.isascii() and (runs := list(hidden_runs(entry.path))):
            yield Finding(f"the file's name holds {_what(runs[0])}", entry.path, hint="rename the file")


def _in_text(path: str, text: str) -> Iterator[Finding]:
    lines: dict[tuple[int, Kind], _Line] = {}
    places = Places(text)
    joined: list[str] = []
    for run in hidden_runs(text):
        line, column = places.place(run.start)
        known = lines.get((line, run.kind))
        if known is None:
            known = lines[line, run.kind] = _Line(run, column)
        else:
            known.places += 1
        if run.decoded:
            known.decoded.append(run.decoded)
        known.grave = known.grave or run.grave
        if run.kind is Kind.JOINERS:
            joined.append(text[run.start : run.end])
    _decode_scattered(lines, joined)
    for (line, _), found in lines.items():
        yield _told(path, line, found)


def _decode_scattered(lines: dict[tuple[int, Kind], _Line], joined: list[str]) -> None:
    """Read zero-width bits that stand one by one between letters; the first line tells what they spell."""
    first = next((found for (_, kind), found in lines.items() if kind is Kind.JOINERS), None)
    if first is not None and len(joined) > 1 and not first.decoded:
        text = hidden_codes.from_bits("".join(joined)[:4096])
        if text:
            first.decoded.append(visible(text))
            first.grave = True


def _told(path: str, line: int, found: _Line) -> Finding:
    run = found.first
    message = f"{run.kind} ({run.shown})"
    if found.places > 1:
        message += f" in {found.places} places of this line"
    if found.decoded:
        message += f' that spell "{clipped("".join(found.decoded), _MAX_QUOTED)}"'
    severity = None if found.grave else Severity.WARNING
    hint = "remove them: a model reads what a person cannot see"
    return Finding(message, path, line, found.column, hint, severity)


def _what(run: Hidden) -> str:
    return f"{run.kind} ({run.shown})" + (f' that spell "{clipped(run.decoded, _MAX_QUOTED)}"' if run.decoded else "")


def _in_values(subject: Subject) -> Iterator[Finding]:
    """Yield what YAML's escapes put into a value, for the file itself shows it as plain letters."""
    for key, value in _values(subject):
        for run in islice(hidden_runs(value), 5):
            if value[run.start] not in subject.parsed.text:
                yield subject.at_field(key, f"field '{key}' holds {_what(run)}", hint="write visible text")


def _values(subject: Subject) -> Iterator[tuple[str, str]]:
    for key, value in subject.parsed.frontmatter.items():
        texts = value if isinstance(value, (list, tuple)) else value.values() if isinstance(value, dict) else (value,)
        yield from ((key, text) for text in islice(texts, 1_000) if isinstance(text, str))


def controls(subject: Subject) -> list[Finding]:
    """Return the control characters of every text file, of file names and of frontmatter values."""
    return gravest_first(_controls(subject))


def _controls(subject: Subject) -> Iterator[Finding]:
    for path, text in readable(subject):
        yield from gravest_first(_controls_of(path, text))[:_PER_FILE]
        if path == SKILL_FILE:
            yield from _controls_of_values(subject)
    for entry in subject.tree.entries:
        if not entry.path.isprintable() and (match := re.search("[\x00-\x1f\x7f-\x9f]", entry.path)):
            yield Finding(f"the file's name holds a control character ({names(match[0])})", entry.path)


def _controls_of(path: str, text: str) -> Iterator[Finding]:
    places: Places | None = None
    last = 0
    old_lines = "\r" in text and "\n" not in text
    for match in _CONTROLS.finditer(text):
        run = match[0]
        if run == "\r" and (old_lines or text[match.end() : match.end() + 1] == "\n"):
            continue
        if not run.strip("\r\f") and text[match.end() : match.end() + 1] in ("\n", ""):
            continue  # doubled carriage returns and page feeds at a line's end act on nothing
        if not run.strip("\f"):
            continue
        places = places or Places(text)
        line, column = places.place(match.start())
        if line == last:
            continue
        last = line
        soft = all("\x80" <= character <= "\x9f" and character not in _ACTING for character in run)
        yield Finding(
            _controls_message(text, match), path, line, column, "remove it, or write it as an escape",
            Severity.WARNING if soft else None,
        )  # fmt: skip


def _controls_message(text: str, match: re.Match[str]) -> str:
    sequence = _ESCAPE_SEQUENCE.match(text, match.start())
    if sequence is not None:
        return f'terminal control sequence "{clipped(visible(sequence[0]), 80)}"'
    return f"control characters ({names(match[0])})" if len(match[0]) > 1 else f"control character ({names(match[0])})"


def _controls_of_values(subject: Subject) -> Iterator[Finding]:
    for key, value in _values(subject):
        match = _CONTROLS.search(value)
        if match and match[0] not in subject.parsed.text and match[0].strip("\r\f"):
            yield subject.at_field(key, f"field '{key}' holds control characters ({names(match[0])}) by an escape")


SEC_01: Final = Rule(
    "SEC-01", Family.SEC, Severity.ERROR,
    "text that a person cannot see",
    "A model reads every character; a person sees neither bidirectional controls nor zero-width, tag, selector and "
    "private-use characters. They hide instructions, or make a line read otherwise than it runs. What they spell is "
    "decoded and shown. Emoji sequences, flags, and the joiners and direction marks that Arabic, Hebrew, Persian and "
    "Indic texts need are left alone.\n\n"
    "Remove the characters. Where a document must speak of them, write them as escapes (`\\u200b`).",
    hidden,
    valid="Ship it \U0001f469\u200d\U0001f4bb.",
    invalid="Keep the pass\u200bword out.",
)  # fmt: skip

SEC_02: Final = Rule(
    "SEC-02", Family.SEC, Severity.ERROR,
    "characters that a terminal obeys",
    "Escape sequences and other control characters repaint the screen of whoever prints the file: what is read is then "
    "not what the file holds. Tabs and line ends are text.\n\n"
    "Write such a character as an escape (`\\x1b`) in code, and leave it out elsewhere.",
    controls,
    valid="print('\\x1b[1mwell\\x1b[0m')",
    invalid="All is \x1b[32mwell\x1b[0m.",
)  # fmt: skip

"""Rules over the bytes of a skill's text: ENC-01."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillui.checks.fixes.source import BOM, digest_of
from skillui.checks.languages import SHELL
from skillui.checks.rule import SKILL_FILE, Family, Finding, Rule
from skillui.checks.subject import Subject
from skillui.core.problems import Edit, Fix, Severity

_BLANKS_BEHIND_FENCE: Final = re.compile(r"---([ \t]+)\r?(?:\n|\Z)")


def check_encoding(subject: Subject) -> Iterator[Finding]:
    """ENC-01: no byte-order mark, one kind of line end, nothing behind a fence."""
    text = subject.parsed.text
    if text.startswith("\ufeff"):
        yield _mark(SKILL_FILE, text.encode("utf-8", "surrogatepass"))
    if "\r" in text:
        yield from _line_ends(text)
    if "--- " in text or "---\t" in text:
        yield from _fences(subject)
    yield from _scripts(subject)


def _mark(path: str, data: bytes) -> Finding:
    fix = Fix("remove the byte-order mark", path, (Edit(0, len(BOM), b""),), digest=digest_of(data))
    message = "the file begins with a byte-order mark, before which some readers see no frontmatter"
    if path != SKILL_FILE:
        message = "the script begins with a byte-order mark: the system does not see its first line `#!`"
    return Finding(message, path, 1, 1, "save the file as UTF-8 without a byte-order mark", fix=fix)


def _line_ends(text: str) -> Iterator[Finding]:
    pairs, newlines = text.count("\r\n"), text.count("\n")
    if pairs == newlines and pairs:
        message = f"all {pairs:,} lines end with CRLF" if pairs > 1 else "the line ends with CRLF"
        yield Finding(message, line=1, hint="save the file with LF alone, as every reader and diff expects")
    elif pairs:
        crlf = text.index("\r\n")
        newline = re.search(r"(?<!\r)\n", text)
        plain = newline.start() if newline else 0
        line = text.count("\n", 0, max(crlf, plain)) + 1
        message = f"line ends are mixed: {pairs:,} of {newlines:,} lines end with CRLF, the others with LF"
        yield Finding(message, line=line, hint="save the file with LF alone")
    lone = text.count("\r") - pairs
    if lone:
        at = re.search(r"\r(?!\n)", text)
        line = text.count("\n", 0, at.start() if at else 0) + 1
        yield Finding("a lone carriage return stands in the text", line=line, hint="remove it, or write a newline")


def _fences(subject: Subject) -> Iterator[Finding]:
    """Tell blanks behind the frontmatter's two fences; a reader that looks for `---` alone finds none there."""
    text = subject.parsed.text
    if subject.parsed.frontmatter_text is None:
        return
    opening = 1 if text.startswith("\ufeff") else 0
    inner = text.index("\n", opening) + 1 + len(subject.parsed.frontmatter_text) if "\n" in text else len(text)
    for start in (opening, inner):
        match = _BLANKS_BEHIND_FENCE.match(text, start)
        if match is None:
            continue
        line = text.count("\n", 0, start) + 1
        from_, to = (len(text[: match.start(1)].encode()), len(text[: match.end(1)].encode()))
        fix = Fix(
            "remove the blanks behind the fence", SKILL_FILE, (Edit(from_, to, b""),), digest=digest_of(text.encode())
        )
        yield Finding(
            "blanks stand behind the fence `---`, which some readers then do not take for one", line=line, column=4,
            hint="end the line after the third hyphen", fix=fix,
        )  # fmt: skip


def _scripts(subject: Subject) -> Iterator[Finding]:
    """Tell what breaks a script's first line: a carriage return becomes part of the program's name."""
    for script in subject.scripts:
        data = subject.data(script.path)
        if data is None:
            continue
        if data.startswith(BOM) and data.startswith(b"#!", len(BOM)):
            yield _mark(script.path, data)
        first, found, _ = data[:2_000].partition(b"\n")
        if found and first.endswith(b"\r") and (script.language == SHELL or first.removeprefix(BOM).startswith(b"#!")):
            yield Finding(
                "the script's lines end with CRLF: the system looks for a program whose name ends with a carriage "
                "return", script.path, 1, hint="save the script with LF alone",
            )  # fmt: skip


RULES: tuple[Rule, ...] = (
    Rule(
        "ENC-01", Family.ENC, Severity.WARNING, "a byte-order mark, carriage returns, or blanks behind a fence",
        "Readers of SKILL.md look for `---` as the very first line. A byte-order mark before it, a carriage return or "
        "blanks behind it make some of them see no frontmatter at all: the skill is then without name, description "
        "and tools. In a script a carriage return at the end of the first line names a program that does not exist. "
        "Save files as UTF-8 without a mark, with LF alone.",
        check_encoding, valid="---\nname: release-notes", invalid="--- \nname: release-notes",
    ),
)  # fmt: skip

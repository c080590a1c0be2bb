"""SEC-08: letters of another script that look like the ones a name is expected to have."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from skillui.checks.rule import SKILL_FILE, Family, Finding, Rule
from skillui.checks.texts import Places
from skillui.core.problems import Severity
from skillui.core.visible import visible

if TYPE_CHECKING:
    from skillui.checks.markdown import Fence, Span
    from skillui.checks.subject import Subject

_SEEMS: Final = {
    **dict(zip("аеорсухіјѕһԁԛԝԍӏвкмнтАВЕКМНОРСТУХІЈЅҮԜ", "aeopcyxijshdqwglbkmhtABEKMHOPCTYXIJSYW", strict=True)),
    **dict(zip("ονρικυτχαωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ovpikutxawABEZHIKMNOPTYX", strict=True)),
    **dict(zip("օսոցһզԼՕՍ", "ounghqLOU", strict=True)),
    **dict(zip("ɡɑıⲟⲣⲥꓐꓑꓔꓖꓗꓡꓢꓣꓲᎪᏴᏟᎬᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏃ", "gaiopcBPTGKLSRIABCEHJKLMPRSTVZ", strict=True)),
}
_WORD: Final = re.compile(r"[^\W\d_]+")
# The letters above, full-width ones and mathematical ones: texts without them hold no look-alike.
_ODD: Final = re.compile("[" + "".join(_SEEMS) + "\uff21-\uff5a\U0001d400-\U0001d7ff\u2100-\u214f]")
_TOKEN: Final = re.compile(r"[^\s\"'`()\[\]{}<>|;&=,:]{2,200}")
_TOOLS: Final = frozenset({
    "bash", "read", "write", "edit", "multiedit", "notebookedit", "grep", "glob", "task", "skill", "webfetch",
    "websearch", "shell", "curl", "wget", "git", "python", "python3", "node", "npm", "npx", "sudo", "ssh", "cat",
    "rm", "cp", "mv", "ls", "sh", "pip", "docker", "echo", "exec", "eval", "open", "cd", "anthropic", "claude",
})  # fmt: skip


def seems(word: str) -> str | None:
    """Return the Latin word that `word` passes itself off as, None where it does no such thing.

    It does where look-alikes stand among Latin letters, or where all of its letters are look-alikes and
    spell the name of a tool.
    """
    if word.isascii():
        return None
    shown = "".join(_SEEMS.get(letter) or _compatible(letter) for letter in word)
    if shown == word or not shown.isascii():
        return None
    latin = any(letter.isascii() for letter in word)
    return shown if latin or shown.lower() in _TOOLS else None


def _compatible(letter: str) -> str:
    """Return the ASCII letter behind a full-width or mathematical one."""
    plain = letter if letter.isascii() or letter < "\u2100" else unicodedata.normalize("NFKC", letter)
    return plain if len(plain) == 1 else letter


def lookalikes(subject: Subject) -> Iterator[Finding]:
    """Yield look-alikes in names: the skill's, its tools', its files', and the commands it writes."""
    for key in ("name", "allowed-tools", "disallowed-tools"):
        yield from _in_field(subject, key)
    for entry in subject.tree.entries:
        if not entry.path.isascii() and (found := _first(entry.name)):
            yield Finding(f"the file's name {_says(*found)}", entry.path, hint="rename the file in plain letters")
    yield from _in_commands(subject)


def _in_field(subject: Subject, key: str) -> Iterator[Finding]:
    value = subject.parsed.frontmatter.get(key)
    for text in (value,) if isinstance(value, str) else value if isinstance(value, (list, tuple)) else ():
        if isinstance(text, str) and not text.isascii() and (found := _first(text)):
            what = "name" if key == "name" else f"a tool in '{key}'"
            yield subject.at_field(key, f"{what} {_says(*found)}", needle=found[0], hint="write it in plain letters")


def _in_commands(subject: Subject) -> Iterator[Finding]:
    """Yield look-alikes in scripts and in code of Markdown files."""
    for script in subject.scripts:
        text = subject.text(script.path)
        if text and not text.isascii():
            yield from _in_code(script.path, text, 1)
    for path in (SKILL_FILE, *subject.documents):
        text = subject.text(path)
        if not text or text.isascii():
            continue
        document = subject.document(path)
        parts: list[Fence | Span] = [*document.fences, *document.code_spans]
        for part in parts:
            code = document.content(part)
            if not code.isascii():
                yield from _in_code(path, code, *document.place(part.start))


def _in_code(path: str, code: str, line: int, column: int = 1) -> Iterator[Finding]:
    if not _ODD.search(code):
        return
    places = Places(code)
    for match in _TOKEN.finditer(code):
        if match[0].isascii() or not _ODD.search(match[0]) or (found := _first(match[0])) is None:
            continue
        number, at = places.place(match.start())
        at += column - 1 if number == 1 else 0
        yield Finding(f"code {_says(*found)}", path, line + number - 1, at, "write it in plain letters")


def _first(text: str) -> tuple[str, str] | None:
    for match in islice(_WORD.finditer(text), 1_000):
        if (shown := seems(match[0])) is not None:
            return match[0], shown
    return None


def _says(word: str, shown: str) -> str:
    odd = " ".join(f"U+{ord(letter):04X}" for letter in word if not letter.isascii())[:60]
    return f"has '{visible(word)}', which only looks like '{shown}' ({odd})"


SEC_08: Final = Rule(
    "SEC-08", Family.SEC, Severity.WARNING,
    "a name with letters of another script that look like plain ones",
    "A Cyrillic `а` looks like a Latin `a` and is another letter: a name, a tool or a command with such a letter "
    "passes for one that people know and trust. Words written wholly in their own script are left alone.\n\n"
    "Write names, tools, file names and commands in the letters they seem to have.",
    lookalikes,
    valid="allowed-tools: Bash(git log:*)",
    invalid="allowed-tools: \u0412\u0430sh(git log:*)",
)  # fmt: skip

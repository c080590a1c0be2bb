"""Rules over the texts of a skill: SKL-08, SKL-09 and TRB-DOC."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from skillui.checks.rule import SKILL_FILE, Family, Finding, Rule
from skillui.checks.subject import Subject
from skillui.core.problems import Severity

MAX_LINES: Final = 500
"""Lines at which a SKILL.md is too long."""
REFERENCES: Final = "references/"
TRUST_BOUNDARIES: Final = "trust-boundaries.md"

_TEXTS: Final = (".md", ".markdown", ".mdx", ".txt", ".rst")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|/|#")
_ONE_LEVEL: Final = "name it in SKILL.md itself: a model seldom follows a second step"
_BOUNDARIES: Final = (
    ("reads", re.compile(r"\bread(?:s|ing)?\b", re.IGNORECASE)),
    ("runs", re.compile(r"\b(?:runs?|running|execut(?:es?|ing)|commands?)\b", re.IGNORECASE)),
    ("writes", re.compile(r"\bwrit(?:es?|ing|ten)\b", re.IGNORECASE)),
)


def check_length(subject: Subject) -> Iterator[Finding]:
    """SKL-08: SKILL.md stays under 500 lines."""
    text = subject.parsed.text
    lines = text.count("\n") + (not text.endswith("\n"))
    if lines >= MAX_LINES:
        message = f"SKILL.md is {lines:,} lines (must stay under {MAX_LINES} lines; move details to references/)"
        yield Finding(message, SKILL_FILE, MAX_LINES, 1)


def check_references(subject: Subject) -> Iterator[Finding]:
    """SKL-09: references exist, lie one level deep, and lead no further."""
    for mention in subject.mentions(SKILL_FILE):
        if mention.folder == "references" and mention.path not in subject.by_path:
            line, column = subject.body.place(mention.offset)
            soft = Severity.WARNING if mention.language is not None else None
            yield _missing(mention.path, SKILL_FILE, line, column, soft)
    for entry in subject.tree.entries:
        first_level = entry.is_folder and entry.path.startswith(REFERENCES) and entry.path.count("/") == 1
        if first_level and not entry.name.startswith((".", "__")):
            message = f"nested directory '{entry.path}/' violates one-level-deep reference rule"
            yield Finding(message, entry.path, hint="put its files directly into references/")
    for path in subject.documents:
        if path.startswith(REFERENCES):
            yield from _onward(subject, path)


def _missing(path: str, where: str, line: int, column: int, severity: Severity | None) -> Finding:
    hint = "add the file, or write the path of one that exists"
    return Finding(f"missing referenced file '{path}'", where, line, column, hint, severity)


def _onward(subject: Subject, path: str) -> Iterator[Finding]:
    """Yield where a reference leads on to another one, or to one that does not exist."""
    document = subject.document(path)
    targets = {link.start: _target(path, link.target) for link in document.links}
    for mention in subject.mentions(path):
        if mention.language is None:
            targets.setdefault(mention.offset, mention.path)
    told: set[str] = {path}
    for offset in sorted(targets):
        target = targets[offset]
        if target is None or target in told or not target.startswith(REFERENCES) or not target.endswith(_TEXTS):
            continue
        told.add(target)
        line, column = document.place(offset)
        if target not in subject.by_path:
            yield _missing(target, path, line, column, None)
        else:
            known = _named_in_skill(subject, target)
            yield Finding(
                f"reference '{path}' links on to '{target}'", path, line, column,
                "SKILL.md names it as well" if known else _ONE_LEVEL, Severity.NOTE if known else None,
            )  # fmt: skip


def _named_in_skill(subject: Subject, target: str) -> bool:
    return any(mention.path == target for mention in subject.mentions(SKILL_FILE)) or any(
        _target(SKILL_FILE, link.target) == target for link in subject.body.links
    )


def _target(path: str, link: str) -> str | None:
    """Return what a relative link leads to, relative to the skill; None where it leaves or is no path."""
    if _SCHEME.match(link):
        return None
    plain = unquote(link.partition("#")[0].partition("?")[0])
    if not plain or set(plain) & set("<>{}*$"):
        return None
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), plain))
    return None if target.startswith("../") else target


def check_boundaries(subject: Subject) -> Iterator[Finding]:
    """TRB-DOC: the skill says in words what it reads, runs and writes."""
    text = subject.text(TRUST_BOUNDARIES) if TRUST_BOUNDARIES in subject.by_path else None
    if text is None:
        hint = "add the file and say what the skill reads, what it runs and what it writes"
        yield Finding(f"{TRUST_BOUNDARIES} is missing", SKILL_FILE, hint=hint)
        return
    silent = [word for word, pattern in _BOUNDARIES if not pattern.search(text)]
    if silent:
        message = f"{TRUST_BOUNDARIES} does not say what the skill {' and what it '.join(silent)}"
        yield Finding(message, TRUST_BOUNDARIES, 1, 1, "add a line for each, `Writes: nothing` where that is so")


RULES: tuple[Rule, ...] = (
    Rule(
        "SKL-08", Family.SKL, Severity.WARNING, f"SKILL.md has {MAX_LINES} lines or more",
        "The whole body enters the context when the skill is activated, and stays there. Keep the steps in SKILL.md "
        "and move what only some runs need into files below references/, named where they are needed.",
        check_length,
    ),
    Rule(
        "SKL-09", Family.SKL, Severity.WARNING, "a reference is missing, nested, or leads on to another",
        "A model reads a reference when SKILL.md names it, and seldom follows a link from there to a third file. "
        "Keep references directly below references/, name each in SKILL.md, and let none rely on another. A link "
        "back to SKILL.md, to the same file or to a URL is no chain. Where SKILL.md names the further file as well, "
        "the link is told as a note.",
        check_references,
        valid="SKILL.md:          See [the rubric](references/rubric.md).",
        invalid="SKILL.md:          See [the list](references/list.md).\n"
        "references/list.md: The fine print is in [more](more.md).",
    ),
    Rule(
        "TRB-DOC", Family.TRB, Severity.WARNING, "trust-boundaries.md is missing or silent",
        "Who is to trust a skill should read in one place what it reads, what it runs and what it writes. Only the "
        "profile `strict` asks for it.",
        check_boundaries, strict_only=True,
        valid="# Trust boundaries\n- Reads: the diff.\n- Runs: `git diff`.\n- Writes: `.runs/evidence.json`.",
    ),
)  # fmt: skip

"""Rules over the files that a skill brings: RES-01."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillui.checks.languages import JAVASCRIPT, PYTHON, TYPESCRIPT
from skillui.checks.rule import SKILL_FILE, Family, Finding, Rule
from skillui.checks.subject import Subject
from skillui.checks.tree import TreeEntry
from skillui.core.problems import Severity
from skillui.core.text import clipped

_EXPECTED: Final = re.compile(
    r"(?:licen[cs]e|copying|notice|readme|changelog|changes|history|authors|contributors|contributing|security|"
    r"code_of_conduct|third[-_]party[-_]\w+|install|todo)(?:[-_.].*)?|"
    r"(?:skill|claude|agents|gemini|trust-boundaries)\.md|__init__\.py|__main__\.py|conftest\.py|py\.typed|setup\.(?:py|cfg)|"
    r"package(?:-lock)?\.json|[jt]sconfig[\w.]*\.json|.*[.-]lock(?:\.\w+)?|pnpm-lock\.yaml|pnpm-workspace\.yaml|"
    r"requirements[\w.-]*\.(?:txt|in)|pyproject\.toml|poetry\.toml|pipfile|cargo\.toml|go\.(?:mod|sum)|gemfile|makefile|"
    r"dockerfile[\w.]*|metadata\.(?:json|ya?ml)|_?meta\.json|skill\.(?:json|ya?ml)|plugin\.json|version|"
    r"test_\w+\.py|\w+_test\.(?:py|go)|.*\.(?:test|spec)\.\w+|thumbs\.db|.*\.pyc",
    re.IGNORECASE,
)
_EXPECTED_FOLDERS: Final = frozenset({"tests", "test", "__tests__", "evals", "agents", "__pycache__", "node_modules"})
_TOKEN: Final = re.compile(r"[^\s`\"'()\[\]{}<>|,;:*?!#=$&^~]+")
_FOLDER_WORD: Final = re.compile(r"\b(?:sub)?(?:folder|director(?:y|ies)|dir)\b", re.IGNORECASE)
_BEFORE_IT: Final = re.compile(r"([\w.-]{2,60})`?[\"']?/?[ ]+\Z")
_BEHIND_IT: Final = re.compile(r"[ ]+[`\"']?([\w./-]{2,120})")
_NAME_ALONE: Final = re.compile(r"[`\"']([\w.-]{2,60})[`\"']")
_MAX_TOKENS: Final = 2_000_000
_CODE: Final = frozenset({PYTHON, JAVASCRIPT, TYPESCRIPT, "ruby", "shell"})
_LISTED: Final = 3


class _Mentions:
    """What the texts of a skill name: paths and names, folders, and single words of code."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.folders: set[str] = set()
        self._left = _MAX_TOKENS

    @property
    def full(self) -> bool:
        """Whether there was more text than is looked at."""
        return self._left <= 0

    def read(self, text: str, *, code: bool) -> None:
        """Add what a text names."""
        tokens = _TOKEN.findall(text)
        self._left -= len(tokens)
        for token in set(tokens):
            self._add(token, code)
        lowered = text.lower()
        worth = "folder" in lowered or "dir" in lowered  # plain searches: the pattern is dear
        for word in _FOLDER_WORD.finditer(text) if worth else ():
            before = _BEFORE_IT.search(text[max(0, word.start() - 65) : word.start()])
            behind = _BEHIND_IT.match(text, word.end())
            for match in (before, behind):
                if match is not None:
                    self.folders.add(match[1].strip("/.").rpartition("/")[2])
        self.folders.update(_NAME_ALONE.findall(text))

    def _add(self, token: str, code: bool) -> None:
        token = token.replace("\\", "/").replace("%20", " ").rstrip(".")
        self.names.add(token)
        path, slash, name = token.rpartition("/")
        if slash:
            if not name:
                self.folders.update((path, path.rpartition("/")[2]))
            self.names.update((name, name.partition("@")[0]))
        if code and "." in token:
            self.names.update(part for part in token.split(".") if part)

    def cover(self, path: str, code: bool) -> bool:
        """Tell whether a file is named: by its path or name, without its ending, or by a folder it lies in."""
        parts = path.split("/")
        stem = parts[-1].rpartition(".")[0] or parts[-1]
        if parts[-1] in self.names or path in self.names:
            return True
        if stem in self.names and (code or len(parts) > 1 or "-" in stem or "_" in stem):
            return True
        folders = parts[:-1]
        return any(
            folder in self.folders or "/".join(folders[: i + 1]) in self.folders for i, folder in enumerate(folders)
        )


def check_mentioned(subject: Subject) -> Iterator[Finding]:
    """RES-01: every file of the skill is named somewhere."""
    if subject.tree.cut:
        return
    nested = _nested_skills(subject)
    files = [entry for entry in subject.files if entry.path != SKILL_FILE and not _expected(entry, nested)]
    if not files:
        return
    # Most files are named as they are: only where one is not, the texts are taken apart.
    files = [entry for entry in files if not _is_named(entry.name, subject.parsed.text)]
    if not files:
        return
    languages = {script.path: script.language for script in subject.scripts}
    mentions = _Mentions()
    words = _words_of(files)
    if _may_name(subject.parsed.text, words):
        mentions.read(subject.parsed.text, code=False)
    lost = [entry for entry in files if not mentions.cover(entry.path, entry.path in languages)]
    if not lost:
        return
    for entry in subject.files:
        if entry.path != SKILL_FILE and (text := subject.text(entry.path)) is not None:
            # A file that names itself, as many do in their first line, is not mentioned by that.
            text = text.replace(entry.name, " ")
            if _may_name(text, words):
                mentions.read(text, code=languages.get(entry.path) in _CODE)
    if mentions.full or subject.left <= 0:
        return  # what was not read may name them
    yield from _told([entry for entry in lost if not mentions.cover(entry.path, entry.path in languages)])


def _words_of(files: list[TreeEntry]) -> frozenset[str]:
    """Return the words of which a text must hold one to name any of these files; no word where a blank is written."""
    parts = {part for entry in files for part in entry.path.split("/")}
    stems = {entry.name.rpartition(".")[0] or entry.name for entry in files}
    return frozenset({"%20", *parts, *stems})


def _may_name(text: str, words: frozenset[str]) -> bool:
    """Tell whether a text is worth taking apart, which is dear."""
    return any(word in text for word in words)


def _is_named(name: str, text: str) -> bool:
    """Tell whether a file's whole name stands in a text."""
    at = text.find(name)
    return at >= 0 and re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text[max(0, at - 1) :]) is not None


def _expected(entry: TreeEntry, nested: tuple[str, ...]) -> bool:
    parts = entry.path.split("/")
    if any(part.startswith(".") for part in parts) or _EXPECTED.fullmatch(parts[-1]) or entry.path.startswith(nested):
        return True
    return any(part.lower() in _EXPECTED_FOLDERS for part in parts[:-1])


def _nested_skills(subject: Subject) -> tuple[str, ...]:
    """Return the folders of skills below this one: their files are theirs."""
    ending = "/" + SKILL_FILE
    return tuple(entry.path.removesuffix(SKILL_FILE) for entry in subject.files if entry.path.endswith(ending))


def _told(lost: list[TreeEntry]) -> Iterator[Finding]:
    """Tell each file, or those of one folder together where they are many."""
    by_folder: dict[str, list[str]] = {}
    for entry in lost:
        by_folder.setdefault(entry.path.rpartition("/")[0], []).append(entry.path)
    hint = "name it in SKILL.md and say what it is for, or remove it"
    for folder, paths in by_folder.items():
        if len(paths) <= _LISTED:
            for path in paths:
                yield Finding("nothing in the skill mentions this file: no model will open it", path, hint=hint)
            continue
        shown = ", ".join(clipped(path.rpartition("/")[2], 40) for path in paths[:_LISTED])
        where = f"in {clipped(folder)}/" if folder else "of the skill"
        yield Finding(
            f"{len(paths)} files {where} are mentioned nowhere: {shown} and {len(paths) - _LISTED} more", paths[0],
            hint="name the folder in SKILL.md and say what it is for, or remove them",
        )  # fmt: skip


RULES: tuple[Rule, ...] = (
    Rule(
        "RES-01", Family.RES, Severity.WARNING, "a file that nothing mentions",
        "A model opens the files that SKILL.md, a reference or a script names; one that none of them mentions is "
        "dead weight, or a step that got lost. A mention of its folder covers it. Licences, readmes, changelogs, "
        "package files, tests and hidden files need no mention.",
        check_mentioned, valid="Use assets/form.txt.", invalid="assets/form.txt, and no word of it anywhere",
    ),
)  # fmt: skip

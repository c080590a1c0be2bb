"""What rules look at: one parsed skill with its files, each read at most once and within bounds."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from skillui.checks.languages import Script, by_shebang, by_suffix
from skillui.checks.markdown import Document
from skillui.checks.mentions import Mention, find_mentions
from skillui.checks.parsers import SyntaxFault, parse_python
from skillui.checks.placeholders import Placeholders
from skillui.checks.rule import SKILL_FILE, Finding
from skillui.checks.sources import DiskSource, Source, source_of
from skillui.checks.tree import Tree, TreeEntry
from skillui.core.catalog import BrokenSkill
from skillui.core.skill import ParsedSkill

if TYPE_CHECKING:
    import ast

    from skillui.core.catalog import AnyEntry, LoadedSkill
    from skillui.core.reading import Field

MAX_TEXT = 1024 * 1024
"""Bytes of one file that rules read."""
MAX_TOTAL = 16 * 1024 * 1024
"""Bytes of one skill that rules read in all."""


class Subject:
    """One skill as the rules see it. Everything is made on first use and kept; nothing is run.

    `directory` is the resolved folder, `entry` the catalog's entry where the skill came from one.
    Paths of files are relative to the folder, with `/`. `source` is where they are read, the folder on
    disk where it is None.
    """

    def __init__(
        self, parsed: ParsedSkill, directory: str, entry: AnyEntry | None = None, source: Source | None = None
    ) -> None:
        self.parsed = parsed
        self.directory = directory
        self.entry = entry
        self.source: Source = source or DiskSource(directory)
        self.left = MAX_TOTAL
        """Bytes that may still be read."""
        self._bytes: dict[str, bytes | None] = {}
        self._texts: dict[str, str | None] = {}
        self._documents: dict[str, Document] = {}
        self._python: dict[str, ast.Module | SyntaxFault | None] = {}
        self._mentions: dict[str, list[Mention]] = {}

    @cached_property
    def tree(self) -> Tree:
        """Every file below the folder, within bounds."""
        return self.source.tree()

    @cached_property
    def by_path(self) -> dict[str, TreeEntry]:
        """The entries of the tree by their relative paths."""
        return {entry.path: entry for entry in self.tree.entries}

    @cached_property
    def files(self) -> tuple[TreeEntry, ...]:
        """The regular files, SKILL.md first where it is one."""
        files = [entry for entry in self.tree.entries if entry.is_file]
        return tuple(sorted(files, key=lambda entry: (entry.path != SKILL_FILE, entry.path)))

    @cached_property
    def scripts(self) -> tuple[Script, ...]:
        """The files that a program runs, by ending or first line."""
        return tuple(Script(entry.path, language) for entry in self.files if (language := self._language(entry)))

    @cached_property
    def lines(self) -> list[str]:
        """The lines of SKILL.md without their line ends or a byte-order mark; line n is at n - 1."""
        return [line.removesuffix("\r") for line in self.parsed.text.removeprefix("\ufeff").split("\n")]

    @cached_property
    def body(self) -> Document:
        """The body of SKILL.md, or the whole file where no frontmatter can be told from it; lines are the file's."""
        parsed = self.parsed
        if parsed.body or (parsed.frontmatter_text is not None and not self._unclosed):
            return Document(parsed.body[:MAX_TEXT], parsed.body_line)
        return Document(parsed.text.removeprefix("\ufeff")[:MAX_TEXT], 1)

    @cached_property
    def declared(self) -> frozenset[str]:
        """The names of the arguments that the frontmatter declares."""
        return frozenset(argument.name for argument in self.parsed.arguments or ())

    @cached_property
    def placeholders(self) -> Placeholders | None:
        """The `$` forms of the body, None where no `$` stands in it."""
        return Placeholders(self.body, self.declared) if "$" in self.parsed.body else None

    @cached_property
    def fields(self) -> dict[str, Field]:
        """The top-level frontmatter keys with their places; empty where the frontmatter does not parse."""
        return {field.key: field for field in self.parsed.fields}

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The Markdown files beside SKILL.md."""
        return tuple(entry.path for entry in self.files if entry.suffix in (".md", ".markdown", ".mdx"))[1:]

    def data(self, path: str) -> bytes | None:
        """Return a file's bytes; None where it is no regular file of the skill, or past the bounds."""
        if path not in self._bytes:
            self._bytes[path] = self._read(path)
        return self._bytes[path]

    def head(self, path: str, size: int) -> bytes:
        """Return the first bytes of a regular file of any size, empty where it cannot be read."""
        entry = self.by_path.get(path)
        if entry is None or not entry.is_file:
            return b""
        if entry.size <= MAX_TEXT:
            return (self.data(path) or b"")[:size]
        return self.source.head(path, size)

    def text(self, path: str) -> str | None:
        """Return a file's text, U+FFFD for what is not UTF-8; None for a binary file and what `data` refuses."""
        if path == SKILL_FILE:
            return self.parsed.text
        if path not in self._texts:
            data = self.data(path)
            self._texts[path] = None if data is None or b"\0" in data[:8192] else data.decode("utf-8", "replace")
        return self._texts[path]

    def document(self, path: str) -> Document:
        """Return a Markdown file scanned, SKILL.md's body included; empty where it cannot be read."""
        if path == SKILL_FILE:
            return self.body
        if path not in self._documents:
            self._documents[path] = Document((self.text(path) or "").removeprefix("\ufeff"))
        return self._documents[path]

    def python(self, path: str) -> ast.Module | SyntaxFault | None:
        """Return the syntax tree of a Python file, or why there is none; None where nobody can tell."""
        if path not in self._python:
            text = self.text(path)
            self._python[path] = None if text is None else parse_python(text)
        return self._python[path]

    def mentions(self, path: str) -> list[Mention]:
        """Return the files of the skill that a Markdown file names."""
        if path not in self._mentions:
            self._mentions[path] = find_mentions(self.document(path))
        return self._mentions[path]

    def at_field(self, key: str, message: str, *, needle: str = "", hint: str | None = None) -> Finding:
        """Return a finding at a field's value, or at `needle` within it where the source shows it."""
        line, column = self.place_in_field(key, needle)
        return Finding(message, SKILL_FILE, line, column, hint, field=key)

    def place_in_field(self, key: str, needle: str = "") -> tuple[int, int]:
        """Return the file's line and column of a field's value, or of `needle` in it; (1, 1) where it is absent."""
        field = self.fields.get(key)
        if field is None:
            return 1, 1
        if needle:
            below = [other.line for other in self.fields.values() if other.line > field.line]
            last = min(below, default=self.parsed.body_line - 1) - 1
            for number in range(field.value_line, min(last, len(self.lines)) + 1):
                start = field.value_column - 1 if number == field.value_line else 0
                if (at := self.lines[number - 1].find(needle, start)) >= 0:
                    return number, at + 1
        return field.value_line, field.value_column

    @property
    def _unclosed(self) -> bool:
        inner = self.parsed.frontmatter_text
        return inner is not None and not self.parsed.body and self.parsed.text.endswith(inner)

    def _language(self, entry: TreeEntry) -> str | None:
        if (language := by_suffix(entry.suffix)) is not None:
            return language
        if entry.suffix and not entry.mode & 0o111:
            return None
        text = self.text(entry.path) if entry.path != SKILL_FILE else None
        return by_shebang(text[:300]) if text else None

    def _read(self, path: str) -> bytes | None:
        entry = self.by_path.get(path)
        if entry is None or not entry.is_file or entry.size > min(MAX_TEXT, self.left):
            return None
        data = self.source.read(path, MAX_TEXT)
        if data is None:
            return None
        self.left -= len(data)
        return data


def subject_of(loaded: LoadedSkill | BrokenSkill) -> Subject:
    """Return a skill as the rules see it, as a registry read it; an unreadable one has no text at all."""
    if not isinstance(loaded, BrokenSkill):
        return Subject(loaded.parsed, loaded.entry.dir, loaded.entry, source_of(loaded.files))
    parsed = loaded.parsed or ParsedSkill(loaded.name, loaded.skill_md, "", "", 1, {}, None, loaded.problems)
    return Subject(parsed, loaded.dir, loaded, source_of(loaded.files))

"""Which parts of a source are keywords, strings, headings: found by tree-sitter, away from the screen."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query

HIGHLIGHT_LIMIT: Final = 256 * 1024
"""Characters of a text that is still coloured; a larger one is shown plain."""
_LONGEST_LINE: Final = 5_000
# A machine's output on one line has a capture every few characters and no reader.

_EXTENSIONS: Final = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".jsonc": "json",
    ".py": "python",
    ".pyi": "python",
    ".toml": "toml",
    ".sh": "bash",
    ".bash": "bash",
    ".zsh": "bash",
}
_FENCES: Final = {
    "yaml": "yaml",
    "yml": "yaml",
    "json": "json",
    "python": "python",
    "py": "python",
    "toml": "toml",
    "bash": "bash",
    "sh": "bash",
    "shell": "bash",
    "console": "bash",
}
_SHEBANG: Final = re.compile(r"#!\s*\S*?(?:/env\s+(?:-S\s+)?)?(?:/?)(?P<name>python|bash|sh|zsh|dash)[\d.]*(?:\s|$)")

_MARKDOWN_QUERY: Final = """
(atx_heading) @heading
(setext_heading) @heading
(fenced_code_block_delimiter) @punctuation
(info_string) @label
(code_fence_content) @code
(indented_code_block) @code
(html_block) @comment
[(list_marker_plus) (list_marker_minus) (list_marker_star) (list_marker_dot) (list_marker_parenthesis)
 (thematic_break) (block_quote_marker) (task_list_marker_checked) (task_list_marker_unchecked)
 (pipe_table_delimiter_row)] @punctuation
(pipe_table_header) @strong
(link_reference_definition) @link
"""
_INLINE_QUERY: Final = """
(code_span) @code
(emphasis) @emphasis
(strong_emphasis) @strong
(html_tag) @comment
[(link_text) (image_description)] @label
[(link_destination) (uri_autolink) (email_autolink)] @link
[(backslash_escape) (entity_reference) (numeric_character_reference)] @escape
"""
_TOKENS: Final = {
    "attribute": "property",
    "boolean": "number",
    "constant": "number",
    "embedded": "",
    "operator": "punctuation",
    "constructor": "function",
    "variable": "",
}


class Token(NamedTuple):
    """A coloured run of one line: characters [start, end), and what it is (`string`, `heading`, ...)."""

    start: int
    end: int
    kind: str


Tokens = dict[int, list[Token]]
"""Runs by 0-based line; of two that overlap the later one wins."""


def language_of(name: str, text: str = "") -> str | None:
    """Return the language of a file by its name, of one without extension by its first line; None for none known."""
    base = name.rpartition("/")[2]
    _, dot, extension = base.rpartition(".")
    if dot and (known := _EXTENSIONS.get(f".{extension.lower()}")):
        return known
    match = _SHEBANG.match(text[:200])
    if match is None:
        return None
    return "python" if match["name"] == "python" else "bash"


def highlight(text: str, language: str | None) -> Tokens:
    """Return the runs of `text`; none where the language has no grammar here or the text is too large."""
    if language is None or len(text) > HIGHLIGHT_LIMIT:
        return {}
    # A lone surrogate cannot be encoded; its stand-in takes one character as well.
    clean = re.sub("[\ud800-\udfff]", "\ufffd", text)
    found: list[tuple[int, int, bool, int, str, Node]] = []
    try:
        for order, (kind, node) in enumerate(_captures(clean.encode(), language)):
            found.append((node.start_byte, -node.end_byte, kind == "property", order, kind, node))
    except (ImportError, ValueError, AttributeError, TypeError):  # a grammar that is missing or does not fit
        return {}
    found.sort(key=lambda item: item[:4])  # what is inside comes after what is around it
    return _by_line(clean, [(kind, node) for *_, kind, node in found])


def _captures(data: bytes, language: str) -> Iterator[tuple[str, Node]]:
    from tree_sitter import Parser

    root = Parser(_language(language)).parse(data).root_node
    yield from _run(_query(language), root)
    if language == "markdown":
        yield from _inside_markdown(data, root)


def _run(query: Query, root: Node) -> Iterator[tuple[str, Node]]:
    from tree_sitter import QueryCursor

    for name, nodes in QueryCursor(query).captures(root).items():
        first = name.partition(".")[0]
        kind = "string" if name == "string.special.key" else _TOKENS.get(first, first)
        kind = "property" if name == "string.special.key" else kind
        if kind:
            for node in nodes:
                yield kind, node


def _inside_markdown(data: bytes, root: Node) -> Iterator[tuple[str, Node]]:
    """Yield what other grammars find in a Markdown text: its fields, its prose, its fenced code."""
    from tree_sitter import Parser, Query, QueryCursor

    parts = "(minus_metadata) @yaml (inline) @inline (pipe_table_cell) @inline (fenced_code_block) @fence"
    found = QueryCursor(Query(_language("markdown"), parts)).captures(root)
    jobs: dict[str, list[Node]] = {"markdown_inline": found.get("inline", []), "yaml": found.get("yaml", [])}
    for block in found.get("fence", []):
        info = next((child for child in block.children if child.type == "info_string"), None)
        code = next((child for child in block.children if child.type == "code_fence_content"), None)
        word = info.text.decode(errors="replace").split() if info and info.text else []
        if code and word and (language := _FENCES.get(word[0].lower())):
            jobs.setdefault(language, []).append(code)
    for language, nodes in jobs.items():
        ranges = sorted((node.range for node in nodes), key=lambda part: part.start_byte)
        ranges = [part for at, part in enumerate(ranges) if not at or part.start_byte >= ranges[at - 1].end_byte]
        if ranges:
            tree = Parser(_language(language), included_ranges=ranges).parse(data)
            yield from _run(_query(language), tree.root_node)


@cache
def _language(name: str) -> Language:
    from tree_sitter import Language

    package = "markdown" if name == "markdown_inline" else name
    module: Any = importlib.import_module(f"tree_sitter_{package}")
    return Language(module.inline_language() if name == "markdown_inline" else module.language())


@cache
def _query(name: str) -> Query:
    from tree_sitter import Query

    if name == "markdown":
        return Query(_language(name), _MARKDOWN_QUERY)
    if name == "markdown_inline":
        return Query(_language(name), _INLINE_QUERY)
    module: Any = importlib.import_module(f"tree_sitter_{name}")
    return Query(_language(name), module.HIGHLIGHTS_QUERY)


def _by_line(text: str, captures: list[tuple[str, Node]]) -> Tokens:
    lines = text.split("\n")
    columns = _Columns(lines)
    tokens: Tokens = {}
    for kind, node in captures:
        (first, start), (last, end) = node.start_point, node.end_point
        for line in range(first, min(last, len(lines) - 1) + 1):
            if len(lines[line]) > _LONGEST_LINE:
                continue
            begin = columns.of(line, start) if line == first else 0
            until = columns.of(line, end) if line == last else len(lines[line])
            if begin < until:
                tokens.setdefault(line, []).append(Token(begin, until, kind))
    return tokens


class _Columns:
    """Byte columns, as the parser counts, turned into characters."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._encoded: tuple[int, bytes] | None = None

    def of(self, line: int, column: int) -> int:
        text = self._lines[line]
        if text.isascii():
            return column
        if self._encoded is None or self._encoded[0] != line:
            self._encoded = (line, text.encode())
        return len(self._encoded[1][:column].decode(errors="ignore"))

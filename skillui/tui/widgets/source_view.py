"""`SourceView`: any text with line numbers, colours and marks; only the rows on the screen are drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from textual import on, work
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.worker import get_current_worker

from skillui.core import Problem, Severity
from skillui.tui.glyphs import glyphs
from skillui.tui.model.highlight import HIGHLIGHT_LIMIT, Token, Tokens, highlight, language_of
from skillui.tui.model.source_rows import ASCII_TAB, TAB, SourceRow, SourceRows, shown_line
from skillui.tui.safe_text import safe
from skillui.tui.widgets.line_list import LineList, RowState
from skillui.tui.widgets.severity import sign_of, style_of

_AT_ONCE: Final = 256 * 1024
# Characters that are laid out on the event loop, in a few milliseconds; more goes to a thread.
_KINDS: Final = {
    "heading": "bold $primary",
    "property": "$primary",
    "string": "$success",
    "number": "$warning",
    "keyword": "$secondary",
    "function": "$primary",
    "type": "$secondary",
    "label": "$secondary",
    "code": "$success",
    "link": "$secondary",
    "escape": "$warning",
    "strong": "bold",
    "emphasis": "italic",
    "comment": "italic $text-muted",
    "punctuation": "$text-muted",
}
_WORD: Final = re.compile(r"[\w.+-]+|\S+")
_LONGEST_MARK: Final = 60


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to say about a place; `line` and `column` are 1-based in the file."""

    line: int
    column: int | None
    severity: Severity
    message: str


def marks_of(problems: Iterable[Problem]) -> tuple[Mark, ...]:
    """Return the marks of the problems that have a line."""
    return tuple(
        Mark(problem.line, problem.column, problem.severity, problem.message)
        for problem in problems
        if problem.line is not None
    )


class SourceView(LineList[SourceRow]):
    """Read-only source. Long lines continue on the next row, so that nothing stays out of sight."""

    DEFAULT_CSS = """
    SourceView {
        scrollbar-gutter: stable;
        &:focus > .line-list--cursor {
            background: $block-cursor-blurred-background;
            color: $foreground;
            text-style: none;
        }
        & > .line-list--cursor { background: $block-hover-background; }
        & > .line-list--hover { background: transparent; }
    }
    """

    @dataclass
    class _Laid(Message):
        generation: int
        rows: SourceRows
        width: int
        bubble = False

    @dataclass
    class _Coloured(Message):
        generation: int
        tokens: Tokens
        bubble = False

    def __init__(
        self,
        text: str = "",
        name: str = "",
        *,
        first_line: int = 1,
        marks: Sequence[Mark] = (),
        empty: str = "There is nothing in it.",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Show `text`; see `show_source` for the arguments."""
        super().__init__(self._draw, empty=empty, id=id, classes=classes)
        self._tab = ASCII_TAB if glyphs().ascii_only else TAB
        self._generation = 0
        self._text: str | None = None
        self._source_name = ""
        self._lines: list[str] = []
        self._laid_to = 0
        self._first_line = first_line
        self._marks: dict[int, list[Mark]] = {}
        self._tokens: Tokens = {}
        self._wanted: tuple[int, int, int | None] | None = None
        """Line, column and top row to show once the rows are there."""
        if text:
            self.show_source(text, name, first_line=first_line, marks=marks)

    def show_source(
        self, text: str, name: str = "", *, first_line: int = 1, marks: Sequence[Mark] = (), same: bool = False
    ) -> None:
        """Show another text.

        Args:
            text: Any text at all.
            name: A file name that tells the language.
            first_line: The number of the text's first line in its file.
            marks: What to mark, by lines of the file; what lies elsewhere is passed over.
            same: It is the text shown before in a newer state: cursor and scroll stay.
        """
        place = self._place() if same else None
        self._first_line = first_line
        self._marks = {}
        for mark in sorted(marks, key=lambda mark: mark.severity.rank):
            self._marks.setdefault(mark.line - first_line, []).append(mark)
        if same and text == self._text and name == self._source_name:
            self.refresh()
            return
        self._generation += 1
        self._text, self._source_name = text, name
        self._lines = _lines(text)
        self._tokens = {}
        self._wanted = place or (0, 0, 0)
        self._lay_out()
        language = language_of(name, text)
        if language is not None and len(text) <= HIGHLIGHT_LIMIT and self.is_attached:
            self._colour(text, language, self._generation)

    def go_to_line(self, line: int, column: int | None = None) -> None:
        """Put the cursor on a 1-based line of the file and show it with some lines around."""
        self._wanted = (max(0, line - self._first_line), max(0, (column or 1) - 1), None)
        self._settle()

    @property
    def current_line(self) -> int | None:
        """The file's line under the cursor."""
        row = self.current
        return None if row is None else row.line + self._first_line

    @property
    def current_marks(self) -> tuple[Mark, ...]:
        """What is marked on the line under the cursor, the gravest first."""
        row = self.current
        return () if row is None else tuple(self._marks.get(row.line, ()))

    @property
    def line_count(self) -> int:
        """Lines of the text."""
        return len(self._lines)

    # Laying out

    def on_mount(self) -> None:
        """Colour what was given before there was a screen."""
        if self._text and (language := language_of(self._source_name, self._text)):
            self._colour(self._text, language, self._generation)

    def on_resize(self) -> None:
        """Lay the lines out for the new width; the same text stays in view."""
        if self._fits():
            super().on_resize()
            return
        self._wanted = self._wanted or self._place()
        self._lay_out()

    def _fits(self) -> bool:
        return self._laid_to == max(0, self._room())

    def _lay_out(self) -> None:
        width = self._laid_to = max(0, self._room())
        if not width:  # out of sight: laid out when it comes back, even at the width it had
            self._take(SourceRows([], width, self._tab))
        elif len(self._text or "") <= _AT_ONCE:
            self._take(SourceRows(self._lines, width, self._tab))
        else:
            self._take(SourceRows([], width, self._tab))
            self._lay_out_aside(self._lines, width, self._generation)

    @work(thread=True, exclusive=True, group="lay-out", exit_on_error=False, description="laying out a long text")
    def _lay_out_aside(self, lines: list[str], width: int, generation: int) -> None:
        rows = SourceRows(lines, width, self._tab)
        if not get_current_worker().is_cancelled:
            self.post_message(self._Laid(generation, rows, width))

    @work(thread=True, exclusive=True, group="colour", exit_on_error=False, description="colouring a text")
    def _colour(self, text: str, language: str, generation: int) -> None:
        tokens = highlight(text, language)
        if not get_current_worker().is_cancelled:
            self.post_message(self._Coloured(generation, tokens))

    @on(_Laid)
    def _rows_laid(self, event: _Laid) -> None:
        if event.generation != self._generation:
            return
        if event.width == self._room():
            self._take(event.rows)
        else:
            self._laid_to = 0  # for another width, or hidden meanwhile: once more when there is room

    @on(_Coloured)
    def _text_coloured(self, event: _Coloured) -> None:
        if event.generation == self._generation:
            self._tokens = event.tokens
            self.refresh()

    def _take(self, rows: SourceRows) -> None:
        self._rows = rows
        self.set_reactive(LineList.hovered, None)
        self.set_reactive(LineList.cursor, 0 if rows else None)
        self.virtual_size = Size(0, len(rows))
        self.refresh()
        self._settle()

    def _settle(self) -> None:
        """Go to the wanted place, where there are rows by now."""
        rows = self._rows
        if self._wanted is None or not isinstance(rows, SourceRows) or not rows:
            return
        line, column, top = self._wanted
        self._wanted = None
        index = rows.row_of(line, column)
        height = self.scrollable_content_region.height
        if top is None:
            seen = self.scroll_offset.y <= index < self.scroll_offset.y + height
            top = self.scroll_offset.y if seen else max(0, index - height // 3)
        else:
            top = max(0, index - top)
        # The scrollbar comes with the next layout; until then only force scrolls.
        self.scroll_to(y=top, animate=False, force=True)
        if self.cursor == index:
            self._post_highlighted(index)
        else:
            self.cursor = index

    def _place(self) -> tuple[int, int, int] | None:
        row = self.current
        if row is None or self.cursor is None:
            return None
        return row.line, row.start, max(0, self.cursor - self.scroll_offset.y)

    def _gutter(self) -> int:
        return len(str(self._first_line + max(0, len(self._lines) - 1))) + 4

    def _room(self) -> int:
        return self.scrollable_content_region.width - self._gutter() if self.size.width else 0

    # Drawing

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        row = self._rows[index]
        return Content.assemble(self._draw_gutter(row, state), self._draw_text(row))

    def _draw_gutter(self, row: SourceRow, state: RowState) -> Content:
        digits = self._gutter() - 4
        if row.start:
            return Content.styled(" " * (digits + 4), "$text-muted")
        marks = self._marks.get(row.line)
        sign = Content.styled(sign_of(marks[0].severity), f"bold {style_of(marks[0].severity)}") if marks else " "
        number = f"{row.line + self._first_line:>{digits}}"
        style = style_of(marks[0].severity) if marks else "$foreground" if state.cursor else "$text-muted"
        return Content.assemble(sign, " ", Content.styled(number, style), "  ")

    def _draw_text(self, row: SourceRow) -> Content:
        line = self._lines[row.line]
        end = min(row.end, len(shown_line(line)))
        tokens = self._tokens.get(row.line, ())
        marked = [(*_marked(line, mark), style_of(mark.severity)) for mark in self._marks.get(row.line, ())]
        edges = {row.start, end}
        for begin, until in [*((t.start, t.end) for t in tokens), *((m[0], m[1]) for m in marked)]:
            edges.update(edge for edge in (begin, until) if row.start < edge < end)
        places = sorted(edges)
        parts = [
            safe(line[begin:until], _style(tokens, marked, begin), tabs=self._tab) for begin, until in pairwise(places)
        ]
        if row.end == len(line) and end < len(line):
            parts.append(Content.styled(safe("\r").plain, "$text-disabled"))
        return Content.assemble(*parts)


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def _marked(line: str, mark: Mark) -> tuple[int, int]:
    """Return the characters a mark underlines: the word at its column, or nothing."""
    if mark.column is None:
        return 0, 0
    begin = min(mark.column - 1, max(0, len(line) - 1))
    word = _WORD.match(line, begin)
    return begin, min(word.end(), begin + _LONGEST_MARK) if word else begin + 1


def _style(tokens: Sequence[Token], marked: Sequence[tuple[int, int, str]], at: int) -> str:
    """Return the style of the character `at`: the narrowest run that covers it, over it what is marked."""
    for begin, until, style in marked:
        if begin <= at < until:
            return f"underline {style}"
    styles = [_KINDS[token.kind] for token in tokens if token.start <= at < token.end and token.kind in _KINDS]
    return styles[-1] if styles else ""

"""A difference on the virtual list: unified, or side by side where there is room; long lines go on below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from textual import on
from textual.content import Content

from skillui.core import Severity
from skillui.tui.glyphs import glyphs
from skillui.tui.model.diff import DiffLine
from skillui.tui.model.diff_rows import DiffRow, Part, paired_rows, unified_rows
from skillui.tui.model.source_rows import ASCII_TAB, TAB
from skillui.tui.safe_text import safe
from skillui.tui.widgets.line_list import LineList, RowState
from skillui.tui.widgets.severity import sign_of, style_of

SIDE_BY_SIDE: Final = 120
"""Cells from which the two texts stand side by side."""
_GAP: Final = 3
_SIGN: Final = 2
_MARGIN: Final = 2

_SIGNS: Final = {"added": ("+", "$state-ok"), "removed": ("-", "$state-broken")}


class DiffView(LineList[DiffRow]):
    """Shows what `diff_texts` returns. Enter or a double click on a fold shows the lines it stands for."""

    DEFAULT_CSS = """
    DiffView { height: 1fr; scrollbar-gutter: stable; }
    """

    def __init__(
        self,
        lines: Sequence[DiffLine] = (),
        *,
        side_by_side: int = SIDE_BY_SIDE,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Show `lines`; from `side_by_side` cells on the two texts stand side by side."""
        self._lines: tuple[DiffLine, ...] = tuple(lines)
        self._marks: dict[int, Severity] = {}
        self._wide = False
        self._from = side_by_side
        self._digits = 1
        self._laid_to = 0
        self._tab = ASCII_TAB if glyphs().ascii_only else TAB
        super().__init__(self._draw, unified_rows(self._lines, 0, self._tab), id=id, classes=classes)

    @property
    def lines(self) -> tuple[DiffLine, ...]:
        """The difference as it is shown, opened folds included."""
        return self._lines

    @property
    def wide(self) -> bool:
        """Tell whether the two texts stand side by side."""
        return self._wide

    @property
    def current_line(self) -> int | None:
        """The new text's line under the cursor, 1-based."""
        row = self.current
        return None if row is None or row.right is None else row.right.new_no

    def show_lines(
        self, lines: Sequence[DiffLine], marks: Mapping[int, Severity] | None = None, *, same: bool = False
    ) -> None:
        """Show another difference.

        Args:
            lines: What `diff_texts` returns.
            marks: What to mark in the margin, by 1-based lines of the new text.
            same: It is the difference shown before in a newer state: cursor and scroll stay.
        """
        self._marks = dict(marks or {})
        self._lines = tuple(lines)
        self.set_rows(self._rows_now(), keep=_identity if same else None)

    def next_change(self, by: int = 1) -> None:
        """Go to the first line of the next change, or of the one before."""
        starts = [
            index
            for index, row in enumerate(self.rows)
            if row.changed and (index == 0 or not self.rows[index - 1].changed)
        ]
        here = self.cursor or 0
        ahead = [index for index in starts if (index > here if by > 0 else index < here)]
        if ahead:
            self.move_to(ahead[0] if by > 0 else ahead[-1])

    def go_to_line(self, line: int) -> None:
        """Put the cursor on a 1-based line of the new text, out of its fold where it lies in one."""
        for at, fold in enumerate(self._lines):
            if any(inner.new_no == line for inner in fold.folded):
                self._unfold(at)
                break
        for index, row in enumerate(self.rows):
            if row.right is not None and row.right.new_no == line:
                self.move_to(index)
                height = self.scrollable_content_region.height
                if self.scroll_offset.y + height - 1 <= index or index <= self.scroll_offset.y:
                    self.scroll_to(y=max(0, index - height // 3), animate=False, force=True)
                return

    def on_resize(self) -> None:
        """Lay the lines out for the new width; the cursor stays on its line."""
        width = self.scrollable_content_region.width
        if width != self._laid_to:
            self._wide = self.size.width >= self._from
            self.set_rows(self._rows_now(), keep=_identity)
        super().on_resize()

    @on(LineList.Selected)
    def _open_fold(self, event: LineList.Selected) -> None:
        fold = self.rows[event.index].left if event.index < len(self.rows) else None
        if fold is None or not fold.folded:
            return
        event.stop()
        self._unfold(next(index for index, line in enumerate(self._lines) if line is fold))

    def _unfold(self, at: int) -> None:
        self._lines = (*self._lines[:at], *self._lines[at].folded, *self._lines[at + 1 :])
        self.set_rows(self._rows_now(), keep=_identity)

    # Laying out

    @property
    def _margin(self) -> int:
        return _MARGIN if self._marks else 0

    def _halves(self, width: int) -> tuple[int, int]:
        half = (width - _GAP - self._margin) // 2
        return half, width - _GAP - self._margin - half

    def _rows_now(self) -> Sequence[DiffRow]:
        numbers = [number for line in self._lines for number in (_last(line, "old_no"), _last(line, "new_no"))]
        self._digits = len(str(max(numbers, default=1)))
        width = self._laid_to = self.scrollable_content_region.width if self.size.width else 0
        if self._wide:
            used = self._digits + 1 + _SIGN
            left, right = self._halves(width)
            return paired_rows(self._lines, left - used, right - used, self._tab)
        used = 2 * self._digits + 2 + _SIGN + self._margin
        return unified_rows(self._lines, width - used if width else 0, self._tab)

    # Drawing

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        row = self.rows[index]
        mark = self._mark(row)
        width -= self._margin
        left, right = row.left, row.right
        if not self._wide or (left is right and left is not None and left.kind in ("fold", "note")):
            return mark + self._unified(row, width)
        gap = Content.styled(" " + ("|" if glyphs().ascii_only else "│") + " ", "$text-muted")
        one, other = self._halves(width + self._margin)
        drawn = _filled(self._half(left, row.left_part, "old_no", one), one)
        return mark + drawn + gap + self._half(right, row.right_part, "new_no", other)

    def _mark(self, row: DiffRow) -> Content:
        if not self._marks:
            return Content("")
        number = row.right.new_no if row.right is not None and row.right_part[0] == 0 else None
        severity = self._marks.get(number) if number is not None else None
        if severity is None:
            return Content(" " * _MARGIN)
        return Content.styled(sign_of(severity).ljust(_MARGIN), f"bold {style_of(severity)}")

    def _unified(self, row: DiffRow, width: int) -> Content:
        line = row.left or row.right or DiffLine("note", "")
        if line.kind not in ("context", "added", "removed"):
            return self._stating(line, width)
        numbers = f"{_number(line.old_no, self._digits)} {_number(line.new_no, self._digits)} "
        return self._text(line, row.left_part, numbers, width)

    def _half(self, line: DiffLine | None, part: Part, number: str, width: int) -> Content:
        if line is None:
            return Content("")
        if line.kind == "header":
            return self._stating(line, width)
        return self._text(line, part, f"{_number(getattr(line, number), self._digits)} ", width)

    def _text(self, line: DiffLine, part: Part, numbers: str, width: int) -> Content:
        sign, style = _SIGNS.get(line.kind, (" ", ""))
        if part[0]:
            numbers = " " * len(numbers)
        content = Content.assemble((numbers, "$text-muted"), (f"{sign} ", style), self._marked(line, part, style))
        return content.truncate(width, ellipsis=True)

    def _marked(self, line: DiffLine, part: Part, style: str) -> Content:
        """Return a part of a line with what changed in it marked."""
        begin, until = part
        # Before the width is known a part is the whole line: no more of it is looked at than could ever fit.
        until = min(until, begin + 8 * (self._laid_to + 1))
        parts: list[Content] = []
        at = begin
        for start, end in line.spans:
            start, end = max(start, begin), min(end, until)
            if start < end:
                parts.append(self._with_tabs(line.text[at:start], style))
                parts.append(self._with_tabs(line.text[start:end], f"bold underline {style}"))
                at = end
        parts.append(self._with_tabs(line.text[at:until], style))
        return Content.assemble(*parts)

    def _with_tabs(self, text: str, style: str) -> Content:
        # A tab is told apart from spaces, yet a script that is indented by tabs stays quiet to read.
        tab = Content.styled(self._tab, "$text-disabled")
        return tab.join(safe(part, style) for part in text.split("\t"))

    def _stating(self, line: DiffLine, width: int) -> Content:
        if line.kind == "fold":
            sign = f"{glyphs().closed} " if line.folded else "  "
            return Content.styled(" " * (2 * self._digits + 2) + sign, "$primary") + safe(line.text, "$text-muted")
        style = "bold" if line.kind == "header" else "$text-muted"
        return safe(line.text[: 4 * width], style).truncate(width, ellipsis=True)


def _filled(content: Content, width: int) -> Content:
    return content.pad_right(max(0, width - content.cell_length))


def _number(number: int | None, digits: int) -> str:
    return " " * digits if number is None else f"{number:>{digits}}"


def _last(line: DiffLine, number: str) -> int:
    last = line.folded[-1] if line.folded else line
    found = getattr(last, number)
    return found if isinstance(found, int) else 1


def _identity(row: DiffRow) -> object:
    line, start = (row.left, row.left_part[0]) if row.left is not None else (row.right, row.right_part[0])
    return None if line is None else (line.kind == "header" and line.text, line.old_no, line.new_no, start)

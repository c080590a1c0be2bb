"""A difference on the virtual list: unified, or side by side where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual import on
from textual.content import Content

from skillui.tui.glyphs import glyphs
from skillui.tui.model.diff import DiffLine, side_by_side
from skillui.tui.safe_text import safe
from skillui.tui.widgets.line_list import LineList, RowState

SIDE_BY_SIDE: Final = 120
"""Cells from which the two texts stand side by side."""

DiffRow = tuple[DiffLine | None, DiffLine | None]
"""What one line of the screen shows: a pair, or one line twice where the difference is unified."""

_SIGNS: Final = {"added": ("+", "$state-ok"), "removed": ("-", "$state-broken")}


class DiffView(LineList[DiffRow]):
    """Shows what `diff_texts` returns. Enter or a double click on a fold shows the lines it stands for."""

    DEFAULT_CSS = """
    DiffView { height: 1fr; }
    """

    def __init__(self, lines: Sequence[DiffLine] = (), *, id: str | None = None, classes: str | None = None) -> None:
        self._lines: tuple[DiffLine, ...] = tuple(lines)
        self._wide = False
        self._digits = 1
        super().__init__(self._draw, self._rows_now(), id=id, classes=classes)

    @property
    def lines(self) -> tuple[DiffLine, ...]:
        """The difference as it is shown, opened folds included."""
        return self._lines

    @property
    def wide(self) -> bool:
        """Tell whether the two texts stand side by side."""
        return self._wide

    def show_lines(self, lines: Sequence[DiffLine]) -> None:
        """Show another difference from its top."""
        self._lines = tuple(lines)
        self.set_rows(self._rows_now())

    def next_change(self, by: int = 1) -> None:
        """Go to the first line of the next change, or of the one before."""
        starts = [
            index
            for index, row in enumerate(self.rows)
            if _changed(row) and (index == 0 or not _changed(self.rows[index - 1]))
        ]
        here = self.cursor or 0
        ahead = [index for index in starts if (index > here if by > 0 else index < here)]
        if ahead:
            self.move_to(ahead[0] if by > 0 else ahead[-1])

    def on_resize(self) -> None:
        """Change the layout where the width asks for it; the cursor stays on its line."""
        wide = self.size.width >= SIDE_BY_SIDE
        if wide != self._wide:
            self._wide = wide
            self.set_rows(self._rows_now(), keep=_identity)
        super().on_resize()

    @on(LineList.Selected)
    def _open_fold(self, event: LineList.Selected) -> None:
        row = self.rows[event.index] if event.index < len(self.rows) else (None, None)
        fold = row[0]
        if fold is None or not fold.folded:
            return
        event.stop()
        at = next(index for index, line in enumerate(self._lines) if line is fold)
        self._lines = (*self._lines[:at], *fold.folded, *self._lines[at + 1 :])
        self.set_rows(self._rows_now(), keep=_identity)

    def _rows_now(self) -> Sequence[DiffRow]:
        numbers = [number for line in self._lines for number in (_last(line, "old_no"), _last(line, "new_no"))]
        self._digits = len(str(max(numbers, default=1)))
        return side_by_side(self._lines) if self._wide else [(line, line) for line in self._lines]

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        left, right = self.rows[index]
        if not self._wide or (left is right and left is not None and left.kind in ("fold", "note")):
            return self._unified(left or right or DiffLine("note", ""), width)
        gap = Content.styled(" " + ("|" if glyphs().ascii_only else "│") + " ", "$text-muted")
        half = (width - gap.cell_length) // 2
        return _filled(self._half(left, "old_no", half), half) + gap + self._half(right, "new_no", width - half - 3)

    def _unified(self, line: DiffLine, width: int) -> Content:
        if line.kind not in ("context", "added", "removed"):
            return self._stating(line, width)
        numbers = f"{_number(line.old_no, self._digits)} {_number(line.new_no, self._digits)} "
        return self._text(line, numbers, width)

    def _half(self, line: DiffLine | None, number: str, width: int) -> Content:
        if line is None:
            return Content("")
        if line.kind == "header":
            return self._stating(line, width)
        return self._text(line, f"{_number(getattr(line, number), self._digits)} ", width)

    def _text(self, line: DiffLine, numbers: str, width: int) -> Content:
        sign, style = _SIGNS.get(line.kind, (" ", ""))
        room = max(0, width - len(numbers) - 2)
        content = Content.assemble((numbers, "$text-muted"), (f"{sign} ", style), _marked(line, room, style))
        return content.truncate(width, ellipsis=True)

    def _stating(self, line: DiffLine, width: int) -> Content:
        if line.kind == "fold":
            sign = f"{glyphs().closed} " if line.folded else "  "
            return Content.styled(" " * (2 * self._digits + 2) + sign, "$primary") + safe(line.text, "$text-muted")
        style = "bold" if line.kind == "header" else "$text-muted"
        return safe(line.text[: 4 * width], style).truncate(width, ellipsis=True)


def _marked(line: DiffLine, room: int, style: str) -> Content:
    """Return a line's text with what changed in it marked; far more than fits is not looked at."""
    text = line.text[: 8 * (room + 1)]
    parts: list[Content] = []
    at = 0
    for start, end in line.spans:
        parts.append(_with_tabs(text[at:start], style))
        parts.append(_with_tabs(text[start:end], f"bold underline {style}"))
        at = end
    parts.append(_with_tabs(text[at:], style))
    return Content.assemble(*parts)


def _with_tabs(text: str, style: str) -> Content:
    # A tab is told apart from spaces, yet a script that is indented by tabs stays quiet to read.
    tab = Content.styled(f"{glyphs().arrow}   ", "$text-disabled")
    return tab.join(safe(part, style) for part in text.split("\t"))


def _filled(content: Content, width: int) -> Content:
    return content.pad_right(max(0, width - content.cell_length))


def _number(number: int | None, digits: int) -> str:
    return " " * digits if number is None else f"{number:>{digits}}"


def _last(line: DiffLine, number: str) -> int:
    last = line.folded[-1] if line.folded else line
    found = getattr(last, number)
    return found if isinstance(found, int) else 1


def _changed(row: DiffRow) -> bool:
    return any(line is not None and line.kind in ("added", "removed") for line in row)


def _identity(row: DiffRow) -> object:
    line = row[0] or row[1]
    return None if line is None else (line.kind == "header" and line.text, line.old_no, line.new_no)

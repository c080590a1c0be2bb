"""What the reviewer reads: the text of a file or its difference, findings in the margin, the end noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from skillui.core import Problem, Severity
from skillui.tui.glyphs import glyphs
from skillui.tui.model.figures import counted
from skillui.tui.model.review_sheet import SheetFile
from skillui.tui.model.review_text import FileText
from skillui.tui.model.review_words import finding_words
from skillui.tui.safe_text import safe, safe_line
from skillui.tui.widgets.diff_view import DiffView
from skillui.tui.widgets.line_list import LineList
from skillui.tui.widgets.severity import sign_of, style_of
from skillui.tui.widgets.source_view import SourceView, marks_of

_LONGEST_TITLE: Final = 60
_SIDE_BY_SIDE: Final = 100
_LOOK_EVERY: Final = 0.1


class ReviewTextPane(Vertical):
    """Shows one file of a skill under review."""

    DEFAULT_CSS = """
    ReviewTextPane {
        border: round $border-blurred;
        border-title-color: $foreground;
        border-subtitle-color: $text-muted;
        padding: 0 1;
        &:focus-within { border: round $border; border-title-color: $accent; }
        & > .review-note { height: auto; max-height: 4; color: $text-muted; }
        & > .review-finding { height: auto; max-height: 5; }
        & > SourceView, & > DiffView { height: 1fr; display: none; }
        &.-text > SourceView { display: block; }
        &.-diff > DiffView { display: block; }
        & > DiffView > .line-list--cursor { background: $block-hover-background; }
        & > DiffView > .line-list--hover { background: transparent; }
        & > DiffView:focus > .line-list--cursor {
            background: $block-cursor-blurred-background;
            color: $foreground;
            text-style: none;
        }
    }
    """

    @dataclass
    class EndSeen(Message):
        """The end of the file was on the screen."""

        file: SheetFile

    def __init__(self) -> None:
        super().__init__(id="review-text")
        self.file: SheetFile | None = None
        self.shown: FileText | None = None
        """What is shown of it, None while it is read."""
        self._seen: SheetFile | None = None
        self._as_text = False
        self._base = ""
        self._line: int | None = None
        self.source = SourceView(empty="There is nothing in it.")
        self.diff = DiffView(side_by_side=_SIDE_BY_SIDE)

    def compose(self) -> ComposeResult:
        """A note, the text or the difference, the finding under the cursor."""
        yield Static(classes="review-note")
        yield self.source
        yield self.diff
        yield Static(classes="review-finding")

    def on_mount(self) -> None:
        """Notice how far the person comes."""
        for view in (self.source, self.diff):
            self.watch(view, "scroll_y", self._look_for_end, init=False)
            self.watch(view, "virtual_size", self._look_later, init=False)
        self.set_interval(_LOOK_EVERY, self._look_for_end)  # a part may get its height long after its text
        self._show_parts()

    def on_resize(self) -> None:
        """More may be in view now."""
        self._look_later()

    @property
    def view(self) -> LineList[object]:
        """What has the text, or the difference."""
        return self.diff if self.has_class("-diff") else self.source  # type: ignore[return-value]

    @property
    def line(self) -> int | None:
        """The file's line under the cursor."""
        return self.diff.current_line if self.has_class("-diff") else self.source.current_line

    def begin(self, file: SheetFile | None, base: str, *, same: bool) -> None:
        """Say which file comes; its text is being read. `same` tells that it is the one before in a newer state."""
        self.file, self._base = file, base
        self.shown = None
        self._line = self._line if same else None
        self._draw_frame()
        if file is None:
            self.show(FileText(None, None), same=False)

    def show(self, shown: FileText, *, same: bool) -> None:
        """Show the text of the file; `same` keeps the place in it."""
        self.shown = shown
        self.query_one(".review-note", Static).update(safe(shown.note, newlines=True))
        self.query_one(".review-note").display = bool(shown.note)
        self._fill(same)
        if self._line is not None:
            line, self._line = self._line, None
            self.go_to_line(line)

    def toggle(self) -> None:
        """Show the whole text instead of the difference, or the difference again."""
        if self.shown is not None and self.shown.diff is not None:
            line = self.line
            focused = self.view.has_focus
            self._as_text = not self._as_text
            self._fill(False)
            if line is not None:
                self.go_to_line(line)
            if focused:
                self.view.focus()

    def go_to_line(self, line: int | None) -> None:
        """Put the cursor on a line of the file, as soon as it is shown."""
        if self.shown is None:
            self._line = line or 1
        elif self.has_class("-diff"):
            self.diff.go_to_line(line or 1)
        else:
            self.source.go_to_line(line or 1)

    def _fill(self, same: bool) -> None:
        shown, file = self.shown, self.file
        findings: tuple[Problem, ...] = file.findings if file is not None else ()
        as_diff = shown is not None and shown.diff is not None and not self._as_text
        as_text = shown is not None and shown.text is not None and not as_diff
        keep = same and self.has_class("-diff") == as_diff
        if not keep:
            # At once: the place in the file before must not pass for one in this.
            for view in (self.source, self.diff):
                view.scroll_to(y=0, animate=False, force=True, immediate=True)
        self.set_class(as_diff, "-diff")
        self.set_class(as_text, "-text")
        if shown is not None and shown.diff is not None and as_diff:
            self.diff.show_lines(shown.diff, _margin(findings), same=keep)
        if shown is not None and shown.text is not None and file is not None and as_text:
            gone = file.change.now is None
            marks = () if gone else marks_of(findings)
            self.source.show_source(shown.text, file.file.path, marks=marks, same=keep)
        self._draw_frame()
        self._look_later()

    def _show_parts(self) -> None:
        self.query_one(".review-note").display = False
        self._draw_frame()

    # The frame

    def _draw_frame(self) -> None:
        file = self.file
        if not self.is_mounted:
            return
        if file is None:
            self.border_title, self.border_subtitle = Content(""), Content("")
            self.query_one(".review-finding").display = False
            return
        path = safe_line(file.file.path, _LONGEST_TITLE, "bold")
        self.border_title = Content.assemble(path, "  ", (file.change.state, "$text-muted"))
        facts = Content(f" {glyphs().separator} ").join(self._facts(file))
        self.border_subtitle = facts
        self._draw_finding()

    def _facts(self, file: SheetFile) -> Iterator[Content]:
        if self.has_class("-diff"):
            yield safe_line(f"difference with {self._base}", _LONGEST_TITLE)
        elif self.shown is not None and self.shown.diff is not None:
            yield Content("whole text")
        if file.file.executable:
            yield Content("executable")
        yield Content(f"{file.file.size:,} B")

    def _draw_finding(self) -> None:
        place = self.query_one(".review-finding", Static)
        file = self.file
        place.display = file is not None and bool(file.findings)
        if file is None or not file.findings:
            return
        here = [found for found in file.findings if (found.line or 1) == (self.line or 1)]
        here.sort(key=lambda found: found.severity.rank)
        shown = Content("\n").join(map(finding_words, here)) if here else _summary(file.findings)
        place.update(shown)

    @on(LineList.Highlighted)
    def _moved(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._draw_finding()
        self._look_later()

    # The end

    def _look_later(self, *_: object) -> None:
        # The height and the place in view are those of the next layout.
        self.call_after_refresh(self._look_for_end)

    def _look_for_end(self, *_: object) -> None:
        """Tell when the last row is in view; what cannot be read was seen as soon as that is said."""
        file, shown = self.file, self.shown
        if (
            file is None
            or file is self._seen
            or shown is None
            or not self.is_attached
            or not self.screen.is_current
            or not self.size.height
        ):
            return
        if shown.readable:
            view = self.view
            height = view.scrollable_content_region.height
            laid = len(view.rows) or not shown.text
            if not height or not laid or view.scroll_offset.y + height < len(view.rows):
                return
        self._seen = file
        self.post_message(self.EndSeen(file))


def _margin(findings: tuple[Problem, ...]) -> dict[int, Severity]:
    marks: dict[int, Severity] = {}
    for found in sorted(findings, key=lambda found: found.severity.rank):
        if found.line is not None:
            marks.setdefault(found.line, found.severity)
    return marks


def _summary(findings: tuple[Problem, ...]) -> Content:
    parts = [
        Content.styled(f"{sign_of(severity)} {counted(count, severity.value)}", style_of(severity))
        for severity in Severity
        if (count := sum(found.severity is severity for found in findings))
    ]
    return Content.assemble(Content("  ").join(parts), ("  ] the next one", "$text-muted"))

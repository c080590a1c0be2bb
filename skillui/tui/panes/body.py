"""The Body: its source, and on request rendered; a link in it opens nothing by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual import on, work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Markdown, Static

from skillui.tui.keymap import binding
from skillui.tui.messages import LinkRequested
from skillui.tui.model.figures import human_size
from skillui.tui.model.findings import in_skill_md
from skillui.tui.model.places import fields_end
from skillui.tui.model.skill_view import SkillView
from skillui.tui.panes.base import SkillPane
from skillui.tui.safe_text import safe, visible
from skillui.tui.widgets.line_list import LineList
from skillui.tui.widgets.severity import sign_of, style_of
from skillui.tui.widgets.source_view import SourceView, marks_of

if TYPE_CHECKING:
    from skillui.core import ParsedSkill

RENDER_LIMIT_KIB: Final = 64
"""Size up to which a body is rendered: every paragraph is a widget, and past this the wait is felt."""


class RenderedBody(VerticalScroll):
    """Rendered Markdown that scrolls by the keys of the lists."""

    BINDINGS = [
        binding("list.up", "scroll_up", show=False),
        binding("list.down", "scroll_down", show=False),
        binding("list.page-up", "page_up", show=False),
        binding("list.page-down", "page_down", show=False),
        binding("list.first", "scroll_home", show=False),
        binding("list.last", "scroll_end", show=False),
    ]


class BodyPane(SkillPane):
    """The body as it stands in the file, or rendered."""

    TAB = "body"
    TITLE = "Body"
    BINDINGS = [binding("skill.rendered", "toggle_rendered", tooltip="Show the text rendered, or its source")]
    DEFAULT_CSS = """
    BodyPane {
        & > #body-note { height: auto; max-height: 3; color: $text-muted; display: none; }
        & > SourceView { height: 1fr; }
        & > RenderedBody { height: 1fr; display: none; scrollbar-size-vertical: 1; }
        &.-rendered > SourceView { display: none; }
        &.-rendered > RenderedBody { display: block; }
        & Markdown { background: transparent; padding: 0 1; }
        & MarkdownH1 { margin: 0 0 1 0; content-align: left middle; }
    }
    """

    def __init__(self, render_limit_kib: int = RENDER_LIMIT_KIB) -> None:
        """Render bodies of up to `render_limit_kib` KiB."""
        super().__init__()
        self._limit = render_limit_kib * 1024
        self._drawn: str | None = None
        """The body the rendered half shows."""

    def compose(self) -> ComposeResult:
        """The source; what renders comes when it is asked for."""
        yield Static(id="body-note", markup=False)
        yield SourceView(id="body-source", empty="The skill has no body: the model would get its fields alone.")

    @property
    def source(self) -> SourceView:
        """The body's source."""
        return self.query_one(SourceView)

    @property
    def rendered(self) -> bool:
        """Whether the rendered text is in view."""
        return self.has_class("-rendered")

    async def update_view(self, view: SkillView, same: bool) -> None:
        """Show the body as it is now, in the half that is in view."""
        parsed = view.parsed
        body = parsed.body if parsed is not None else ""
        first = parsed.body_line if parsed is not None else 1
        self.source.show_source(
            body, "body.md", first_line=first, marks=marks_of(in_skill_md(view.problems)), same=same
        )
        if not body and parsed is not None:
            self.source.set_empty(_why_none(parsed))
        if not same:
            self.remove_class("-rendered")
            self._drawn = None
        elif self.rendered:
            self._render_body(body)
        self._note_cursor()

    def go_to_line(self, line: int, column: int | None = None) -> None:
        """Show a line of the file in the source."""
        self._show_source()
        self.source.go_to_line(line, column)
        self.source.focus()

    def focus_inside(self) -> None:
        """Whichever half is in view."""
        (self.query_one(RenderedBody) if self.rendered else self.source).focus()

    def action_toggle_rendered(self) -> None:
        """Change between source and rendered text."""
        body = self.view.parsed.body if self.view is not None and self.view.parsed is not None else ""
        if self.rendered:
            self._show_source()
            self.source.focus()
        elif len(size := body.encode("utf-8", "replace")) > self._limit:
            self._say(
                Content(
                    f"The body is {human_size(len(size))}; it is rendered up to {human_size(self._limit)}. "
                    "This is its source."
                )
            )
        elif body.strip():
            self._say(Content("Rendering"))
            self._render_body(body)

    @work(exclusive=True, group="render", exit_on_error=False, description="rendering a body")
    async def _render_body(self, body: str) -> None:
        if self._drawn != body:
            if not self.query(RenderedBody):
                await self.mount(RenderedBody(Markdown(open_links=False), id="body-rendered"))
            # The source of the rendered text goes through the gate, so that no widget below it has to.
            await self.query_one(Markdown).update(visible(body.replace("\r\n", "\n"), newlines=True, tabs="    "))
            self._drawn = body
        had_focus = self.source.has_focus
        self.add_class("-rendered")
        self._say(None)
        if had_focus:
            self.query_one(RenderedBody).focus()

    @on(Markdown.LinkClicked)
    def _link_clicked(self, event: Markdown.LinkClicked) -> None:
        event.stop()
        self.post_message(LinkRequested(event.href))

    @on(LineList.Highlighted, "#body-source")
    def _line_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._note_cursor()

    def _show_source(self) -> None:
        self.workers.cancel_group(self, "render")
        self.remove_class("-rendered")
        self._note_cursor()

    def _note_cursor(self) -> None:
        """Say what is marked on the line under the cursor."""
        marks = self.source.current_marks
        if not marks or self.rendered:
            self._say(None)
            return
        mark = marks[0]
        self._say(safe(f"{sign_of(mark.severity)} line {mark.line}: {mark.message}", style_of(mark.severity)))

    def _say(self, text: Content | None) -> None:
        note = self.query_one("#body-note", Static)
        note.display = text is not None
        if text is not None:
            note.update(text)


def _why_none(parsed: ParsedSkill) -> str:
    if fields_end(parsed) > parsed.text.count("\n") + 1:
        return "No body could be told from the fields: see the Frontmatter tab."
    return "The skill has no body: the model would get its fields alone."

"""The Frontmatter: its source with marks, and beside it what each field comes to."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from skillui.checks.field_readers import AS_OF, readers_at_length, readers_in_short
from skillui.core import ParsedSkill
from skillui.tui.glyphs import glyphs
from skillui.tui.model.fields import FieldRow, field_rows
from skillui.tui.model.findings import in_skill_md
from skillui.tui.model.places import fields_source
from skillui.tui.model.skill_view import SkillView
from skillui.tui.panes.base import SkillPane
from skillui.tui.safe_text import safe
from skillui.tui.widgets.column_titles import ColumnTitles
from skillui.tui.widgets.columns import Column, aligned
from skillui.tui.widgets.line_list import LineList, RowState
from skillui.tui.widgets.severity import sign_of, style_of
from skillui.tui.widgets.source_view import SourceView, marks_of

_WIDE = 84
_LOW = 20
_DETAIL_CHARACTERS = 600
_COLUMNS = (
    Column(1),
    Column(13, grow=2),
    Column(9, grow=4, drop=3),
    Column(7, drop=2),
    Column(6, drop=1),
    Column(15, grow=2, drop=4),
)
_TITLES = ("", "key", "value", "type", "spec", "read by")


class FrontmatterPane(SkillPane):
    """Source and fields side by side, one above the other where there is little room."""

    TAB = "frontmatter"
    TITLE = "Frontmatter"
    DEFAULT_CSS = """
    FrontmatterPane {
        & > Container { layout: horizontal; height: 1fr; }
        & SourceView { width: 5fr; height: 1fr; }
        & #field-side { width: 6fr; height: 1fr; padding-left: 1; border-left: solid $border-blurred; }
        & #fields { height: 1fr; scrollbar-gutter: stable; }
        & ColumnTitles { padding-right: 1; }
        & #field-detail { height: auto; max-height: 7; margin-top: 1; color: $text-muted; }
        &.-narrow > Container { layout: vertical; }
        &.-narrow #field-side {
            width: 100%; height: 1fr; padding-left: 0; border-left: none; border-top: solid $border-blurred;
        }
        &.-narrow SourceView { width: 100%; }
        &.-bare #field-side { width: 34; }
        &.-bare.-narrow #field-side { width: 100%; height: 3; }
        &.-narrow #field-detail { margin-top: 0; max-height: 4; }
        &.-narrow.-low #field-detail { max-height: 3; }
    }
    """

    def compose(self) -> ComposeResult:
        """Source, table, and the field under the cursor at length."""
        with Container():
            yield SourceView(id="field-source", empty="The file is empty.")
            with Vertical(id="field-side"):
                yield ColumnTitles(_TITLES, _COLUMNS)
                yield LineList[FieldRow](self._draw_row, id="fields")
                yield Static(id="field-detail", markup=False)

    @property
    def source(self) -> SourceView:
        """The source of the frontmatter, fences included."""
        return self.query_one(SourceView)

    @property
    def fields(self) -> LineList[FieldRow]:
        """The table of fields."""
        return self.query_one("#fields", LineList)

    async def update_view(self, view: SkillView, same: bool) -> None:
        """Show the fields as they are now."""
        parsed = view.parsed
        if parsed is None:
            self.source.show_source("")
            self.fields.set_empty("The file cannot be read: there are no fields.")
            self.fields.set_rows([])
            self.add_class("-bare")
            self._draw_detail(None)
            return
        self.source.show_source(
            fields_source(parsed), "SKILL.md", marks=marks_of(in_skill_md(view.problems)), same=same
        )
        self.fields.set_empty(_why_none(parsed))
        self.set_class(not parsed.fields, "-bare")
        self.fields.set_rows(field_rows(parsed), (lambda row: row.key) if same else None)
        self._draw_detail(self.fields.current)

    def go_to_line(self, line: int, column: int | None = None) -> None:
        """Show a line of the file in the source."""
        self.source.go_to_line(line, column)
        self.source.focus()

    def focus_inside(self) -> None:
        """The table where there are fields, else the source."""
        (self.fields if self.fields.rows else self.source).focus()

    def on_resize(self, event: events.Resize) -> None:
        """Put the two beside each other where both have room."""
        self.set_class(event.size.width < _WIDE, "-narrow")
        self.set_class(event.size.height < _LOW, "-low")

    @on(LineList.Highlighted, "#fields")
    def _field_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        row = event.row
        if isinstance(row, FieldRow):
            self._draw_detail(row)
            if row.line is not None and self.fields.has_focus:
                self.source.go_to_line(row.line, row.column)

    @on(LineList.Selected, "#fields")
    def _field_selected(self, event: LineList.Selected) -> None:
        event.stop()
        row = event.row
        if isinstance(row, FieldRow) and row.line is not None:
            self.go_to_line(row.line, row.column)

    def _draw_row(self, index: int, width: int, state: RowState) -> Content:
        row = self.fields.rows[index]
        sign = Content.styled(sign_of(row.severity), style_of(row.severity)) if row.severity else Content(" ")
        value = (row.value if row.used else row.value or "left out", "" if row.used else "$text-muted")
        spec = (glyphs().check, "$state-ok") if row.known else ("-", "$text-muted")
        readers = readers_in_short(row.key)
        reader = (readers, "$text-muted" if readers == "no known reader" else "")
        kind = (row.type, "$state-broken" if row.type == "missing" else "$text-muted")
        return aligned((sign, (row.key, "bold"), value, kind, spec, reader), _COLUMNS, width)

    def _draw_detail(self, row: FieldRow | None) -> None:
        detail = self.query_one("#field-detail", Static)
        detail.display = row is not None
        self.query_one(ColumnTitles).display = row is not None
        if row is None:
            return
        known = (
            "The specification knows it." if row.known else "The specification does not know it; it is kept as it is."
        )
        if row.type == "missing":
            known = "The specification requires it, and it is missing."
        elif not row.used:
            known = "The engine could not use it." if row.severity else "It counts as left out."
        value = safe(row.value[:_DETAIL_CHARACTERS], "$foreground") if row.value else Content("")
        lines = [Content.assemble(safe(row.key, "bold $foreground"), "  ", value)]
        lines.append(Content(f"{known} {readers_at_length(row.key)} As of {AS_OF}."))
        text = Content("\n").join(lines)
        detail.update(text)


def _why_none(parsed: ParsedSkill) -> str:
    if parsed.frontmatter_text is None:
        return "The file has no frontmatter that could be read."
    if not parsed.frontmatter_text.strip():
        return "There is nothing between the fences."
    return "The frontmatter cannot be read as YAML: there are no fields to show."

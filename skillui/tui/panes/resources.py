"""The Resources: every file of the skill, what the model is told of it, and each one to look at."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from skillui.tui.glyphs import glyphs
from skillui.tui.keymap import binding
from skillui.tui.messages import FileRequested
from skillui.tui.model.figures import counted, human_size
from skillui.tui.model.file_content import FileContent
from skillui.tui.model.findings import path_of
from skillui.tui.model.resource_tree import OPEN_AT_FIRST, ResourceTree, TreeRow, is_executable, mode_text
from skillui.tui.model.skill_view import SkillFile, SkillView
from skillui.tui.panes.base import SkillPane
from skillui.tui.safe_text import safe
from skillui.tui.widgets.column_titles import ColumnTitles
from skillui.tui.widgets.columns import Column, aligned
from skillui.tui.widgets.line_list import LineList, RowState
from skillui.tui.widgets.source_view import Mark, SourceView, marks_of

_COLUMNS = (
    Column(16, grow=1),
    Column(9, align="right"),
    Column(4, drop=3),
    Column(8, drop=2),
    Column(6, drop=1),
)
_LONGEST_TARGET = 300
_TITLES = ("file", "size", "mode", "in body", "listed")


class FileTree(LineList[TreeRow]):
    """The tree, with the keys that fold it."""

    BINDINGS = [
        binding("resources.toggle", "fold_or_unfold", show=False),
        binding("resources.unfold", "unfold", show=False),
        binding("resources.fold", "fold", show=False),
    ]

    def __init__(self) -> None:
        """Make an empty tree."""
        super().__init__(self._draw, empty="The folder holds no file but SKILL.md.", id="files")
        self._tree = ResourceTree()
        self._opened: set[str] = set()

    def show_tree(self, tree: ResourceTree, opened: set[str]) -> None:
        """Show another tree with these folders unfolded."""
        self._tree, self._opened = tree, opened
        self.set_rows(tree.rows(opened))

    def renew(self, tree: ResourceTree) -> None:
        """Show the same skill's files as they are now: what was unfolded stays so."""
        self._tree = tree
        self._refill()

    def action_select_cursor(self) -> None:
        """Fold or unfold a folder, choose a file."""
        if self.current is not None and self.current.file is None:
            self.action_fold_or_unfold()
        else:
            super().action_select_cursor()

    def action_fold_or_unfold(self) -> None:
        """Fold or unfold the folder under the cursor."""
        if self.current is not None and self.current.file is None:
            self._opened ^= {self.current.path}
            self._refill()

    def action_unfold(self) -> None:
        """Unfold the folder, or go to the first thing in it."""
        row = self.current
        if row is None or row.file is not None:
            return
        if row.opened:
            self.action_cursor_down()
        else:
            self.action_fold_or_unfold()

    def action_fold(self) -> None:
        """Fold the folder, or go to the one the row lies in."""
        row = self.current
        if row is None:
            return
        if row.file is None and row.opened:
            self.action_fold_or_unfold()
            return
        parent = row.path.rpartition("/")[0]
        for index, other in enumerate(self.rows):
            if other.file is None and other.path == parent:
                self.move_to(index)
                return

    def reveal(self, path: str) -> None:
        """Put the cursor on a file or folder, unfolding what it lies in; on the nearest folder where it is gone."""
        parts = path.split("/")
        self._opened |= {"/".join(parts[:end]) for end in range(1, len(parts))}
        self._refill()
        wanted = {"/".join(parts[:end]) for end in range(1, len(parts) + 1)}
        found = [(len(row.path), index) for index, row in enumerate(self.rows) if row.path in wanted]
        if found:
            self.move_to(max(found)[1])

    def _refill(self) -> None:
        self.set_rows(self._tree.rows(self._opened), lambda row: row.path)

    def _draw(self, index: int, width: int, state: RowState) -> Content:
        row = self.rows[index]
        indent = "  " * min(row.depth, 12)
        if row.file is None:
            signs = glyphs()
            lead = Content.styled(f"{indent}{signs.opened if row.opened else signs.closed} ", "$text-muted")
            inside = Content.styled(f"   {counted(row.files, 'file')}", "$text-muted")
            name = Content.assemble(lead, safe(f"{row.name}/", "bold"), inside)
            return aligned((name, (human_size(row.size), "$text-muted"), "", "", ""), _COLUMNS, width)
        return aligned(_file_cells(row, row.file, indent), _COLUMNS, width)


class ResourcesPane(SkillPane):
    """The tree of files; over it the one that was opened."""

    TAB = "resources"
    TITLE = "Resources"
    DEFAULT_CSS = """
    ResourcesPane {
        & #files { height: 1fr; scrollbar-gutter: stable; }
        & ColumnTitles { padding-right: 1; }
        & #files-note { height: auto; max-height: 5; margin-top: 1; color: $text-muted; }
        & > #file-view { display: none; height: 1fr; }
        & #file-head { height: auto; max-height: 4; margin-bottom: 1; }
        & #file-view SourceView { height: 1fr; }
        &.-file > #file-tree { display: none; }
        &.-file > #file-view { display: block; }
    }
    """
    BINDINGS = [binding("resources.back", "close_file")]

    def __init__(self) -> None:
        """Make an empty pane."""
        super().__init__()
        self.opened: str | None = None
        """Path of the file that is shown, None while the tree is."""
        self._wanted: tuple[str, int, int | None] | None = None
        """A file, a line and a column to go to once the file was read."""

    def compose(self) -> ComposeResult:
        """The tree, and room for one file."""
        with Vertical(id="file-tree"):
            yield ColumnTitles(_TITLES, _COLUMNS)
            yield FileTree()
            yield Static(id="files-note", markup=False)
        with Vertical(id="file-view"):
            yield Static(id="file-head", markup=False)
            yield SourceView(id="file-source", empty="The file is empty.")

    @property
    def file_tree(self) -> FileTree:
        """The tree of files."""
        return self.query_one(FileTree)

    async def update_view(self, view: SkillView, same: bool) -> None:
        """Show the files as they are now; an open file of the same skill is asked for anew."""
        tree = ResourceTree(view.files)
        if same:
            self.file_tree.renew(tree)
            if self.opened is not None:
                self.post_message(FileRequested(self.opened))
        else:
            self.action_close_file()
            self.file_tree.show_tree(tree, tree.folders() if len(view.files) <= OPEN_AT_FIRST else set())
        self._draw_note()

    def badge(self, view: SkillView) -> Content:
        """How many files there are beside SKILL.md."""
        others = sum(file.path != "SKILL.md" for file in view.files) + view.files_omitted
        return Content(f"{others:,}") if others else Content("")

    def show_file(self, content: FileContent) -> None:
        """Show a file over the tree; Escape goes back."""
        same = self.opened == content.path
        self.opened = content.path
        self.query_one("#file-head", Static).update(_head(content))
        source = self.query_one("#file-source", SourceView)
        source.set_empty("The file is empty." if content.kind == "text" else "")
        name = content.path if content.kind == "text" else ""
        source.show_source(content.text, name, marks=self._marks(content), same=same)
        self.add_class("-file")
        self.refresh_bindings()
        wanted, self._wanted = self._wanted, None
        if wanted is not None and wanted[0] == content.path and content.kind == "text":
            source.go_to_line(wanted[1], wanted[2])
        if self.file_tree.has_focus or not same:
            source.focus()

    def _marks(self, content: FileContent) -> tuple[Mark, ...]:
        """Return what is wrong with a file that is shown as text."""
        if self.view is None or content.kind != "text":
            return ()
        return marks_of(problem for problem in self.view.problems if path_of(problem) == content.path)

    def go_to_file(self, path: str, line: int | None = None, column: int | None = None) -> None:
        """Open a file at a line, else put the cursor on its row of the tree."""
        known = self.view is not None and any(file.path == path for file in self.view.files)
        if known and line is not None:
            self._wanted = (path, line, column)
            # Later, as the pane's own word: a message that is made while the screen has its say ends at the screen.
            self.call_later(self._ask_for, path)
        else:
            self.action_close_file()
            self.file_tree.reveal(path.rstrip("/"))
        self.focus_inside()

    def action_close_file(self) -> None:
        """Go back to the tree."""
        if self.opened is None:
            return
        had_focus = self.query_one("#file-source", SourceView).has_focus
        self.opened = None
        self.remove_class("-file")
        self.refresh_bindings()
        if had_focus:
            self.file_tree.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape is the pane's own only while a file is open."""
        return self.opened is not None if action == "close_file" else True

    def focus_inside(self) -> None:
        """Whichever is in view."""
        (self.file_tree if self.opened is None else self.query_one("#file-source", SourceView)).focus()

    def _ask_for(self, path: str) -> None:
        self.post_message(FileRequested(path))

    @on(LineList.Highlighted, "#files")
    def _file_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._draw_note()

    def _draw_note(self) -> None:
        """Sum the files up, and say at length what a row may have had to cut."""
        if self.view is None:
            return
        note = _note(self.view)
        row = self.file_tree.current
        if row is not None and row.file is not None and row.file.link is not None:
            target = safe(f"{row.name} {glyphs().arrow} {row.file.link[:_LONGEST_TARGET]}", "$foreground")
            note = Content("\n").join([note, target])
        self.query_one("#files-note", Static).update(note)

    @on(LineList.Selected, "#files")
    def _file_selected(self, event: LineList.Selected) -> None:
        event.stop()
        row = event.row
        if isinstance(row, TreeRow) and row.file is not None:
            self.post_message(FileRequested(row.path))


def _file_cells(row: TreeRow, file: SkillFile, indent: str) -> tuple[Content | tuple[str, str], ...]:
    signs = glyphs()
    style = "$state-ok" if is_executable(file.mode) and file.link is None else ""
    parts = [Content(f"{indent}  "), safe(row.name, style)]
    if file.leaves:
        parts.append(safe(f"  {signs.warning} leaves the skill", "$state-sensitive"))
    if file.odd is not None:
        parts.append(safe(f"  {signs.warning} {file.odd}", "$state-untrusted"))
    if file.link is not None:
        parts.append(safe(f"  {signs.arrow} {file.link}", "$text-muted"))
    mode = mode_text(file.mode)
    mode_style = "$state-untrusted" if mode.isdigit() else "$state-ok" if "x" in mode else "$text-muted"
    itself = file.path == "SKILL.md"
    mentioned = ("", "") if itself else (signs.check, "") if file.mentioned else ("-", "$text-disabled")
    listed = ("", "") if itself else (signs.check, "$state-ok") if file.listed else ("-", "$text-disabled")
    size = "" if file.odd is not None else human_size(file.size)
    return Content.assemble(*parts), (size, ""), (mode, mode_style), mentioned, listed


def _note(view: SkillView) -> Content:
    others = [file for file in view.files if file.path != "SKILL.md"]
    parts = [counted(len(others) + view.files_omitted, "file") + f" beside SKILL.md, {human_size(_sum(others))}"]
    if view.resources.names:
        parts.append(f"{len(view.resources.names)} listed to the model")
    more = sum(view.resources.omitted.values())
    if more:
        parts.append(f"{more:,} only counted (ten a folder are listed)")
    if view.files_omitted:
        parts.append(f"{view.files_omitted:,} not shown here")
    note = safe(f" {glyphs().separator} ".join(parts))
    leaving = sum(file.leaves for file in view.files)
    if leaving:
        text = f" {glyphs().separator} {glyphs().warning} {counted(leaving, 'link')} out of the skill"
        note = Content.assemble(note, safe(text, "$state-sensitive"))
    return note


def _sum(files: list[SkillFile]) -> int:
    return sum(file.size for file in files if file.odd is None)


def _head(content: FileContent) -> Content:
    parts = [safe(content.path, "bold")]
    facts = [fact for fact in (content.type, human_size(content.size) if content.size else "") if fact]
    if facts:
        parts.append(safe(f"   {f' {glyphs().separator} '.join(facts)}", "$text-muted"))
    if content.kind == "refused":
        parts.append(safe(f"\n{glyphs().warning} Not shown: it {content.reason}.", "$state-untrusted", newlines=True))
    elif content.kind == "binary":
        why = f" ({content.reason})" if content.reason else ""
        parts.append(safe(f"\nIts first bytes{why}:", "$text-muted", newlines=True))
    return Content.assemble(*parts)

"""The left half of Browse: every skill that was found, to look through, search and sort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input
from textual.worker import get_current_worker

from skillui.tui import collector
from skillui.tui.glyphs import glyphs
from skillui.tui.keymap import binding
from skillui.tui.messages import CompareRequested, NewSkillRequested, SkillHighlighted, SkillOpened
from skillui.tui.model.arrange import SORTS, Item, Sort, arrange, counterpart, key_of
from skillui.tui.model.filters import Query, read_query
from skillui.tui.model.folders import FoldersOf, look_into, on_disk
from skillui.tui.model.rows import CatalogRow, Counts, RowBuilder, count
from skillui.tui.panes.catalog_frame import nothing_fits, subtitle, title
from skillui.tui.panes.catalog_lines import CatalogLines, Layout, layout_of
from skillui.tui.panes.catalog_list import CatalogList
from skillui.tui.panes.catalog_search import CatalogSearch, SearchInput
from skillui.tui.widgets.line_list import LineList
from skillui.tui.widgets.scan_bar import ScanBar

if TYPE_CHECKING:
    from skillui.core import AnyEntry
    from skillui.tui.model.catalog_inputs import CatalogInputs
    from skillui.tui.model.search import SearchIndex

_AT_ONCE = 200
"""Entries whose rows are built without a thread: less than a frame's time."""
_ROOMY = 24
"""Lines from which one may stay empty."""
NO_SKILLS = "No skills here yet.\n\nn begins a new one."
LOOKING = "Looking for skills"


class CatalogPane(Vertical):
    """Shows the catalog and posts what the person chose; it never reads a file on the event loop."""

    DEFAULT_CSS = """
    CatalogPane {
        border: round $border-blurred;
        border-title-color: $primary;
        border-subtitle-color: $text-muted;
        padding: 0 1;
        &:focus-within { border: round $border; }
        &.-roomy > CatalogSearch { margin-bottom: 1; }
        &.-ascii, &.-ascii:focus-within { border: ascii $border-blurred; }
    }
    """
    BINDINGS = [
        binding("search.leave", "clear_search", description="Clear search"),
        binding("catalog.search", "focus_search"),
        binding("catalog.group", "toggle_groups", show=False),
        binding("catalog.sort", "next_sort", show=False),
        binding("catalog.compare", "compare", show=False),
        binding("catalog.new", "new_skill", show=False),
        binding("catalog.new", "first_skill"),
    ]

    sort: reactive[Sort] = reactive[Sort]("name", init=False)
    """What the rows are ordered by where no search ranks them."""
    grouped: reactive[bool] = reactive(False, init=False)
    """Whether the rows stand below a header for each root."""

    @dataclass
    class RowsBuilt(Message):
        """Rows were built in the background."""

        rows: tuple[CatalogRow, ...]
        inputs: CatalogInputs
        bubble = False

    @dataclass
    class IndexReady(Message):
        """The texts of the rows are ready to be searched."""

        index: SearchIndex
        bubble = False

    @dataclass
    class FoldersRead(Message):
        """The folders of all rows were looked into."""

        rows: tuple[CatalogRow, ...]
        folders: dict[str, frozenset[str]]
        bubble = False

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: tuple[CatalogRow, ...] = ()
        """All rows, in name order."""
        self.query_text = ""
        self._builder = RowBuilder()
        self._building = False
        self._waiting: CatalogInputs | None = None
        self._query = Query()
        self._index: SearchIndex | None = None
        self._folders: dict[str, frozenset[str]] = {}
        self._folders_of: tuple[CatalogRow, ...] | None = None
        self._chosen: str | None = None
        self._told: AnyEntry | None = None
        self._counts, self._layout = Counts(), Layout()
        self._empty: str | Content = NO_SKILLS
        self._shown = 0
        self._lines = CatalogLines()
        self._scanning = True
        self._checking: tuple[int, int] | None = None
        self.folders_of: FoldersOf = on_disk
        """How the resource folders of a skill are found."""

    def compose(self) -> ComposeResult:
        """The line to search in, the list, and how far a scan is."""
        yield CatalogSearch()
        yield CatalogList(self._lines)
        yield ScanBar()

    @property
    def list(self) -> CatalogList:
        """The rows on the screen."""
        return self.query_one(CatalogList)

    @property
    def current(self) -> CatalogRow | None:
        """The highlighted row."""
        row = self.list.current
        return row if isinstance(row, CatalogRow) else None

    # What the pane is given

    def set_catalog(self, inputs: CatalogInputs) -> None:
        """Show a catalog; called with every part of a scan too. Selection and scroll stay where they are."""
        if self._building:
            self._waiting = inputs
        elif inputs.size <= _AT_ONCE:
            self.show_rows(self._build(inputs), inputs.done, inputs.total)
        else:
            self._building = True
            self._build_rows(inputs)

    def show_rows(self, rows: tuple[CatalogRow, ...], done: int = 1, total: int = 1) -> None:
        """Show rows that were built already, in name order."""
        self._scanning = done < total
        self.query_one(ScanBar).set_progress(done, total)
        if rows != self.rows or self._index is None:
            self.rows = rows
            self._counts, self._layout = count(rows), layout_of(rows)
            self._index = self._index.over(rows) if self._index is not None else None
            self._refresh_rows()
            if not self._scanning and rows and not (self._index is not None and self._index.learned):
                self._prepare_index(rows)
        else:
            self._draw_frame()
            self._say_empty()

    def set_checking(self, done: int, total: int) -> None:
        """Say in the frame how many skills the gate looked at; equal figures end it."""
        self._checking = (done, total) if done < total else None
        self._draw_frame()

    def set_empty(self, text: str | Content) -> None:
        """Change what is said where there is no skill at all, such as where the app looked."""
        self._empty = text
        self._say_empty()

    def select(self, key: str) -> bool:
        """Put the cursor on a row by its key; tells whether it is in the list now."""
        for index, item in enumerate(self.list.rows):
            if item.key == key:
                self.list.move_to(index)
                return True
        return False

    def focus_search(self) -> None:
        """Give the keyboard to the search line."""
        self.query_one(SearchInput).focus()

    def focus_list(self) -> None:
        """Give the keyboard to the rows."""
        self.list.focus()

    def search(self, text: str) -> None:
        """Search as if `text` had been typed."""
        self.query_one(SearchInput).value = text

    # Work in the background

    def _build(self, inputs: CatalogInputs) -> tuple[CatalogRow, ...]:
        return inputs.rows(self._builder)

    @work(thread=True, group="catalog-rows", exit_on_error=False, description="sorting the skills")
    def _build_rows(self, inputs: CatalogInputs) -> None:
        rows: tuple[CatalogRow, ...] = ()
        try:
            rows = self._build(inputs)
        finally:
            # The next catalog must not wait for ever for one that failed.
            self.post_message(self.RowsBuilt(rows, inputs))

    @on(RowsBuilt)
    def _rows_built(self, event: RowsBuilt) -> None:
        self._building = False
        waiting, self._waiting = self._waiting, None
        self.show_rows(event.rows, event.inputs.done, event.inputs.total)
        if waiting is not None:  # last: a small one is shown at once
            self.set_catalog(waiting)

    @work(thread=True, exclusive=True, group="catalog-index", exit_on_error=False, description="preparing the search")
    def _prepare_index(self, rows: tuple[CatalogRow, ...]) -> None:
        from skillui.tui.model.search import SearchIndex  # not before the first picture

        index = SearchIndex(rows)
        index.learn_words()
        if not get_current_worker().is_cancelled:
            self.post_message(self.IndexReady(index))

    @on(IndexReady)
    def _index_ready(self, event: IndexReady) -> None:
        index = event.index if event.index.rows is self.rows else event.index.over(self.rows)
        if index is not None:
            self._index = index
            collector.settle()

    @work(thread=True, exclusive=True, group="catalog-folders", exit_on_error=False, description="looking into folders")
    def _read_folders(self, rows: tuple[CatalogRow, ...]) -> None:
        worker = get_current_worker()
        folders = look_into(rows, lambda: worker.is_cancelled, self.folders_of)
        if folders is not None:
            self.post_message(self.FoldersRead(rows, folders))

    @on(FoldersRead)
    def _folders_read(self, event: FoldersRead) -> None:
        self._folders = event.folders
        if self._query.needs_folders:
            self._refresh_rows()

    # Search, order

    @on(Input.Changed)
    def _search_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.read_search(event.value)

    def read_search(self, text: str) -> None:
        """Show what fits `text`."""
        if bool(text) is not bool(self.query_text):
            self.call_later(self.refresh_bindings)  # there is something to clear now, or nothing any more
        self.query_text = text
        before, self._query = self._query, read_query(text)
        if not before.terms and self.current is not None:
            self._chosen = self.current.key
        # With words the best match is what one looks for; a filter alone only thins the list out.
        self._refresh_rows(to_top=bool(self._query.terms) and self._query.terms != before.terms)
        if text and before.terms and not self._query.terms and self._chosen is not None:
            # A filter was text to look for until its last letter was typed.
            self.select(self._chosen)

    @on(SearchInput.Left)
    def _search_left(self, event: SearchInput.Left) -> None:
        event.stop()
        self.focus_list()

    def watch_sort(self) -> None:
        """Order the rows anew, and show what comes first now."""
        self._refresh_rows(to_top=True)

    def watch_grouped(self) -> None:
        """Order the rows anew."""
        self._refresh_rows()

    def _items(self) -> Sequence[Item]:
        if self._query.empty:
            return arrange(self.rows, self.sort, self.grouped)
        if self._query.needs_folders and self._folders_of is not self.rows:
            self._folders_of = self.rows
            self._read_folders(self.rows)
        if self._index is None:
            from skillui.tui.model.search import SearchIndex

            self._index = SearchIndex(self.rows)
        found = self._index.search(self._query, self._folders)
        self._shown = len(found)
        return found if self._query.terms else arrange(found, self.sort, self.grouped)

    def _refresh_rows(self, to_top: bool = False) -> None:
        if not self.query(CatalogList):
            return
        self._lines.sort, self._lines.terms = self.sort, self._query.terms
        # Headers name the root already.
        headed = self.grouped and not self._query.terms
        self._lines.layout = replace(self._layout, root=0) if headed else self._layout
        items = self._items()
        self._say_empty()
        self.list.set_rows(items, None if to_top else key_of)
        self._draw_frame()
        self._tell()

    def _say_empty(self) -> None:
        if self.rows:
            self.list.set_empty(nothing_fits(self.query_text))
        else:
            self.list.set_empty(LOOKING if self._scanning else self._empty)

    def _draw_frame(self) -> None:
        self.border_title = title(self._counts, None if self._query.empty else self._shown)
        self.border_subtitle = subtitle(self._counts, self._query, self.sort, self._checking)

    # What the pane tells

    @on(LineList.Highlighted)
    def _highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._tell()

    def _tell(self) -> None:
        entry = self.current.entry if self.current is not None else None
        # A part of a scan may bring an equal entry anew.
        if entry is not self._told and entry != self._told:
            self._told = entry
            self.post_message(SkillHighlighted(entry))

    @on(LineList.Selected)
    def _selected(self, event: LineList.Selected) -> None:
        event.stop()
        if isinstance(event.row, CatalogRow):
            self.post_message(SkillOpened(event.row.entry))

    def _pair(self) -> tuple[AnyEntry, AnyEntry] | None:
        """Return the winner and the copy that the highlighted row can be compared with."""
        return None if self.current is None else counterpart(self.rows, self.current)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer a comparison only where there is something to compare with, the search line to who is elsewhere."""
        if action == "focus_search":
            return bool(self.rows or self.query_text) and not self.query_one(SearchInput).has_focus
        if action in ("new_skill", "first_skill"):  # the footer names the key where there is nothing else to do
            return (action == "first_skill") is not bool(self.rows)
        if action == "clear_search":
            return bool(self.query_text)
        return action != "compare" or self._pair() is not None

    def action_compare(self) -> None:
        """Compare the winner with the copy it shadows."""
        if (pair := self._pair()) is not None:
            self.post_message(CompareRequested(*pair))

    def action_focus_search(self) -> None:
        """To the search line."""
        self.focus_search()

    def action_clear_search(self) -> None:
        """Show all skills again; the highlighted one stays."""
        chosen = self.current.key if self.current is not None else self._chosen
        self.search("")
        self.read_search("")  # the field tells of its change later
        if chosen is not None:
            self.select(chosen)

    def action_new_skill(self) -> None:
        """Begin a new skill."""
        self.post_message(NewSkillRequested())

    def action_first_skill(self) -> None:
        """Begin a new skill where there is none."""
        self.action_new_skill()

    def action_toggle_groups(self) -> None:
        """Group by root, or not."""
        self.grouped = not self.grouped

    def action_next_sort(self) -> None:
        """Order by the next thing."""
        self.sort = SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)]

    def on_mount(self) -> None:
        """Say that the scan is not done, and wear the terminal's signs."""
        self.set_class(glyphs().ascii_only, "-ascii")
        self._refresh_rows()

    def on_resize(self) -> None:
        """Leave a line free above the rows where there is room."""
        self.set_class(self.size.height >= _ROOMY, "-roomy")

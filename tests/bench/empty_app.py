"""The least that a Textual app of this kind is: a table and a footer. What first paint is measured against."""

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.widgets import DataTable, Footer

MARK = "nothing yet"


class EmptyApp(App[None]):
    """Draws a table without rows."""

    BINDINGS: ClassVar[list[BindingType]] = [("ctrl+q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        """A table and a footer."""
        yield DataTable[str]()
        yield Footer()

    def on_mount(self) -> None:
        """One column, whose title shows that the frame was drawn."""
        self.query_one(DataTable).add_column(MARK)


if __name__ == "__main__":
    EmptyApp().run()

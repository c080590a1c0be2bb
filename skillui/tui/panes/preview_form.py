"""The form of a preview: a field per declared argument, or one line whose words are numbered."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from skillui.core.reading import Argument
from skillui.tui.keymap import binding
from skillui.tui.model.preview_text import Arguments
from skillui.tui.safe_text import cell_width, one_line, safe, safe_line
from skillui.tui.widgets.gated_input import GatedInput

Declared = tuple[Argument, ...]
WORDS = ""
"""The key of the one field of a skill that declares no arguments."""
_MOST_WORDS = 40
_LABEL = 20


class Field(Horizontal):
    """One argument: its name, its value, whether it must be given."""

    DEFAULT_CSS = """
    Field {
        height: 1;
        & > .field-label { width: 12; margin-right: 1; }
        & > GatedInput { width: 1fr; max-width: 60; }
        & > .field-hint { width: 12; margin-left: 1; color: $text-muted; }
    }
    """

    def __init__(self, argument: Argument, value: str, label_width: int) -> None:
        super().__init__()
        self.argument = argument
        self._value = value
        self._label_width = label_width

    def compose(self) -> ComposeResult:
        """Label, field, hint."""
        name = self.argument.name
        label = Static(safe_line(name or "arguments", self._label_width, "bold"), classes="field-label")
        label.styles.width = self._label_width
        yield label
        about = self.argument.description or ""
        yield GatedInput(self._value, placeholder=one_line(about, 100), select_on_focus=False)
        if self.argument.required:
            yield Static(Content.assemble(("* ", "$state-broken"), "required"), classes="field-hint")
        else:
            yield Static("  optional", classes="field-hint")

    @property
    def input(self) -> GatedInput:
        """The field itself."""
        return self.query_one(GatedInput)


class PreviewForm(VerticalScroll, can_focus=False):
    """The fields of one skill. An empty field is an argument left out; an empty form passes none."""

    BINDINGS = [binding("preview.leave", "leave", show=False)]
    DEFAULT_CSS = """
    PreviewForm {
        height: auto;
        max-height: 40%;
        scrollbar-size-vertical: 1;
        & > .form-words { height: auto; max-height: 3; color: $text-muted; }
    }
    """

    @dataclass
    class Changed(Message):
        """The person typed."""

        form: PreviewForm

    @dataclass
    class Left(Message):
        """The person is done with the fields."""

        form: PreviewForm

    def __init__(self) -> None:
        super().__init__()
        self.declared: Declared | None = None
        self._label_width = 0

    def compose(self) -> ComposeResult:
        """Nothing before a skill is shown."""
        yield Static("", classes="form-words")

    async def build(self, declared: Declared, hint: str, values: dict[str, str]) -> None:
        """Make the fields for other arguments; where they are the same only their values are set."""
        wanted = declared or (Argument(WORDS, False, hint or "words, as one line"),)
        if wanted != self.declared:
            focused = next((field.argument.name for field in self.fields if field.input.has_focus), None)
            await self.query(Field).remove()
            self._label_width = width = min(
                _LABEL, max(cell_width(argument.name or "arguments") for argument in wanted)
            )
            fields = [Field(argument, values.get(argument.name, ""), width) for argument in wanted]
            await self.mount(*fields, before=0)
            self.declared = wanted
            for field in fields:
                if field.argument.name == focused:
                    field.input.focus()
        else:
            self.set_values(values)
        self._number_words()

    @property
    def fields(self) -> list[Field]:
        """The fields in the order they are declared."""
        return list(self.query(Field))

    @property
    def named(self) -> bool:
        """Tells whether the skill declares arguments."""
        return self.declared is not None and self.declared[0].name != WORDS

    @property
    def values(self) -> dict[str, str]:
        """What stands in the fields, by argument."""
        return {field.argument.name: field.input.value for field in self.fields}

    def set_values(self, values: dict[str, str]) -> None:
        """Put other values in the fields that are there."""
        for field in self.fields:
            value = values.get(field.argument.name, "")
            if field.input.value != value:
                field.input.value = value

    @property
    def arguments(self) -> Arguments:
        """What a call would pass: the filled fields, or None where there is none."""
        values = self.values
        if self.named:
            return {name: value for name, value in values.items() if value} or None
        return values.get(WORDS) or None

    def first_missing(self) -> Field | None:
        """Return the first field that must be filled and is not."""
        return next((field for field in self.fields if field.argument.required and not field.input.value), None)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._number_words()
        self.post_message(self.Changed(self))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        """Enter goes to the next field, and from the last one to the output."""
        event.stop()
        inputs = [field.input for field in self.fields]
        at = inputs.index(event.input) if event.input in inputs else len(inputs)
        if at + 1 < len(inputs):
            inputs[at + 1].focus()
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Give the keyboard to the output."""
        self.post_message(self.Left(self))

    def _number_words(self) -> None:
        words = self.query_one(".form-words", Static)
        given = [] if self.named else self.values.get(WORDS, "").split()
        words.display = bool(given)
        parts = [
            Content.assemble(safe(str(number), "$text-disabled"), " ", safe_line(word, 30, "$foreground"))
            for number, word in enumerate(given[:_MOST_WORDS], 1)
        ]
        if len(given) > _MOST_WORDS:
            parts.append(Content(f"and {len(given) - _MOST_WORDS:,} more"))
        words.styles.padding = (0, 0, 0, self._label_width + 2)
        shown = Content("   ").join(parts)
        words.update(shown)

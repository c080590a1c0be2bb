"""The Preview tab: what the engine would return for these arguments, and nothing is activated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Button, Static
from textual.worker import get_current_worker

from skillui.core import BrokenSkill, LoadedSkill, Ok, SkillResult
from skillui.tui.glyphs import glyphs
from skillui.tui.keymap import binding
from skillui.tui.messages import ActivateRequested, Notice
from skillui.tui.model.marked_text import MarkedText
from skillui.tui.model.preview_text import Arguments, LiteralNote, PreviewText, preview_text
from skillui.tui.model.skill_view import SkillView
from skillui.tui.panes.base import SkillPane
from skillui.tui.panes.preview_form import WORDS, PreviewForm
from skillui.tui.safe_text import cell_width, safe, safe_line
from skillui.tui.widgets.line_list import LineList, RowState
from skillui.tui.widgets.wrapped_text import WrappedText

Compute = Callable[[LoadedSkill | BrokenSkill, object, bool], SkillResult]
"""Skill, arguments, as the user: what `SkillSession.preview` returns. Blocking."""

DEBOUNCE = 0.03
"""Seconds without a key before the output is computed."""
_LOW = 20
_REMEMBERED = 500
"""Skills whose values are remembered."""


@dataclass
class PreviewReady(Message):
    """The output was computed in the background."""

    preview: PreviewText
    generation: int


@dataclass
class PreviewFailed(Message):
    """The output could not be computed: a fault of this app, not of the skill."""

    error: Exception
    generation: int


class CallerSwitch(Static, can_focus=True):
    """Who calls: a press changes it."""

    BINDINGS = [binding("list.select", "other_caller", show=False)]
    DEFAULT_CSS = """
    CallerSwitch {
        width: auto;
        padding: 0 1 0 0;
        pointer: pointer;
        &:hover { background: $block-hover-background; }
        &:focus { background: $block-cursor-background; }
    }
    """

    @dataclass
    class Toggled(Message):
        """The other caller is wanted."""

    def set_caller(self, as_user: bool) -> None:
        """Show who calls."""
        who = "user" if as_user else "model"
        self.update(Content.assemble(("as ", "$text-muted"), (who, "bold"), " ", glyphs().opened))

    def action_other_caller(self) -> None:
        """Ask for the other caller."""
        self.post_message(self.Toggled())

    def on_click(self, event: events.Click) -> None:
        """A click is a press."""
        event.stop()
        self.action_other_caller()


class PreviewPane(SkillPane):
    """A form, and beside nothing else the exact output; what is typed is remembered for each skill."""

    TAB = "preview"
    TITLE = "Preview"
    BINDINGS = [
        binding("preview.caller", "toggle_caller"),
        binding("preview.activate", "activate_these"),
        binding("preview.clear", "clear", show=False),
    ]
    DEFAULT_CSS = """
    PreviewPane {
        & > PreviewForm { margin-bottom: 1; }
        & > .preview-bar { height: 1; margin-bottom: 1; }
        &.-short > PreviewForm, &.-short > .preview-bar { margin-bottom: 0; }
        &.-short > .preview-figures { margin-top: 0; }
        &.-short > #preview-literals { max-height: 2; }
        & > .preview-bar > .preview-note { width: 1fr; color: $text-muted; padding-left: 2; }
        & > .preview-bar > Button { min-width: 0; width: auto; }
        & > #preview-output { height: 1fr; }
        & > .preview-figures { height: 1; color: $text-muted; margin-top: 1; }
        & > #preview-literals {
            height: auto;
            max-height: 4;
            & > .line-list--cursor { background: transparent; }
            &:focus > .line-list--cursor { background: $block-cursor-background; }
        }
    }
    """

    def __init__(self, compute: Compute) -> None:
        super().__init__()
        self._compute = compute
        self._values: dict[str, dict[str, str]] = {}
        self._as_user = False
        self._generation = 0
        self._timer: Timer | None = None
        self._same = False
        self._typed_last = False
        self.preview: PreviewText | None = None
        """What is shown now."""

    def compose(self) -> ComposeResult:
        """Form, who calls, output, what stayed literal, figures."""
        yield PreviewForm()
        with Horizontal(classes="preview-bar"):
            yield CallerSwitch()
            yield Static("nothing is activated here", classes="preview-note")
            yield Button(Content("activate with these"), compact=True, id="preview-activate")
        yield WrappedText(id="preview-output", empty="The folder of this skill is gone.")
        yield Static("", classes="preview-figures")
        yield LineList[LiteralNote](self._draw_literal, id="preview-literals")

    @property
    def output(self) -> WrappedText:
        """The list that shows the output."""
        return self.query_one("#preview-output", WrappedText)

    @property
    def form(self) -> PreviewForm:
        """The fields."""
        return self.query_one(PreviewForm)

    @property
    def as_user(self) -> bool:
        """Tells whether the call is the user's."""
        return self._as_user

    async def update_view(self, view: SkillView, same: bool) -> None:
        """Keep the form where the arguments are the same, and compute anew."""
        parsed = view.parsed
        declared = (parsed.arguments if parsed is not None else None) or ()
        hint = parsed.frontmatter.get("argument-hint") if parsed is not None else None
        await self.form.build(declared, hint if isinstance(hint, str) else "", self._values.get(view.key, {}))
        self.query_one(CallerSwitch).set_caller(self._as_user)
        self._same = same
        self._start()

    def focus_inside(self) -> None:
        """The first empty field is where one begins."""
        fields = self.form.fields
        target = self.form.first_missing() or (fields[0] if fields else None)
        (target.input if target is not None else self.output).focus()

    def focus_to_read(self) -> None:
        """The output: whoever passes through the tabs does not want to type."""
        self.output.focus()

    def on_resize(self, event: events.Resize) -> None:
        """Give the output the room that blank lines would take in a low pane."""
        self.set_class(event.size.height < _LOW, "-short")

    # From a key to the output

    @on(PreviewForm.Changed)
    def _typed(self, event: PreviewForm.Changed) -> None:
        event.stop()
        if self.view is None:
            return
        self._remember(self.view.key, self.form.values)
        self._same = self._typed_last = True
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(DEBOUNCE, self._start)

    def _remember(self, key: str, values: dict[str, str]) -> None:
        self._values.pop(key, None)
        if any(values.values()):
            self._values[key] = values
        while len(self._values) > _REMEMBERED:
            del self._values[next(iter(self._values))]

    def _start(self) -> None:
        self._generation += 1
        if self.view is None:
            return
        if self.view.loaded is None:
            self._show_nothing()
        else:
            self._compute_output(self.view.loaded, self.form.arguments, self._as_user, self._generation)

    @work(thread=True, exclusive=True, group="preview", exit_on_error=False, description="computing a preview")
    def _compute_output(
        self, skill: LoadedSkill | BrokenSkill, arguments: Arguments, as_user: bool, generation: int
    ) -> None:
        worker = get_current_worker()
        try:
            preview = preview_text(self._compute(skill, arguments, as_user), skill, arguments)
        except Exception as error:
            if not worker.is_cancelled:
                self.post_message(PreviewFailed(error, generation))
            return
        if not worker.is_cancelled:
            self.post_message(PreviewReady(preview, generation))

    @on(PreviewFailed)
    async def _failed(self, event: PreviewFailed) -> None:
        event.stop()
        if event.generation == self._generation:
            await self.show_fault(event.error)

    @on(PreviewReady)
    def _ready(self, event: PreviewReady) -> None:
        event.stop()
        if event.generation != self._generation:
            return
        self.remove_class("-faulty")
        self.preview = preview = event.preview
        self.output.show(preview.marked, keep=self._same)
        if self._typed_last and preview.first_replaced is not None:
            self.output.bring(preview.first_replaced)
        self._same, self._typed_last = True, False
        literals = self.query_one("#preview-literals", LineList)
        literals.set_rows(preview.literals)
        literals.display = bool(preview.literals)
        self.query_one(".preview-figures", Static).update(_figures(preview))

    def _show_nothing(self) -> None:
        self.preview = None
        self.output.show(MarkedText(""))
        self.query_one("#preview-literals").display = False
        self.query_one(".preview-figures", Static).update("")

    # What the person does

    @on(PreviewForm.Left)
    def _form_left(self, event: PreviewForm.Left) -> None:
        event.stop()
        self.output.focus()

    @on(CallerSwitch.Toggled)
    def action_toggle_caller(self) -> None:
        """Call as the other one."""
        self._as_user = not self._as_user
        self.query_one(CallerSwitch).set_caller(self._as_user)
        self._start()

    def action_clear(self) -> None:
        """Empty the form."""
        self.form.set_values({})

    @on(Button.Pressed, "#preview-activate")
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_activate_these()

    def action_activate_these(self) -> None:
        """Ask for an activation with what stands in the form; a field that must be filled comes first."""
        if self.view is None:
            return
        missing = self.form.first_missing()
        if missing is not None:
            missing.input.focus()
            self.post_message(Notice(f"{missing.argument.name} is required", "warning"))
            return
        self.post_message(ActivateRequested(self.view.entry, self.form.arguments, self._as_user))

    @on(LineList.Selected, "#preview-literals")
    @on(LineList.Highlighted, "#preview-literals")
    def _literal_chosen(self, event: LineList.Selected | LineList.Highlighted) -> None:
        event.stop()
        if isinstance(event.row, LiteralNote) and self.query_one("#preview-literals").has_focus:
            self.output.reveal(event.row.position)

    def _draw_literal(self, index: int, width: int, state: RowState) -> Content:
        assert self.preview is not None
        note = self.preview.literals[index]
        column = min(max(8, width - 50), max(cell_width(one.text[:80]) for one in self.preview.literals[:100]))
        return Content.assemble(
            safe(f"line {note.line}".ljust(9), "$text-muted"),
            " ",
            safe_line(note.text, column, "underline $literal"),
            " " * (column + 2 - min(column, cell_width(note.text))),
            safe(note.why, "$text-muted"),
        )


def _figures(preview: PreviewText) -> Content:
    sep = f" {glyphs().separator} "
    parts = [f"{preview.size:,} bytes", f"~{preview.tokens:,} tokens"]
    if isinstance(preview.result, Ok):
        if preview.replaced:
            parts.append(f"{preview.replaced:,} replaced")
        if preview.literals:
            count = len(preview.literals)
            parts.append(f"{count:,} {'stays' if count == 1 else 'stay'} literal")
    elif preview.result.kind == "error":
        parts.insert(0, "this is all a call would return")
    return safe(sep.join(parts))


__all__ = ["DEBOUNCE", "WORDS", "Compute", "PreviewPane", "PreviewReady"]

"""No view goes round the gate: text that is not a constant never reaches a parser of markup."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import skillui.tui

FOLDER = Path(skillui.tui.__file__).parent
PARSE_THEIR_TEXT = {
    "Static",
    "Label",
    "Button",
    "Option",
    "OptionList",
    "Tab",
    "TabPane",
    "Collapsible",
    "Checkbox",
    "RadioButton",
    "Placeholder",
    "update",
}
PARSED_PROPERTIES = {"border_title", "border_subtitle", "tooltip"}
TEXT_ARGUMENTS = {"content", "label", "prompt", "title", "tooltip", "renderable"}


def name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def composed(node: ast.expr) -> bool:
    """Tell whether the text is put together from parts that are not in the source."""
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.BinOp):
        return any(composed(side) or isinstance(getattr(side, "value", None), str) for side in (node.left, node.right))
    if isinstance(node, ast.IfExp):
        return composed(node.body) or composed(node.orelse)
    return isinstance(node, ast.Call) and name_of(node.func) in {"format", "join", "str", "repr"}


def without_markup(call: ast.Call) -> bool:
    return any(
        keyword.arg == "markup" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in call.keywords
    )


def texts(call: ast.Call) -> list[ast.expr]:
    return call.args[:1] + [keyword.value for keyword in call.keywords if keyword.arg in TEXT_ARGUMENTS]


def faults_of_call(call: ast.Call) -> Iterator[str]:
    name = name_of(call.func)
    if name == "from_markup":
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if owner is not None and name_of(owner) == "Text":
            yield "Text.from_markup"
        elif not (call.args and isinstance(call.args[0], ast.Constant)):
            yield "from_markup with text that is not a constant"
    elif name == "notify":
        message = [*call.args[:1], *(word.value for word in call.keywords if word.arg == "message")]
        if not without_markup(call) and not all(isinstance(part, ast.Constant) for part in message):
            yield "notify without markup=False"
    elif name in PARSE_THEIR_TEXT and not without_markup(call) and any(map(composed, texts(call))):
        yield f"{name} with composed text"


def faults(source: str) -> list[str]:
    """Return what in a module could hand a skill's text to a parser of markup."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module in {"rich.markup", "textual.markup"}:
            found.append(f"from {node.module}")
        elif isinstance(node, ast.Attribute) and node.attr == "escape" and name_of(node.value) == "markup":
            found.append("markup.escape")
        elif isinstance(node, ast.Call):
            found += faults_of_call(node)
        elif isinstance(node, ast.Assign) and composed(node.value):
            found += [f"{name_of(target)} composed" for target in node.targets if name_of(target) in PARSED_PROPERTIES]
    return found


@pytest.mark.parametrize(
    "source",
    [
        "from rich.markup import escape",
        "from textual.markup import escape as e",
        "import rich.markup\nrich.markup.escape(x)",
        "Content.from_markup(f'{x}')",
        "Content.from_markup(x)",
        "Content.from_markup('[b]' + x)",
        "Text.from_markup('x')",
        "self.notify(f'{x}')",
        "self.notify(x, title='t')",
        "self.app.notify(message=f'{x}', markup=True)",
        "Static(f'{x}')",
        "Label('a ' + x, id='b')",
        "Label('%s' % x)",
        "widgets.Static('{}'.format(x))",
        "Static(str(error))",
        "TabPane(title=f'{x}')",
        "Static(f'{x}' if x else '')",
        "self.query_one(Static).update(f'{x}')",
        "self.border_title = f' {x} '",
    ],
)
def test_a_way_round_the_gate_is_found(source: str) -> None:
    assert len(faults(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "Content.from_markup('[b]$name[/b]', name=x)",
        "self.notify(f'{x}', markup=False)",
        "self.notify('Copied')",
        "Static(safe(f'{x}'))",
        "Static(f'{x}', markup=False)",
        "self.query_one(Static).update(safe(x))",
        "self.border_title = Content(' Catalog ')",
        "count = a + b",
        "keys.update(x | y)",
    ],
)
def test_a_way_through_the_gate_is_left_alone(source: str) -> None:
    assert faults(source) == []


def modules() -> list[Path]:
    return sorted(FOLDER.rglob("*.py"))


def test_the_modules_are_found() -> None:
    assert FOLDER / "safe_text.py" in modules()


@pytest.mark.parametrize("module", modules(), ids=lambda path: str(path.relative_to(FOLDER)))
def test_no_view_goes_round_the_gate(module: Path) -> None:
    assert faults(module.read_text(encoding="utf-8")) == []

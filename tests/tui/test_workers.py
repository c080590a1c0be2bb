"""Every worker is described by constant words: without them Textual writes out all that it is called with."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import skillui.tui

FOLDER = Path(skillui.tui.__file__).parent


def workers(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the decorators that make a worker of a method."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if isinstance(called, ast.Name) and called.id == "work":
                    yield decorator


def described(decorator: ast.expr) -> bool:
    keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
    return any(keyword.arg == "description" and isinstance(keyword.value, ast.Constant) for keyword in keywords)


def test_no_worker_writes_out_what_it_is_called_with() -> None:
    # Ten thousand rows, written out on the event loop at each change of the catalog, took most of a second.
    found = [
        (path.relative_to(FOLDER).as_posix(), decorator)
        for path in sorted(FOLDER.rglob("*.py"))
        for decorator in workers(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert len(found) > 10
    assert [f"{path}:{decorator.lineno}" for path, decorator in found if not described(decorator)] == []

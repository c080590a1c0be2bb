"""The names that a Python scope gives values to, and paths joined as programs join them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

Scope = dict[str, list["ast.expr | None"]]
"""Names with the expressions they are given; None stands for what cannot be told."""
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def joined(left: str, right: str) -> str:
    """Return two paths joined as `/` joins them."""
    if right.startswith(("/", "~")):
        return right
    return f"{left.rstrip('/')}/{right}" if left and left != "." else right


def all_joined(parts: list[str]) -> str:
    """Return any number of paths joined."""
    path = parts[0]
    for part in parts[1:]:
        path = joined(path, part)
    return path


def own_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope without those of functions and classes inside it."""
    pending = list(ast.iter_child_nodes(tree))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            pending += ast.iter_child_nodes(node)


def scope_of(tree: ast.AST) -> Scope:
    """Return the names that a module or a function gives values to; None stands for what cannot be told."""
    scope: Scope = {}
    if isinstance(tree, _FUNCTIONS):
        arguments = tree.args
        for argument in (
            *arguments.posonlyargs,
            *arguments.args,
            *arguments.kwonlyargs,
            arguments.vararg,
            arguments.kwarg,
        ):
            if argument is not None:
                scope[argument.arg] = [None]
    outer: set[str] = set()
    for node in own_nodes(tree):
        if isinstance(node, ast.Global):
            outer.update(node.names)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                _bind(scope, target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            _bind(scope, node.target, node.value)
        elif isinstance(node, (ast.AugAssign, ast.For, ast.AsyncFor, ast.comprehension)):
            _bind(scope, node.target, None)
        elif isinstance(node, ast.NamedExpr):
            _bind(scope, node.target, node.value)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            _bind(scope, node.optional_vars, node.context_expr)
    return {name: values for name, values in scope.items() if name not in outer}


def _bind(scope: Scope, target: ast.expr, value: ast.expr | None) -> None:
    if isinstance(target, ast.Name):
        scope.setdefault(target.id, []).append(value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        values = (
            value.elts if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts) else None
        )
        for index, part in enumerate(target.elts):
            _bind(scope, part, values[index] if values else None)

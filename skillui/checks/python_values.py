"""What the names of a Python module stand for, by its syntax tree: imports, constants, joined paths."""

from __future__ import annotations

import ast
import posixpath
import re
from itertools import islice
from typing import Final

from skillui.checks.places_of_harm import UNKNOWN
from skillui.checks.python_scopes import Scope, all_joined, joined, own_nodes, scope_of

MAX_DEPTH: Final = 12
"""Names behind names that are followed."""
MAX_VALUE: Final = 2_000
MAX_STEPS: Final = 200_000
"""Expressions of one module that are looked at; past them every path counts as computed."""
_MAX_ONE: Final = 400
_MAX_NESTED: Final = 60
MEMORY: Final = "-"
"""The path of what is no file: a stream, a buffer."""

_JOINING: Final = frozenset(
    {"os.path.join", "posixpath.join", "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "str", "os.fspath"}
)
_PASSING: Final = frozenset({
    "os.path.expanduser", "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.path.expandvars",
    "os.fsdecode",
})  # fmt: skip
_SAME: Final = frozenset(
    {"resolve", "absolute", "expanduser", "as_posix", "strip", "rstrip", "lstrip", "decode", "encode"}
)
# What these give holds no `/`: it leads nowhere else.
_FLAT: Final = frozenset({
    "int", "len", "float", "round", "abs", "hash", "id", "ord", "time.time", "time.time_ns", "os.getpid",
    "uuid.uuid4", "uuid.uuid1", "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.date.today",
    "secrets.token_hex", "range", "enumerate",
})  # fmt: skip
_FLAT_METHODS: Final = frozenset({"hexdigest", "isoformat", "timestamp", "strftime", "zfill"})
_HOOKS: Final = re.compile(r"hooksPath|git-path")
_CAPTURING: Final = frozenset({"subprocess.run", "subprocess.check_output", "subprocess.getoutput", "os.popen"})
_PERCENT: Final = re.compile(r"%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[sdrfxi]|\{[^{}]{0,60}\}")


class Module:
    """One parsed module with its imports and assignments."""

    def __init__(self, tree: ast.Module) -> None:
        self.imports: dict[str, str] = {}
        self.functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        self._globals: Scope = {}
        self._attributes: Scope = {}
        self._scopes: dict[int, Scope] = {}
        self._steps = MAX_STEPS
        self._left = 0
        self._level = 0
        self._collect(tree)

    def _collect(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    root = alias.name if alias.asname else alias.name.partition(".")[0]
                    self.imports[alias.asname or root] = root
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = f"{node.module or ''}.{alias.name}".lstrip(".")
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.functions.setdefault(node.name, node)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                        self._attributes.setdefault(f"{target.value.id}.{target.attr}", []).append(node.value)
        self._globals = scope_of(tree)

    def dotted(self, node: ast.expr, scope: Scope, depth: int = 0) -> str:
        """Return the full name of what an expression calls or refers to (`requests.get`), "" where it has none."""
        if depth > MAX_DEPTH or self._level > _MAX_NESTED:
            return ""
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value, scope, depth + 1)
            return f"{base}.{node.attr}" if base else ""
        if isinstance(node, ast.Name):
            return self._name(node, scope, depth)
        return self._called_name(node, scope, depth) if isinstance(node, ast.Call) else ""

    def _name(self, node: ast.Name, scope: Scope, depth: int) -> str:
        if node.id in scope or (node.id in self._globals and node.id not in self.imports):
            values = self._values(node.id, scope)
            value = values[0] if len(values) == 1 else None
            # Another name for a function or a module: `run = os.system`.
            return (
                self.dotted(value, scope, depth + 1) if isinstance(value, (ast.Attribute, ast.Name, ast.Call)) else ""
            )
        return self.imports.get(node.id) or ("" if node.id in self.functions else node.id)

    def _called_name(self, node: ast.Call, scope: Scope, depth: int) -> str:
        """Return the name behind `getattr(os, "system")` and `__import__("os")`."""
        name = self.dotted(node.func, scope, depth + 1)
        if name in ("getattr", "builtins.getattr") and len(node.args) >= 2:
            base, attribute = self.dotted(node.args[0], scope, depth + 1), self.resolve(node.args[1], scope, depth + 1)
            return f"{base}.{attribute}" if base and UNKNOWN not in attribute else ""
        if name in ("__import__", "importlib.import_module", "builtins.__import__") and node.args:
            module = self.resolve(node.args[0], scope, depth + 1)
            return "" if UNKNOWN in module else module if name.endswith("module") else module.partition(".")[0]
        return f"{name}()" if name in ("pathlib.Path", "pathlib.PurePath") else ""

    def scope_of(self, function: ast.AST) -> Scope:
        """Return the names of a function, found once."""
        if id(function) not in self._scopes:
            self._scopes[id(function)] = scope_of(function)
        return self._scopes[id(function)]

    def _values(self, name: str, scope: Scope) -> list[ast.expr | None]:
        return scope.get(name) or self._globals.get(name) or []

    def value(self, node: ast.expr, scope: Scope) -> ast.expr:
        """Return the expression that a name was given once; the expression itself where it was not."""
        for _ in range(MAX_DEPTH):
            if not isinstance(node, ast.Name):
                return node
            values = self._values(node.id, scope)
            if len(values) != 1 or values[0] is None:
                return node
            node = values[0]
        return node

    def resolve(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> str:
        """Return the text or path an expression comes to, `UNKNOWN` in it for what only running would tell."""
        if self._level == 0:
            self._left = _MAX_ONE
        if node is None or depth > MAX_DEPTH or self._left <= 0 or self._steps <= 0 or self._level > _MAX_NESTED:
            return UNKNOWN
        self._left -= 1
        self._steps -= 1
        self._level += 1
        try:
            return self._resolved(node, scope, depth)[:MAX_VALUE]
        finally:
            self._level -= 1

    def _resolved(self, node: ast.expr, scope: Scope, depth: int) -> str:
        found = UNKNOWN
        if isinstance(node, ast.Constant):
            found = node.value if isinstance(node.value, str) else _constant(node.value)
        elif isinstance(node, ast.JoinedStr):
            found = "".join(self.resolve(part, scope, depth + 1) for part in node.values[:50])
        elif isinstance(node, ast.FormattedValue):
            found = self.resolve(node.value, scope, depth + 1)
        elif isinstance(node, ast.BinOp):
            found = self._operation(node, scope, depth)
        elif isinstance(node, ast.Name):
            found = self._agreed(self._values(node.id, scope), scope, depth)
        elif isinstance(node, ast.Attribute):
            found = self._attribute(node, scope, depth)
        elif isinstance(node, ast.Call):
            found = self._call(node, scope, depth)
        elif isinstance(node, ast.Subscript):
            home = isinstance(node.slice, ast.Constant) and node.slice.value in ("HOME", "USERPROFILE")
            found = "~" if home and self.dotted(node.value, scope) == "os.environ" else UNKNOWN
        elif isinstance(node, ast.NamedExpr):
            found = self.resolve(node.value, scope, depth + 1)
        return found

    def _agreed(self, values: list[ast.expr | None], scope: Scope, depth: int) -> str:
        """Return what all values of a name come to, where that is one thing."""
        found = {self.resolve(value, scope, depth + 1) for value in values[:4]}
        if len(found) == 1 and len(values) <= 4:
            return found.pop()
        # One that leads into hooks or settings is worth knowing whichever way the code goes.
        hooks = sorted(value for value in found if _HOOKS.search(value))
        return hooks[0] if hooks else UNKNOWN

    def _operation(self, node: ast.BinOp, scope: Scope, depth: int) -> str:
        left = self.resolve(node.left, scope, depth + 1)
        if isinstance(node.op, ast.Mod):
            return _PERCENT.sub(UNKNOWN, left)
        right = self.resolve(node.right, scope, depth + 1)
        if isinstance(node.op, ast.Add):
            return left + right
        return joined(left, right) if isinstance(node.op, ast.Div) else UNKNOWN

    def _attribute(self, node: ast.Attribute, scope: Scope, depth: int) -> str:
        name = self.dotted(node, scope)
        if name == "os.devnull":
            return "/dev/null"
        if name in ("sys.stdout", "sys.stderr", "sys.stdout.buffer", "sys.stderr.buffer"):
            return MEMORY
        if name == "sys.executable":
            return "python3"
        if isinstance(node.value, ast.Name) and (values := self._attributes.get(f"{node.value.id}.{node.attr}")):
            return self._agreed(values, scope, depth)
        if node.attr == "stdout":  # of a command whose result this is
            return self.resolve(node.value, scope, depth + 1)
        if node.attr == "parent":
            base = self.resolve(node.value, scope, depth + 1)
            return posixpath.dirname(base.rstrip("/")) or "." if UNKNOWN not in base else UNKNOWN
        return UNKNOWN

    def _call(self, node: ast.Call, scope: Scope, depth: int) -> str:
        name = self.dotted(node.func, scope)
        args = [self.resolve(argument, scope, depth + 1) for argument in node.args[:20]]
        if name in _JOINING and args:
            return all_joined(args)
        if name in _PASSING and args:
            return args[0]
        if name in ("pathlib.Path.home", "pathlib.Path().home"):
            return "~"
        if name in ("pathlib.Path.cwd", "os.getcwd"):
            return "."
        if name in ("os.getenv", "os.environ.get") and args[:1] in (["HOME"], ["USERPROFILE"]):
            return "~"
        if name in _FLAT:
            return "0"
        if name in ("io.StringIO", "io.BytesIO", "StringIO", "BytesIO"):
            return MEMORY
        if name in _CAPTURING and any(_asks_for_hooks(argument) for argument in node.args[:1]):
            return UNKNOWN + "hooksPath"
        if isinstance(node.func, ast.Attribute):
            return self._method(node.func, args, scope, depth)
        if isinstance(node.func, ast.Name) and (function := self.functions.get(node.func.id)) is not None:
            returns = [part.value for part in islice(own_nodes(function), 200) if isinstance(part, ast.Return)]
            return self._agreed(list(returns), self.scope_of(function), depth + 1)
        return UNKNOWN

    def _method(self, function: ast.Attribute, args: list[str], scope: Scope, depth: int) -> str:
        method = function.attr
        if method == "fileno":
            return MEMORY
        if method in _FLAT_METHODS:
            return "0" if all("/" not in argument and UNKNOWN not in argument for argument in args) else UNKNOWN
        base = self.resolve(function.value, scope, depth + 1)
        if method in _SAME:
            return base
        if method == "joinpath":
            return all_joined([base, *args])
        if method in ("with_suffix", "with_name", "with_stem") and args:
            return (
                joined(posixpath.dirname(base), args[0])
                if method == "with_name"
                else base + ("" if UNKNOWN not in args[0] else UNKNOWN)
            )
        if method == "format":
            return _PERCENT.sub(UNKNOWN, base)
        return base if base.endswith("hooksPath") else UNKNOWN


def _asks_for_hooks(node: ast.expr) -> bool:
    """Tell whether a command asks git where its hooks lie."""
    parts = (part.value for part in islice(ast.walk(node), 50) if isinstance(part, ast.Constant))
    return any(isinstance(part, str) and _HOOKS.search(part) for part in parts)


def _constant(value: object) -> str:
    if isinstance(value, bytes):
        return value[:MAX_VALUE].decode("utf-8", "replace")
    return str(value) if isinstance(value, (int, float)) and abs(value) < 10**15 else UNKNOWN

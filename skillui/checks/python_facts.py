"""What a Python text does, by its syntax tree; nothing of it is imported or run."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from skillui.checks import python_known as known
from skillui.checks.facts import Deed, Fact, Facts
from skillui.checks.places_of_harm import UNKNOWN, is_env, persists, stays_inside, store, told
from skillui.checks.programs_known import network
from skillui.checks.python_scopes import Scope
from skillui.checks.python_values import MEMORY, Module

_MAX_DEPTH: Final = 200
Shell = Callable[[str], list[Fact]]
"""Reads a shell text: text -> facts."""
_WRITING: Final = re.compile(r"[wax+]")
_MODE: Final = re.compile(r"[rwaxbtU+|:gz2*]{1,6}")
_EVALUATORS: Final = frozenset({"exec", "eval", "builtins.exec", "builtins.eval"})


class PythonFacts:
    """Walks one tree; lines are the text's own."""

    def __init__(self, tree: ast.Module, shell: Shell, script: bool = True) -> None:
        self.facts = Facts()
        self._shell = shell
        self._script = script
        self._module = Module(tree)
        self._walk(tree)

    def _walk(self, tree: ast.Module) -> None:
        """Visit every node with the names of the function it stands in."""
        pending: list[tuple[ast.AST, Scope, int]] = [(tree, {}, 0)]
        while pending:
            node, scope, depth = pending.pop()
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._import(node)
            elif isinstance(node, ast.Call):
                self._call(node, scope)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)[:200]:
                pending += [(child, scope, depth) for child in node.orelse]
                continue
            inner = scope
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and depth < _MAX_DEPTH:
                inner = {**scope, **self._module.scope_of(node)}
            pending += [(child, inner, depth + (inner is not scope)) for child in ast.iter_child_nodes(node)]
        self.facts.sort(key=lambda fact: (fact.line, fact.column))

    def _add(self, deed: Deed, what: str, node: ast.AST, soft: bool = False) -> None:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
        self.facts.note(Fact(deed, what, line, column, soft))

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif node.level:
            return
        else:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if (module := known.network_module(name)) is not None:
                self._add(Deed.NETWORK, f"uses the network (module {module})", node)
                return

    def _call(self, node: ast.Call, scope: Scope) -> None:
        name = self._module.dotted(node.func, scope)
        args = node.args
        if name in ("__import__", "importlib.import_module", "builtins.__import__") and args:
            module = known.network_module(self._module.resolve(args[0], scope))
            if module is not None:
                self._add(Deed.NETWORK, f"uses the network (module {module})", node)
        elif (
            name in known.NETWORK_CALLS
            or name.startswith("socket.create_")
            or name in ("socket.socket", "urllib.request.urlopen")
        ):
            self._add(Deed.NETWORK, f"uses the network ({name})", node)
        elif name in known.RUNS:
            self._run(node, name, scope)
        elif name in _EVALUATORS and args:
            self._evaluate(node, name, scope)
        elif name in known.OPENERS:
            self._open(node, name, scope)
        elif name in known.WRITES:
            self._write_function(node, name, scope)
        elif name == "os.open":
            flags = ast.dump(args[1]) if len(args) > 1 else ""
            if any(flag in flags for flag in ("O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND")):
                self._write(node, args[0], scope, "os.open")
        elif name == "logging.basicConfig":
            for keyword in node.keywords:
                if keyword.arg == "filename":
                    self._write(node, keyword.value, scope, name)
        elif isinstance(node.func, ast.Attribute):
            self._method(node, node.func, scope)
        self._reads(node, name, scope)

    def _open(self, node: ast.Call, name: str, scope: Scope) -> None:
        target = node.args[0] if node.args else _keyword(node, "file", "name", "filename", "path")
        mode_node = node.args[1] if len(node.args) > 1 else _keyword(node, "mode")
        mode = "r" if mode_node is None else self._module.resolve(mode_node, scope)
        if target is None:
            return
        if UNKNOWN in mode or _WRITING.search(mode.partition(":")[0]):
            self._write(node, target, scope, name.rpartition(".")[2] if name != "open" else "open")
        else:
            self._read(node, self._module.resolve(target, scope))

    def _write_function(self, node: ast.Call, name: str, scope: Scope) -> None:
        targets = [node.args[index] for index in known.WRITES[name] if index < len(node.args)]
        targets = targets or [
            value for value in (_keyword(node, "dst", "path", "file", "filename", "name", "fname"),) if value
        ]
        for target in targets:
            self._write(node, target, scope, name, name in known.DELETES)

    def _write(self, node: ast.Call, target: ast.expr, scope: Scope, by: str, deletes: bool = False) -> None:
        path = self._module.resolve(target, scope)
        if stays_inside(path) or path == MEMORY:
            return
        self._add(Deed.WRITE, f"{'deletes' if deletes else 'writes to'} {told(path)[:120]} ({by})", node)
        if (kept := persists(path)) is not None:
            self._add(Deed.PERSISTENCE, f"changes {kept} ({told(path)[:120]})", node)

    def _method(self, node: ast.Call, function: ast.Attribute, scope: Scope) -> None:
        method, count = function.attr, len(node.args)
        if method in known.RECEIVER_WRITES:
            self._write(node, function.value, scope, method, method in ("unlink", "rmdir"))
        elif method in ("rename", "replace") and count == 1 and not node.keywords:
            self._write(node, function.value, scope, method)
        elif method == "open":
            mode_node = node.args[0] if count else _keyword(node, "mode")
            mode = self._module.resolve(mode_node, scope) if mode_node is not None else "r"
            if _MODE.fullmatch(mode) and _WRITING.search(mode):
                self._write(node, function.value, scope, method)
            elif count == 0 or _MODE.fullmatch(mode):
                self._read(node, self._module.resolve(function.value, scope))
        elif method in known.ARGUMENT_WRITES:
            target = node.args[0] if count else _keyword(node, "path", "fname", "filename", "fp", "path_or_buf")
            if target is not None and not (isinstance(target, ast.Constant) and not isinstance(target.value, str)):
                self._write(node, target, scope, method)
            elif method == "extractall":
                self._add(Deed.WRITE, "writes to its folder (extractall)", node)
        elif method in known.RECEIVER_READS:
            self._read(node, self._module.resolve(function.value, scope))

    def _run(self, node: ast.Call, name: str, scope: Scope) -> None:
        self._add(Deed.RUN, f"runs programs ({name})", node)
        if not node.args:
            return
        given = self._module.value(node.args[0], scope)
        if name in known.SPREAD:
            words = self._words(node.args, scope)
        elif isinstance(given, (ast.List, ast.Tuple)) or (isinstance(given, ast.BinOp) and _is_list(given)):
            words = self._words(_items(given), scope)
        elif isinstance(given, ast.Call) and self._module.dotted(given.func, scope) == "shlex.split" and given.args:
            self._shell_text(node, self._module.resolve(given.args[0], scope))
            return
        else:
            if (origin := self._origin(given, scope)) is not None:
                self._ran(node, origin)
            self._shell_text(node, self._module.resolve(given, scope))
            return
        if not words:
            return
        if len(words) > 2 and words[1] in ("-c", "-lc") and re.search(r"(?:ba|z|da)?sh$", words[0]):
            self._shell_text(node, words[2])
        elif (use := network(words)) is not None:
            self._add(Deed.NETWORK, f"uses the network ({use})", node)
        else:
            self._shell_text(node, " ".join(_quoted(word) for word in words))

    def _words(self, items: list[ast.expr], scope: Scope) -> list[str]:
        return [UNKNOWN if isinstance(item, ast.Starred) else self._module.resolve(item, scope) for item in items[:60]]

    def _shell_text(self, node: ast.Call, text: str) -> None:
        if not text.strip(UNKNOWN + " "):
            return
        for fact in self._shell(text):
            if fact.deed is not Deed.RUN:
                self._add(fact.deed, fact.what, node, fact.soft)

    def _evaluate(self, node: ast.Call, name: str, scope: Scope) -> None:
        given = self._module.value(node.args[0], scope)
        origin = self._origin(given, scope)
        if origin is not None:
            self._ran(node, origin)
        elif self._script and not isinstance(given, ast.Constant):
            self._add(Deed.DECODE_AND_RUN, f"runs a computed text ({name.rpartition('.')[2]})", node, True)

    def _ran(self, node: ast.Call, origin: Deed) -> None:
        self._add(origin, "runs what it fetches" if origin is Deed.FETCH_AND_RUN else "runs what it decodes", node)

    def _origin(self, expression: ast.expr, scope: Scope, depth: int = 0) -> Deed | None:
        """Tell whether a value was decoded or fetched."""
        for node in islice(ast.walk(expression), 300):
            if isinstance(node, ast.Call):
                name = self._module.dotted(node.func, scope)
                if known.DECODERS.fullmatch(name):
                    return Deed.DECODE_AND_RUN
                if name and known.network_module(name):
                    return Deed.FETCH_AND_RUN
            if isinstance(node, ast.Name) and depth < 4:
                value = self._module.value(node, scope)
                if value is not node and (found := self._origin(value, scope, depth + 1)) is not None:
                    return found
        return None

    def _reads(self, node: ast.Call, name: str, scope: Scope) -> None:
        if name in ("keyring.get_password", "keyring.get_credential"):
            self._add(Deed.CREDENTIALS, "reads a keychain (keyring)", node)
        elif name.rpartition(".")[2] in ("load_dotenv", "dotenv_values") and name.startswith(
            ("dotenv", "load_", "dotenv_")
        ):
            self._add(Deed.CREDENTIALS, "reads a .env file (dotenv)", node, True)
        elif name in known.ARGUMENT_READS and node.args:
            self._read(node, self._module.resolve(node.args[0], scope))

    def _read(self, node: ast.Call, path: str) -> None:
        if (kind := store(path)) is not None:
            self._add(Deed.CREDENTIALS, f"reads {kind} ({told(path)[:120]})", node)
        elif is_env(path):
            self._add(Deed.CREDENTIALS, f"reads a .env file ({told(path)[:120]})", node, True)


def _keyword(node: ast.Call, *names: str) -> ast.expr | None:
    return next((keyword.value for keyword in node.keywords if keyword.arg in names), None)


def _is_list(node: ast.BinOp) -> bool:
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        left = left.left
    return isinstance(left, (ast.List, ast.Tuple))


def _items(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, (ast.List, ast.Tuple)):
        return node.elts
    if isinstance(node, ast.BinOp):
        return [*_items(node.left), *_items(node.right)]
    return [node]


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "") + "'"


_LINES: Final = (
    (
        Deed.NETWORK,
        re.compile(
            r"^\s*(?:import|from)\s+(?:requests|httpx|aiohttp|urllib2?|urllib3|httplib|socket|ftplib"
            r"|smtplib|paramiko|boto3)\b"
        ),
    ),
    (
        Deed.WRITE,
        re.compile(
            r"\bopen\([^()\n]{1,200},\s{0,4}(?:mode=)?[\"'][rbt]{0,2}[wax+]|\bshutil\.rmtree\("
            r"|\bos\.(?:remove|unlink|makedirs)\(|\.write_(?:text|bytes)\("
        ),
    ),
    (Deed.RUN, re.compile(r"\bos\.system\(|\bsubprocess\.\w+\(")),
    (Deed.DECODE_AND_RUN, re.compile(r"\b(?:exec|eval)\([^\n]{0,100}?(?:b64decode|fromhex|unhexlify|decompress)\(")),
    (Deed.FETCH_AND_RUN, re.compile(r"\b(?:exec|eval)\([^\n]{0,100}?(?:requests\.get|urlopen)\(")),
)
_SAYS: Final = {
    Deed.NETWORK: "uses the network", Deed.WRITE: "writes to a path that cannot be told", Deed.RUN: "runs programs",
    Deed.DECODE_AND_RUN: "runs what it decodes", Deed.FETCH_AND_RUN: "runs what it fetches",
}  # fmt: skip


def line_facts(text: str) -> Iterator[Fact]:
    """Yield what single lines show of a Python text that does not parse."""
    for number, line in enumerate(text.split("\n"), 1):
        if number > 50_000:
            return
        code = line[:2_000]
        if code.lstrip().startswith("#"):
            continue
        for deed, pattern in _LINES:
            if match := pattern.search(code):
                yield Fact(deed, _SAYS[deed], number, match.start() + 1, deed is Deed.WRITE)

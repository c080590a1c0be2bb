"""What JavaScript or TypeScript text does, by its tokens; nothing of it is run."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from skillui.checks.facts import Deed, Fact, Facts
from skillui.checks.js_tokens import Sort, Token
from skillui.checks.js_values import MAX_ARGUMENT, JsValues
from skillui.checks.places_of_harm import UNKNOWN, is_env, persists, stays_inside, store, told
from skillui.checks.programs_known import network

Shell = Callable[[str], list[Fact]]

_MODULES: Final = re.compile(
    r"(?:node:)?(?:https?|http2|net|tls|dgram|dns)(?:/promises)?|axios|got|node-fetch|cross-fetch|undici|ws|superagent|request|needle|ky|"
    r"puppeteer(?:-core)?|playwright(?:-core)?|openai|ssh2|nodemailer|socket\.io(?:-client)?|ioredis|redis|pg|mysql2?|mongodb|stripe|"
    r"googleapis|telegraf|discord\.js|@(?:anthropic-ai|google|octokit|aws-sdk|slack|notionhq|supabase|googleapis|modelcontextprotocol)/.+"
)
_GLOBALS: Final = frozenset({"fetch", "WebSocket", "XMLHttpRequest", "EventSource", "sendBeacon"})
_HOLDERS: Final = frozenset({"globalThis", "window", "self", "Bun", "navigator", "global"})
_PATHS: Final = {
    **dict.fromkeys(
        (
            "writeFile",
            "writeFileSync",
            "appendFile",
            "appendFileSync",
            "createWriteStream",
            "outputFile",
            "outputFileSync",
        ),
        (0,),
    ),
    **dict.fromkeys(
        (
            "rmSync",
            "rmdirSync",
            "unlinkSync",
            "mkdirSync",
            "truncateSync",
            "writeJson",
            "writeJsonSync",
            "writeJSON",
            "rimraf",
        ),
        (0,),
    ),
    **dict.fromkeys(
        (
            "removeSync",
            "emptyDir",
            "emptyDirSync",
            "ensureDir",
            "ensureDirSync",
            "outputJson",
            "outputJsonSync",
            "mkdirp",
        ),
        (0,),
    ),
    **dict.fromkeys(("copyFile", "copyFileSync", "cpSync", "symlinkSync", "linkSync", "copySync"), (1,)),
    **dict.fromkeys(("renameSync", "moveSync"), (0, 1)),
    **dict.fromkeys(("writeTextFile", "writeTextFileSync"), (0,)),
}
# Words of every day that are only files' where the file system stands before them or was imported by name.
_SHORT: Final = {
    **dict.fromkeys(("rm", "unlink", "rmdir", "mkdir", "truncate", "remove", "write"), (0,)),
    **dict.fromkeys(("cp", "symlink", "link", "copy"), (1,)), "rename": (0, 1), "move": (0, 1),
}  # fmt: skip
_DELETES: Final = re.compile(r"rm|unlink|remove|empty")
_FILE_MODULES: Final = re.compile(r"(?:node:)?fs(?:/promises)?|fs-extra|graceful-fs")
_READS: Final = frozenset(
    {"readFile", "readFileSync", "readdir", "readdirSync", "createReadStream", "readTextFile", "readTextFileSync"}
)
_RUNS: Final = frozenset(
    {"execSync", "spawn", "spawnSync", "execFile", "execFileSync", "exec", "fork", "execa", "execaSync", "execaCommand"}
)
_CHILD: Final = re.compile(r"(?:node:)?child_process|execa|zx|shelljs")


class JsFacts(JsValues):
    """Reads one text; lines are counted from 1."""

    def __init__(self, text: str, shell: Shell) -> None:
        super().__init__(text)
        self.facts = Facts()
        self._shell = shell
        self._scan()

    def _add(self, deed: Deed, what: str, token: Token, soft: bool = False) -> None:
        self.facts.note(Fact(deed, what, *self._lines.place(token.start), soft))

    def _scan(self) -> None:
        for index, token in enumerate(self._tokens):
            if token.sort is Sort.NAME:
                self._name(index, token)
            elif token.sort is Sort.TEMPLATE and self._at(index - 1) == "$":
                self._add(Deed.RUN, "runs programs ($``)", token)
                self._command(re.sub(r"\$\{[^}]{0,200}\}", UNKNOWN, token.text), token)
        if self._work < 0 and self._tokens:
            self._add(Deed.DECODE_AND_RUN, "holds more calls than are looked at", self._tokens[0], True)

    def _name(self, index: int, token: Token) -> None:
        name = token.text
        if name in ("from", "require", "import"):
            self._module(index, token)
        if self._at(index + 1) != "(" or self._defines(index):
            return
        meant = self._meant(index)
        name = self._at(meant)
        if name in _GLOBALS and self._is_global(meant):
            self._add(Deed.NETWORK, f"uses the network ({name}())", token)
        elif name in _PATHS or (name in _SHORT and self._of_files(meant)):
            self._writes(index, token, name)
        elif name in _READS:
            self._read(self._value(self._arguments(index + 1, 1)), token)
        elif name in _RUNS and self._of_child(meant):
            self._runs(index, token, name)
        elif name in ("eval", "Function") and (self._at(meant - 1) != "." or self._at(meant - 2) in _HOLDERS):
            self._evaluates(index, token)
        elif name in ("connect", "listen") and self._at(meant - 2) in ("Deno", "Bun"):
            self._add(Deed.NETWORK, f"uses the network ({self._at(meant - 2)}.{name}())", token)
        elif name == "config" and self._at(index - 2) == "dotenv":
            self._add(Deed.CREDENTIALS, "reads a .env file (dotenv)", token, True)

    def _module(self, index: int, token: Token) -> None:
        called = token.text != "from"
        if called and self._at(index + 1) != "(":
            module = self._string(index + 1) if token.text == "import" else None
        else:
            module = self._string(index + 2) if called else self._string(index + 1)
        if module and _MODULES.fullmatch(module) and self._at(index - 1) != ".":
            self._add(Deed.NETWORK, f"uses the network (module {module})", token)
        if module == "dotenv/config":
            self._add(Deed.CREDENTIALS, "reads a .env file (dotenv)", token, True)

    def _defines(self, index: int) -> bool:
        """Tell whether a name before `(` is a function's or a method's own definition."""
        before = self._at(index - 1)
        if before == "function":
            return True
        if before not in (
            "{",
            ",",
            ";",
            "}",
            "#",
            "*",
            "async",
            "get",
            "set",
            "static",
            "public",
            "private",
            "override",
        ):
            return False
        close = self._close(index + 1)
        return self._at(close + 1) == "{" or (self._at(close + 1) == ":" and before != ",")

    def _is_global(self, index: int) -> bool:
        name, before = self._at(index), self._at(index - 1)
        if before == ".":
            return self._at(index - 2) in _HOLDERS
        return name not in self._from and (name not in self._values or before == "new")

    def _of_files(self, index: int) -> bool:
        name = self._at(index)
        if self._at(index - 1) != ".":
            return bool(_FILE_MODULES.fullmatch(self._from.get(name, "")))
        holder = self._at(index - 2)
        return holder in ("fs", "fsp", "promises", "fse", "Deno", "Bun") or bool(
            _FILE_MODULES.fullmatch(self._from.get(holder, ""))
        )

    def _of_child(self, index: int) -> bool:
        name = self._at(index)
        if self._at(index - 1) != ".":
            return name != "exec" or bool(_CHILD.fullmatch(self._from.get(name, ""))) or name in self._values
        holder = self._at(index - 2)
        return (
            holder in ("child_process", "cp", "Bun")
            or bool(_CHILD.fullmatch(self._from.get(holder, "")))
            or holder == ")"
        )

    def _writes(self, index: int, token: Token, name: str) -> None:
        for number in _PATHS.get(name) or _SHORT[name]:
            target = self._value(
                self._arguments(index + 1, number + 1)[-1:] if number else self._arguments(index + 1, 1)
            )
            if stays_inside(target):
                continue
            verb = "deletes" if _DELETES.match(name) else "writes to"
            self._add(Deed.WRITE, f"{verb} {told(target)[:120]} ({name})", token)
            if (kept := persists(target)) is not None:
                self._add(Deed.PERSISTENCE, f"changes {kept} ({told(target)[:120]})", token)

    def _read(self, path: str, token: Token) -> None:
        if (kind := store(path)) is not None:
            self._add(Deed.CREDENTIALS, f"reads {kind} ({told(path)[:120]})", token)
        elif is_env(path):
            self._add(Deed.CREDENTIALS, f"reads a .env file ({told(path)[:120]})", token, True)

    def _runs(self, index: int, token: Token, name: str) -> None:
        self._add(Deed.RUN, f"runs programs ({name})", token)
        spans = self._arguments(index + 1, 2)
        program = self._value(spans[:1])
        if len(spans) > 1 and self._at(spans[1][0]) == "[":
            words = [program, *(self._resolve(*span) for span in self._arguments(spans[1][0], 40))]
            if re.search(r"(?:^|/)(?:ba|z|da)?sh$", program) and len(words) > 2 and words[1] in ("-c", "-lc"):
                self._command(words[2], token)
            elif (use := network(words)) is not None:
                self._add(Deed.NETWORK, f"uses the network ({use})", token)
            else:
                self._command(" ".join("'" + word.replace("'", "") + "'" for word in words), token)
        else:
            self._command(program, token)

    def _command(self, text: str, token: Token) -> None:
        if text.strip(UNKNOWN + " "):
            for fact in self._shell(text):
                if fact.deed is not Deed.RUN:
                    self._add(fact.deed, fact.what, token, fact.soft)

    def _evaluates(self, index: int, token: Token) -> None:
        spans = self._arguments(index + 1, 4)
        names = {self._at(at) for start, end in spans for at in range(start, min(end, start + MAX_ARGUMENT))}
        for name in list(names):
            for start in self._values.get(name, ())[:2]:
                names |= {self._at(at) for at in range(start, min(start + 30, len(self._tokens)))}
        strings = {self._string(at) for start, end in spans for at in range(start, min(end, start + MAX_ARGUMENT))}
        if names & {"fetch", "axios", "got"}:
            self._add(Deed.FETCH_AND_RUN, "runs what it fetches", token)
        elif (
            "atob" in names
            or ("Buffer" in names and strings & {"base64", "hex"})
            or names & {"unescape", "fromCharCode"}
        ):
            self._add(Deed.DECODE_AND_RUN, "runs what it decodes", token)
        elif names - {""} and self._at(self._meant(index)) == "eval":
            self._add(Deed.DECODE_AND_RUN, "runs a computed text (eval)", token, True)

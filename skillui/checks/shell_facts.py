"""What a shell text does, by its commands: nothing is expanded by a shell, nothing is run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby, pairwise
from typing import Final

from skillui.checks.credentials import masked
from skillui.checks.facts import Deed, Fact, Facts
from skillui.checks.places_of_harm import UNKNOWN, is_env, persists, stays_inside, store
from skillui.checks.programs_known import INTERPRETERS, PATTERN_FIRST, READERS, base_name, network, unwrapped
from skillui.checks.shell_commands import Command, Lines, Word, plain
from skillui.checks.shell_origins import exec_part, language_of, leaf_of, origin_of, own_origin, runs_input, shown_path
from skillui.checks.shell_targets import targets
from skillui.checks.shell_values import Values, loop_variable, names_in
from skillui.checks.shell_words import ShellText

_MAX_NESTED: Final = 4
Foreign = Callable[[str, str], list[Fact]]
"""Reads text of another language that a command carries: (text, language) -> facts."""

_STARTERS: Final = {
    "systemctl": re.compile(r"(?:--\S+\s)*(?:enable|link)\b"),
    "launchctl": re.compile(r"(?:load|bootstrap|submit|enable)\b"),
    "schtasks": re.compile(r"/create\b", re.IGNORECASE),
    "update-rc.d": re.compile(r"\S+\s(?:defaults|enable)"),
    "chkconfig": re.compile(r"\S+\son\b"),
    "loginctl": re.compile(r"enable-linger"),
    "git": re.compile(r"config\s(?:--(?:global|local|system)\s)?(?:--add\s)?core\.hooksPath\s\S"),
    "reg": re.compile(r"add\s.*\\Run\b", re.IGNORECASE),
}
_TELLERS: Final = {
    "security": (re.compile(r"find-(?:generic|internet)-password|dump-keychain|export"), "a keychain"),
    "secret-tool": (re.compile(r"lookup|search"), "a keychain"),
    "gh": (re.compile(r"auth token"), "the token of gh"),
    "aws": (re.compile(r"configure (?:get aws_|export-credentials)"), "the keys of aws"),
    "gcloud": (re.compile(r"auth (?:application-default )?print-(?:access|identity)-token"), "the token of gcloud"),
    "pass": (re.compile(r"show\b"), "a password store"),
}


class ShellFacts:
    """Reads one shell text into facts; lines are counted from 1 in that text."""

    def __init__(self, text: str, foreign: Foreign, depth: int = 0) -> None:
        self.facts = Facts()
        self._lines = Lines(text)
        self._foreign = foreign
        self._depth = depth
        self._values = Values()
        self._tainted: dict[str, Deed] = {}
        self._fetched: set[str] = set()
        self._folder = ""
        read = ShellText(text)
        self._level(read.commands)
        if read.cut:
            self._add(Deed.DECODE_AND_RUN, "holds more commands than are looked at", 0, True)

    def _add(self, deed: Deed, what: str, start: int, soft: bool = False) -> None:
        self.facts.note(Fact(deed, masked(what), *self._lines.place(start), soft))

    def _level(self, commands: list[Command]) -> None:
        for _, group in groupby(commands, key=lambda command: command.pipe):
            pipeline = list(group)
            for command in pipeline:
                self._command(command)
            self._pipeline(pipeline)

    def _command(self, command: Command) -> None:
        for name, value in command.assignments:
            self._level(value.inner)
            self._values.assign(name, value)
            if (deed := origin_of(value.inner)) is not None:
                self._tainted[name] = deed
        if (name_filled := loop_variable(command)) is not None:
            self._values.forget(name_filled)
        for word in (*command.words, *(redirect.target for redirect in command.redirects)):
            if word.inner:
                self._level(word.inner)
        if command.heredoc is not None:
            self._level(command.heredoc.inner)
        resolved = [self._values.resolve(word) for word in command.words]
        at = unwrapped(resolved)
        self._redirects(command)
        if at < len(command.words):
            self._program(command, at, resolved[at:])

    def _redirects(self, command: Command) -> None:
        for redirect in command.redirects:
            target = self._values.resolve(redirect.target)
            if redirect.operator in (">", ">>", ">|", "<>") or (
                redirect.operator == ">&" and not re.match(r"\d|-", target)
            ):
                if re.match(r"/dev/(?:tcp|udp)/", target):
                    self._add(Deed.NETWORK, f"uses the network ({target[:40]})", redirect.target.start)
                else:
                    self._write(target, redirect.target.start, f"writes to {{}} ({redirect.operator})")
            elif redirect.operator in ("<", "<>"):
                if target.startswith(("/dev/tcp/", "/dev/udp/")):
                    self._add(Deed.NETWORK, f"uses the network ({target[:40]})", redirect.target.start)
                self._read(target, redirect.target.start)

    def _program(self, command: Command, at: int, line: list[str]) -> None:
        name, args = base_name(line[0]), line[1:]
        start = command.words[at].start
        if name == "cd" or name == "pushd":
            self._folder = args[0] if args and args[0] != "-" else UNKNOWN
        if (use := network(line)) is not None:
            self._add(Deed.NETWORK, f"uses the network ({use})", start)
        for target in targets(name, args):
            verb = (
                "deletes" if name in ("rm", "rmdir", "unlink", "shred", "find", "trash", "del", "rd") else "writes to"
            )
            self._write(target, start, f"{verb} {{}} ({name})")
        self._keeps(name, args, start, command)
        self._tells(name, args, start)
        self._runs(command, at, name, args)
        self._note_downloads(command, name, args)
        if name == "find" and (inner := exec_part(args)):
            self._nested_words(inner, start)

    def _write(self, target: str, start: int, what: str) -> None:
        relative = bool(self._folder) and not target.startswith(("/", "~", UNKNOWN))
        target = f"{self._folder}/{target}" if relative else target
        if not target or stays_inside(target):
            return
        self._add(Deed.WRITE, what.format(shown_path(target)), start)
        if (kept := persists(target)) is not None:
            self._add(Deed.PERSISTENCE, f"changes {kept} ({shown_path(target)})", start)

    def _keeps(self, name: str, args: list[str], start: int, command: Command) -> None:
        line = " ".join(args)[:500]
        if name == "crontab":
            rest = [arg for arg in args if arg not in ("-u",)]
            if not any(arg in ("-l", "-r", "-e", "-h", "-V") for arg in rest):
                self._add(Deed.PERSISTENCE, "changes a cron table (crontab)", start)
        elif (pattern := _STARTERS.get(name)) is not None and pattern.match(line):
            kept = "git hooks (core.hooksPath)" if name == "git" else f"what starts by itself ({name})"
            self._add(Deed.PERSISTENCE, f"changes {kept}", start, name == "systemctl")

    def _tells(self, name: str, args: list[str], start: int) -> None:
        if (teller := _TELLERS.get(name)) is not None and teller[0].match(" ".join(args)[:300]):
            self._add(Deed.CREDENTIALS, f"reads {teller[1]} ({name})", start, name in ("gh", "gcloud"))
        if name not in READERS:
            return
        files = [arg for arg in args if not arg.startswith("-")]
        if name in PATTERN_FIRST and not any(arg in ("-e", "-f") for arg in args):
            files = files[1:]
        elif name in ("cp", "mv", "copy"):
            files = files[:-1]
        elif name == "find":
            files = args[: next((i for i, arg in enumerate(args) if arg.startswith("-")), len(args))]
        for file in files:
            self._read(file, start, listing=name in ("ls", "find"))

    def _read(self, path: str, start: int, listing: bool = False) -> None:
        path = path.rpartition("@")[2] if "@" in path and "://" not in path else path
        if (kind := store(path)) is not None:
            self._add(Deed.CREDENTIALS, f"reads {kind} ({shown_path(path)})", start, listing)
        elif is_env(path) and not listing:
            self._add(Deed.CREDENTIALS, f"reads a .env file ({shown_path(path)})", start, True)

    def _runs(self, command: Command, at: int, name: str, args: list[str]) -> None:
        """Tell texts that are run: of `-c`, `eval`, `<( )`, `<<<` and here-documents."""
        words = command.words[at + 1 :]
        if name in ("source", ".", "eval", "trap") or INTERPRETERS.fullmatch(name) or name == "su":
            self._sources(command, words, name)
            self._given_text(command, words, name)
        if (
            command.words[at].inner
            and command.words[at].text.startswith("$(")
            and (deed := origin_of(command.words[at].inner))
        ):
            self._ran(deed, command.words[at].start)
        if INTERPRETERS.fullmatch(name) or name in ("source", "."):
            path = next((arg for arg in args if not arg.startswith("-")), "")
        else:
            path = command.words[at].text if "/" in command.words[at].text else ""
        if path and leaf_of(path) in self._fetched:
            self._ran(Deed.FETCH_AND_RUN, command.words[at].start)

    def _sources(self, command: Command, words: list[Word], name: str) -> None:
        sources = [word for word in words if word.feeds]
        sources += [redirect.target for redirect in command.redirects if redirect.operator in ("<<<", "<")]
        coded = name == "eval" or any(re.fullmatch(r"-[a-z]*[ce]", word.text) for word in words)
        sources += [word for word in words if coded and word.inner]
        for word in sources:
            if word.inner and (deed := origin_of(word.inner)) is not None:
                self._ran(deed, command.start)
                return
        for word in words if coded else ():
            for variable in names_in(word.text) & self._tainted.keys():
                self._ran(self._tainted[variable], command.start)
                return

    def _given_text(self, command: Command, words: list[Word], name: str) -> None:
        if self._depth >= _MAX_NESTED:
            return
        if command.heredoc is not None and not [w for w in words if not w.text.startswith("-")]:
            self._nested(command.heredoc.text, name, command.heredoc.start)
        if name in ("eval", "trap"):
            if words and not words[0].inner:
                self._nested(
                    plain(words[0].text if name == "trap" else " ".join(w.text for w in words)), "sh", words[0].start
                )
            return
        for flag, word in pairwise(words):
            if re.fullmatch(r"-[a-z]*[ce]", flag.text):
                self._nested(plain(word.text), name, word.start)
                return

    def _nested(self, text: str, name: str, start: int) -> None:
        language = language_of(name)
        if language == "shell":
            inner = ShellFacts(text, self._foreign, self._depth + 1)
            inner_facts: Iterable[Fact] = inner.facts
        elif language is not None:
            inner_facts = self._foreign(text, language)
        else:
            return
        line, column = self._lines.place(start)
        for fact in inner_facts:
            place = (line + fact.line - 1, fact.column if fact.line > 1 else column)
            self.facts.note(Fact(fact.deed, fact.what, *place, fact.soft))

    def _nested_words(self, args: list[str], start: int) -> None:
        name = base_name(args[0])
        for target in targets(name, [arg for arg in args[1:] if arg not in (";", "+")]):
            self._write(UNKNOWN if target == "{}" else target, start, f"writes to or deletes {{}} (find -exec {name})")

    def _pipeline(self, pipeline: list[Command]) -> None:
        """Tell what is fetched or decoded in one command and run by a later one."""
        deed: Deed | None = None
        for command in pipeline:
            words = [self._values.resolve(word) for word in command.words]
            at = unwrapped(words)
            if deed is not None and at < len(words) and runs_input(words[at:]):
                self._ran(deed, pipeline[0].start)
                return
            origin = own_origin(words[at:]) if at < len(words) else None
            if origin is None and command.words:
                tainted = set().union(*(names_in(word.text) for word in command.words)) & self._tainted.keys()
                inner = [found for word in command.words if word.inner and (found := origin_of(word.inner))]
                origin = self._tainted[min(tainted)] if tainted else inner[0] if inner else None
            deed = origin or deed

    def _ran(self, deed: Deed, start: int) -> None:
        what = "runs what it fetches" if deed is Deed.FETCH_AND_RUN else "runs what it decodes"
        self._add(deed, what, start)

    def _note_downloads(self, command: Command, name: str, args: list[str]) -> None:
        if name in ("sha256sum", "shasum", "gpg", "cosign", "minisign", "less", "md5sum", "sha512sum"):
            self._fetched.clear()
        if name not in ("curl", "wget"):
            return
        saved = [value for flag, value in pairwise(args) if flag in ("-o", "-O", "--output", "--output-document")]
        saved += [self._values.resolve(r.target) for r in command.redirects if r.operator in (">", ">|")]
        saved += [
            arg
            for arg in args
            if "://" in arg and (name == "wget" or any(re.fullmatch(r"-[a-zA-Z]*O", a) for a in args))
        ]
        self._fetched |= {leaf_of(value) for value in saved if len(leaf_of(value)) > 1 and not value.startswith("-")}

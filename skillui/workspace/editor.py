"""Which editor opens a file, as an argument vector; no shell ever sees a file's name."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

FALLBACKS = ("nano", "vi")
"""What is tried when nothing is set."""

# How an editor is told the line, by the program's name.
_PLUS = frozenset(("vi", "vim", "nvim", "gvim", "mvim", "nano", "micro", "kak", "joe")) | frozenset(
    ("mg", "ne", "jed", "emacs", "emacsclient", "gedit")
)
_GOTO = frozenset(("code", "code-insiders", "code-oss", "codium", "vscodium", "cursor", "windsurf", "positron"))
_COLON = frozenset(("subl", "sublime_text", "hx", "helix", "zed", "zeditor"))
# Programs that return at once unless told to wait; an edit is over when the program has ended.
_WAITING = dict.fromkeys((*_GOTO, "subl", "sublime_text", "zed", "zeditor"), "--wait") | {
    "gvim": "-f",
    "mvim": "-f",
}
_WAIT_SPELLINGS = {"--wait": ("--wait", "-w"), "-f": ("-f", "--nofork")}


@dataclass(frozen=True, slots=True)
class EditorCommand:
    """What to run to edit a file, or why there is nothing to run."""

    argv: tuple[str, ...]
    """The program as an absolute path and its arguments; empty when no editor was found."""
    source: str | None
    """Where the choice came from: `$VISUAL`, `$EDITOR`, `editor`, `found`, or None."""
    problems: tuple[str, ...] = ()
    """One line for each choice that was passed over."""


def editor_command(
    path: str,
    line: int | None = None,
    *,
    setting: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> EditorCommand:
    """Return the command that opens `path`, at the 1-based `line` where the editor is known to take one.

    The first that can be run of `$VISUAL`, `$EDITOR`, the `editor` setting, nano and vi.
    """
    environ = os.environ if environ is None else environ
    search = _safe_search_path(environ.get("PATH", os.defpath))
    problems: list[str] = []
    for source, text in _choices(setting, environ):
        try:
            words = shlex.split(text)
        except ValueError as error:
            problems.append(f"{source} cannot be split into words: {str(error).lower()}")
            continue
        if not words:
            continue
        program = _program(words[0], search)
        if program is not None:
            return EditorCommand((program, *_arguments(words, os.path.abspath(path), line)), source, tuple(problems))
        if source != "found":
            problems.append(f"{source} names a program that was not found: {words[0]}")
    problems.append("no editor was found: set $VISUAL or $EDITOR, or `editor` in config.yaml")
    return EditorCommand((), None, tuple(problems))


def run_editor(argv: Sequence[str]) -> int:
    """Run an editor in this terminal and wait for it; returns its exit status. Raises `OSError`.

    Ctrl-C there is the editor's: it reaches this program too, which goes on waiting.
    """
    # A handler of Python's, unlike SIG_IGN, is not handed down to the editor. An event loop hears of
    # signals by the descriptor, whatever the handler is.
    own = signal.signal(signal.SIGINT, lambda number, frame: None)
    descriptor = signal.set_wakeup_fd(-1)
    try:
        return subprocess.run(argv, check=False).returncode
    finally:
        signal.set_wakeup_fd(descriptor)
        signal.signal(signal.SIGINT, own)


def _choices(setting: str | None, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield "$VISUAL", environ.get("VISUAL", "")
    yield "$EDITOR", environ.get("EDITOR", "")
    yield "editor", setting or ""
    for name in FALLBACKS:
        yield "found", name


def _safe_search_path(path: str) -> str:
    # A relative or empty entry would look in the project that is open, where anything may call itself vi.
    return os.pathsep.join(entry for entry in path.split(os.pathsep) if os.path.isabs(entry))


def _program(word: str, search: str) -> str | None:
    word = os.path.expanduser(word)
    if os.path.dirname(word) and not os.path.isabs(word):
        return None
    # An empty search path would make `which` fall back to the process's own.
    return shutil.which(word, path=search) if search or os.path.isabs(word) else None


def _arguments(words: list[str], path: str, line: int | None) -> list[str]:
    name = os.path.basename(words[0]).lower().removesuffix(".exe").removesuffix(".cmd")
    given = words[1:]
    wait = _WAITING.get(name)
    if wait is not None and not any(word in given for word in _WAIT_SPELLINGS[wait]):
        given = [*given, wait]
    if line is None or line < 1:
        return [*given, path]
    if name in _PLUS:
        return [*given, f"+{line}", path]
    if name in _GOTO:
        return [*given, "-g", f"{path}:{line}"]
    if name in _COLON:
        return [*given, f"{path}:{line}"]
    return [*given, path]

"""Where the text comes from that a shell runs: fetched, decoded, or its own."""

from __future__ import annotations

import re
from typing import Final

from skillui.checks.facts import Deed
from skillui.checks.places_of_harm import told
from skillui.checks.programs_known import FETCHERS, INTERPRETERS, base_name, unwrapped
from skillui.checks.shell_commands import Command, every, plain

_DECODERS: Final = {
    "base64": re.compile(r"(?:^|\s)(?:-[a-zA-Z]*[dD]|--decode)\b"),
    "base32": re.compile(r"(?:^|\s)(?:-d|--decode)\b"),
    "xxd": re.compile(r"(?:^|\s)-[a-z]*r"),
    "openssl": re.compile(r"(?:base64|enc)\b.*\s-d\b"),
    "uudecode": re.compile(""),
}


def origin_of(commands: list[Command]) -> Deed | None:
    """Tell whether what some commands print was fetched or decoded."""
    for command in every(commands)[:200]:
        words = [plain(word.text) for word in command.words]
        if (deed := own_origin(words[unwrapped(words) :])) is not None:
            return deed
    return None


def own_origin(words: list[str]) -> Deed | None:
    """Tell whether what one command line prints is fetched or decoded."""
    if not words:
        return None
    name = base_name(words[0])
    rest = " ".join(words[1:])[:500]
    if name in FETCHERS and len(words) > 1 and rest not in ("--version", "--help"):
        return Deed.FETCH_AND_RUN
    if (decoder := _DECODERS.get(name)) is not None and decoder.search(rest):
        return Deed.DECODE_AND_RUN
    if name in ("printf", "echo") and len(re.findall(r"\\x[0-9a-fA-F]{2}", rest)) >= 4:
        return Deed.DECODE_AND_RUN
    return None


def runs_input(words: list[str]) -> bool:
    """Tell whether a command runs what comes in by its pipe: an interpreter without a program of its own."""
    name, args = base_name(words[0]), words[1:]
    if name in ("source", "."):
        return args[:1] == ["/dev/stdin"]
    if not INTERPRETERS.fullmatch(name):
        return False
    if any(re.fullmatch(r"-[a-zA-Z]*[cem]|--eval|-p|-r|-ne|-pe", arg) for arg in args[:1]) and name not in (
        "bash",
        "sh",
        "zsh",
    ):
        return False
    if args[:1] and re.fullmatch(r"-[a-z]*c", args[0]):
        return False
    plain_args = [arg for arg in args if not arg.startswith("-") or arg == "-"]
    return (
        not plain_args
        or "-s" in args
        or plain_args[0] in ("-", "/dev/stdin")
        or any(a.startswith("-s") for a in args[:1])
    )


def language_of(name: str) -> str | None:
    """Return the language of the text that a program is given."""
    if name in ("eval", "trap", "su") or re.fullmatch(r"(?:ba|z|da|k|a)?sh", name):
        return "shell"
    if name.startswith("python"):
        return "python"
    return "javascript" if name in ("node", "bun") else None


def exec_part(args: list[str]) -> list[str]:
    """Return the command that `find` runs."""
    at = next((i for i, arg in enumerate(args) if arg in ("-exec", "-execdir", "-ok")), len(args))
    return args[at + 1 :]


def leaf_of(path: str) -> str:
    """Return the last part of a path or an address."""
    return path.rstrip("/").rpartition("/")[2].partition("?")[0]


def shown_path(path: str) -> str:
    """Return a path as a message shows it, clipped."""
    return told(path)[:120]

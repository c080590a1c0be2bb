"""Which files a command line writes or deletes, by its program and its arguments."""

from __future__ import annotations

import re
from typing import Final

_ALL: Final = frozenset(
    {"rm", "rmdir", "unlink", "shred", "touch", "mkdir", "tee", "mv", "mkfifo", "mknod", "trash", "del", "rd"}
)
_LAST: Final = frozenset({"cp", "ln", "install", "rsync", "ditto", "scp"})
_OUTPUT: Final = frozenset(
    {"pandoc", "sort", "gcc", "cc", "g++", "clang", "dot", "curl", "rustc", "go", "tsc", "magick"}
)
_VALUES: Final = {
    "mkdir": ("-m", "--mode"), "touch": ("-d", "-t", "-r"), "install": ("-m", "-o", "-g"), "truncate": ("-s",),
    "rsync": ("-e", "--exclude", "--include"),
}  # fmt: skip
_GIT: Final = re.compile(
    r"clean\b(?!.*(?:-n|--dry-run))|reset --hard|restore\b|checkout (?:-f|--|\.)|stash(?! (?:list|show))|rm\b|mv\b"
)


def targets(name: str, args: list[str]) -> list[str]:
    """Return the paths that a program writes to or deletes; `.` where it is the folder it runs in."""
    if name in _ALL:
        return _plain(name, args)
    if name in _LAST:
        return _destination(name, args)
    if name in ("sed", "perl", "gsed"):
        return _in_place(args)
    if name in ("tar", "bsdtar", "unzip", "zip", "7z"):
        return _packed(name, args)
    if name == "truncate":
        return _plain(name, args)
    if name == "dd":
        return [arg[3:] for arg in args if arg.startswith("of=")]
    if name == "find":
        return _plain(name, args[: _first_option(args)]) or ["."] if "-delete" in args else []
    if name == "git":
        return ["."] if _GIT.match(" ".join(args[:4])[:200]) else []
    if name == "patch" and "--dry-run" not in args:
        return ["."]
    if name == "wget":
        return (
            []
            if "--spider" in args
            else _option(args, ("-O", "--output-document", "-P", "--directory-prefix")) or ["."]
        )
    if name == "defaults" and args[:1] in (["write"], ["delete"]):
        return ["~/Library/Preferences"]
    return _option(args, ("-o", "--output", "--output-file")) if name in _OUTPUT else []


def _plain(name: str, args: list[str]) -> list[str]:
    """Return the arguments that are no options and no options' values."""
    found: list[str] = []
    values = _VALUES.get(name, ())
    at, ended = 0, False
    while at < len(args):
        arg = args[at]
        at += 1
        if ended or not arg.startswith("-") or arg == "-":
            found.append(arg)
        elif arg == "--":
            ended = True
        elif arg in values:
            at += 1
    return [arg for arg in found if arg != "-"]


def _destination(name: str, args: list[str]) -> list[str]:
    if target := _option(args, ("-t", "--target-directory")):
        return target
    plain = _plain(name, args)
    if name in ("rsync", "scp") and plain and re.match(r"[^/\s]+:", plain[-1]):
        return []
    return plain[-1:] if len(plain) > 1 or name == "ln" else []


def _in_place(args: list[str]) -> list[str]:
    options = [arg for arg in args if arg.startswith("-")]
    if not any(re.match(r"-(?:[a-zA-Z]*i|-in-place)", option) for option in options):
        return []
    plain = [arg for arg in args if arg and not arg.startswith("-")]
    scripted = any(option in ("-e", "-f", "-pe", "-ne", "-i.bak", "-pie", "-pi") for option in options)
    return plain[0 if scripted and len(plain) == 1 else 1 :]


def _packed(name: str, args: list[str]) -> list[str]:
    if name == "zip":
        return _plain(name, args)[:1]
    if name == "unzip":
        if any(re.match(r"-[a-zA-Z]*[lptvZ]", arg) for arg in args):
            return []
        return _option(args, ("-d",)) or ["."]
    mode = args[0] if args else ""
    if name == "7z":
        return [arg[2:] for arg in args if arg.startswith("-o")] or ["."] if mode in ("x", "e", "a") else []
    unpacks = "--extract" in args or (not mode.startswith("--") and "x" in mode)
    packs = "--create" in args or (not mode.startswith("--") and "c" in mode)
    if unpacks and "O" not in mode:
        return _option(args, ("-C", "--directory")) or ["."]
    return [arg for arg in args[1:2] if arg != "-"] if packs and not mode.startswith("--") else []


def _option(args: list[str], names: tuple[str, ...]) -> list[str]:
    """Return the values of an option, `-o value`, `-ovalue` of one letter, or `--output=value`."""
    found: list[str] = []
    for at, arg in enumerate(args):
        if arg in names:
            found += args[at + 1 : at + 2]
        else:
            found += [arg.partition("=")[2] for name in names if name.startswith("--") and arg.startswith(name + "=")]
    return [value for value in found if value != "-"]


def _first_option(args: list[str]) -> int:
    return next((at for at, arg in enumerate(args) if arg.startswith(("-", "(", "!"))), len(args))

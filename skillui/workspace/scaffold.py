"""A new skill: one folder with a SKILL.md that is valid at once and says what to write where."""

from __future__ import annotations

import contextlib
import os
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from skillui.core.files import is_below, resolved
from skillui.core.schema import MAX_DESCRIPTION, MAX_NAME, NAME_PATTERN
from skillui.core.text import clipped, has_surrogate
from skillui.workspace.atomic import write_text

if TYPE_CHECKING:
    from skillui.workspace.project import Project

_BODY = """
# {title}

Say in one sentence what is done when this skill has been followed.

## Steps

1. What to look at first, and what to do where it is missing.
2. What to do, one step a line, as a command: *read*, *run*, *ask*.
3. How to tell that it worked.

## Limits

What this skill leaves alone, and when to stop and ask.
"""

# Plain words that some YAML reader takes for a switch, a number or nothing.
_YAML_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})


class ScaffoldError(Exception):
    """Why no skill was made; the message is one line for a person, without control characters."""


def new_skill(name: str, root: Path, *, description: str | None = None) -> Path:
    """Make `root/name/SKILL.md` and return its path; `root` itself is created where only it is missing.

    Raises `ScaffoldError` for a name or description that the engine would refuse, for a folder that
    exists already, and where the files cannot be written. Nothing is ever overwritten.
    """
    _check_name(name)
    text = _skill_text(name, _checked(description, name))
    _make_root(root)
    folder = root / name
    try:
        folder.mkdir()  # refuses what exists, links and files included, without a gap between look and leap
    except FileExistsError:
        raise ScaffoldError(f"{_shown(folder)} exists already; choose another name") from None
    except OSError as error:
        raise ScaffoldError(f"{_shown(folder)} cannot be made: {_reason(error)}") from None
    path = folder / "SKILL.md"
    try:
        write_text(str(path), text)
    except OSError as error:
        _remove_empty(folder)
        raise ScaffoldError(f"{_shown(path)} cannot be written: {_reason(error)}") from None
    # Our own files are the owner's alone; a skill is shared like the folder that was just made for it.
    with contextlib.suppress(OSError):  # some file systems keep no modes
        path.chmod(folder.stat().st_mode & 0o666)
    return path


def check_new(name: str, root: Path) -> None:
    """Raise `ScaffoldError` where `new_skill` would refuse this name in this root; nothing is made."""
    _check_name(name)
    folder = root / name
    if os.path.lexists(folder):
        raise ScaffoldError(f"{_shown(folder)} exists already; choose another name")


def leads_out(project: Project, root: str) -> bool:
    """Tell whether a project's folder of skills is a link to outside of it: its authors could name any folder."""
    return is_below(os.path.normpath(root), project.path) and not is_below(resolved(root), resolved(project.path))


def kebab(text: str) -> str:
    """Turn any text into a valid skill name, or "" where it holds neither letter nor digit of ASCII.

    Accents fall off, `camelCase` is split, and everything else becomes one hyphen.
    """
    folded = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    bare = "".join(char for char in folded if not unicodedata.combining(char))
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", bare)
    # Apostrophes belong to a word: "what's-new" is whats-new.
    words = re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", split).lower())
    return "-".join(words)[:MAX_NAME].strip("-")


def _check_name(name: str) -> None:
    if NAME_PATTERN.fullmatch(name) and len(name) <= MAX_NAME:
        return
    rule = f"a skill's name is 1 to {MAX_NAME} lower-case letters and digits, with single hyphens between words"
    suggestion = kebab(name)
    more = f"; try '{suggestion}'" if suggestion else ""
    raise ScaffoldError(f"'{_clean(name)}' cannot be the name of a skill: {rule}{more}")


def _checked(description: str | None, name: str) -> str:
    """Return the description on one line, or the template where none was given."""
    if description is None:
        words = name.replace("-", " ")
        return (
            f"Say here what {words} does, in one sentence. "
            "Use when ... (name the requests, files or situations that should bring it up)."
        )
    line = " ".join(description.split())
    if not line:
        raise ScaffoldError("the description is empty; say what the skill does and when to use it")
    if len(line) > MAX_DESCRIPTION:
        raise ScaffoldError(
            f"the description is {len(line):,} characters long; at most {MAX_DESCRIPTION:,} are allowed"
        )
    if has_surrogate(line):
        raise ScaffoldError("the description is not valid UTF-8 text")
    return line


def _skill_text(name: str, description: str) -> str:
    title = name.replace("-", " ").capitalize()
    plain = name[0].isalpha() and name not in _YAML_WORDS
    fields = f"name: {name if plain else _quoted(name)}\ndescription: {_quoted(description)}\n"
    return f"---\n{fields}---\n{_BODY.format(title=title)}"


def _quoted(text: str) -> str:
    """Write `text` as a YAML double-quoted scalar, which no colon, hash or invisible character can break."""
    return '"' + "".join(_quoted_char(char) for char in text) + '"'


def _quoted_char(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def _make_root(root: Path) -> None:
    try:
        root.mkdir(exist_ok=True)
    except FileNotFoundError:
        raise ScaffoldError(f"{_shown(root)} cannot be made: {_shown(root.parent)} does not exist") from None
    except FileExistsError:
        raise ScaffoldError(f"{_shown(root)} is not a folder") from None
    except OSError as error:
        raise ScaffoldError(f"{_shown(root)} cannot be made: {_reason(error)}") from None


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):  # what is in it by now is not ours to remove
        folder.rmdir()


def _clean(text: str) -> str:
    """Show text in a message: invisible and control characters as escapes, and never too much of it."""
    return clipped("".join(char if char.isprintable() else ascii(char)[1:-1] for char in text))


def _shown(path: Path) -> str:
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in str(path))


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()

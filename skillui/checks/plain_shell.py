"""Shell scripts that cannot be wrong: plain commands, one after the other, without any syntax that could stay open."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = r"(?:[\w./:@%+,=~^-]++|'[^'\n\r\0]*+'|\"(?:[^\"`\\$\n\r\0]|\$\w++|\$[@#?*])*+\"|\$\w++|\$[@#?*])++"
_RESERVED: Final = (
    r"(?!(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|in|function|select|time|coproc)(?![\w./:@%+,=~^-]))"
)
_REDIRECTION: Final = rf"[012]?>(?:&[012](?!\w)|>?[ \t]*+{_WORD})"
_COMMAND: Final = rf"{_RESERVED}{_WORD}(?:[ \t]++(?:{_REDIRECTION}|{_WORD}))*+"
_COMMENT: Final = r"(?:(?<=[ \t])|^)#[^\n\r\0]*+"
_LINE: Final = rf"[ \t]*+(?:{_COMMAND}(?:[ \t]*+(?:&&|\|\||\||;)[ \t]*+{_COMMAND})*+)?+[ \t]*+(?:{_COMMENT})?+"
_SCRIPT: Final = re.compile(rf"(?:{_LINE}(?:\n|\Z))*+", re.MULTILINE | re.ASCII)


def surely_parses(text: str) -> bool:
    """Tell whether a script is so plain that every shell parses it; False says nothing.

    A shell is started for each script that is checked otherwise, which takes longer than all other rules.
    """
    match = _SCRIPT.match(text)
    return match is not None and match.end() == len(text)

"""Whether a text parses, by language: nothing is run, and what no parser can tell passes."""

from __future__ import annotations

import threading
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import ast

MAX_PARSED: Final = 512 * 1024
"""Characters that are handed to a parser; what is longer passes unseen."""

_WARNINGS = threading.Lock()


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """Why a text does not parse; `line` and `column` are 1-based, None where the parser does not say."""

    reason: str
    line: int | None = None
    column: int | None = None


def parse_python(text: str) -> ast.Module | SyntaxFault | None:
    """Return the syntax tree of a Python text; None where it is too large or too deep to tell."""
    import ast

    if len(text) > MAX_PARSED:
        return None
    try:
        with _WARNINGS, warnings.catch_warnings():  # a doubtful escape in a skill is no warning about us
            warnings.simplefilter("ignore")
            return ast.parse(text.removeprefix("\ufeff"))
    except SyntaxError as error:
        return SyntaxFault(error.msg or "invalid syntax", error.lineno or None, error.offset or None)
    except ValueError as error:  # NUL bytes, in some versions
        return SyntaxFault(str(error))
    except (RecursionError, MemoryError):
        return None


def json_fault(text: str) -> SyntaxFault | None:
    """Return why a text is no JSON."""
    import json

    if len(text) > MAX_PARSED:
        return None
    try:
        json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        return SyntaxFault(error.msg, error.lineno, error.colno)
    except (RecursionError, ValueError):  # too deep, or a number of too many digits: not for us to say
        return None
    return None


def yaml_fault(text: str) -> SyntaxFault | None:
    """Return why a text is no YAML stream; documents may be several and tags of any kind."""
    import yaml

    if len(text) > MAX_PARSED or "{{" in text or "{%" in text:  # a template is YAML only once it is filled in
        return None
    try:
        for _ in yaml.parse(text, Loader=yaml.CSafeLoader):
            pass
    except yaml.MarkedYAMLError as error:
        opened = error.context_mark is not None and any(word in str(error.context) for word in ("flow", "quoted"))
        mark = error.context_mark if opened else error.problem_mark or error.context_mark
        reason = f"{error.problem or 'invalid syntax'} {error.context or ''}".strip()
        return SyntaxFault(reason, mark.line + 1 if mark else None, mark.column + 1 if mark else None)
    except yaml.YAMLError as error:
        return SyntaxFault(str(getattr(error, "reason", error)))
    return None


def toml_fault(text: str) -> SyntaxFault | None:
    """Return why a text is no TOML."""
    import re
    import tomllib

    if len(text) > MAX_PARSED:
        return None
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        match = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.DOTALL)
        return SyntaxFault(match[1], int(match[2]), int(match[3])) if match else SyntaxFault(str(error))
    except (RecursionError, ValueError):
        return None
    return None

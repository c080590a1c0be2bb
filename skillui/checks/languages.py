"""What language a file is written in, by its name and its first line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

PYTHON, SHELL, JAVASCRIPT, TYPESCRIPT = "python", "shell", "javascript", "typescript"

_BY_SUFFIX: Final = {
    ".py": PYTHON,
    ".pyw": PYTHON,
    ".sh": SHELL,
    ".bash": SHELL,
    ".zsh": SHELL,
    ".ksh": SHELL,
    ".js": JAVASCRIPT,
    ".mjs": JAVASCRIPT,
    ".cjs": JAVASCRIPT,
    ".jsx": JAVASCRIPT,
    ".ts": TYPESCRIPT,
    ".mts": TYPESCRIPT,
    ".cts": TYPESCRIPT,
    ".tsx": TYPESCRIPT,
    ".rb": "ruby",
    ".pl": "perl",
    ".php": "php",
    ".lua": "lua",
    ".fish": "fish",
    ".ps1": "powershell",
    ".psm1": "powershell",
    ".bat": "batch",
    ".cmd": "batch",
}
_SHEBANG: Final = re.compile(
    r"#![^\n]{0,200}?\b(python|bash|dash|zsh|ksh|fish|sh|node|deno|bun|tsx|ruby|perl|php|lua|pwsh)"
)
_BY_PROGRAM: Final = {
    "python": PYTHON,
    **dict.fromkeys(("bash", "dash", "zsh", "ksh", "sh"), SHELL),
    **dict.fromkeys(("node", "bun"), JAVASCRIPT),
    **dict.fromkeys(("deno", "tsx"), TYPESCRIPT),
    "pwsh": "powershell",
}
_FENCES: Final = {
    **dict.fromkeys(("python", "py", "python3", "pycon"), PYTHON),
    **dict.fromkeys(("bash", "sh", "shell", "zsh", "console", "shell-session", "terminal", "ksh"), SHELL),
    **dict.fromkeys(("javascript", "js", "mjs", "cjs", "jsx", "node"), JAVASCRIPT),
    **dict.fromkeys(("typescript", "ts", "tsx"), TYPESCRIPT),
    **dict.fromkeys(("powershell", "pwsh", "ps1"), "powershell"),
}


@dataclass(frozen=True, slots=True)
class Script:
    """A file of the skill that a program runs; `path` is relative, `language` one of the names above."""

    path: str
    language: str


def by_suffix(suffix: str) -> str | None:
    """Return the language that a file's ending (with its dot, lower case) tells."""
    return _BY_SUFFIX.get(suffix)


def by_shebang(start: str) -> str | None:
    """Return the language that a first line `#!` names."""
    match = _SHEBANG.match(start)
    return _BY_PROGRAM.get(match[1], match[1]) if match else None


def of_fence(language: str) -> str:
    """Return the language of a fenced block, its own word where that is none of ours."""
    return _FENCES.get(language, language)

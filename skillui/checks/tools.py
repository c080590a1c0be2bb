"""Declared tools, and which of them open the door wide."""

from __future__ import annotations

import re
from typing import Final

_ANY: Final = frozenset({"", "*", ":*", "**"})
_WIDE: Final = {
    "*": "any tool",
    "Bash": "any command",
    "Shell": "any command",
    "PowerShell": "any command",
    "Execute": "any command",
    "KillShell": "stops commands",
    "Write": "any file",
    "Edit": "any file",
    "MultiEdit": "any file",
    "NotebookEdit": "any notebook",
    "WebFetch": "any address",
    "WebSearch": "the whole web",
    "Task": "other agents",
    "Agent": "other agents",
    "Skill": "other skills",
}
_SHELLS: Final = frozenset({"Bash", "Shell", "PowerShell", "Execute"})
# Programs that run whatever text they are given: allowing them with any arguments allows everything.
_RUNNERS: Final = re.compile(
    r"ash|awk|bash|bun|busybox|cmd|curl|dash|deno|doas|docker|env|eval|exec|find|fish|ksh|lua|make|node|npx|perl|php|"
    r"powershell|pwsh|python[\d.]*|ruby|sh|source|ssh|sudo|su|uvx|wget|xargs|zsh"
)
_CALL: Final = re.compile(r"(?P<name>[^()]*)\((?P<scope>.*)\)", re.DOTALL)


def broad_reason(tool: str) -> str | None:
    """Say in a few words what a declared tool allows where that is nearly anything, else None."""
    match = _CALL.fullmatch(tool.strip())
    name, scope = (match["name"], match["scope"].strip()) if match else (tool.strip(), "")
    if name not in _WIDE:
        return "every tool of a server" if name.startswith("mcp__") and name.endswith("*") else None
    if scope in _ANY or scope in ("domain:*", "//**", "/**"):
        return _WIDE[name]
    if name in _SHELLS:
        program, _, rest = scope.replace(":", " ").partition(" ")
        # `python3 scripts/*` runs what the skill brought, `python3 *` whatever it is given.
        wild = "*" in rest and rest.strip("* ") in ("", "-c", "-e", "-m", "-lc")
        if _RUNNERS.fullmatch(program.rpartition("/")[2]) and wild:
            return "runs any code"
    return None


def is_broad(tool: str) -> bool:
    """Tell whether a declared tool allows nearly anything."""
    return broad_reason(tool) is not None

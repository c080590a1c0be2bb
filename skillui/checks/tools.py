"""Declared tools, and which of them open the door wide."""

from __future__ import annotations

import re
from typing import Final

from skillui.checks.rule import Capability

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


_FORBIDDEN: Final = frozenset(
    {
        "*",
        "Bash",
        "Shell",
        "PowerShell",
        "Execute",
        "Write",
        "Edit",
        "MultiEdit",
        "NotebookEdit",
        "WebFetch",
        "WebSearch",
    }
)
_TRUE_SHELLS: Final = re.compile(
    r"(?:ba|z|da|k|a|fi)?sh|busybox|cmd|powershell|pwsh|eval|exec|sudo|su|doas|env|xargs|source"
)
_CAPABILITIES: Final = {
    **dict.fromkeys(("Bash", "Shell", "PowerShell", "Execute"), Capability.SHELL),
    **dict.fromkeys(("Write", "Edit", "MultiEdit", "NotebookEdit"), Capability.WRITES),
    **dict.fromkeys(("WebFetch", "WebSearch"), Capability.NETWORK),
}


def forbidden_reason(tool: str) -> tuple[str, bool] | None:
    """Say why a portable skill may not declare a tool, and whether that is plain; None where it may.

    Tools that reach other agents or servers are broad and no business of this judgement; a program that runs
    whatever it is given (`python3 *`) is the milder case, a shell the plain one.
    """
    name = tool.partition("(")[0].strip()
    reason = broad_reason(tool) if name in _FORBIDDEN else None
    if reason is None:
        return None
    if reason != "runs any code":
        return reason, True
    match = _CALL.fullmatch(tool.strip())
    program = match["scope"].strip().replace(":", " ").partition(" ")[0] if match else ""
    return reason, _TRUE_SHELLS.fullmatch(program.rpartition("/")[2]) is not None


def capability_of(tool: str) -> tuple[Capability, ...]:
    """Return what a declared tool lets a skill do."""
    name = tool.partition("(")[0].strip()
    if name == "*":
        return (Capability.NETWORK, Capability.WRITES, Capability.SHELL)
    return (_CAPABILITIES[name],) if name in _CAPABILITIES else ()

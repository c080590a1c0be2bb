"""Which declared tools open more than a skill should need: shown beside them, never a decision."""

from __future__ import annotations

import re

_BROAD = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit", "WebFetch", "WebSearch", "*"})
_SHELLS = frozenset({"sh", "bash", "zsh", "fish", "dash", "ksh", "env", "sudo", "python", "python3", "node", "eval"})
_CALL = re.compile(r"(?P<tool>[^()]+)\((?P<scope>.*)\)", re.DOTALL)


def is_broad(tool: str) -> bool:
    """Tell whether a tool of `allowed-tools` is unscoped or lets any command run."""
    tool = tool.strip()
    call = _CALL.fullmatch(tool)
    if call is None:
        return tool in _BROAD or tool == "Bash"
    name, scope = call["tool"].strip(), call["scope"].strip()
    unscoped = scope.strip(":*/. ") == ""
    if name == "Bash":
        # `sh:*` lets any command run, `python3 scripts/*` only what the skill brought.
        program, *rest = re.split(r"[\s:]", scope, maxsplit=1)
        wild = bool(rest) and rest[0].strip("* ") in ("", "-c", "-e") and "*" in rest[0]
        return unscoped or (wild and program.rsplit("/", 1)[-1] in _SHELLS)
    return unscoped and name in _BROAD

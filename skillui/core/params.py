"""Parameters of the skill tool (specification §2): shape, aliases, names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skillui.core.reading import Argument
from skillui.core.schema import MAX_NAME, NAME_PATTERN
from skillui.core.substitution import Arguments
from skillui.core.text import clipped, has_surrogate

_TO_NAME = "use 'name'"
_TO_ARGUMENTS = "use 'arguments'"
_IMPLICIT = "drop it; calling the tool activates the skill implicitly"
_SESSION = "drop it; skill context is session-scoped; no per-call override"
_RELOAD = "drop it; skills load once per session; edit the skill file and restart the session to refresh"
_FORK = "drop it; subagent-forked skills deferred to v1.1"
_PATHS = "drop it; activation by file paths deferred to v1.1"
_MODEL = "drop it; model / effort overrides are harness concerns, not tool parameters (deferred to v1.1)"
_BY_NAME = "drop it; skills dispatch by name, not path; the harness owns discovery"

ALIASES: dict[str, str] = {
    **dict.fromkeys(("skill", "skill_name", "name_of_skill", "slug"), _TO_NAME),
    **dict.fromkeys(("invoke", "activate", "run"), _IMPLICIT),
    **dict.fromkeys(("args", "args_string", "input", "params", "parameters"), _TO_ARGUMENTS),
    **dict.fromkeys(("context", "session"), _SESSION),
    **dict.fromkeys(("reload", "fresh", "force_reload", "refresh"), _RELOAD),
    **dict.fromkeys(("fork", "subagent", "isolated"), _FORK),
    **dict.fromkeys(("paths", "scope_paths"), _PATHS),
    **dict.fromkeys(("model", "effort"), _MODEL),
    **dict.fromkeys(("file", "file_path", "skill_path", "dir"), _BY_NAME),
}
"""What to say to each key that models send instead of the right one (§2.1)."""
_SHOWN_UNKNOWN = 8


@dataclass(frozen=True, slots=True)
class Call:
    """A call whose shape is right; `arguments` is None where they are left out."""

    name: str
    arguments: Arguments = None


class InvalidParam(Exception):
    """The parameters are wrong; the message names every fault, joined by `; `."""


def read_params(params: object) -> Call:
    """Check the raw parameters of a call. Raises `InvalidParam`."""
    if not isinstance(params, Mapping):
        raise InvalidParam("parameters must be an object with 'name' and, optionally, 'arguments'")
    faults = _key_faults(params)
    if "name" in params:
        if (fault := _name_fault(params["name"])) is not None:
            faults.append(fault)
    elif not any(ALIASES.get(key) == _TO_NAME for key in params if isinstance(key, str)):
        faults.append("parameter 'name' is required")
    arguments = params.get("arguments")
    if (fault := _arguments_fault(arguments)) is not None:
        faults.append(fault)
    if faults:
        raise InvalidParam("; ".join(faults))
    return Call(params["name"], _arguments(arguments))


def _arguments(arguments: Any) -> Arguments:
    """Return the arguments, an empty map and null counting as left out."""
    if isinstance(arguments, Mapping):
        return {str(key): str(value) for key, value in arguments.items()} or None
    return arguments if isinstance(arguments, str) else None


def _key_faults(params: Mapping[Any, Any]) -> list[str]:
    faults = []
    for key in [key for key in params if key not in ("name", "arguments")]:
        shown = f"'{clipped(str(key), 64)}'"
        advice = ALIASES.get(key) if isinstance(key, str) else None
        if advice is None:
            faults.append(f"unknown parameter {shown}: the tool takes 'name' and 'arguments'")
        else:
            faults.append(f"unknown parameter {shown}: {advice}")
    extra = len(faults) - _SHOWN_UNKNOWN
    return faults if extra <= 0 else [*faults[:_SHOWN_UNKNOWN], f"{extra} more unknown parameters"]


def _name_fault(name: object) -> str | None:
    if not isinstance(name, str):
        return f"parameter 'name' must be a string, not {_type(name)}"
    if not name:
        return "parameter 'name' is empty; skill name must be lowercase-kebab-case"
    if len(name) > MAX_NAME:
        return f"parameter 'name' is {len(name)} characters, past the limit of {MAX_NAME}"
    if not NAME_PATTERN.fullmatch(name):
        return f"skill name must be lowercase-kebab-case, not '{clipped(name, 64)}'"
    return None


def _arguments_fault(arguments: object) -> str | None:
    if arguments is None:
        return None
    if isinstance(arguments, str):
        return "parameter 'arguments' holds a lone surrogate, which is no text" if has_surrogate(arguments) else None
    if not isinstance(arguments, Mapping):
        return f"parameter 'arguments' must be a string or an object of strings, not {_type(arguments)}"
    for key, value in arguments.items():
        shown = f"'{clipped(str(key), 64)}'"
        if not isinstance(key, str) or not isinstance(value, str):
            return f"argument {shown} must be a string, not {_type(value)}"
        if has_surrogate(key) or has_surrogate(value):
            return f"argument {shown} holds a lone surrogate, which is no text"
    return None


def _type(value: object) -> str:
    names = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
        type(None): "null",
    }
    return names.get(type(value), type(value).__name__)


def check_arguments(name: str, arguments: Arguments, declared: tuple[Argument, ...] | None) -> None:
    """Check arguments against what the skill declares (§2). Raises `InvalidParam`."""
    if declared is None or not declared:
        if isinstance(arguments, Mapping):
            raise InvalidParam(f"skill `{name}` does not accept named arguments")
        return
    names = ", ".join(argument.name for argument in declared)
    if isinstance(arguments, str):
        raise InvalidParam(f"skill `{name}` expects named arguments: {names}")
    given = arguments or {}
    known = {argument.name for argument in declared}
    faults = [
        f"skill `{name}` declares no argument '{clipped(key, 64)}'; it declares: {names}"
        for key in given
        if key not in known
    ]
    faults += [
        f"skill `{name}` requires the argument '{argument.name}'"
        for argument in declared
        if argument.required and argument.name not in given
    ]
    if faults:
        raise InvalidParam("; ".join(faults))

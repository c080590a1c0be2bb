"""The `session` object of a request: every setting checked by name and type, none ever guessed."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from skillui.core import ConfigFault, PermissionHook, SessionConfig, fixed_hook
from skillui.serve.rpc_requests import INVALID_PARAMS, RpcFault, refuse_unknown

HOOKS = ("allow", "allow_once", "deny", "ask", "broker")
"""What `hook` may name; null is no hook at all."""
TRUST_MODES = ("hook_required", "warn", "allow")


@dataclass(frozen=True, slots=True)
class CallSettings:
    """What one call brings along: its session's settings, its hook, and who it speaks for."""

    config: SessionConfig
    hook: PermissionHook | None = None
    user_initiated: bool = False


def read_session(session: Any) -> CallSettings:
    """Read a `session` object. Raises `RpcFault` that names the setting."""
    if not isinstance(session, dict):
        raise _fault("'session' must be an object")
    refuse_unknown(session, (*_READERS, "hook", "user_initiated"), "session setting")
    if "roots" in session and "workspace_roots" in session:
        raise _fault("'roots' is another name of 'workspace_roots': give one of them")
    settings = {_NAMES.get(key, key): read(key, session[key]) for key, read in _READERS.items() if key in session}
    if "cwd" not in settings:
        settings["cwd"] = _here()
    try:
        config = SessionConfig(**settings)
    except ConfigFault as fault:
        raise _fault(str(fault)) from None
    hook = _hook(session.get("hook"))
    return CallSettings(config, hook, read_flag("user_initiated", session.get("user_initiated", False)))


def read_flag(key: str, value: Any) -> bool:
    """Read `true` or `false`. Raises `RpcFault`."""
    if not isinstance(value, bool):
        raise _fault(f"'{key}' must be true or false")
    return value


def _hook(name: Any) -> PermissionHook | None:
    if name is None:
        return None
    if not isinstance(name, str) or name not in HOOKS:
        raise _fault(f"'hook' must be null or one of {', '.join(HOOKS)}")
    if name != "broker":
        return fixed_hook(name)
    from skillui.serve.broker_client import broker_hook  # sockets, of which no other session needs any

    return broker_hook("rpc")


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:
        raise _fault("'cwd' is needed: the bridge's own working directory is gone") from None


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise _fault(f"'{key}' must be text that is not empty")
    return value


def _path(key: str, value: Any) -> str:
    path = _text(key, value)
    try:
        usable = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        usable = False
    if not usable:
        raise _fault(f"'{key}' holds a path with a character that no path can have")
    return path


def _cwd(key: str, value: Any) -> str:
    path = _path(key, value)
    if not os.path.isabs(path):
        raise _fault(f"'{key}' must be an absolute path")
    return path


def _list_of(read: Callable[[str, Any], str]) -> Callable[[str, Any], tuple[str, ...]]:
    def read_list(key: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise _fault(f"'{key}' must be a list of text")
        return tuple(read(key, item) for item in value)

    return read_list


def _mode(key: str, value: Any) -> str:
    if value not in TRUST_MODES:
        raise _fault(f"'{key}' must be one of {', '.join(TRUST_MODES)}")
    return str(value)


def _fault(message: str) -> RpcFault:
    return RpcFault(INVALID_PARAMS, message)


_NAMES = {"roots": "workspace_roots"}
_READERS: dict[str, Callable[[str, Any], Any]] = {
    "cwd": _cwd,
    "skill_roots": _list_of(_path),
    "workspace_roots": _list_of(_path),
    "roots": _list_of(_path),
    "trusted_roots": _list_of(_path),
    "untrusted_project_skills": _mode,
    "sensitive_patterns": _list_of(_text),
    "bypass_workspace_guard": read_flag,
    "unsafe_allow_skill_without_hook": read_flag,
    "id": _text,
}

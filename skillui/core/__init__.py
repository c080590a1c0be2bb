"""The engine: one skill on disk and one session, after the skill-tool specification.

    registry = FilesystemSkillRegistry(["/srv/shop/.skills"])
    session = SkillSession(SessionConfig(cwd="/srv/shop"), registry=registry, hook=ask_a_person)
    result = await session.skill({"name": "deploy", "arguments": "staging"})
    print(result.kind, result.output)

No screen, no printing, no network, no home folder: whoever calls decides where skills lie.
"""

import importlib
import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skillui.core.catalog import (
        AnyEntry,
        BrokenSkill,
        Catalog,
        CatalogRegistry,
        LoadedSkill,
        SkillEntry,
        SkillRegistry,
        catalog_of,
    )
    from skillui.core.config import SENSITIVE_PATTERNS, ConfigFault, SessionConfig
    from skillui.core.digest import ContentDigest, content_digest
    from skillui.core.events import AskedElsewhere, CallRecord, SkillEvent
    from skillui.core.gate import Gate
    from skillui.core.permission import HookRefusal, PermissionHook, PermissionRequest, fixed_hook
    from skillui.core.problems import ErrorCode, Problem, Severity
    from skillui.core.registry import FilesystemSkillRegistry
    from skillui.core.results import AlreadyLoaded, Error, NotFound, Ok, SkillResult
    from skillui.core.session import SkillSession
    from skillui.core.skill import ParsedSkill, parse_skill
    from skillui.core.state import SessionState
    from skillui.core.tool import tool_definition

logging.getLogger("skillui").addHandler(logging.NullHandler())  # a library never prints

# Whoever only lists skills needs neither sessions nor asyncio: names are loaded when they are used.
_HOMES = {
    "catalog": "AnyEntry BrokenSkill Catalog CatalogRegistry LoadedSkill SkillEntry SkillRegistry catalog_of",
    "config": "SENSITIVE_PATTERNS ConfigFault SessionConfig",
    "digest": "ContentDigest content_digest",
    "events": "AskedElsewhere CallRecord SkillEvent",
    "gate": "Gate",
    "permission": "HookRefusal PermissionHook PermissionRequest fixed_hook",
    "problems": "ErrorCode Problem Severity",
    "registry": "FilesystemSkillRegistry",
    "results": "AlreadyLoaded Error NotFound Ok SkillResult",
    "session": "SkillSession",
    "skill": "ParsedSkill parse_skill",
    "state": "SessionState",
    "tool": "tool_definition",
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "SENSITIVE_PATTERNS",
    "AlreadyLoaded",
    "AnyEntry",
    "AskedElsewhere",
    "BrokenSkill",
    "CallRecord",
    "Catalog",
    "CatalogRegistry",
    "ConfigFault",
    "ContentDigest",
    "Error",
    "ErrorCode",
    "FilesystemSkillRegistry",
    "Gate",
    "HookRefusal",
    "LoadedSkill",
    "NotFound",
    "Ok",
    "ParsedSkill",
    "PermissionHook",
    "PermissionRequest",
    "Problem",
    "SessionConfig",
    "SessionState",
    "Severity",
    "SkillEntry",
    "SkillEvent",
    "SkillRegistry",
    "SkillResult",
    "SkillSession",
    "catalog_of",
    "content_digest",
    "fixed_hook",
    "parse_skill",
    "tool_definition",
]


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

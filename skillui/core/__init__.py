"""The engine: one skill on disk and one session, after the skill-tool specification.

    registry = FilesystemSkillRegistry(["/work/shop/.skills"])
    session = SkillSession(SessionConfig(cwd="/work/shop"), registry=registry, hook=ask_a_person)
    result = await session.skill({"name": "deploy", "arguments": "staging"})
    print(result.kind, result.output)

No screen, no printing, no network, no home folder: whoever calls decides where skills lie.
"""

import logging

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
from skillui.core.events import CallRecord, SkillEvent
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

__all__ = [
    "SENSITIVE_PATTERNS",
    "AlreadyLoaded",
    "AnyEntry",
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

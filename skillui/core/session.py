"""`SkillSession`: the activation engine (specification §7), the one every surface calls."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from skillui.core.catalog import (
    AnyEntry,
    Audience,
    BrokenSkill,
    Catalog,
    CatalogRegistry,
    LoadedSkill,
    SkillRegistry,
    catalog_of,
)
from skillui.core.config import SessionConfig
from skillui.core.delivery import Refused, admit, broken_error, deliver, io_error, meta_of, siblings_of
from skillui.core.denial import ask_hook, denial_error
from skillui.core.events import CallRecord, SkillEvent, outcome, utc_now
from skillui.core.gate import Gate, judge
from skillui.core.params import Call, InvalidParam, read_params
from skillui.core.permission import Decision, PermissionHook, PermissionRequest
from skillui.core.problems import ErrorCode
from skillui.core.registry import FilesystemSkillRegistry
from skillui.core.results import AlreadyLoaded, Error, NotFound, Ok, SkillResult
from skillui.core.state import Activation, Denial, SessionState

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Trace:
    """What one call went through, for its event."""

    seq: int
    turn: int
    initiator: str
    gate: Gate | None = None
    digest: str | None = None
    decision: Decision | None = None
    question: dict[str, Any] | None = None
    name: str | None = None
    dir: str | None = None
    started: float = field(default_factory=time.perf_counter)

    @property
    def by_user(self) -> bool:
        return self.initiator == "user"


class SkillSession:
    """One session of the skill tool.

    `registry` defaults to the folders of `config`. Without a `hook` only
    `unsafe_allow_skill_without_hook` lets anything load. `hook_timeout` is in seconds, None waits
    for ever. Sessions that share a `state` share the activated set and the call counter.
    """

    def __init__(
        self,
        config: SessionConfig,
        *,
        registry: SkillRegistry | None = None,
        hook: PermissionHook | None = None,
        hook_timeout: float | None = None,
        state: SessionState | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.config = config
        self.registry: SkillRegistry = registry or FilesystemSkillRegistry(config.roots)
        self.hook = hook
        self.hook_timeout = hook_timeout
        self.state = state or SessionState(config.session_id)
        self._clock = clock
        self._catalog: Catalog | None = None

    async def skill(self, params: object, *, user_initiated: bool = False, turn: int | None = None) -> SkillResult:
        """Activate a skill: the whole tool. Never raises, but for the cancellation of the caller.

        `params` is the model's object as it stands, however wrong. `turn` defaults to the number
        of the call. One event is logged, in call order.
        """
        seq = self.state.begin()
        trace = _Trace(seq, seq if turn is None else turn, "user" if user_initiated else "model")
        try:
            result = await self._activate(params, trace)
        except asyncio.CancelledError:
            code = trace.gate.denial if trace.gate else ErrorCode.PERMISSION_DENIED
            self._finish(params, trace, Error(code, "the call was cancelled, which counts as a denial"))
            raise
        except Exception as error:
            _log.exception("a call failed")
            result = Error(ErrorCode.IO_ERROR, f"the skill could not be loaded: {error.__class__.__name__}: {error}")
        self._finish(params, trace, result)
        return result

    async def catalog(self) -> Catalog:
        """Return the catalog, reading it the first time (§7)."""
        if isinstance(self.registry, CatalogRegistry):
            return await catalog_of(self.registry)
        if self._catalog is None:
            self._catalog = await catalog_of(self.registry)
        return self._catalog

    def judge(self, entry: AnyEntry) -> Gate:
        """Tell what stands between a call and this skill, without asking anyone."""
        return judge(self.config, entry.dir, entry.skill_md or entry.dir)

    def preview(
        self, skill: LoadedSkill | BrokenSkill, arguments: object = None, *, user_initiated: bool = False
    ) -> SkillResult:
        """Return what activation would once every gate allowed; nothing is activated and no hook asked.

        `Ok.substitution` tells what was replaced. Blocking: the resource folders are listed.
        """
        if isinstance(skill, BrokenSkill):
            return broken_error(skill)
        try:
            call = read_params({"name": skill.entry.name, "arguments": arguments})
            admit(call, skill.entry, skill.parsed.frontmatter, skill.parsed.arguments, user_initiated)
            return deliver(skill, call, None, ())
        except InvalidParam as fault:
            return Error(ErrorCode.INVALID_PARAM, str(fault), meta_of(skill.entry))
        except Refused as refused:
            return refused.error

    def close(self) -> None:
        """End the session: hooks that are still being asked are cancelled and count as denials."""
        self.state.close()

    async def _activate(self, params: object, trace: _Trace) -> SkillResult:
        try:
            call = read_params(params)
        except InvalidParam as fault:
            return Error(ErrorCode.INVALID_PARAM, str(fault))
        trace.name = call.name
        async with self.state.lock(call.name):
            if (active := self.state.activated.get(call.name)) is not None:
                return AlreadyLoaded(call.name, active.turn)
            try:
                result = await self._load(call, trace)
            except Refused as refused:
                return refused.error
            if isinstance(result, Ok):
                self.state.activated[call.name] = Activation(trace.turn, result.digest, result.dir)
            return result

    async def _load(self, call: Call, trace: _Trace) -> SkillResult:
        catalog = await self.catalog()
        entry = catalog.by_name.get(call.name)
        if entry is None:
            if (broken := catalog.broken_by_name.get(call.name)) is not None:
                return broken_error(broken)
            return self._not_found(call.name, catalog, trace)
        admit(call, entry, entry.frontmatter, entry.arguments, trace.by_user)
        try:
            loaded = await self.registry.load(call.name)
        except OSError as fault:
            return io_error(entry, fault)
        if loaded is None:
            return self._not_found(call.name, catalog, trace)
        if isinstance(loaded, BrokenSkill):
            return broken_error(loaded)
        # The file may have changed since discovery: the bytes that are returned must pass too.
        admit(call, loaded.entry, loaded.parsed.frontmatter, loaded.parsed.arguments, trace.by_user)
        trace.dir = loaded.entry.dir
        warnings = await self._pass_gates(call, loaded, trace)
        return await asyncio.to_thread(deliver, loaded, call, trace.digest, warnings)

    def _not_found(self, name: str, catalog: Catalog, trace: _Trace) -> NotFound:
        audience: Audience = "user" if trace.by_user else "model"
        return NotFound(name, siblings_of(name, catalog.view(audience)))

    async def _pass_gates(self, call: Call, skill: LoadedSkill, trace: _Trace) -> list[str]:
        """Take a loaded skill through fence, patterns, trust and hook; return warnings. Raises `Refused`."""
        gate = trace.gate = self.judge(skill.entry)
        if self.hook is None and not gate.opens_without_hook(self.config):
            raise Refused(denial_error(gate, skill.entry, "no permission hook is set"))
        digest = await asyncio.to_thread(skill.files.digest)
        trace.digest = digest.value
        if self.hook is not None:
            request = PermissionRequest(
                skill,
                gate,
                digest.value,
                trace.initiator,
                self.state.id,
                trace.turn,
                call.arguments,
                digest.reason,
            )
            await self._ask(self.hook, request, trace)
        if gate.warning is None:
            return []
        _log.warning("skill %s: %s", skill.entry.name, gate.warning)
        return [gate.warning]

    async def _ask(self, hook: PermissionHook, request: PermissionRequest, trace: _Trace) -> None:
        """Put the question to the hook once. Raises `Refused` on anything but an allowance."""
        past = self.state.denials.get(request.name)
        if past is not None and past.answers(trace.seq, request.digest, trace.initiator):
            trace.decision = Decision(False, "deny")
            raise Refused(past.error)
        trace.question = request.to_json()
        trace.decision = await ask_hook(hook, request, self.state, self.hook_timeout)
        if trace.decision.allowed:
            return
        error = denial_error(request.gate, request.skill.entry, trace.decision.words)
        self.state.denials[request.name] = Denial(self.state.calls, request.digest, trace.initiator, error)
        raise Refused(error)

    def _finish(self, params: object, trace: _Trace, result: SkillResult) -> None:
        code, size, digest = outcome(result)
        given = params.get("arguments") if isinstance(params, Mapping) else None
        decision = trace.decision
        event = SkillEvent(
            trace.seq, self._clock().isoformat().replace("+00:00", "Z"), self.state.id, trace.turn, trace.initiator,
            trace.name, given, result.kind, code, decision.answer if decision else None,
            trace.gate.reason if trace.gate else None, trace.gate.flags if trace.gate else (), digest or trace.digest,
            size, round((time.perf_counter() - trace.started) * 1000, 3),
        )  # fmt: skip
        body = result.body if isinstance(result, Ok) else None
        fault = decision.fault if decision else None
        self.state.finish(CallRecord(event, params, result, trace.question, fault, body, trace.dir))

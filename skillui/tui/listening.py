"""Questions of other processes: the app listens for them, and its prompt answers them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from skillui.core import Gate, LoadedSkill, PermissionRequest
from skillui.serve.broker_place import BrokerFault, find_runtime_folder
from skillui.serve.broker_request import BrokerRequest, ask_from_disk
from skillui.serve.broker_server import BrokerServer
from skillui.tui import clock
from skillui.tui.prompts import PromptQueue

if TYPE_CHECKING:
    from skillui.tui.workbench import Workbench

_log = logging.getLogger(__name__)


class Listening:
    """The broker's server over one app. Only for the app's event loop.

    Skills are read from disk here and judged by this app's own settings: of what another process
    says of a skill, only what makes the question graver is believed.
    """

    def __init__(self, workbench: Workbench, prompts: PromptQueue, answered: Callable[[], object]) -> None:
        """Put questions to `prompts`; `answered` is called once the log of sessions holds one more."""
        self._workbench = workbench
        self._prompts = prompts
        self._answered = answered
        self._asking: dict[int, BrokerRequest] = {}
        ask = ask_from_disk(self._ask, self._judge, self._told)
        self._server = BrokerServer(
            find_runtime_folder(), ask, self._count, project=workbench.launch.project.path
        )  # fmt: skip
        prompts.on_deny_all = self.deny_all

    @property
    def path(self) -> str | None:
        """The socket, None while nobody can ask."""
        return self._server.path

    async def start(self) -> None:
        """Listen from now on; where that cannot be, the log says why and the app goes on without."""
        try:
            await self._server.start()
        except BrokerFault as fault:
            _log.warning("other processes cannot ask: %s", fault)

    async def close(self) -> None:
        """Deny what waits, and listen no more."""
        await self._server.close()

    def deny_all(self) -> None:
        """Deny everything that other processes wait for."""
        self._server.deny_all()

    def asker(self, request: PermissionRequest) -> str:
        """Say which process asks, "" where it is this app itself."""
        question = self._asking.get(id(request))
        if question is None:
            return ""
        asking = question.asking
        return f"{asking.program} (process {asking.pid}, by {asking.via})"

    async def _ask(self, request: PermissionRequest) -> str:
        asker, began = self.asker(request), time.monotonic()
        answer = None
        try:
            answer = await self._prompts.ask(request)
            return answer
        finally:
            self._asking.pop(id(request), None)
            self._workbench.log.asked.add(request, asker, answer, time.monotonic() - began, clock.utc_now())
            self._answered()

    def _told(self, question: BrokerRequest, request: PermissionRequest) -> None:
        self._asking[id(request)] = question

    def _judge(self, skill: LoadedSkill) -> Gate:
        return self._workbench.judge(skill.entry)

    def _count(self, waiting: int) -> None:
        # One of them is in the prompts' own queue while it is asked.
        self._prompts.set_behind(max(0, waiting - 1))

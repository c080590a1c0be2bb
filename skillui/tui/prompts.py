"""`PromptQueue`: the engine's hook for a person at the screen, one question at a time."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from textual.app import App

from skillui.core import PermissionRequest
from skillui.tui.dialogs.permission import Answer, PermissionPrompt
from skillui.tui.model.prompt_facts import PromptFacts

_log = logging.getLogger(__name__)

ALWAYS: Final = "Always is for exactly these bytes, and is remembered until you revoke it."
_SOON: Final = 0.2
"""Seconds that a prompt waits for what is known beside a request, before it is shown without."""


@dataclass(eq=False, slots=True)
class _Waiting:
    """A request, whom to tell, and the prompt once it is shown."""

    request: PermissionRequest
    answer: asyncio.Future[str]
    prompt: PermissionPrompt | None = None


class PromptQueue:
    """Queues the engine's questions; `ask` is the hook. Only for the app's event loop.

    `describe` finds out what is known beside a request; the prompt does not wait long for it.
    Whatever goes wrong is a denial.
    """

    def __init__(
        self,
        app: App[Any],
        *,
        describe: Callable[[PermissionRequest], Awaitable[PromptFacts]] | None = None,
        always_note: str = ALWAYS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._describe = describe
        self._always_note = always_note
        self._clock = clock
        self._queue: list[_Waiting] = []
        self._asking = False
        self._closed = False
        self._behind = 0
        self.on_deny_all: Callable[[], None] | None = None
        """Denies what waits elsewhere too, when the person denies all at once."""

    @property
    def waiting(self) -> int:
        """Requests without an answer, the one on the screen included."""
        return len(self._queue)

    async def ask(self, request: PermissionRequest) -> str:
        """Put a question to the person and return `allow`, `allow_once` or `deny`."""
        if self._closed or not self._app.is_running:
            return Answer.DENY.value
        waiting = _Waiting(request, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._show_count()
        if not self._asking:
            self._asking = True
            # By the app's own message loop: the engine's task may belong to no screen at all.
            if not self._app.call_later(self._start):
                self._asking = False
                self.close()
        try:
            return await waiting.answer
        finally:
            self._leave(waiting)

    def set_behind(self, waiting: int) -> None:
        """Tell how many questions wait elsewhere for their turn."""
        self._behind = waiting
        self._show_count()

    def close(self) -> None:
        """Deny what waits, and whatever is asked from now on."""
        self._closed = True
        self._deny_all()

    def _start(self) -> None:
        self._app.run_worker(
            self._ask_all(), name="prompts", group="prompts", exit_on_error=False, description="asking the person"
        )

    async def _ask_all(self) -> None:
        try:
            while self._queue:
                await self._ask_one(self._queue[0])
        except asyncio.CancelledError:
            self.close()  # the app ends
            raise
        except Exception:
            _log.exception("a prompt failed, which counts as a denial")
            self._deny_all()
        finally:
            self._asking = False

    async def _ask_one(self, waiting: _Waiting) -> None:
        finding = asyncio.ensure_future(self._facts(waiting.request))
        done, _ = await asyncio.wait([finding], timeout=_SOON)
        known = finding.result() if done else None
        waiting.prompt = prompt = PermissionPrompt(
            waiting.request, known, always_note=self._always_note, clock=self._clock
        )
        if not done:
            finding.add_done_callback(lambda late: _tell(prompt, late))
        self._show_count()
        try:
            answer = await self._app.push_screen_wait(prompt)
        finally:
            finding.cancel()
        if waiting in self._queue:
            self._queue.remove(waiting)
        if not waiting.answer.done():
            waiting.answer.set_result((answer or Answer.DENY).value)
        if prompt.denies_all:
            self._deny_all()
            if self.on_deny_all is not None:
                self.on_deny_all()

    async def _facts(self, request: PermissionRequest) -> PromptFacts | None:
        if self._describe is None:
            return None
        try:
            return await self._describe(request)
        except Exception:
            _log.exception("nothing more is known of a request")
            return None

    def _leave(self, waiting: _Waiting) -> None:
        """Take a request out that has its answer, or whose caller was cancelled."""
        if waiting in self._queue:
            self._queue.remove(waiting)
        if waiting.prompt is not None:
            waiting.prompt.withdraw()
        self._show_count()

    def _deny_all(self) -> None:
        pending, self._queue = self._queue, []
        for waiting in pending:
            if not waiting.answer.done():
                waiting.answer.set_result(Answer.DENY.value)

    def _show_count(self) -> None:
        if self._queue and (prompt := self._queue[0].prompt) is not None:
            prompt.set_waiting(1, len(self._queue) + self._behind)


def _tell(prompt: PermissionPrompt, late: asyncio.Future[PromptFacts | None]) -> None:
    """Tell a prompt on the screen what was found out meanwhile."""
    if not late.cancelled() and (known := late.result()) is not None:
        prompt.tell(known)

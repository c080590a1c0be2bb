"""Checking many skills: one after the other, or shared among processes where they are many."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from skillui.checks.profiles import Profile
from skillui.checks.report import CheckedSkill
from skillui.checks.run import check_skill
from skillui.checks.subject import subject_of
from skillui.core.catalog import AnyEntry, BrokenSkill, LoadedSkill
from skillui.core.registry import FilesystemSkillRegistry

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

    _Part = tuple[int, Future[list[CheckedSkill]] | None]
    """Where a batch begins, and what comes of it; None where nobody helps."""

Choice = tuple[Profile, frozenset[str], frozenset[str]]
"""The profile, the codes that run (all where it is empty), the codes that do not."""
MANY: Final = 100
"""Skills from which on processes share the work: to start them costs about what ten skills do."""
_BATCH: Final = 20
_ENDING: Final = frozenset({signal.SIGINT, signal.SIGTERM})
_MOST: Final = 8
"""Processes at most: the catalog is read and the report written by one."""


def checked(loaded: LoadedSkill | BrokenSkill, choice: Choice) -> CheckedSkill:
    """Check one skill as it was read. Never raises."""
    subject = subject_of(loaded)
    entry = loaded if isinstance(loaded, BrokenSkill) else loaded.entry
    listing = len(subject.parsed.name) + 2 + len(subject.parsed.description.strip())
    body = len(subject.parsed.body)
    return CheckedSkill(entry.name, entry.location, check_skill(subject, *choice), listing, body)


def processes_for(skills: int) -> int:
    """Return how many processes share the check of so many skills, 1 where this one does it alone.

    Forked is only where that is sound: on Linux, and while this process has no thread but one.
    """
    if skills < MANY or sys.platform != "linux" or threading.active_count() > 1:
        return 1
    return min(len(os.sched_getaffinity(0)), _MOST)


@dataclass(frozen=True, slots=True)
class _Work:
    """What a process needs to check a part of a catalog."""

    registry: FilesystemSkillRegistry
    entries: Sequence[AnyEntry]
    choice: Choice

    def part(self, start: int) -> list[CheckedSkill]:
        """Check one batch; a skill that went away since the scan is left out."""
        loaded = map(self.registry.load_entry, self.entries[start : start + _BATCH])
        return [checked(skill, self.choice) for skill in loaded if skill is not None]


@contextmanager
def shared(
    registry: FilesystemSkillRegistry, entries: Sequence[AnyEntry], choice: Choice, processes: int
) -> Iterator[Iterator[CheckedSkill]]:
    """Check entries in other processes while this one goes on; gives what they found, in the order of `entries`.

    What a process did not finish, because it was killed or found no memory, is checked in this one.
    """
    work = _Work(registry, entries, choice)
    helpers, parts = _hired(work, processes)
    try:
        yield _collected(work, parts)
    finally:
        if helpers is not None:
            helpers.shutdown(wait=True, cancel_futures=True)


def _hired(work: _Work, processes: int) -> tuple[ProcessPoolExecutor | None, list[_Part]]:
    """Start the helpers and share out the work; None, and nothing shared, where the system has no process to spare."""
    starts = range(0, len(work.entries), _BATCH)
    helpers = None
    try:
        from concurrent.futures import ProcessPoolExecutor  # costly to import, and most runs check one skill
        from multiprocessing import active_children, get_context

        before = active_children()
        helpers = ProcessPoolExecutor(processes, get_context("fork"), _begin, (work,))
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
        try:
            return helpers, [(start, helpers.submit(_part, start)) for start in starts]
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    except (OSError, ImportError, NotImplementedError):  # a limit, or a system without semaphores
        if helpers is not None:  # of two processes the first may have begun, and would wait for work for ever
            _dismiss([child for child in active_children() if child not in before])
        return None, [(start, None) for start in starts]


def _dismiss(children: list[BaseProcess]) -> None:
    for child in children:
        child.terminate()
    for child in children:
        child.join()


def _collected(work: _Work, parts: list[_Part]) -> Iterator[CheckedSkill]:
    for start, future in parts:
        yield from work.part(start) if future is None else _finished(work, start, future)


def _finished(work: _Work, start: int, future: Future[list[CheckedSkill]]) -> list[CheckedSkill]:
    from concurrent.futures.process import BrokenProcessPool

    try:
        return future.result()
    except BrokenProcessPool:
        return work.part(start)


_own: _Work | None = None
"""In a process that helps: its work, which came with the fork. What is sent to it are numbers alone."""


def _begin(work: _Work) -> None:
    global _own
    # Ctrl+C ends a helper without a word: its parent has one. Since before the fork, nothing came through.
    for number in _ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    _own = work


def _part(start: int) -> list[CheckedSkill]:
    assert _own is not None
    return _own.part(start)

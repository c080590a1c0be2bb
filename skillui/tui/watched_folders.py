"""Which folders are watched for changes: by the system's notices, or by looks at the files where none come."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from skillui.core.files import is_below

MAX_FOLDERS: Final = 100_000
"""Folders that are watched in all."""
MAX_LINKED: Final = 2_000
"""Folders of one skill that its root holds a link to: the link may lead to a whole disk."""
_PASSED_OVER: Final = frozenset({".git", "__pycache__"})
_REST_EVERY: Final = 256
"""Folders between two moments in which whoever waits for the interpreter gets it."""

_STEP_MS: Final = 50
_DEBOUNCE_MS: Final = 200
_TURN_MS: Final = 500
_POLL: Final = 0.5
"""Seconds between two looks at the files."""
_PART: Final = 20
"""How many times longer than a look took the pause behind it is."""

_Stamp = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Paths that changed. With `began` a watch stands anew: before it, something may have changed unseen."""

    paths: tuple[str, ...] = ()
    began: bool = False


def notices(
    roots: Sequence[str], skills: Sequence[str], stop: threading.Event, *, interrupted: bool = False
) -> Iterator[Notice]:
    """Yield what the system tells of, and an empty notice twice a second, until told to `stop`.

    Raises whatever ends the watch: a limit of the system, a folder that went while it was set up, a name that is
    not UTF-8; with `interrupted` `KeyboardInterrupt` as well, in the main thread.
    """
    import watchfiles  # 65 ms that a first paint need not wait for

    # Only Linux watches folder by folder; told to do so by itself, the library follows links as well.
    each = sys.platform == "linux"
    while not stop.is_set():
        began = True
        folders = list(folders_below(roots, skills, stop.is_set)) if each else [*roots, *skills]
        if stop.is_set():
            return
        for batch in watchfiles.watch(
            *folders,
            watch_filter=None,
            step=_STEP_MS,
            debounce=_DEBOUNCE_MS,
            stop_event=stop,
            rust_timeout=_TURN_MS,
            yield_on_timeout=True,
            raise_interrupt=interrupted,
            recursive=not each,
            ignore_permission_denied=True,
        ):
            if stop.is_set():
                return
            yield Notice(tuple(path for _, path in batch), began)
            began = False
            if each and any(change == watchfiles.Change.added and os.path.isdir(path) for change, path in batch):
                break  # a folder came, which is to be watched as well


def looks(roots: Sequence[str], skills: Sequence[str], stop: threading.Event) -> Iterator[Notice]:
    """Yield what looks at the files show, until told to `stop`; the more files the rarer, so that it costs little."""
    seen = Looks(roots, skills, stop.is_set)
    yield Notice(began=True)
    while not stop.wait(max(_POLL, _PART * seen.seconds)):
        yield Notice(tuple(seen.changes()))


def folders_below(
    roots: Sequence[str], skills: Sequence[str] = (), stopped: Callable[[], bool] = lambda: False
) -> Iterator[str]:
    """Yield the folders that a change of a skill shows in, roots first; nothing more once it is `stopped`.

    Those are all below the roots and the single `skills`, and below the skills that links in a root lead to. No
    other link is followed: what a skill links to outside itself is no part of it.
    """
    seen: set[str] = set()
    linked = list(skills)
    for root in roots:
        yield from _walk(root, MAX_FOLDERS - len(seen), seen, stopped)
        linked += _linked_in(root)
    for folder in linked:
        if not any(is_below(folder, root) for root in roots):
            yield from _walk(folder, min(MAX_LINKED, MAX_FOLDERS - len(seen)), seen, stopped)


def _walk(top: str, most: int, seen: set[str], stopped: Callable[[], bool]) -> Iterator[str]:
    pending = [top]
    last = len(seen) + most
    while pending and len(seen) < last and not stopped():
        folder = pending.pop()
        if folder in seen:
            continue
        try:
            with os.scandir(folder) as entries:
                below = [
                    entry.path
                    for entry in entries
                    if entry.name not in _PASSED_OVER and entry.is_dir(follow_symlinks=False)
                ]
        except OSError:
            continue  # gone, or closed to this user
        seen.add(folder)
        yield folder
        pending += sorted(below, reverse=True)
        if len(seen) % _REST_EVERY == 0:
            time.sleep(0.001)


def _linked_in(root: str) -> list[str]:
    """Return where the links to folders in a root lead."""
    try:
        with os.scandir(root) as entries:
            links = [entry.path for entry in entries if entry.is_symlink() and os.path.isdir(entry.path)]
    except OSError:
        return []
    return sorted(os.path.realpath(link) for link in links)


class Looks:
    """Looks at the files again and again: for file systems and names that no notice comes of."""

    def __init__(
        self, roots: Sequence[str], skills: Sequence[str] = (), stopped: Callable[[], bool] = lambda: False
    ) -> None:
        """Take the first look, of which nothing is told."""
        self._roots = roots
        self._skills = skills
        self._stopped = stopped
        self.seconds = 0.0
        """How long the last look took."""
        self._known = self._look()

    def changes(self) -> list[str]:
        """Look again; return what came, went or changed since the last look."""
        before, self._known = self._known, self._look()
        if self._stopped():
            return []
        return sorted(path for path in before.keys() | self._known.keys() if before.get(path) != self._known.get(path))

    def _look(self) -> dict[str, _Stamp]:
        began = time.monotonic()
        found: dict[str, _Stamp] = {}
        for folder in folders_below(self._roots, self._skills, self._stopped):
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        found[entry.path] = _stamp(entry)
            except OSError:
                continue
        self.seconds = time.monotonic() - began
        return found


def _stamp(entry: os.DirEntry[str]) -> _Stamp:
    """Return what tells a changed file from an unchanged one; of a link also what it leads to."""
    try:
        own = entry.stat(follow_symlinks=False)
    except OSError:
        return ()
    if entry.is_dir(follow_symlinks=False):
        return own.st_ino, own.st_mode  # its own time changes with what lies in it, which is looked at by itself
    stamp = own.st_ino, own.st_size, own.st_mtime_ns, own.st_ctime_ns
    if not entry.is_symlink():
        return stamp
    try:
        end = entry.stat()
    except OSError:
        return stamp
    return *stamp, end.st_ino, end.st_size, end.st_mtime_ns

"""Noticing changed files: a thread per run that watches the skill roots, and looks whether others appeared."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from skillui.tui.watched_folders import looks, notices

_log = logging.getLogger(__name__)
_LOOK_EVERY: Final = 1.0
"""Seconds between two looks at the places where a root may be."""
_PAUSES: Final = (0.2, 0.5, 1.0, 2.0)
"""Seconds before watching begins again, one for each time that it ended soon after the last."""
_LASTED: Final = 20.0
"""Seconds of watching after which an end counts as the first."""


@dataclass(frozen=True, slots=True)
class WatchReports:
    """What a watcher tells; each is called from its thread."""

    changed: Callable[[list[str]], object]
    """These paths changed."""
    look_again: Callable[[], object]
    """A root came or went, or something may have changed unseen."""
    failed: Callable[[str], object]
    """Why watching ended."""


@dataclass(slots=True)
class RootWatcher:
    """Watches folders in a thread of its own.

    The set-up of a large tree takes a while, so it never runs on the event loop. A watch that ends by
    a fault begins anew: the system's notices of a name that is not UTF-8 cannot be read, so from then on
    the files themselves are looked at.
    """

    roots: Sequence[str]
    places: Sequence[str]
    """Where roots are or may be one day: looked at now and then, never into."""
    reports: WatchReports
    again: bool = False
    """Whether roots were read before this began, so that something may have been missed."""
    _stop: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _polling: bool = field(default=False, init=False)

    @property
    def alive(self) -> bool:
        """Tell whether changes are still noticed."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> bool:
        """Begin; returns False where there is nothing to watch."""
        if not self.roots and not self.places:
            return False
        self._thread = threading.Thread(target=self._run, name="skill-root-watcher", daemon=True)
        self._thread.start()
        return True

    def stop(self) -> None:
        """End within a moment; nothing is reported any more."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=1.0)

    def _run(self) -> None:
        ended_soon, unseen = 0, self.again
        places = _Places(self.places)
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                self._watch(places, unseen)
            except FileNotFoundError:  # a folder went while the watch was set up
                unseen = True
                self._stop.wait(_PAUSES[0])
            except Exception as error:  # a watch limit, a name that cannot be read, a root that vanished
                ended_soon = 0 if time.monotonic() - began > _LASTED else ended_soon + 1
                _log.warning("watching ended: %s", error)
                if self._stop.is_set():
                    return
                if ended_soon > len(_PAUSES):
                    self.reports.failed(f"Files are not watched any more ({error}); F5 reads and watches again")
                    return
                self._polling = unseen = True
                self._stop.wait(_PAUSES[max(0, ended_soon - 1)])

    def _watch(self, places: _Places, unseen: bool) -> None:
        """Report until told to stop. Raises whatever ends the watch."""
        roots = [os.path.realpath(root) for root in self.roots if os.path.isdir(root)]
        if not roots:
            while not self._stop.wait(_LOOK_EVERY):
                self._look_at(places)
            return
        for notice in (looks if self._polling else notices)(roots, (), self._stop):
            if self._stop.is_set():
                return
            if notice.paths:
                self.reports.changed(list(notice.paths))
            if notice.began and unseen:
                self.reports.look_again()
            unseen = True  # what was written into a new folder before it was watched
            self._look_at(places)

    def _look_at(self, places: _Places) -> None:
        if places.changed() and not self._stop.is_set():
            self.reports.look_again()


class _Places:
    """Which of some folders there are."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self._there = self._look()
        self._looked = time.monotonic()

    def changed(self) -> bool:
        """Tell whether one came, went or was replaced; looks no oftener than makes sense."""
        if time.monotonic() - self._looked < _LOOK_EVERY:
            return False
        before, self._there = self._there, self._look()
        self._looked = time.monotonic()
        return before != self._there

    def _look(self) -> list[tuple[int, int] | None]:
        return [_identity(path) for path in self._paths]


def _identity(path: str) -> tuple[int, int] | None:
    try:
        info = os.stat(path)
    except (OSError, ValueError):
        return None
    return info.st_dev, info.st_ino

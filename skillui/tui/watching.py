"""Noticing changed files: a thread per run that watches the skill roots, and looks whether others appeared."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from skillui.tui.watched_folders import Looks, folders_below

_log = logging.getLogger(__name__)
_STEP_MS: Final = 50
_DEBOUNCE_MS: Final = 200
_TURN_MS: Final = 500
_POLL: Final = 0.5
"""Seconds between two looks at the files."""
_PART: Final = 20
"""How many times longer than a look took the pause behind it is."""
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
        elif self._polling:
            self._poll(roots, places)
        else:
            while not self._stop.is_set():
                self._listen(roots, places, unseen)
                unseen = True  # what was written into a new folder before it was watched

    def _listen(self, roots: list[str], places: _Places, unseen: bool) -> None:
        """Report what the system tells of, until a folder comes that is to be watched as well."""
        import watchfiles  # 65 ms that the first paint need not wait for

        # Only Linux watches folder by folder; told to do so by itself, the library follows links as well.
        each = sys.platform == "linux"
        folders = list(folders_below(roots, self._stop.is_set)) if each else roots
        if self._stop.is_set():
            return
        for batch in watchfiles.watch(
            *folders,
            watch_filter=None,
            step=_STEP_MS,
            debounce=_DEBOUNCE_MS,
            stop_event=self._stop,
            rust_timeout=_TURN_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            recursive=not each,
            ignore_permission_denied=True,
        ):
            if self._stop.is_set():
                return
            if batch:
                self.reports.changed([path for _, path in batch])
            if unseen:  # the watch stands now
                unseen = False
                self.reports.look_again()
            self._look_at(places)
            if each and any(change == watchfiles.Change.added and os.path.isdir(path) for change, path in batch):
                return

    def _poll(self, roots: list[str], places: _Places) -> None:
        """Report what looks at the files show; the more there are the rarer, so that little time goes into it."""
        looks = Looks(roots, self._stop.is_set)
        self.reports.look_again()  # the first look stands now
        while not self._stop.wait(max(_POLL, _PART * looks.seconds)):
            if changed := looks.changes():
                self.reports.changed(changed)
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

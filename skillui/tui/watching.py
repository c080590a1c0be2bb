"""Noticing changed files: a thread per run that watches the skill roots and nothing above them."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Sequence

_log = logging.getLogger(__name__)
_STEP_MS = 50
_DEBOUNCE_MS = 200


class RootWatcher:
    """Watches folders in a thread of its own.

    `changed` is called from that thread with the paths that changed; `failed` with a sentence when
    watching is not possible. The set-up of a large tree takes a while, so it never runs on the event loop.
    """

    def __init__(
        self, roots: Sequence[str], changed: Callable[[list[str]], object], failed: Callable[[str], object]
    ) -> None:
        self._roots = [os.path.realpath(root) for root in roots if os.path.isdir(root)]
        self._changed = changed
        self._failed = failed
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> bool:
        """Begin; returns False where there is nothing to watch."""
        if not self._roots:
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
        import watchfiles  # 65 ms that the first paint need not wait for

        try:
            for batch in watchfiles.watch(
                *self._roots,
                watch_filter=None,
                step=_STEP_MS,
                debounce=_DEBOUNCE_MS,
                stop_event=self._stop,
                rust_timeout=500,
                raise_interrupt=False,
                ignore_permission_denied=True,
            ):
                if self._stop.is_set():
                    return
                self._changed([path for _, path in batch])
        except Exception as error:  # a watch limit, a root that vanished: the app goes on without
            _log.warning("watching stopped: %s", error)
            if not self._stop.is_set():
                self._failed(f"Files are not watched any more ({error}); read again with F5")

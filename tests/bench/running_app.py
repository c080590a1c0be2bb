"""The running app without a terminal: keystrokes, Preview, memory. A process of its own: `python -m … PROJECT KEYS`."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from textual import events
from textual.pilot import Pilot

from skillui.tui import collector
from skillui.tui.app import SkilluiApp
from skillui.tui.panes.preview import PreviewPane
from skillui.workspace.launch import open_launch

_WORDS = ("review", "deploy note", "is:broken", "menu", "translate", "tool:Bash", "schema report", "draft-image")
"""What is typed, one after the other, each taken back letter by letter."""
_PATIENCE = 120.0


async def _until(pilot: Pilot[Any], condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError("the app never came to where it can be measured")
        await pilot.pause(0.02)


class _Redrawn:
    """Notes when the list took its rows, and when it drew them."""

    def __init__(self, app: SkilluiApp) -> None:
        target: Any = app.browse.catalog.list
        set_rows, render_lines = target.set_rows, target.render_lines
        self.taken = 0.0
        self.drawn = asyncio.Event()

        def take(*arguments: Any, **named: Any) -> Any:
            result = set_rows(*arguments, **named)
            self.taken = time.perf_counter()
            return result

        def draw(*arguments: Any) -> Any:
            result = render_lines(*arguments)
            if self.taken:
                self.drawn_at = time.perf_counter()
                self.drawn.set()
            return result

        target.set_rows, target.render_lines = take, draw
        self.drawn_at = 0.0

    def forget(self) -> None:
        self.taken = 0.0
        self.drawn.clear()


async def _type(app: SkilluiApp, count: int) -> tuple[list[float], list[float]]:
    """Return for each keystroke the seconds until the list has its rows, and until it has drawn them."""
    redrawn = _Redrawn(app)
    taken: list[float] = []
    drawn: list[float] = []
    keys = [key for word in _WORDS for key in (*word, *["backspace"] * len(word))]
    for number in range(count):
        key = keys[number % len(keys)]
        redrawn.forget()
        start = time.perf_counter()
        app.post_message(events.Key(key, key if len(key) == 1 else None))
        await asyncio.wait_for(redrawn.drawn.wait(), 10)
        taken.append(redrawn.taken - start)
        drawn.append(redrawn.drawn_at - start)
        await asyncio.sleep(0.1)  # a fast typist; what a key leaves to do in the background has its time
    return taken, drawn


async def _open_preview(app: SkilluiApp, pilot: Pilot[Any]) -> float:
    start = time.perf_counter()
    await app.browse.area.open_tab("preview")

    def shown() -> bool:
        pane = app.browse.area.pane
        return isinstance(pane, PreviewPane) and pane.preview is not None

    while not shown():  # noqa: ASYNC110 (no event tells when the output is there)
        await asyncio.sleep(0.001)
    return time.perf_counter() - start


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


async def measure(project: str, keys: int) -> dict[str, Any]:
    """Run the app over `project` and return seconds and megabytes."""
    collector.hold()  # as the command does
    with open_launch(project) as launch:
        app = SkilluiApp(launch)
        async with app.run_test(size=(120, 36)) as pilot:
            catalog = app.browse.catalog
            await _until(pilot, lambda: catalog.rows and not catalog._scanning and catalog._index is not None)
            await _until(pilot, lambda: app.browse.area.view is not None)
            peak = _peak_mb()
            preview = await _open_preview(app, pilot)
            catalog.focus_search()
            await pilot.pause()
            taken, drawn = await _type(app, keys)
            return {"taken": taken, "drawn": drawn, "preview": preview, "peak_mb": peak, "peak_mb_after": _peak_mb()}


def main(arguments: list[str]) -> None:
    """Measure the project of the first argument with as many keystrokes as the second says."""
    print(json.dumps(asyncio.run(measure(arguments[0], int(arguments[1])))))


if __name__ == "__main__":
    main(sys.argv[1:])

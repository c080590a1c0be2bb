"""Draw the pictures of the README: `python docs/make_screenshots.py`. The app draws them itself, over its samples."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["TEXTUAL_ANIMATIONS"] = "none"  # Textual reads it when it is imported
HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from textual.pilot import Pilot  # noqa: E402
from textual.widgets import Input  # noqa: E402

from skillui.tui.app import SkilluiApp  # noqa: E402
from skillui.tui.dialogs.permission import PermissionPrompt  # noqa: E402
from skillui.workspace.launch import open_launch  # noqa: E402

SIZE = (120, 36)
SHOWN, ASKED = "api-conventions", "quick-setup"
"""The skill that Browse shows, and the one that the prompt asks about."""


async def _until(pilot: Pilot[Any], condition: Callable[[], object]) -> None:
    for _ in range(1000):
        if condition():
            return
        await pilot.pause(0.02)
    raise RuntimeError("the app never came to what is to be drawn")


async def _go(app: SkilluiApp, pilot: Pilot[Any], name: str) -> None:
    await _until(pilot, lambda: not app.browse.catalog._scanning and app.browse.catalog.rows)
    app.browse.go_to(app.workbench.catalog.by_name[name])

    def shown() -> bool:
        view = app.browse.area.view
        return view is not None and view.entry.name == name

    await _until(pilot, shown)
    await pilot.pause(0.2)


def _save(app: SkilluiApp, name: str) -> None:
    # The fonts would be fetched from elsewhere; whoever looks at the picture has one of their own.
    svg = re.sub(r"@font-face\s*\{.*?\}", "", app.export_screenshot(title="skillui"), flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    svg = re.sub(r"skillui-demo-\w{8}", "skillui-demo-7c2e91ab", svg)  # another folder with every run
    svg = "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"
    (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


async def _draw() -> None:
    with open_launch(demo=True) as launch:
        os.environ["HOME"] = str(Path(launch.project.path).parent)  # the copy's path is then `~/shop`
        app = SkilluiApp(launch)
        async with app.run_test(size=SIZE) as pilot:
            await _go(app, pilot, SHOWN)
            _save(app, "browse")
            await _go(app, pilot, ASKED)
            await pilot.press("a")
            await _until(pilot, lambda: isinstance(app.screen, PermissionPrompt) and not app.screen.asleep)
            await pilot.pause(0.2)
            _save(app, "prompt")


def main() -> None:
    """Draw every picture, with nobody's configuration."""
    Input.cursor_blink._default = False  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SKILLUI_CONFIG_DIR"] = os.environ["SKILLUI_STATE_DIR"] = folder
        asyncio.run(_draw())


if __name__ == "__main__":
    main()

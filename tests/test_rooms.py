"""The rooms of the package import downwards only, and the interface alone knows the screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
ROOMS = ("core", "checks", "lenses", "review", "trace", "workspace", "serve")


def test_every_arrow_between_the_rooms_points_down() -> None:
    script = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", script], cwd=TOP, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


@pytest.mark.parametrize("room", [room for room in ROOMS if (TOP / "skillui" / room).is_dir()])
def test_no_room_below_the_interface_loads_the_screen(room: str) -> None:
    script = (
        "import importlib, pkgutil, sys\n"
        f"import skillui.{room} as room\n"
        "for module in pkgutil.walk_packages(room.__path__, room.__name__ + '.'):\n"
        "    if module.name not in ('skillui.serve.mcp_server', 'skillui.serve.mcp_wire'):\n"  # the SDK has a watcher
        "        importlib.import_module(module.name)\n"
        "print([name for name in ('textual', 'rich', 'watchfiles', 'tree_sitter') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=TOP, capture_output=True, text=True, timeout=100)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr

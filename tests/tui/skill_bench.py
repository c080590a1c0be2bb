"""One skill on disk with an engine over it, and what a running app has on its screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.cells import cell_len
from textual.app import App

from skillui.core import (
    BrokenSkill,
    FilesystemSkillRegistry,
    LoadedSkill,
    PermissionRequest,
    SessionConfig,
    SkillSession,
)
from skillui.core.resources import Resources
from skillui.tui.model.skill_view import SkillView
from skillui.tui.themes import SEMANTIC_DEFAULTS
from skillui.workspace.project import Root


class BenchApp(App[Any]):
    """An app that has the variables of this project's styles."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(SEMANTIC_DEFAULTS)


class SkillBench:
    """A root with skills that were written for a test."""

    def __init__(self, folder: Path, *, trusted: bool = False) -> None:
        self.root = folder / "skills"
        self.root.mkdir()
        self.registry = FilesystemSkillRegistry([str(self.root)])
        self.config = SessionConfig(
            cwd=str(folder),
            skill_roots=(str(self.root),),
            trusted_roots=(str(self.root),) if trusted else (),
            id="1",
        )
        self.session = SkillSession(self.config, registry=self.registry)

    def write(self, name: str, body: str, fields: str = "") -> Path:
        folder = self.root / name
        folder.mkdir(exist_ok=True)
        text = f"---\nname: {name}\ndescription: Does it. Use when it must be done.\n{fields}---\n{body}"
        path = folder / "SKILL.md"
        path.write_bytes(text.encode())
        return path

    def load(self, name: str) -> LoadedSkill | BrokenSkill:
        catalog = self.registry.scan()
        loaded = self.registry.load_entry(catalog.by_name.get(name) or catalog.broken_by_name[name])
        assert loaded is not None
        return loaded

    def view(self, name: str) -> SkillView:
        loaded = self.load(name)
        entry = loaded.entry if isinstance(loaded, LoadedSkill) else loaded
        root = Root(str(self.root), "project", False, True, ".skills")
        return SkillView(
            entry, root, self.session.judge(entry), loaded, loaded.parsed, (), (), 0, Resources(), None, (entry,), True
        )

    def request(self, name: str, *, arguments: Any = None, digest: bool = True) -> PermissionRequest:
        loaded = self.load(name)
        assert isinstance(loaded, LoadedSkill)
        value = loaded.files.digest().value if digest else None
        gate = self.session.judge(loaded.entry)
        fault = None if digest else "queue is a named pipe"
        return PermissionRequest(loaded, gate, value, "model", "1", 2, arguments, fault)


def screen_lines(app: App[Any]) -> list[str]:
    """Return what is on the screen, line by line; fails on what no terminal may get."""
    lines = [strip.text for strip in app.screen._compositor.render_strips()]
    for line in lines:
        assert line.isprintable(), f"this would reach the terminal: {line!r}"
        assert cell_len(line) <= app.size.width
    return lines


def on_screen(app: App[Any]) -> str:
    """Return the screen as one text."""
    return "\n".join(screen_lines(app))

"""A pane alone on a screen, and views of skills that lie on a real disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from textual.app import App, ComposeResult
from textual.message import Message
from textual.widget import Widget

from skillui.core import (
    AnyEntry,
    Catalog,
    FilesystemSkillRegistry,
    LoadedSkill,
    SessionConfig,
    SkillSession,
)
from skillui.core.resources import Resources
from skillui.tui.model.skill_view import SkillView, read_files
from skillui.tui.panes.base import SkillPane
from skillui.tui.themes import DEFAULT_THEME, SEMANTIC_DEFAULTS, load_shipped_themes
from skillui.workspace.project import Root
from skillui.workspace.samples import copy_samples


class Shelf:
    """Skills in roots, and the views of them as the app would read them."""

    def __init__(self, roots: list[Root], workspace: list[str], cwd: str) -> None:
        self.roots = roots
        self.registry = FilesystemSkillRegistry([root.path for root in roots])
        trusted = tuple(root.path for root in roots if root.trusted)
        config = SessionConfig(
            cwd=cwd,
            skill_roots=tuple(root.path for root in roots),
            workspace_roots=tuple(workspace),
            trusted_roots=trusted,
        )
        self.session = SkillSession(config, registry=self.registry)

    @property
    def catalog(self) -> Catalog:
        return self.registry.scan()

    def entries(self) -> list[AnyEntry]:
        catalog = self.catalog
        return [*catalog.skills, *catalog.shadowed, *catalog.broken]

    def entry(self, name: str, number: int = 0) -> AnyEntry:
        return [entry for entry in self.entries() if entry.name == name][number]

    def view(self, entry: AnyEntry | str, **more: Any) -> SkillView:
        if isinstance(entry, str):
            entry = self.entry(entry)
        catalog = self.catalog
        loaded = self.registry.load_entry(entry)
        now = loaded.entry if isinstance(loaded, LoadedSkill) else loaded or entry
        parsed = loaded.parsed if loaded is not None else None
        resources, digest = Resources(), None
        if isinstance(loaded, LoadedSkill):
            resources, digest = loaded.files.resources(), loaded.files.digest()
        files, omitted = read_files(now.dir, parsed.body if parsed else "", frozenset(resources.names))
        winner = catalog.by_name.get(now.name)
        copies: list[AnyEntry] = [*catalog.shadowed, *catalog.broken]
        others = [copy for copy in copies if copy.name == now.name]
        others.sort(key=lambda other: other.root_index)
        return SkillView(
            entry=now, root=self.roots[now.root_index], gate=self.session.judge(now), loaded=loaded, parsed=parsed,
            problems=parsed.problems if parsed is not None else now.problems, files=files, files_omitted=omitted,
            checked=True, resources=resources, digest=digest, chain=(winner, *others) if winner else tuple(others),
            winner=winner is not None and winner.location == now.location, **more,
        )  # fmt: skip


def sample_shelf(folder: Path) -> Shelf:
    """Copy the bundled samples."""
    demo = copy_samples(folder)
    labels = ("project", "user", "user")
    roots = [
        Root(str(path), label, path in demo.trusted_roots, True, os.path.relpath(path, demo.folder))
        for path, label in zip(demo.skill_roots, labels, strict=True)
    ]
    return Shelf(roots, [str(root) for root in demo.workspace_roots], str(demo.path))


def shelf_with(folder: Path, name: str, text: str | bytes, *, trusted: bool = True) -> Shelf:
    """Make one root with one skill; more files can be added before a view is read."""
    skill = folder / "skills" / name
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    root = Root(str(folder / "skills"), "project", trusted, True, ".skills")
    return Shelf([root], [str(folder)], str(folder))


class Stage(App[None]):
    """Shows one widget and keeps what it posts."""

    CSS = "Screen { overflow: hidden; } SkillPane { padding: 0 1; }"

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget
        self.posted: list[Message] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(SEMANTIC_DEFAULTS)

    def compose(self) -> ComposeResult:
        yield self.widget

    def on_mount(self) -> None:
        for theme in load_shipped_themes().loaded:
            self.register_theme(theme)
        self.theme = DEFAULT_THEME

    def stage(self, width: int = 80, height: int = 24) -> Any:
        """Run headless; every message is kept."""
        return self.run_test(size=(width, height), message_hook=self._keep)

    def _keep(self, message: Message) -> None:
        if all(message is not kept for kept in self.posted):
            self.posted.append(message)

    def kept(self, kind: type[Message]) -> list[Any]:
        return [message for message in self.posted if isinstance(message, kind)]


async def show(pane: SkillPane, view: SkillView) -> None:
    """Show a view and fail loudly where the pane would show its fault."""
    await pane.show(view)
    assert not pane.has_class("-faulty"), "the pane failed; its log says why"


def screen_text(app: App[Any]) -> str:
    """What the screen shows, row by row."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())

"""Which folders are trusted, collected from the user's home and the user's words alone."""

from __future__ import annotations

import os
from collections.abc import Iterable

from skillui.core.files import is_below
from skillui.core.text import escaped
from skillui.workspace.locate import links_on_the_way, repository_of, resolved_path


class Trust:
    """The folders whose skills are trusted, resolved, as long as they are being collected."""

    def __init__(self, project: str, home: str | None) -> None:
        self.project = project
        self.home = None if home is None else resolved_path(home)
        self.folders: list[str] = []
        self.problems: list[str] = []

    def add_own(self, paths: Iterable[str]) -> None:
        """Trust the user's own roots, those that exist."""
        for path in paths:
            if os.path.isdir(path):
                self._add(resolved_path(path))

    def add_named(self, paths: Iterable[str]) -> None:
        """Trust folders that the user named; what is not used is told."""
        for path in paths:
            resolved = resolved_path(path)
            if not os.path.isabs(path) or not os.path.isdir(resolved):
                self.problems.append(f"trusted root {escaped(path)} is not a folder")
            elif self._is_turned_away(path, resolved):
                self.problems.append(f"trusted root {escaped(path)} is not used: a project links it to elsewhere")
            else:
                self._add(resolved)

    def covers(self, path: str) -> bool:
        """Tell whether the folder is, or lies in, a trusted one."""
        resolved = resolved_path(path)
        return any(is_below(resolved, folder) for folder in self.folders)

    def _is_turned_away(self, path: str, resolved: str) -> bool:
        """Tell whether a link that lies in a project leads out of it; its authors could point it anywhere."""
        for folder in links_on_the_way(path):
            owner = self.project if is_below(folder, self.project) else repository_of(folder)
            if owner is None or (self.home is not None and is_below(self.home, owner)):
                continue  # where the home folder is a repository itself, its links are the user's own
            if not is_below(resolved, owner):
                return True
        return False

    def _add(self, resolved: str) -> None:
        if resolved not in self.folders:
            self.folders.append(resolved)

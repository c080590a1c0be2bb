"""Which folders Claude Code may take a skill from, by its own rules: the folder's name is the key.

The personal folder goes before the project's. Of a project every `.claude/skills` counts from the working
directory, and from where the session began, up to the repository's root: which of several Claude Code takes
depends on where it was started, so none may be left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from skillui.core.files import SKILL_MD, is_below, resolved
from skillui.core.text import clipped, has_surrogate
from skillui.serve.hook_input import HookFault
from skillui.workspace.locate import repository_of

_FOLDER = os.path.join(".claude", "skills")
_MAX_NAME = 255


@dataclass(frozen=True, slots=True)
class Candidate:
    """One folder that may hold the skill: `root` as written, `dir` resolved."""

    name: str
    root: str
    dir: str
    top: str | None = None
    """The repository it must lie in, None for the user's own folder, whose links are the user's too."""

    def odd_place(self) -> str | None:
        """Say what is odd about where it lies, None where nothing is."""
        listed = os.path.join(self.root, self.name, SKILL_MD)
        if self.top is not None and not all(is_below(path, self.top) for path in (self.dir, resolved(listed))):
            return "it lies outside the repository"
        return "it lies in a sensitive place" if _is_sensitive(self.dir, resolved(listed)) else None


class Unknown(Exception):
    """No folder can be told; the message says why."""


def skill_name(given: str) -> str:
    """Return the folder's name that a call means. Raises `Unknown` and `HookFault`."""
    name = given.strip().removeprefix("/")
    if ":" in name:
        raise Unknown(f"{clipped(name)} comes from a plugin or a nested folder, which cannot be looked into")
    separators = {"/", "\\", os.sep, os.altsep or os.sep, "\0"}
    if not name or name in (".", "..") or separators & set(name) or len(name) > _MAX_NAME or has_surrogate(name):
        raise HookFault(f"'{clipped(given)}' is no name of a skill")
    return name


def find_candidates(name: str, cwd: str, environ: Mapping[str, str]) -> tuple[Candidate, ...]:
    """Return the folders the skill may come from, the personal one alone where there is one."""
    personal = os.path.join(_configuration(environ), "skills")
    if os.path.isabs(personal) and _holds(personal, name):
        return (Candidate(name, personal, resolved(os.path.join(personal, name))),)
    found: dict[str, Candidate] = {}
    starts = dict.fromkeys([cwd, environ.get("CLAUDE_PROJECT_DIR", "")])
    for start in starts:
        if os.path.isabs(start):
            for root, top in _project_roots(resolved(start)):
                if _holds(root, name):
                    directory = resolved(os.path.join(root, name))
                    found.setdefault(directory, Candidate(name, root, directory, top))
    return tuple(found.values())


def _configuration(environ: Mapping[str, str]) -> str:
    given = environ.get("CLAUDE_CONFIG_DIR", "")
    return given if os.path.isabs(given) else os.path.expanduser(os.path.join("~", ".claude"))


def _holds(root: str, name: str) -> bool:
    # Not whether it can be read: an unreadable skill must be found, and denied.
    return os.path.lexists(os.path.join(root, name, SKILL_MD)) or not _is_searchable(os.path.join(root, name))


def _is_searchable(folder: str) -> bool:
    return not os.path.isdir(folder) or os.access(folder, os.X_OK)


def _project_roots(start: str) -> Iterator[tuple[str, str]]:
    """Yield each skill folder from `start` up to the repository's root, and that root."""
    top = repository_of(start) or start
    folder = start
    while True:
        yield os.path.join(folder, _FOLDER), top
        if folder == top or (above := os.path.dirname(folder)) == folder:
            return
        folder = above


def _is_sensitive(directory: str, skill_md: str) -> bool:
    from pathspec import GitIgnoreSpec  # a seventh of the whole answer

    from skillui.core.config import SENSITIVE_PATTERNS

    spec = GitIgnoreSpec.from_lines(SENSITIVE_PATTERNS)
    paths = {directory, os.path.join(directory, SKILL_MD), skill_md}
    return any(spec.match_file(path.lstrip(os.sep)) for path in paths)

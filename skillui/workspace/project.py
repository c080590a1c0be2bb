"""The project that a path lies in, the skill roots around it, and which of them are trusted.

Only folders are looked at: nothing is executed, and no file of a project is read. Trust comes from
where a root is (the user's home) or from what the user says (configuration, command line), never
from anything in the project.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skillui.core.config import SessionConfig
from skillui.core.files import is_below
from skillui.workspace.locate import PROJECT_SOURCES, resolved_path, starting_folder, surroundings
from skillui.workspace.settings import Settings
from skillui.workspace.trust import Trust

USER_SOURCES = (
    ".claude/skills",
    ".agents/skills",
    ".codex/skills",
    ".cursor/skills",
    ".config/opencode/skills",
    ".pi/agent/skills",
    ".gemini/skills",
)
"""The skill folders of a user, below the home folder, in order of precedence."""


@dataclass(frozen=True, slots=True)
class Root:
    """One folder whose immediate subfolders are skills."""

    path: str
    """Absolute, links not resolved."""
    label: str
    """`path` (named by PATH itself), `project`, `user`, `configured` or `root` (named by `--root`)."""
    trusted: bool
    exists: bool
    source: str
    """How a person would write it: `.claude/skills`, `~/.claude/skills`, or as it was given."""


@dataclass(frozen=True, slots=True)
class Project:
    """Where skillui runs."""

    path: str
    """The repository's root, else the folder itself; absolute and resolved."""
    is_repository: bool
    roots: tuple[Root, ...]
    """In order of precedence; those named by the user are here even where they do not exist."""
    looked_in: tuple[str, ...]
    """Every folder that was considered, in order, for a screen without skills to name."""
    trusted_roots: tuple[str, ...] = ()
    """Every folder whose skills are trusted, resolved: the trusted roots' and any other that was named."""
    problems: tuple[str, ...] = ()
    """One line each: a PATH that cannot be used, a trusted root that is not one."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A folder that may become a root; `optional` ones are listed only where they exist."""

    path: str
    label: str
    source: str
    optional: bool


def find_project(
    path: str = ".",
    *,
    home: str | None = None,
    settings: Settings | None = None,
    roots: Sequence[str] = (),
    trusted_roots: Sequence[str] = (),
) -> Project:
    """Return the project that `path` lies in, with its roots. Never raises and creates nothing.

    A file stands for its folder. Where `path` is a skill's folder, the folder above it is a root; where
    it holds skills, it is one itself: first in the order, unless it is one of the known roots anyway.
    A `path` that is missing or unreadable is named in `problems`, and only the user's roots are listed.

    Args:
        path: A folder or file, relative to the working folder.
        home: The home folder; by default the user's. One that is not absolute is nobody's.
        settings: The user's configuration.
        roots: What `--root` named: replaces every other root.
        trusted_roots: What `--trusted-root` named: trusted beside the user's own and the configured ones.
    """
    settings = settings or Settings()
    home = os.path.expanduser("~") if home is None else home
    home = os.path.normpath(home) if os.path.isabs(home) else None
    start, problem = starting_folder(path)
    project, is_repository, named = surroundings(start) if problem is None else (start, False, None)
    places = list(_user(home))
    trust = Trust(project, home)
    trust.add_own(place.path for place in places)
    trust.add_named((*settings.trusted_roots, *(_absolute(root) for root in trusted_roots)))
    if roots:
        places = [_Place(_absolute(root), "root", root, optional=False) for root in roots]
    else:
        inside = list(_inside(project)) if problem is None else []
        first = [_Place(named, "path", shortened(named, home), optional=True)] if named else []
        configured = [_Place(root, "configured", shortened(root, home), optional=False) for root in settings.roots]
        places = _listed_once([*first, *inside, *places, *configured])
    return Project(
        path=project,
        is_repository=is_repository,
        roots=tuple(_roots(places, trust)),
        looked_in=tuple(dict.fromkeys(place.path for place in places)),
        trusted_roots=tuple(trust.folders),
        problems=(*([problem] if problem else []), *trust.problems),
    )


def _absolute(path: str) -> str:
    return os.path.abspath(os.path.expanduser(path))


def session_config(project: Project, session_id: str = "") -> SessionConfig:
    """Return the settings of a session in the project; everything it does not say keeps the engine's defaults.

    A project's own root that is a link out of the project is listed, yet it does not widen the fence:
    its skills are asked about as outside the workspace, unless they lie in a trusted root anyway.
    """
    return SessionConfig(
        cwd=project.path,
        skill_roots=tuple(root.path for root in project.roots),
        workspace_roots=tuple(root.path for root in project.roots if _widens_rightly(root, project)),
        trusted_roots=project.trusted_roots,
        id=session_id,
    )


def _widens_rightly(root: Root, project: Project) -> bool:
    return root.label != "project" or root.trusted or is_below(resolved_path(root.path), project.path)


def shortened(path: str, home: str | None) -> str:
    """Write `path` with `~` for the home folder where it lies there."""
    if home is None or home == os.sep or not is_below(path, home):
        return path
    return "~" + path[len(home) :]


def _inside(project: str) -> Iterator[_Place]:
    for source in PROJECT_SOURCES:
        yield _Place(os.path.join(project, os.path.normpath(source)), "project", source, optional=True)


def _user(home: str | None) -> Iterator[_Place]:
    for source in USER_SOURCES if home is not None else ():
        yield _Place(os.path.join(home or "", os.path.normpath(source)), "user", f"~/{source}", optional=True)


def _identity(path: str) -> object:
    try:
        info = os.stat(path)
    except (OSError, ValueError):
        return path
    return info.st_dev, info.st_ino


def _listed_once(places: list[_Place]) -> list[_Place]:
    """Drop every place that is the same folder as another, whatever the names and links that lead there.

    The user's root stays where it is in the user's order even when the project reaches it too (the home
    folder is a repository, a link in a project): a project can neither claim it nor move it.
    """
    claims = {"user": 0, "project": 1, "path": 2, "configured": 3}
    owners: dict[object, _Place] = {}
    for place in sorted(places, key=lambda place: claims[place.label]):
        owners.setdefault(_identity(place.path), place)
    return [place for place in places if owners[_identity(place.path)] is place]


def _roots(places: list[_Place], trust: Trust) -> Iterator[Root]:
    seen: set[object] = set()
    for place in places:
        exists = os.path.isdir(place.path)
        identity = _identity(place.path)
        if identity in seen or (place.optional and not exists):
            continue
        seen.add(identity)
        yield Root(place.path, place.label, exists and trust.covers(place.path), exists, place.source)

"""What the paths of `check` mean: a skill, a root of skills, a project, or a file of a skill."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from skillui.core.files import SKILL_MD, reason_of
from skillui.core.text import escaped
from skillui.workspace.locate import PROJECT_SOURCES, holds_skills, resolved_path, starting_folder, surroundings


class TargetFault(Exception):
    """Why nothing can be checked; the message is one line."""


@dataclass(frozen=True, slots=True)
class Targets:
    """What is checked: single skills and whole roots, absolute, no folder twice."""

    skills: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    """Files that were named and lie in no skill."""


def find_targets(paths: Sequence[str]) -> Targets:
    """Return what `paths` mean, the current project where there are none. Raises `TargetFault`."""
    if not paths:
        try:
            here = os.path.abspath(".")
        except OSError as error:
            raise TargetFault(f"the working directory cannot be used: {reason_of(error)}") from None
        is_skill = os.path.lexists(os.path.join(here, SKILL_MD))
        return Targets(skills=(here,)) if is_skill else Targets(roots=_project_roots())
    skills: list[str] = []
    roots: list[str] = []
    skipped: list[str] = []
    for path in paths:
        absolute = os.path.abspath(path)
        if not os.path.lexists(absolute):
            raise TargetFault(f"there is no file or folder '{escaped(path)}'")
        if (skill := skill_of(absolute)) is not None:
            skills.append(skill)
        elif os.path.isdir(absolute):
            roots += _roots_of(absolute, path)
        else:  # a hook hands over every changed file, those beside the skills too
            skipped.append(path)
    if not skills and not roots:
        raise TargetFault(f"{escaped(skipped[0])} lies in no skill: no folder above it holds a {SKILL_MD}")
    whole = _once(roots)
    covered = {resolved_path(root) for root in whole}
    alone = [skill for skill in _once(skills) if resolved_path(os.path.dirname(skill)) not in covered]
    return Targets(tuple(alone), tuple(whole), tuple(skipped))


def skill_of(path: str) -> str | None:
    """Return the skill that a folder is or a file lies in."""
    if os.path.isdir(path):
        return path if os.path.lexists(os.path.join(path, SKILL_MD)) else None
    folder = os.path.dirname(path)
    while folder != os.path.dirname(folder):
        if os.path.lexists(os.path.join(folder, SKILL_MD)):
            return folder
        folder = os.path.dirname(folder)
    return None


def _roots_of(path: str, given: str) -> list[str]:
    """Return the roots that a folder is or holds."""
    roots = [path] if holds_skills(path) else []
    roots += [root for source in PROJECT_SOURCES if os.path.isdir(root := os.path.join(path, os.path.normpath(source)))]
    if not roots:
        raise TargetFault(f"{escaped(given)} holds no skills: neither a {SKILL_MD}, nor folders with one, nor a root")
    return roots


def _project_roots() -> tuple[str, ...]:
    start, problem = starting_folder(".")
    if problem is not None:
        raise TargetFault(problem)
    project, _, named = surroundings(start)
    sources = [os.path.join(project, os.path.normpath(source)) for source in PROJECT_SOURCES]
    roots = _once([*([named] if named else []), *filter(os.path.isdir, sources)])
    if not roots:
        raise TargetFault(f"no skills in {escaped(project)}; looked in {', '.join(PROJECT_SOURCES)}")
    return tuple(roots)


def _once(paths: Iterable[str]) -> list[str]:
    found: dict[str, str] = {}
    for path in paths:
        found.setdefault(resolved_path(path), path)
    return list(found.values())

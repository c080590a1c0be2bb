"""A skill's folder as a git revision has it."""

from __future__ import annotations

import os

from skillui.core import AnyEntry
from skillui.review.content import ReviewedContent


def work_tree(directory: str) -> str | None:
    """Return the top of the git work tree that a resolved folder lies in, None where there is none."""
    above = directory
    while not os.path.lexists(os.path.join(above, ".git")):
        parent = os.path.dirname(above)
        if parent == above:
            return None
        above = parent
    return above


def content_at(directory: str, text: str) -> ReviewedContent:
    """Read a resolved folder at a revision, or what `REV:PATH` names. Blocking.

    Raises LookupError with words where there is nothing to compare with.
    """
    from skillui.review.git_process import GitFault
    from skillui.review.git_registry import GitRegistry, RevisionFault, parse_revision

    top = work_tree(directory)
    if top is None:
        raise LookupError("its folder lies in no git repository")
    try:
        wanted = parse_revision(text)
    except RevisionFault as fault:
        raise LookupError(str(fault)) from None
    path = wanted.path or os.path.relpath(directory, top).replace(os.sep, "/")
    registry = GitRegistry(top, wanted.name, path)
    try:
        catalog = registry.scan()
        entries: list[AnyEntry] = [*catalog.skills, *catalog.shadowed, *catalog.broken]
        if len(entries) != 1:
            raise LookupError(registry.fault or f"the revision holds no skill at {path}")
        return registry.content(entries[0])
    except GitFault as fault:
        raise LookupError(str(fault)) from None
    finally:
        registry.close()

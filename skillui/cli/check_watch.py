"""`skillui check --watch`: check again whenever something changes."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillui.cli import out
from skillui.cli.check_command import Asked, outcome_of, show
from skillui.cli.faults import Fault
from skillui.cli.options import warn
from skillui.workspace.check_targets import TargetFault, find_targets

if TYPE_CHECKING:
    from skillui.tui.watched_folders import Notice
    from skillui.workspace.check_targets import Targets

_log = logging.getLogger(__name__)
_PAUSE: Final = 0.2


def watch(asked: Asked) -> int:
    """Check now and at every change; ends by an interrupt alone."""
    try:
        targets = find_targets(asked.paths)
    except TargetFault as fault:
        raise Fault(str(fault)) from None
    _check(asked)
    stands = False
    for notice in _notices(targets):
        if notice.paths or (notice.began and stands):
            out.stdout().line("-" * 40)
            _check(asked)
        stands = True
    return 0


def _notices(targets: Targets) -> Iterator[Notice]:
    """Yield what changes, for ever: where the system tells of nothing, the files are looked at."""
    from skillui.tui.watched_folders import looks, notices  # the app's own ears; no screen comes along

    never = threading.Event()
    roots, skills = ([os.path.realpath(path) for path in paths] for paths in (targets.roots, targets.skills))
    while True:
        try:
            yield from notices(roots, skills, never, interrupted=True)
        except FileNotFoundError:  # a folder went while the watch was set up
            never.wait(_PAUSE)
        except Exception as error:  # a limit of the system, or a name that is not UTF-8
            _log.warning("watching ended, files are looked at: %s", error)
            yield from looks(roots, skills, never)


def _check(asked: Asked) -> None:
    """Check once; a fault that a person is about to mend does not end the watch."""
    try:
        outcome = outcome_of(asked)
        warn(outcome.warnings)
        show(outcome, asked)
    except Fault as fault:
        out.complain(str(fault))
    out.stdout().flush()

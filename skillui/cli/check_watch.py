"""`skillui check --watch`: check again whenever something changes."""

from __future__ import annotations

from skillui.cli import out
from skillui.cli.check_command import Asked, outcome_of, show
from skillui.cli.faults import Fault
from skillui.cli.options import warn
from skillui.workspace.check_targets import TargetFault, find_targets


def watch(asked: Asked) -> int:
    """Check now and at every change; ends by an interrupt alone."""
    from watchfiles import watch as changes  # a native library, and nothing but this needs it

    try:
        targets = find_targets(asked.paths)
    except TargetFault as fault:
        raise Fault(str(fault)) from None
    _check(asked)
    for _ in changes(*targets.skills, *targets.roots, raise_interrupt=True):
        out.stdout().line("-" * 40)
        _check(asked)
    return 0


def _check(asked: Asked) -> None:
    """Check once; a fault that a person is about to mend does not end the watch."""
    try:
        outcome = outcome_of(asked)
        warn(outcome.warnings)
        show(outcome, asked)
    except Fault as fault:
        out.complain(str(fault))
    out.stdout().flush()

"""What fails while the app runs: which pane it belongs to, and the words for the person."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from textual.dom import DOMNode
from textual.worker import Worker

from skillui.workspace.log import log_path

if TYPE_CHECKING:
    from skillui.tui.panes.base import SkillPane

_log = logging.getLogger(__name__)


def where_more_is() -> str:
    """Return the sentence that names the log, "" where there is none."""
    place = log_path()
    return f" The log has the details: {place}" if place else ""


def words_of(what: str, error: BaseException | None) -> str:
    """Return what is told of a fault; it may quote a skill and must go through the gate."""
    reason = f"{error.__class__.__name__}: {error}" if error is not None else "no reason is known"
    return f"{what} failed: {reason}.{where_more_is()}"


def worker_failed(worker: Worker[object]) -> str:
    """Log what ended a worker and return the words for it."""
    _log.error("%s failed", worker.description, exc_info=worker.error)
    return words_of(worker.description or "work in the background", worker.error)


def pane_of(node: DOMNode) -> SkillPane | None:
    """Return the pane that a part of the screen lies in, where it is one of a skill's."""
    from skillui.tui.panes.base import SkillPane  # not before the first picture

    return next((above for above in node.ancestors_with_self if isinstance(above, SkillPane)), None)

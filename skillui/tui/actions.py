"""Every action that has a key: its name, its keys and what it is called, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Action:
    """Something the person can do with a key."""

    id: str
    """Dotted name as a key file has it; what stands before the dot is the group."""
    keys: str
    """Key names, separated by commas; the first one is shown."""
    description: str
    """What the footer and the help say."""

    @property
    def group(self) -> str:
        """The part of the interface it works in."""
        return self.id.partition(".")[0]


GROUPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "app": "Everywhere",
        "list": "Lists",
        "catalog": "Catalog",
        "search": "Search",
        "skill": "Skill",
        "resources": "Resources",
        "problems": "Problems",
        "preview": "Preview",
        "review": "Review",
        "session": "Session",
        "prompt": "Prompts",
        "dialog": "Dialogs",
    }
)
"""The groups in the order the help shows them, with their titles."""

BESIDE: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "app": frozenset(GROUPS),
        "list": frozenset({"catalog", "skill", "resources", "problems", "review", "session"}),
        "catalog": frozenset({"skill"}),
        "skill": frozenset({"problems"}),
    }
)
"""Groups whose keys are heard at the same time; a key in two of them would reach only one."""

KEPT: Final = frozenset({"app.quit", "app.help"})
"""Actions that keep their own keys whatever a key file says: nobody may be locked in or left without help."""

_TABLE: Final = (
    Action("app.quit", "ctrl+q", "Quit"),
    Action("app.help", "?,f1", "Help"),
    Action("app.palette", "ctrl+p", "Palette"),
    Action("app.browse", "1", "Browse"),
    Action("app.review", "2", "Review"),
    Action("app.session", "3", "Session"),
    Action("app.refresh", "f5,ctrl+r", "Read again"),
    Action("app.next-pane", "f6", "Next pane"),
    Action("app.previous-pane", "shift+f6", "Previous pane"),
    Action("app.session-strip", "t", "Session strip"),
    Action("list.up", "up,k", "Up"),
    Action("list.down", "down,j", "Down"),
    Action("list.page-up", "pageup", "Page up"),
    Action("list.page-down", "pagedown", "Page down"),
    Action("list.first", "home", "First"),
    Action("list.last", "end", "Last"),
    Action("list.select", "enter", "Open"),
    Action("catalog.search", "/", "Search"),
    Action("catalog.group", "g", "Group by root"),
    Action("catalog.sort", "s", "Sort"),
    Action("catalog.new", "n", "New skill"),
    Action("catalog.compare", "c", "Compare"),
    Action("search.accept", "enter,down", "To the matches"),
    Action("search.leave", "escape", "Clear, then leave"),
    Action("skill.activate", "a", "Activate"),
    Action("skill.activate-as-user", "A", "Activate as user"),
    Action("skill.preview", "p", "Preview"),
    Action("skill.problems", "v", "Problems"),
    Action("skill.edit", "e", "Edit"),
    Action("skill.copy-path", "y", "Copy path"),
    Action("skill.copy-output", "o", "Copy output"),
    Action("skill.rendered", "r", "Rendered or source"),
    Action("skill.next-tab", "],right", "Next tab"),
    Action("skill.previous-tab", "[,left", "Previous tab"),
    Action("skill.back", "escape", "Back to the catalog"),
    Action("resources.toggle", "space", "Fold or unfold"),
    Action("resources.unfold", "right", "Unfold"),
    Action("resources.fold", "left", "Fold"),
    Action("resources.back", "escape", "Back to the files"),
    Action("problems.fix", "f", "Preview the fix"),
    Action("problems.explain", "x", "Explain the rule"),
    Action("problems.filter", "F", "Next family"),
    Action("problems.export", "X", "Export the report"),
    Action("preview.caller", "ctrl+t", "Caller"),
    Action("preview.activate", "ctrl+g", "Activate"),
    Action("preview.clear", "ctrl+l", "Clear the form"),
    Action("preview.leave", "escape", "Leave the form"),
    Action("review.approve", "a", "Approve"),
    Action("review.deny", "d", "Deny"),
    Action("review.revoke", "u", "Revoke"),
    Action("review.reason", "r", "Reason"),
    Action("review.next-file", "J", "Next file"),
    Action("review.previous-file", "K", "Previous file"),
    Action("review.next-finding", "]", "Next finding"),
    Action("review.previous-finding", "[", "Previous finding"),
    Action("review.diff", "v", "Text or difference"),
    Action("review.compare", "D", "Compare with"),
    Action("review.mark", "space", "Mark"),
    Action("review.filter", "f", "Filter"),
    Action("review.previous-filter", "F", "Filter before"),
    Action("review.log", "l", "Log"),
    Action("review.edit", "e", "Edit"),
    Action("review.copy-path", "y", "Copy path"),
    Action("review.back", "escape", "Back"),
    Action("session.new", "n", "New session"),
    Action("session.export", "x", "Export"),
    Action("session.replay", "R", "Replay"),
    Action("session.copy-output", "o", "Copy output"),
    Action("session.follow", "f", "Follow"),
    Action("session.next-part", "],right", "Next part"),
    Action("session.previous-part", "[,left", "Previous part"),
    Action("session.back", "escape", "Back"),
    Action("prompt.deny", "d,escape", "Deny"),
    Action("prompt.allow-once", "o", "Allow once"),
    Action("prompt.always", "a", "Always for this content"),
    Action("prompt.digest", "g", "Whole digest"),
    Action("prompt.deny-all", "D", "Deny all that wait"),
    Action("dialog.next", "right", "Next choice"),
    Action("dialog.previous", "left", "Choice before"),
    Action("dialog.accept", "ctrl+s", "Accept"),
    Action("dialog.close", "escape", "Close"),
    Action("dialog.yes", "y", "Yes"),
    Action("dialog.no", "n", "No"),
)

ACTIONS: Final[Mapping[str, Action]] = MappingProxyType({action.id: action for action in _TABLE})
"""All actions by id."""

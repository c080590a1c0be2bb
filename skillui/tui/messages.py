"""What panes ask of the app: messages go up, values come down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.message import Message

if TYPE_CHECKING:
    from skillui.core import AnyEntry, CallRecord, Catalog, Problem
    from skillui.tui.model.file_content import FileContent
    from skillui.tui.model.findings import Summary
    from skillui.tui.model.skill_view import SkillView


@dataclass
class CatalogChanged(Message):
    """The catalog was read; `done` and `total` count folders while a scan still runs (equal at its end)."""

    catalog: Catalog
    done: int
    total: int


@dataclass
class FilesChanged(Message):
    """Files below the skill roots changed on disk."""

    paths: tuple[str, ...]


@dataclass
class RootsTouched(Message):
    """A root came or went on disk, or something changed while nobody watched."""


@dataclass
class RootsFound(Message):
    """The workbench reads other roots now."""


@dataclass
class WatchFailed(Message):
    """Changes are not noticed any more; `reason` says why."""

    reason: str


@dataclass
class FileRead(Message):
    """A file of a skill was read for the Resources tab."""

    content: FileContent


@dataclass
class SkillHighlighted(Message):
    """The cursor of the catalog rests on this entry; None where the list is empty."""

    entry: AnyEntry | None

    def can_replace(self, message: Message) -> bool:
        """Only the newest place of the cursor matters."""
        return isinstance(message, SkillHighlighted)


@dataclass
class SkillOpened(Message):
    """The person chose an entry with Enter or a double click."""

    entry: AnyEntry


@dataclass
class ViewReady(Message):
    """A skill was read in the background; `generation` tells whether it is still the one wanted.

    `view` is None where the list is empty.
    """

    view: SkillView | None
    generation: int


@dataclass
class ActivateRequested(Message):
    """Activate an entry. `arguments` None with declared required ones opens the form instead."""

    entry: AnyEntry
    arguments: str | dict[str, str] | None = None
    as_user: bool = False


@dataclass
class CallFinished(Message):
    """The engine answered a call of this app's session."""

    record: CallRecord


@dataclass
class EditRequested(Message):
    """Open a file in the person's editor, at a 1-based line where one is known."""

    path: str
    line: int | None = None


@dataclass
class CopyRequested(Message):
    """Copy `text` to the clipboard; `what` names it in the toast ("path", "output")."""

    text: str
    what: str


@dataclass
class TabRequested(Message):
    """Show another tab of the skill (`overview`, `frontmatter`, `body`, `resources`, `problems`, `preview`).

    `line` is 1-based in SKILL.md, or in the file `path` of the skill where one is named.
    """

    tab: str
    line: int | None = None
    column: int | None = None
    path: str = ""


@dataclass
class FileRequested(Message):
    """Read a file of the selected skill and hand it to the pane that asked; `path` is relative to the folder."""

    path: str


@dataclass
class LinkRequested(Message):
    """Ask the person about an address in a skill's text before anything opens it."""

    url: str


@dataclass
class FixRequested(Message):
    """Preview the fix of a problem as a diff, and apply it when told to; `view` is the skill as it was checked."""

    problem: Problem
    view: SkillView


@dataclass
class ExplainRequested(Message):
    """Say what the rule behind a problem is for."""

    problem: Problem


@dataclass
class ReportRequested(Message):
    """Write what the gate finds to a file."""


@dataclass
class SkillsChecked(Message):
    """The gate looked at skills in the background; `done` equals `total` at the end."""

    summaries: Mapping[str, Summary]
    done: int
    total: int
    warnings: tuple[str, ...] = ()
    """What is wrong with the project's configuration of the gate."""

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts matter."""
        return isinstance(message, SkillsChecked)


@dataclass
class CompareRequested(Message):
    """Show the difference between two copies of a skill, the winner first."""

    winner: AnyEntry
    other: AnyEntry


@dataclass
class NewSkillRequested(Message):
    """Begin a new skill."""


@dataclass
class NewSessionRequested(Message):
    """Begin a new session: the activated set is empty again."""


@dataclass
class ReplayRequested(Message):
    """Make a call of the session once more."""

    record: CallRecord


@dataclass
class ExportRequested(Message):
    """Write a session's events as JSON lines; `session` is its key, None means the current one."""

    session: str | None = None


@dataclass
class ModeRequested(Message):
    """Show another mode: `browse`, `review` or `session`."""

    mode: str
    event: int | None = None
    """Number of the call that Session mode is to show."""


@dataclass
class ReviewCounted(Message):
    """So many skills wait for a decision."""

    waiting: int


@dataclass
class Notice(Message):
    """Say something in passing; `text` may hold text of a skill and goes through the gate."""

    text: str
    severity: str = "information"
    detail: Any = None

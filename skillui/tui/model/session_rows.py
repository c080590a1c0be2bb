"""One call of a session as cells: in a row of the table, and in the strip at the foot of Browse."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final

from textual.content import Content

from skillui.core import AlreadyLoaded, AskedElsewhere, CallRecord, Error, ErrorCode, NotFound, Ok, SkillEvent
from skillui.tui.glyphs import glyphs
from skillui.tui.safe_text import safe_line
from skillui.tui.widgets.columns import CellText, Column

MUTED: Final = "$text-muted"
_MOST_ARGUMENTS = 40
_DENIED: Final = frozenset(
    {ErrorCode.NOT_TRUSTED, ErrorCode.PERMISSION_DENIED, ErrorCode.OUTSIDE_WORKSPACE, ErrorCode.SENSITIVE}
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call: a sign, a word and a style, never one of them alone."""

    glyph: str
    word: str
    style: str

    @property
    def cell(self) -> tuple[str, str]:
        """Sign and word for a table."""
        return f"{self.glyph} {self.word}", self.style


def outcome_of(record: CallRecord) -> Outcome:
    """Say what came of a call."""
    signs = glyphs()
    match record.result:
        case Ok():
            return Outcome(signs.check, "ok", "$state-ok")
        case AlreadyLoaded():
            return Outcome(signs.states["loaded"].glyph, "already_loaded", "$state-loaded")
        case NotFound():
            return Outcome(signs.unequal, "not_found", "$state-untrusted")
        case AskedElsewhere():
            return Outcome(signs.arrow, "asked here", MUTED)
        case Error(code=code):
            glyph = signs.states["disabled"].glyph if code in _DENIED else signs.cross
            return Outcome(glyph, str(code), "$state-broken")


def who(event: SkillEvent) -> str:
    """Say who called: `model` or `you`."""
    return "you" if event.initiator == "user" else event.initiator


def decision_of(record: CallRecord) -> tuple[str, str]:
    """Say in two or three words how the hook answered, with a style."""
    decision = record.event.decision
    if decision is None:
        return "not asked", MUTED
    if record.fault is not None and isinstance(record.result, AskedElsewhere):
        return "withdrawn", MUTED
    if record.fault is not None:
        return "denied (fault)", "$state-broken"
    if decision == "deny":
        return ("denied by you" if record.question is not None else "denied before"), "$state-broken"
    words = {"allow": "allowed", "allow_once": "allowed once", "ask": "denied (ask)"}
    style = "$state-ok" if decision.startswith("allow") else "$state-broken"
    return words.get(decision, decision), style


def clock(time: str) -> str:
    """Return the time of day here of an RFC 3339 time; what is none stays as it is."""
    try:
        return datetime.fromisoformat(time).astimezone().strftime("%H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return time


def arguments_text(arguments: object) -> str:
    """Return arguments on one line, as a person would write them; not yet made visible."""
    if arguments is None:
        return ""
    if isinstance(arguments, str):
        return arguments or '""'
    if isinstance(arguments, Mapping):
        return " ".join(f"{key}={_value(value)}" for key, value in islice(arguments.items(), _MOST_ARGUMENTS))
    return _value(arguments)


def _value(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if " " in value or not value else value
    try:
        return json.dumps(value, ensure_ascii=False, default=repr)
    except (RecursionError, TypeError, ValueError):
        return f"({type(value).__name__})"


def call_content(record: CallRecord, width: int) -> Content:
    """Write a call as `skill(name)` into at most `width` cells."""
    name = record.event.name
    room = max(1, width - len("skill()"))
    shown = Content.styled("?", MUTED) if name is None else safe_line(name, room, "bold")
    return Content.assemble(("skill(", MUTED), shown, (")", MUTED))


def aftermath(record: CallRecord) -> str:
    """Say in a few words what a person wants to know of a call that ended; not yet made visible."""
    dot = f" {glyphs().separator} "
    match record.result:
        case Ok(bytes=size, digest=digest):
            return f"body {size:,} B" + (f"{dot}{short_digest(digest)}" if digest else "")
        case AlreadyLoaded(at_turn=turn):
            return f"since t{turn}"
        case NotFound(siblings=siblings):
            return f"did you mean {siblings[0]}?" if siblings else "no skill has this name"
        case AskedElsewhere(asker=asker):
            return f"asked by {asker}"
        case Error(message=message):
            if record.event.decision is None:
                return message
            return f"{record.fault or decision_of(record)[0]}{dot}{clock(record.event.time)}"


def short_digest(digest: str) -> str:
    """Return the beginning of a digest such as `sha256 9f2c…`."""
    kind, _, value = digest.partition(":")
    return f"{kind} {value[:4]}{glyphs().ellipsis}"


EVENT_COLUMNS: Final = (
    Column(4, align="right", style=MUTED),
    Column(4, style=MUTED, drop=6),
    Column(5),
    Column(12, grow=2, style="bold"),
    Column(10, grow=3, drop=2),
    Column(21),
    Column(14, drop=3),
    Column(7, align="right", drop=5),
    Column(8, style=MUTED, drop=4),
)
"""Number, turn, who, skill, arguments, result, decision, bytes, time; the first two words of a call stay longest."""

EVENT_HEADER: Final = ("#", "turn", "who", "skill", "arguments", "result", "decision", "bytes", "time")

STRIP_COLUMNS: Final = (
    Column(4, style=MUTED),
    Column(4, style=MUTED, drop=3),
    Column(5),
    Column(20, grow=1),
    Column(19),
    Column(14, grow=2, style=MUTED, drop=2),
)
"""Number, turn, who, call, result, what one wants to know of it."""


def event_cells(record: CallRecord) -> tuple[CellText, ...]:
    """Return the cells of a row of the table."""
    event = record.event
    return (
        str(event.seq),
        f"t{event.turn}",
        who(event),
        event.name if event.name is not None else ("(no name)", MUTED),
        arguments_text(event.arguments),
        outcome_of(record).cell,
        decision_of(record),
        "" if event.bytes is None else f"{event.bytes:,}",
        clock(event.time),
    )


def strip_cells(record: CallRecord, call_width: int) -> tuple[CellText, ...]:
    """Return the cells of a line of the strip; `call_width` is the width of the fourth."""
    event, came = record.event, outcome_of(record)
    return (
        f"#{event.seq}",
        f"t{event.turn}",
        who(event),
        call_content(record, call_width),
        (came.word, came.style),
        aftermath(record),
    )

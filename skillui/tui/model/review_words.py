"""What the Review mode says: states, figures, what was decided and what stands in the way, as content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content

from skillui.core import Problem, Severity
from skillui.review.queue import ReviewState
from skillui.tui.glyphs import State, StateName, glyphs
from skillui.tui.model.figures import counted
from skillui.tui.model.review_sheet import ReviewSheet
from skillui.tui.safe_text import safe, safe_line
from skillui.tui.widgets.severity import sign_of, style_of

if TYPE_CHECKING:
    from skillui.review.records import StoredDecision
    from skillui.tui.model.review_rows import ReviewRow

_LOOKS: Final[dict[ReviewState, StateName]] = {
    "new": "untrusted",
    "changed": "stale",
    "unreadable": "broken",
    "denied": "disabled",
    "approved": "ok",
}
_VIA: Final = {"app": "", "cli": " at the command line", "prompt": " in a prompt", "import": " by a lock file"}
_MOST: Final = 400


def look_of(state: ReviewState) -> State:
    """Return the sign and the style of a state of the queue."""
    return glyphs().states[_LOOKS[state]]


def severities(errors: int, warnings: int) -> Content:
    """Return the figures of what was found, each with its sign; nothing where nothing grave was."""
    parts = [
        Content.styled(f"{sign_of(severity)}{count:,}", style_of(severity))
        for severity, count in ((Severity.ERROR, errors), (Severity.WARNING, warnings))
        if count
    ]
    return Content(" ").join(parts)


def queue_title(rows: list[ReviewRow]) -> Content:
    """Return the title of the queue: how many there are, how many wait."""
    waiting = sum(row.open for row in rows)
    count = Content.styled(f"{len(rows):,}", "$text-muted" if not rows else "")
    title = Content.assemble(("Queue", "bold"), "  ", count)
    if not waiting:
        return title
    return Content.assemble(
        title, (f" {glyphs().separator} ", "$text-muted"), (f"{waiting:,} to decide", "$state-untrusted")
    )


def standing(sheet: ReviewSheet) -> Content:
    """Say in one line how a skill stands."""
    item, look = sheet.item, look_of(sheet.item.state)
    lead = Content.styled(f"{look.glyph} {item.state}", f"bold {look.style}")
    return Content.assemble(lead, "  ", _standing_words(sheet))


def _standing_words(sheet: ReviewSheet) -> Content:
    item = sheet.item
    if item.content.digest is None:
        return safe(f"cannot be approved: {item.content.fault}"[:_MOST])
    if item.decision is not None:
        words = decided(item.decision)
        if not item.elsewhere:
            return words
        where = item.decision.place.dir or item.decision.place.root
        # The place last: it may be long, and what is decided by whom must not be cut off by it.
        return Content.assemble(("the same content elsewhere, ", ""), words, ", in ", safe(where[:_MOST], "bold"))
    if item.state == "changed":
        by = sheet.approval
        since = f"since {by.who} approved it on {by.when[:10]}: " if by is not None else "since it was approved: "
        return safe(since + changed_words(sheet))
    return Content(f"nobody decided on it yet: {counted(len(item.content.files), 'file')} to read")


def decided(decision: StoredDecision) -> Content:
    """Say who decided, when, how and why."""
    how = _VIA.get(decision.via, "")
    because = safe_line(f": {decision.reason}", _MOST) if decision.reason else Content("")
    return Content.assemble(safe(f"by {decision.who} on {decision.when[:10]}{how}"[:_MOST]), because)


def changed_words(sheet: ReviewSheet) -> str:
    """Count what changed since the last approval."""
    counts = [
        (sum(change.state == state for change in sheet.item.changes), state) for state in ("changed", "new", "removed")
    ]
    return ", ".join(f"{count:,} {state}" for count, state in counts if count) or "its place"


def findings_line(sheet: ReviewSheet) -> Content:
    """Say in one line what was found, and what the skill can do."""
    found = sheet.item.findings
    parts = [
        Content.styled(f"{sign_of(severity)} {counted(count, severity.value)}", style_of(severity))
        for severity in Severity
        if (count := sum(problem.severity is severity for problem in found))
    ]
    if not parts:
        parts = [Content.styled("nothing found", "$text-muted")]
    can = ", ".join(sheet.abilities)
    parts.append(
        Content.assemble(("can use ", "$text-muted"), safe(can, "bold"))
        if can
        else Content.styled("no network, shell, writes or credentials seen", "$text-muted")
    )
    return Content.styled(f" {glyphs().separator} ", "$text-muted").join(parts)


def finding_words(problem: Problem) -> Content:
    """Return one finding: its sign, its code, what it says."""
    style = style_of(problem.severity)
    lead = Content.styled(f"{sign_of(problem.severity)} ", f"bold {style}")
    return Content.assemble(lead, safe(f"{problem.code}  ", style), safe(problem.message[:_MOST]))

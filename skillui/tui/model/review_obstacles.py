"""What a reviewer is told before approving: what was not read, what cannot be read, what was found."""

from __future__ import annotations

from collections.abc import Sequence, Set

from textual.content import Content

from skillui.tui.glyphs import glyphs
from skillui.tui.model.figures import counted
from skillui.tui.model.review_rows import FileKey, ReviewRow
from skillui.tui.model.review_sheet import ReviewSheet
from skillui.tui.model.review_words import finding_words, look_of, severities
from skillui.tui.safe_text import safe, safe_line
from skillui.tui.widgets.fact_table import Fact

_MOST_NAMED = 200


def obstacles(sheet: ReviewSheet, read: Set[FileKey]) -> list[Fact]:
    """Name what stands against approving a skill as a matter of course; nothing where nothing does."""
    facts: list[Fact] = []
    files = [file for file in sheet.files if file.to_read and file.change.now is not None]
    unseen = [file for file in files if file.key not in read]
    blind = [file for file in files if file.file.text is None]
    facts += _named("not read", [file.title for file in unseen], "$state-untrusted")
    facts += _named("unreadable", [_sized(file.title, file.file.size) for file in blind], "$state-untrusted")
    for at, error in enumerate(sheet.errors[:_MOST_NAMED]):
        where = f"{error.path}:{error.line}  " if error.line is not None else ""
        text = Content.assemble(finding_words(error), "  ", safe(where, "$text-muted"))
        facts.append(Fact(text, Content.styled("found" if not at else "", "$state-broken"), indent=2))
    return facts


def row_facts(rows: Sequence[ReviewRow], able: Set[str], read: dict[str, Set[FileKey]]) -> list[Fact]:
    """Name each of several skills with its findings and with how much of it was read; those not `able` are left out."""
    return [_row_fact(row, row.key in able, read.get(row.key, frozenset())) for row in rows]


def _row_fact(row: ReviewRow, able: bool, read: Set[FileKey]) -> Fact:
    look = look_of(row.state)
    lead = Content.styled(f"{look.glyph} {row.state}", look.style)
    if not able:
        why = row.fault or f"{row.state} already"
        return Fact(Content.assemble(safe_line(row.name, 60, "bold"), safe_line(f"  left out: {why}", 200)), lead)
    done = sum(key in read for key in row.to_read)
    parts = [safe_line(row.name, 60, "bold"), safe(row.root, "$text-muted")]
    parts.append(severities(row.errors, row.warnings) or Content.styled("nothing found", "$text-muted"))
    if row.to_read:
        style = "" if done == len(row.to_read) else "$state-untrusted"
        parts.append(Content.styled(f"read {done}/{len(row.to_read)}", style))
    text = Content("  ").join(parts)
    if row.errors and row.gravest:
        text = Content.assemble(text, "\n", safe_line(row.gravest, 200, "$text-muted"))
    return Fact(text, lead)


def _named(lead: str, names: Sequence[str], style: str) -> list[Fact]:
    shown = [Fact(safe(name), Content.styled(lead if not at else "", style)) for at, name in enumerate(names)]
    if len(shown) > _MOST_NAMED:
        left = len(shown) - _MOST_NAMED
        return [
            *shown[:_MOST_NAMED],
            Fact(Content(f"{glyphs().ellipsis} and {counted(left, 'more file', 'more files')}")),
        ]
    return shown


def _sized(path: str, size: int) -> str:
    return f"{path}  ({size:,} bytes)"

"""What of one file a reviewer is shown: its text, the difference, or why there is neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skillui.review.content import ReviewedFile
from skillui.tui.model.diff import MAX_LINES, DiffLine, diff_texts
from skillui.tui.model.diff_rows import LONGEST
from skillui.tui.model.review_sheet import SheetFile


@dataclass(frozen=True, slots=True)
class FileText:
    """One file. `text` is None where there is nothing a person could read; `note` then says why."""

    text: str | None
    diff: tuple[DiffLine, ...] | None
    """The difference with the file before, None where there is none to show."""
    note: str = ""
    """What is to be known beside the text, "" for nothing."""

    @property
    def readable(self) -> bool:
        """Whether the whole file can be read here."""
        return self.text is not None


def text_of_file(file: SheetFile, base: str) -> FileText:
    """Return what to show of a file; `base` names what it is compared with. Takes up to a second."""
    before, now = file.change.before, file.change.now
    if now is None:
        old = _decoded(before)
        note = f"Gone: it was there in {base}."
        return FileText(old, None, note) if old is not None else FileText(None, None, note)
    text = _decoded(now)
    notes = list(_notes(file, text))
    if text is None:
        return FileText(None, None, "\n".join([_why_unreadable(now), *notes]))
    old = _decoded(before) if before is not None and file.change.state == "changed" else None
    diff = diff_texts(old, text, base, now.path) if old is not None and _comparable((old, text)) else None
    return FileText(text, diff, "\n".join(notes))


def _notes(file: SheetFile, text: str | None) -> list[str]:
    before, now = file.change.before, file.change.now
    assert now is not None
    notes = []
    if now.kind == "l":
        notes.append("A link; what stands here is where it leads.")
    if now.kind == "t":
        notes.append("A file outside the skill's folder that a link leads to.")
    if before is not None and before.executable != now.executable:
        notes.append("It can be executed now; before it could not." if now.executable else "It lost its execute bit.")
    if file.change.state == "changed" and before is not None and before.text is None and text is not None:
        notes.append("What it was before was not kept, so no difference can be shown.")
    if text is not None and "\ufffd" in text and now.text is not None and b"\xef\xbf\xbd" not in now.text:
        notes.append("It holds bytes that are no UTF-8; they are shown as \ufffd.")
    return notes


def _why_unreadable(file: ReviewedFile) -> str:
    size = f"{file.size:,} byte" + ("" if file.size == 1 else "s")
    return f"Binary, or too long to be kept: {size} that cannot be read here.\nsha256 {file.sha256}"


def _decoded(file: ReviewedFile | None) -> str | None:
    if file is None or file.text is None:
        return None
    # As hook and model would: what is no UTF-8 becomes a sign that can be seen.
    return file.text.decode("utf-8", "replace")


def _comparable(texts: Sequence[str]) -> bool:
    """Tell whether a difference would show all of both texts; where it would not, the text itself is shown."""
    return all(text.count("\n") < MAX_LINES and max(map(len, text.split("\n")), default=0) <= LONGEST for text in texts)

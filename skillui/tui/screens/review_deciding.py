"""Deciding in the Review mode: what is asked first, what is stored, where the reviewer goes next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Set
from typing import Any, Final

from textual import on
from textual.screen import Screen

from skillui.review.records import Verdict
from skillui.review.store import StoreFault
from skillui.tui.dialogs.audit import AuditDialog
from skillui.tui.dialogs.compare_with import CompareWithDialog, Other, WithApproval, WithCopy, WithRevision
from skillui.tui.dialogs.decide import DecideDialog
from skillui.tui.messages import Notice
from skillui.tui.model.figures import counted
from skillui.tui.model.quiet import Quiet
from skillui.tui.model.review_obstacles import obstacles, row_facts
from skillui.tui.model.review_rows import FileKey, next_open
from skillui.tui.model.review_sheet import Base, ReviewSheet
from skillui.tui.panes.review_bar import ReviewBar
from skillui.tui.panes.review_queue import ReviewQueuePane
from skillui.tui.review_desk import ChangedMeanwhile, Outcome, ReviewDesk

_VERDICTS: Final[dict[str, Verdict]] = {"approve": "approved", "deny": "denied"}
_ORDERS: Final[dict[Verdict, str]] = {"approved": "Approve", "denied": "Deny"}
_BATCH_LEAD: Final = 14


class Deciding(Screen[None]):
    """The half of the Review screen that decides; the other half shows."""

    queue: ReviewQueuePane
    bar: ReviewBar

    def __init__(self, desk: ReviewDesk, clock: Callable[[], float]) -> None:
        super().__init__(id="review")
        self.desk = desk
        self.sheet: ReviewSheet | None = None
        """The skill that is shown, None while there is none."""
        self.base: Base | None = None
        """What it is compared with instead of its approval."""
        self.quiet = Quiet(clock)
        """What is pressed too soon after a skill came up decides nothing."""
        self._read: set[tuple[str, FileKey]] = set()
        self._deciding = False
        self._last: tuple[str, str] | None = None

    def read_queue(self) -> None:
        """Read the queue again."""
        raise NotImplementedError

    def read_sheet(self) -> None:
        """Read the shown skill again."""
        raise NotImplementedError

    # What was read

    def note_read(self, skill: str, file: FileKey) -> bool:
        """Note that a file of a skill was read to its end; False where that was known."""
        known = (skill, file) in self._read
        self._read.add((skill, file))
        return not known

    def read_of(self, skill: str) -> frozenset[FileKey]:
        """Return what was read of a skill, each file as it was then."""
        return frozenset(file for key, file in self._read if key == skill)

    # The answers

    @on(ReviewBar.Chosen)
    def _chosen(self, event: ReviewBar.Chosen) -> None:
        event.stop()
        self._choose(event.choice)

    def action_approve(self) -> None:
        """Approve the shown content, or the marked skills."""
        self._choose("approve")

    def action_deny(self) -> None:
        """Deny the shown content, or the marked skills."""
        self._choose("deny")

    def action_revoke(self) -> None:
        """Take back what was decided about the shown skill, or what was decided last."""
        self._choose("revoke")

    def _choose(self, choice: str) -> None:
        if self._deciding or self.quiet.ignored():
            return
        if choice == "revoke":
            self._run(self._revoke(), "taking a decision back")
        elif self.queue.marked:
            self._run(self._decide_marked(_VERDICTS[choice]), "the decisions")
        else:
            self._run(self._decide(_VERDICTS[choice]), "the decision")

    def _run(self, coroutine: Coroutine[Any, Any, None], description: str) -> None:
        self._deciding = True
        self.run_worker(self._alone(coroutine), group="dialogs", exit_on_error=False, description=description)

    async def _alone(self, coroutine: Coroutine[Any, Any, None]) -> None:
        try:
            await coroutine
        finally:
            self._deciding = False
            self.quiet.restart()

    async def _decide(self, verdict: Verdict) -> None:
        sheet, row = self.sheet, self.queue.current
        if sheet is None or row is None or row.key != sheet.key:
            return  # what is on the screen is not what the cursor is on yet
        name, reason = sheet.item.place.name, self.bar.reason
        if sheet.item.content.digest is None:
            self._say(f"{name} cannot be {verdict}: {sheet.item.content.fault}", "warning")
            return
        if sheet.item.decision is not None and sheet.item.decision.verdict == verdict:
            self._say(f"{name} is {verdict} already")
            return
        if verdict == "approved" and not await self._asked(sheet):
            return
        try:
            made = await asyncio.to_thread(self.desk.decide, verdict, sheet.item, reason)
        except ChangedMeanwhile as fault:
            self._say(str(fault), "error")
            self.read_sheet()
            self.read_queue()
            return
        except StoreFault as fault:
            self._say(str(fault), "error")
            self.read_queue()
            return
        self._last = (sheet.key, made.digest)
        self._say(f"{name}: {verdict}, for exactly this content")
        self._go_on(sheet.key)

    def _go_on(self, key: str) -> None:
        """Go to the next skill that waits, and show how things stand now."""
        self.bar.clear()
        if (following := next_open(self.queue.list.rows, key)) is not None:
            self.queue.go_to(following)
        self.read_queue()

    async def _asked(self, sheet: ReviewSheet) -> bool:
        """Ask where approving is not a matter of course."""
        facts = obstacles(sheet, self.read_of(sheet.key))
        if not facts:
            return True
        about = "Approving lets it be activated without a question until its content changes."
        title = f"Approve {sheet.item.place.name}?"
        return bool(await self._show(DecideDialog(title, about, facts, "Approve all the same", clock=self.quiet.clock)))

    async def _decide_marked(self, verdict: Verdict) -> None:
        rows = self.queue.marked_rows
        able = [row for row in rows if row.digest is not None and row.state != verdict]
        order, count = _ORDERS[verdict], counted(len(able), "skill")
        if not able:
            self._say(f"none of the marked skills can be {verdict}: they are, or have no digest", "warning")
            return
        read: dict[str, Set[FileKey]] = {row.key: self.read_of(row.key) for row in rows}
        about = "Each is decided for exactly the content it has now."
        facts = row_facts(rows, {row.key for row in able}, read)
        yes, clock = f"{order} {count}", self.quiet.clock
        dialog = DecideDialog(f"{yes}?", about, facts, yes, lead=_BATCH_LEAD, clock=clock)
        if not await self._show(dialog):
            return
        reason = self.bar.reason
        outcomes = await asyncio.to_thread(lambda: list(self.desk.decide_rows(verdict, able, reason)))
        self._tell(verdict, outcomes)
        self.queue.clear_marks()
        self._go_on(rows[-1].key)

    def _tell(self, verdict: Verdict, outcomes: list[Outcome]) -> None:
        done = [outcome for outcome in outcomes if outcome.decision is not None]
        if done:
            self._say(f"{counted(len(done), 'skill')} {verdict}")
        for outcome in outcomes:
            if outcome.decision is None:
                self._say(f"{outcome.row.name} was not {verdict}: {outcome.fault}", "error")

    async def _revoke(self) -> None:
        sheet = self.sheet
        if sheet is not None and sheet.item.decision is not None:
            key, digest, name = sheet.key, sheet.item.decision.digest, sheet.item.place.name
        elif self._last is not None:
            key, digest = self._last
            name = next((row.name for row in self.queue.rows if row.key == key), "the last one")
        else:
            self._say("nothing was decided here that could be taken back", "warning")
            return
        try:
            known = await asyncio.to_thread(self.desk.revoke, digest, self.bar.reason)
        except StoreFault as fault:
            self._say(str(fault), "error")
            return
        self._last = None
        self.bar.clear()
        self._say(f"{name}: the decision is taken back" if known else f"{name}: there is no decision any more")
        self.queue.go_to(key)
        self.read_queue()

    # Comparing, and the log

    def action_compare(self) -> None:
        """Compare the shown skill with something else than its approval."""
        if not self._deciding and self.sheet is not None:
            self._run(self._compare(self.sheet), "the comparison")

    async def _compare(self, sheet: ReviewSheet) -> None:
        entry, desk = sheet.item.entry, self.desk
        copies = [WithCopy(copy, desk.root_source(copy)) for copy in desk.copies(entry)]
        chosen = await self._show(CompareWithDialog(sheet.item.place.name, copies, desk.has_revisions(entry)))
        if chosen is None:
            return
        try:
            self.base = await asyncio.to_thread(self._base_of, sheet, chosen)
        except Exception as fault:  # whatever git or the disk has to say
            self._say(f"that cannot be compared: {fault}", "error")
            return
        self.read_sheet()

    def _base_of(self, sheet: ReviewSheet, chosen: Other) -> Base | None:
        if isinstance(chosen, WithApproval):
            return None
        if isinstance(chosen, WithCopy):
            content, title = self.desk.content_of(chosen.entry), f"the copy in {chosen.where}"
        else:
            assert isinstance(chosen, WithRevision)
            content, title = self.desk.content_at(sheet.item.entry, chosen.revision), f"git {chosen.revision}"
        if content.digest is None:
            raise ValueError(content.fault)
        return Base(title, content)

    def action_show_log(self) -> None:
        """Show the log of decisions."""
        if not self._deciding:
            self._run(self._show_log(), "the log")

    async def _show_log(self) -> None:
        entries = await asyncio.to_thread(self.desk.audit)
        await self._show(AuditDialog(entries, self.desk.fault))

    async def _show(self, dialog: Screen[Any]) -> Any:
        return await self.app.push_screen_wait(dialog)

    def _say(self, text: str, severity: str = "information") -> None:
        self.post_message(Notice(text, severity))

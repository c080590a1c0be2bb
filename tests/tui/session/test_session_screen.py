"""Session mode by keys and by mouse, over sessions of the real engine."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from skillui.core import CallRecord, ContentDigest, SessionState, content_digest
from skillui.tui.messages import CopyRequested, ExportRequested, NewSessionRequested, ReplayRequested
from skillui.tui.model.session_log import SessionLog
from skillui.tui.screens.session import SessionScreen
from skillui.tui.widgets.session_list import SessionList
from skillui.tui.widgets.tab_bar import TabBar, TabSelected
from tests.tui.conftest import wait_until
from tests.tui.hostile import HOSTILE, LONG_BODY, SIZED
from tests.tui.session.session_records import (
    ScreenApp,
    Skills,
    denied,
    hostile_records,
    listen,
    ok,
    record,
    three_calls,
)


def digest_now(call: CallRecord) -> ContentDigest | None:
    return content_digest(call.dir) if call.dir and Path(call.dir).is_dir() else None


class Run:
    """Sessions over three skills and the screen that shows them."""

    def __init__(self, folder: Path) -> None:
        self.skills = Skills(folder)
        self.log = SessionLog()
        self.screen = SessionScreen(self.log, digest_now)
        self.app = ScreenApp(self.screen)

    async def session(self) -> None:
        state = SessionState(str(len(self.log.sessions) + 1))
        self.log.begin(state, self.skills.config)
        await three_calls(self.skills.session(state))

    async def call(self, name: str) -> None:
        assert self.log.current is not None
        await self.skills.session(self.log.current.state).skill({"name": name})
        self.screen.update_log()

    @property
    def cursor(self) -> int | None:
        return self.screen.table.list.cursor

    def shows(self, *texts: str) -> Callable[[], bool]:
        def shown() -> bool:
            screen = self.app.text()
            return all(text in screen for text in texts)

        shown.__name__ = f"shows {texts}"
        return shown


@pytest.fixture
async def run(tmp_path: Path) -> Run:
    run = Run(tmp_path)
    await run.session()
    return run


async def test_the_table_shows_each_call_with_the_newest_selected(run: Run) -> None:
    async with run.app.run_test(size=(140, 36)) as pilot:
        await wait_until(pilot, run.shows("Session 1 · 3 events", "NOT_TRUSTED", "denied by you", "allowed once"))
        await wait_until(pilot, run.shows("#  turn  who    skill", "arguments", "decision          bytes  time"))
        assert run.cursor == 2
        assert run.screen.table.list.has_focus
        assert "skill(triage)  ● already_loaded" in run.app.text()


async def test_both_are_shown_at_medium_size_and_the_detail_follows_the_cursor(run: Run) -> None:
    async with run.app.run_test(size=(120, 36)) as pilot:
        await pilot.press("home")
        await wait_until(pilot, run.shows("#1  skill(deploy)", "Parameters as given", '"arguments": "staging"'))


async def test_the_parts_are_walked_by_keys_and_stay_from_call_to_call(run: Run) -> None:
    async with run.app.run_test(size=(120, 36)) as pilot:
        await pilot.press("up", "]")
        await wait_until(pilot, run.shows('1  <skill name="triage"', "Do triage with bug 7."))
        await pilot.press("up")
        await wait_until(pilot, run.shows("1  Error [NOT_TRUSTED]"))
        await pilot.press("]")
        await wait_until(pilot, run.shows("Question", "the model asks to activate deploy", "remember as"))
        await pilot.press("]")
        await wait_until(pilot, run.shows("the files are exactly those of this call"))
        await pilot.press("[", "[", "[")
        await wait_until(pilot, run.shows("Parameters as given"))


async def test_the_parts_are_chosen_by_mouse(run: Run) -> None:
    async with run.app.run_test(size=(120, 36)) as pilot:
        await pilot.click(TabBar, offset=(9, 0))
        await wait_until(pilot, lambda: run.screen.detail.bar.active == "output")
        await wait_until(pilot, run.shows("already active"))


async def test_small_terminals_show_one_at_a_time_by_keys(run: Run) -> None:
    async with run.app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, run.shows("3 events"))
        assert not run.screen.detail.display
        await pilot.press("up", "enter")
        await wait_until(pilot, run.shows("#2  skill(triage)", "Parameters as given", "‹ events  esc"))
        assert not run.screen.table.display
        await pilot.press("escape")
        await wait_until(pilot, lambda: run.screen.table.list.has_focus)
        assert run.cursor == 1


async def test_small_terminals_show_one_at_a_time_by_mouse(run: Run) -> None:
    async with run.app.run_test(size=(80, 24)) as pilot:
        await pilot.click("#events", offset=(10, 0), times=2)
        await wait_until(pilot, run.shows("#1  skill(deploy)", "‹ events"))
        await pilot.click("#session-back", offset=(3, 0))
        await wait_until(pilot, lambda: run.screen.table.list.has_focus)
        assert not run.screen.detail.display


async def test_wide_terminals_show_the_detail_beside_the_table(run: Run) -> None:
    async with run.app.run_test(size=(200, 50)) as pilot:
        await wait_until(pilot, lambda: run.screen.detail.region.y == run.screen.table.region.y)
        assert run.screen.detail.size.height > 40
        assert not run.screen.sessions.display  # one session alone is no list


async def test_a_resize_loses_nothing(run: Run) -> None:
    async with run.app.run_test(size=(120, 36)) as pilot:
        await pilot.press("home", "]")
        for size in ((80, 24), (200, 50), (40, 10), (120, 36)):
            await pilot.resize_terminal(*size)
            await wait_until(pilot, lambda: run.app.size.width == size[0])  # noqa: B023
        assert run.cursor == 0
        await wait_until(pilot, run.shows("1  Error [NOT_TRUSTED]"))


async def test_an_empty_session_says_what_will_be_here(tmp_path: Path) -> None:
    run = Run(tmp_path)
    async with run.app.run_test(size=(80, 24), message_hook=listen(run.app)) as pilot:
        await wait_until(pilot, run.shows("Each activation will stand here", "a in Browse activates"))
        await pilot.press("R", "o", "enter", "]", "f", "escape")
        assert [message for message in run.app.asked if not isinstance(message, TabSelected)] == []
        run.log.begin(SessionState("1"), run.skills.config)
        run.screen.update_log()
        await run.call("triage")
        await wait_until(pilot, run.shows("Session 1 · 1 event", "triage"))


async def test_keys_ask_the_app(run: Run) -> None:
    async with run.app.run_test(size=(120, 36), message_hook=listen(run.app)) as pilot:
        await pilot.press("home", "n", "x", "R", "o")
        await wait_until(pilot, lambda: len(run.app.asked) == 4)
        new, export, replay, copy = run.app.asked
        first = run.log.sessions[0].records[0]
        assert isinstance(new, NewSessionRequested)
        assert isinstance(export, ExportRequested)
        assert export.session == "app-1"
        assert isinstance(replay, ReplayRequested)
        assert replay.record is first
        assert isinstance(copy, CopyRequested)
        assert (copy.text, copy.what) == (first.result.output, "output")


async def test_the_cursor_sticks_to_the_newest_until_it_is_taken_away(run: Run) -> None:
    async with run.app.run_test(size=(120, 36)) as pilot:
        await wait_until(pilot, run.shows("following"))
        await run.call("notes")
        await wait_until(pilot, run.shows("4 events", "#4  skill(notes)"))
        await pilot.press("up")
        await wait_until(pilot, lambda: not run.screen.table.following)
        await run.call("deploy")
        await wait_until(pilot, run.shows("5 events"))
        assert run.cursor == 2
        assert "following" not in run.app.text()
        await pilot.press("f")
        await wait_until(pilot, run.shows("following", "#5  skill(deploy)"))
        await pilot.press("f")
        await run.call("notes")
        assert run.cursor == 4


async def test_older_sessions_stay_readable_by_keys(run: Run) -> None:
    await run.session()
    async with run.app.run_test(size=(120, 36), message_hook=listen(run.app)) as pilot:
        await wait_until(pilot, run.shows("Sessions 2", "Session 2 · 3 events"))
        run.screen.sessions.focus()
        await pilot.press("down")
        await wait_until(pilot, run.shows("Session 1 · 3 events"))
        await pilot.press("x", "enter")
        await wait_until(pilot, lambda: run.screen.table.list.has_focus)
        assert [message.session for message in run.app.asked if isinstance(message, ExportRequested)] == ["app-1"]
        await run.call("notes")
        await pilot.pause()
        assert run.screen.shown is run.log.sessions[0]
        assert "Session 1 · 3 events" in run.app.text()


async def test_older_sessions_stay_readable_by_mouse(run: Run) -> None:
    await run.session()
    async with run.app.run_test(size=(120, 36)) as pilot:
        await wait_until(pilot, run.shows("Sessions 2"))
        await pilot.click(SessionList, offset=(5, 2))
        await wait_until(pilot, run.shows("Session 1 · 3 events"))


async def test_small_terminals_reach_the_sessions_by_escape_and_by_mouse(run: Run) -> None:
    await run.session()
    async with run.app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, run.shows("Session 2 · 3 events", "‹ sessions  esc"))
        await pilot.press("escape")
        await wait_until(pilot, lambda: run.screen.sessions.has_focus)
        await pilot.press("down", "enter")
        await wait_until(pilot, run.shows("Session 1 · 3 events"))
        await pilot.click("#session-back", offset=(3, 0))
        await wait_until(pilot, lambda: run.screen.sessions.has_focus)
        await pilot.click(SessionList, offset=(5, 1), times=2)
        await wait_until(pilot, run.shows("Session 2 · 3 events"))


async def test_a_new_session_is_shown_at_once(run: Run) -> None:
    async with run.app.run_test(size=(120, 36)) as pilot:
        await wait_until(pilot, run.shows("Session 1 · 3 events"))
        run.log.begin(SessionState("2"), run.skills.config)
        run.screen.update_log()
        await wait_until(pilot, run.shows("Session 2 · no events yet", "Sessions 2"))
        await run.call("triage")
        await wait_until(pilot, run.shows("Session 2 · 1 event", "✓ ok"))


async def test_an_event_asked_for_is_selected(run: Run) -> None:
    run.screen.go_to_event(2)
    async with run.app.run_test(size=(120, 36)) as pilot:
        await wait_until(pilot, run.shows("#2  skill(triage)"))
        run.screen.go_to_event(1)
        await wait_until(pilot, run.shows("#1  skill(deploy)"))
        assert not run.screen.table.following


async def test_the_disk_is_compared_again_when_files_change(run: Run) -> None:
    async with run.app.run_test(size=(120, 36)) as pilot:
        await pilot.press("up")
        await wait_until(pilot, run.shows("on disk ✓ same"))
        (run.skills.root / "triage" / "SKILL.md").write_text("other", encoding="utf-8")
        run.screen.read_disk()
        await wait_until(pilot, run.shows("on disk ≠ changed since"))
        shutil.rmtree(run.skills.root / "triage")
        run.screen.read_disk()
        await wait_until(pilot, run.shows("on disk ✗ gone"))
        await pilot.press("down")
        await wait_until(pilot, run.shows("on disk · no digest"))


async def test_the_disk_is_never_read_on_the_event_loop_and_a_late_answer_is_dropped() -> None:
    log, release, threads = SessionLog(), threading.Event(), set[int]()
    state = SessionState("1")
    state.records += [
        record(ok(), seq=1, name="slow", digest="sha256:a", directory="/slow"),
        record(ok(), seq=2, name="quick", digest="sha256:a", directory="/quick"),
    ]
    log.begin(state)

    def slowly(call: CallRecord) -> ContentDigest | None:
        threads.add(threading.get_ident())
        if call.event.name == "slow":
            release.wait(20)
            return ContentDigest("sha256:other")
        return ContentDigest("sha256:a")

    screen = SessionScreen(log, slowly)
    app = ScreenApp(screen)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("home")
        await wait_until(pilot, lambda: screen.detail.record is state.records[0] and len(threads) > 0)
        await wait_until(pilot, lambda: "on disk ⟳ reading" in app.text())
        await pilot.press("end")
        await wait_until(pilot, lambda: "on disk ✓ same" in app.text())
        release.set()
        await pilot.pause()
        assert "on disk ✓ same" in app.text()
        assert threading.get_ident() not in threads


async def test_a_digest_that_fails_is_an_answer() -> None:
    log = SessionLog()
    log.begin(state := SessionState("1"))
    state.records.append(record(ok(), digest="sha256:a", directory="/x"))

    def fail(call: CallRecord) -> ContentDigest | None:
        raise ValueError("embedded null byte")

    app = ScreenApp(screen := SessionScreen(log, fail))
    async with app.run_test(size=(120, 36)) as pilot:
        screen.detail.open_part("content")
        await wait_until(pilot, lambda: "embedded null byte" in app.text())


async def test_ten_thousand_lines_are_scrolled_to_their_end() -> None:
    log = SessionLog()
    log.begin(state := SessionState("1"))
    state.records.append(record(ok(LONG_BODY)))
    app = ScreenApp(screen := SessionScreen(log, digest_now))
    async with app.run_test(size=(120, 36)) as pilot:
        screen.detail.open_part("output")
        screen.detail.text.focus()
        await pilot.press("end")
        await wait_until(pilot, lambda: "line 9999 [/x] ⟨U+202E⟩" in app.text())
        await pilot.press("pageup", "up", "down", "home")
        await wait_until(pilot, lambda: "line 0 [/x]" in app.text())
        top = screen.detail.text.scroll_offset.y
        await pilot.press("down", "down")
        await wait_until(pilot, lambda: screen.detail.text.scroll_offset.y == top + 2)


async def test_ten_thousand_calls_are_shown() -> None:
    log = SessionLog()
    log.begin(state := SessionState("1"))
    state.records += [record(denied(), seq=number) for number in range(1, 10_001)]
    app = ScreenApp(screen := SessionScreen(log, digest_now))
    async with app.run_test(size=(120, 36)) as pilot:
        await wait_until(pilot, lambda: "10,000 events" in app.text() and "#10000" in app.text())
        await pilot.press("home")
        await wait_until(pilot, lambda: screen.table.list.cursor == 0)


@pytest.mark.parametrize(("name", "size"), SIZED)
async def test_hostile_calls_are_shown_and_do_nothing(name: str, size: tuple[int, int]) -> None:
    text = HOSTILE[name]
    log = SessionLog()
    log.begin(state := SessionState(text))
    state.records += hostile_records(text)
    app = ScreenApp(screen := SessionScreen(log, lambda call: ContentDigest(None, text)))
    async with app.run_test(size=size) as pilot:
        for number in (1, 2, 3, 4):
            screen.go_to_event(number)
            await pilot.press("enter")
            await wait_until(pilot, lambda: screen.detail.record is state.records[number - 1])  # noqa: B023
            # The last two calls hold the text wherever it can be; of the others the first part is enough.
            for part in ("call", "output", "decision", "content") if number > 2 else ("call",):
                screen.detail.open_part(part)
                await pilot.pause()
                assert all(line.isprintable() for line in app.text().split("\n"))
                assert "cannot be drawn" not in app.text()
            await pilot.press("escape")
        assert app.is_running

"""The strip at the foot of Browse: the last calls, by keys and by mouse, folded where it is small."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.geometry import Offset

from skillui.core import SessionState
from skillui.tui.messages import ModeRequested
from skillui.tui.widgets.session_strip import SessionStrip
from tests.tui.conftest import wait_until
from tests.tui.hostile import HOSTILE
from tests.tui.session.session_records import (
    Skills,
    WidgetApp,
    denied,
    hostile_records,
    listen,
    ok,
    record,
    three_calls,
)


def asked(app: WidgetApp) -> list[ModeRequested]:
    return [message for message in app.asked if isinstance(message, ModeRequested)]


async def test_the_last_three_calls_are_shown_newest_last(tmp_path: Path) -> None:
    state = SessionState("1")
    session = Skills(tmp_path).session(state)
    await session.skill({"name": "notes"})
    await three_calls(session)
    app = WidgetApp(strip := SessionStrip())
    async with app.run_test(size=(120, 36)) as pilot:
        strip.set_records(state.records, 2)
        await wait_until(pilot, lambda: app.text().count("skill(") == 3)
        text = app.text()
        assert "Session 2 · 4 events" in text
        assert "skill(notes)" not in text
        lines = [line for line in text.split("\n") if "skill(" in line]
        assert [line.split()[1] for line in lines] == ["#2", "#3", "#4"]
        assert "NOT_TRUSTED" in lines[0]
        assert "denied by you" in lines[0]
        assert "you" in lines[1]
        assert " ok " in lines[1]
        assert "already_loaded" in lines[2]
        assert "since t3" in lines[2]


async def test_it_says_what_to_press_before_there_is_a_call() -> None:
    app = WidgetApp(SessionStrip())
    async with app.run_test(size=(120, 36)) as pilot:
        await wait_until(pilot, lambda: "a activates the selected skill" in app.text())
        assert "Session 1 · no events yet" in app.text()


@pytest.mark.parametrize("count", [0, 1, 2, 3])
async def test_it_takes_a_line_a_call(count: int) -> None:
    app = WidgetApp(strip := SessionStrip())
    async with app.run_test(size=(120, 36)) as pilot:
        strip.set_records([record(ok(), seq=number) for number in range(1, count + 1)], 1)
        await wait_until(pilot, lambda: strip.size.height == max(1, count))


async def test_a_click_on_a_call_asks_for_session_mode_at_it() -> None:
    app = WidgetApp(strip := SessionStrip())
    async with app.run_test(size=(120, 36), message_hook=listen(app)) as pilot:
        strip.set_records([record(ok(), seq=number) for number in (5, 6, 7)], 1)
        await wait_until(pilot, lambda: strip.size.height == 3)
        await pilot.click(SessionStrip, offset=Offset(10, 2))
        await wait_until(pilot, lambda: bool(asked(app)))
        assert [(message.mode, message.event) for message in asked(app)] == [("session", 6)]


async def test_enter_on_a_call_asks_for_session_mode_at_it() -> None:
    app = WidgetApp(strip := SessionStrip())
    async with app.run_test(size=(120, 36), message_hook=listen(app)) as pilot:
        strip.set_records([record(ok(), seq=number) for number in (5, 6, 7)], 1)
        strip.focus()
        await pilot.press("up", "up", "enter")
        await wait_until(pilot, lambda: bool(asked(app)))
        assert [(message.mode, message.event) for message in asked(app)] == [("session", 5)]


async def test_it_folds_to_one_line_on_a_small_terminal_and_unfolds() -> None:
    app = WidgetApp(strip := SessionStrip())
    async with app.run_test(size=(100, 24), message_hook=listen(app)) as pilot:
        strip.set_records([record(denied(), seq=2, decision="deny"), record(ok(), seq=3, name="triage")], 1)
        await wait_until(pilot, lambda: strip.outer_size.height == 1)
        (line,) = [line for line in app.text().split("\n") if "session 1" in line]
        assert "2 events" in line
        assert "t2 model skill(deploy) → NOT_TRUSTED" in line
        assert "t3 model skill(triage) → ok 612 B" in line
        await pilot.click(SessionStrip, offset=Offset(30, 0))
        await wait_until(pilot, lambda: [message.event for message in asked(app)] == [3])
        await pilot.resize_terminal(100, 40)
        await wait_until(pilot, lambda: strip.outer_size.height == 4)
        assert "Session 1 · 2 events" in app.text()
        await pilot.resize_terminal(60, 20)
        await wait_until(pilot, lambda: strip.outer_size.height == 1)
        assert "skill(triage)" in app.text()
        assert "skill(deploy)" not in app.text()


async def test_folded_and_empty_it_still_says_what_to_press() -> None:
    app = WidgetApp(SessionStrip())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "session 1 · no events yet   a activates" in app.text())


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_calls_are_shown_and_do_nothing(text: str, size: tuple[int, int]) -> None:
    app = WidgetApp(strip := SessionStrip())
    async with app.run_test(size=size) as pilot:
        strip.set_records(hostile_records(text), 1)
        await wait_until(pilot, lambda: "skill(" in app.text())
        assert all(line.isprintable() for line in app.text().split("\n"))
        assert "cannot be drawn" not in app.text()

"""Session mode over the real engine: new session, replay, export, what was copied, the digest against the disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillui.core import AlreadyLoaded, Ok
from skillui.tui.dialogs.export_path import ExportDialog
from skillui.tui.widgets.event_detail import EventDetail
from tests.tui.app.whole_app import Run, Shop, running


async def in_session(run: Run) -> None:
    await run.press("3")
    await run.until(lambda: run.app.current_mode == "session")


async def test_a_new_session_holds_nothing_and_the_old_one_stays_in_the_list(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.activate("notes")
        await in_session(run)
        await run.press("n")
        await run.until(lambda: run.app.workbench.session_number == 2)
        assert run.activated == set()
        await run.shows("Session 2", "Session 1")
        await run.press("1")
        await run.until(lambda: run.row("notes").state == "untrusted")
        await run.shows("no events yet")


async def test_replay_makes_the_call_again_as_it_was(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.activate("deploy", "A", answer="d")
        await in_session(run)
        await run.press("R")
        await run.answer("deploy", "o")
        assert isinstance(await run.calls(2), Ok)
        assert run.records[1].params == run.records[0].params
        assert run.records[1].event.initiator == "user"
        await run.press("R")
        assert isinstance(await run.calls(3), AlreadyLoaded)


async def test_export_writes_every_event_as_a_line(shop: Shop, tmp_path: Path) -> None:
    async with running(shop.launch()) as run:
        await run.activate("deploy", answer="d")
        await run.activate("notes", answer="o")
        await in_session(run)
        await run.press("x")
        await run.until(lambda: isinstance(run.screen, ExportDialog))
        await run.press("ctrl+a", "ctrl+k", *str(tmp_path / "out.jsonl"), "ctrl+s")
        await run.until((tmp_path / "out.jsonl").exists)
        events = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
        assert [(event["name"], event["code"]) for event in events] == [("deploy", "NOT_TRUSTED"), ("notes", None)]
        assert "Write notes." in events[1]["output"]
        await run.told("wrote 2 events")


async def test_an_export_that_cannot_be_written_is_told(shop: Shop, tmp_path: Path) -> None:
    async with running(shop.launch()) as run:
        await run.activate("notes")
        await in_session(run)
        await run.press("x")
        await run.until(lambda: isinstance(run.screen, ExportDialog))
        await run.press("ctrl+a", "ctrl+k", *"/dev/null/out.jsonl", "ctrl+s")
        await run.pilot.pause()
        if isinstance(run.screen, ExportDialog):
            await run.press("escape")
        else:
            await run.told("could not be written")
        assert run.app.is_running


async def test_export_by_the_palette_says_when_there_is_nothing(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        run.app.action_export_session()
        await run.told("nothing to export")


async def test_the_session_log_has_every_event(shop: Shop, tmp_path: Path) -> None:
    log = tmp_path / "session.jsonl"
    async with running(shop.launch(session_log=str(log))) as run:
        await run.activate("notes")
        await run.activate("deploy", answer="d")
        await run.go("ticket")
        run.app.call_engine({"name": "review"}, False)
        await run.prompt("review")
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [event["name"] for event in events] == ["notes", "deploy", "review"]
    assert events[2]["kind"] == "error"


async def test_path_and_output_are_copied_exactly(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("deploy")
        await run.press("y")
        await run.until(lambda: run.app.clipboard == str(shop.project_root / "deploy"))
        await run.told("copied the path")
        await run.press("o")
        await run.until(lambda: "Deploy $ARGUMENTS now." in run.app.clipboard)
        preview = run.app.clipboard
        assert run.records == []
        result = await run.activate("deploy")
        assert preview == result.output
        await in_session(run)
        await run.press("o")
        await run.until(lambda: run.app.clipboard == result.output)


async def test_the_output_that_is_copied_has_the_arguments_of_the_form(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("deploy")
        await run.press("p")
        await run.until(lambda: run.browse.area.active == "preview" and run.browse.area.has_focus_within)
        await run.press(*"blue", "escape")
        await run.until(lambda: not type(run.app.focused).__name__.endswith("Input"))
        await run.press("o")
        await run.until(lambda: "Deploy blue now." in run.app.clipboard)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_call_is_shown_with_its_digest_against_the_disk(shop: Shop, size: tuple[int, int]) -> None:
    async with running(shop.launch(), size) as run:
        await run.activate("notes")
        await in_session(run)
        await run.until(lambda: bool(run.screen.query(EventDetail)))
        detail = run.screen.query_one(EventDetail)
        await run.until(lambda: detail.disk.kind == "same")
        shop.skill("notes", "Write other notes.\n")
        await run.until(lambda: detail.disk.kind == "changed")
        if size[0] > 100:
            await run.shows("changed")

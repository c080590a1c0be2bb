"""What fails stays where it is: a pane, a worker, a log; the rest goes on and the person is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skillui.core import Ok, SessionState
from skillui.tui.panes.body import BodyPane
from skillui.tui.panes.overview import OverviewPane
from skillui.tui.panes.resources import ResourcesPane
from skillui.workspace.log import close_log, open_log
from tests.tui.app.whole_app import Shop, running


async def test_a_pane_that_cannot_show_a_skill_says_so_and_recovers(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    right = OverviewPane.update_view

    async def wrong(pane: OverviewPane, view: object, same: bool) -> None:
        if getattr(view, "entry").name == "deploy":  # noqa: B009
            raise RuntimeError("a fault [/x] \x1b]0;t\x07")
        await right(pane, view, same)  # type: ignore[arg-type]

    monkeypatch.setattr(OverviewPane, "update_view", wrong)
    assert open_log(str(tmp_path / "app.log")) is None
    try:
        async with running(shop.launch()) as run:
            await run.go("deploy")
            await run.shows("This pane failed: RuntimeError: a fault [/x]", "app.log")
            await run.press("]")
            await run.until(lambda: run.browse.area.active == "frontmatter")
            await run.shows("allowed-tools")
            await run.press("[")
            await run.go("notes")
            await run.shows("Does notes.")
            assert "This pane failed" not in run.text()
            assert isinstance(await run.activate("notes"), Ok)
    finally:
        close_log()
    assert "a fault" in (tmp_path / "app.log").read_text(encoding="utf-8")


async def test_a_pane_that_fails_at_a_key_says_so_and_the_rest_goes_on(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(pane: BodyPane) -> None:
        raise RuntimeError("no rendering today")

    monkeypatch.setattr(BodyPane, "action_toggle_rendered", wrong)
    async with running(shop.launch()) as run:
        await run.go("notes")
        await run.press("enter", "]", "]")
        await run.until(lambda: isinstance(run.browse.area.pane, BodyPane) and run.browse.area.has_focus_within)
        await run.press("r")
        await run.shows("This pane failed: RuntimeError: no rendering today")
        assert isinstance(await run.activate("notes"), Ok)


async def test_a_pane_that_fails_when_it_is_resized_says_so(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(shop.launch()) as run:
        await run.go("notes")
        await run.browse.area.open_tab("resources")

        def wrong(pane: ResourcesPane) -> None:
            raise RuntimeError("too small")

        monkeypatch.setattr(ResourcesPane, "on_resize", wrong, raising=False)
        await run.pilot.resize_terminal(110, 30)
        await run.until(lambda: run.browse.size.width == 110)
        await run.pilot.pause()
        await run.shows("This pane failed: RuntimeError: too small")
        assert isinstance(await run.activate("notes"), Ok)


async def test_a_worker_that_fails_is_told_and_the_app_goes_on(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(shop.launch()) as run:

        def wrong(*_: object) -> None:
            raise RuntimeError("the disk [/x] went away")

        with monkeypatch.context() as patched:
            patched.setattr(run.app.workbench, "scan", wrong)
            await run.press("f5")
            await run.told("reading the skill roots failed: RuntimeError: the disk [/x] went away")
        await run.press("f5")
        assert isinstance(await run.activate("notes"), Ok)


async def test_a_skill_that_cannot_be_read_is_told(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(shop.launch()) as run:

        def wrong(*_: object) -> None:
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(run.app.workbench, "read_view", wrong)
        run.app.go_to_skill("review")
        await run.told("reading a skill failed: OSError")


async def test_a_prompt_that_cannot_be_shown_is_a_denial(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> None:
        raise RuntimeError("no prompt today")

    monkeypatch.setattr("skillui.tui.dialogs.permission.facts", wrong)
    states: list[SessionState] = []

    async def activate() -> None:
        async with running(shop.launch()) as run:
            states.append(run.app.workbench.session.state)
            await run.go("deploy")
            await run.press("a")
            await run.until(lambda: not run.app.is_running)

    with pytest.raises(RuntimeError, match="no prompt today"):
        await activate()
    (state,) = states
    assert state.activated == {}
    assert [record.event.kind for record in state.records] == ["error"]


def at_the_limit(*_: object, **__: object) -> None:
    raise OSError("OS file watch limit reached")


async def test_where_the_system_watches_no_more_files_they_are_looked_at(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("watchfiles.watch", at_the_limit)
    async with running(shop.launch()) as run:
        await run.shows("watching")
        shop.skill("a-new-one")
        await run.until(lambda: "a-new-one" in run.names)
        assert not [text for text in run.said if "watched" in text]


async def test_a_watcher_that_cannot_watch_is_told(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("watchfiles.watch", at_the_limit)
    monkeypatch.setattr("skillui.tui.watched_folders.Looks", at_the_limit)
    async with running(shop.launch()) as run:
        await run.told("Files are not watched any more")
        await run.shows("not watching")


async def test_a_session_log_that_cannot_be_written_is_told_once(shop: Shop, tmp_path: Path) -> None:
    async with running(shop.launch(session_log=str(tmp_path / "log.jsonl"))) as run:
        assert run.app._session_log is not None
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, run.app._session_log._handle)
        os.close(full)
        await run.activate("notes", answer="d")
        await run.activate("deploy", answer="d")
        await run.told("log.jsonl cannot be written: no space left on device")
        assert sum("log.jsonl" in text for text in run.said) == 1
        assert len(run.records) == 2


async def test_a_theme_that_cannot_be_remembered_is_told(shop: Shop, fake_home: Path) -> None:
    (fake_home / ".local/state/skillui").write_text("a file where a folder should be", encoding="utf-8")
    async with running(shop.launch()) as run:
        run.app.action_choose_theme()
        await run.until(lambda: type(run.screen).__name__ == "ThemeDialog")
        await run.press("down", "enter")
        await run.told("could not be remembered")

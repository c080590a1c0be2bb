"""Files that change while the app runs: an edit shows at once, and nothing on the screen jumps."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from textual.app import App, SuspendNotSupported

from skillui.tui.panes.body import BodyPane
from tests.tui.app.whole_app import Run, Shop, running

SOON = 0.5
"""Seconds within which an edit shows."""
BUSY = 6.0
"""How many times slower a machine may be that runs other tests."""


async def watching(run: Run) -> None:
    """Wait until changes are noticed: the watcher takes a moment to begin."""
    probe = Path(run.app.workbench.roots[0].path) / "zz-probe"
    probe.mkdir()
    for number in range(100):
        (probe / "SKILL.md").write_text(f"---\nname: zz-probe\ndescription: Probe {number}.\n---\n", encoding="utf-8")
        deadline = time.monotonic() + 0.3
        while time.monotonic() < deadline:
            if run.row("zz-probe") is not None:
                shutil.rmtree(probe)
                await run.until(lambda: run.row("zz-probe") is None)
                return
            await run.pilot.pause(0.01)
    pytest.fail("the watcher never began")


async def test_an_edit_shows_soon_with_selection_scroll_and_focus_kept(shop: Shop) -> None:
    file = shop.skill("notes", "".join(f"line {number}\n" for number in range(200)))
    async with running(shop.launch()) as run:
        await watching(run)
        await run.go("notes")
        await run.press("]", "]")
        await run.until(lambda: isinstance(run.browse.area.pane, BodyPane))
        pane = run.browse.area.pane
        assert isinstance(pane, BodyPane)
        await run.press("enter")
        await run.until(lambda: pane.source.has_focus)
        await run.press("pagedown", "pagedown", "down")
        page = pane.source.scrollable_content_region.height - 1
        await run.until(lambda: pane.source.cursor == 2 * page + 1 and pane.source.scroll_offset.y == page + 1)
        cursor, top = pane.source.cursor, pane.source.scroll_offset.y
        assert cursor is not None
        assert cursor > 10
        before = time.monotonic()
        file.write_bytes(file.read_bytes().replace(b"line 40\n", b"line forty\n"))
        await run.until(lambda: run.browse.area.view is not None and "line forty" in str(run.browse.area.view.parsed))
        await run.shows("line forty")
        assert time.monotonic() - before < SOON * BUSY
        assert (pane.source.cursor, pane.source.scroll_offset.y) == (cursor, top)
        assert pane.source.has_focus
        assert run.browse.entry is not None
        assert run.browse.entry.name == "notes"


async def test_an_edit_while_typing_a_search_takes_no_letter(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await watching(run)
        await run.press("slash", *"not")
        await run.until(lambda: run.names[:1] == ["notes"])
        shop.skill("notes", about="Quite another thing.")
        await run.until(lambda: "Quite another thing." in str(run.row("notes").entry))
        await run.press("e", "s")
        assert run.browse.catalog.query_text == "notes"
        assert run.names[:1] == ["notes"]


async def test_a_skill_comes_goes_and_is_renamed(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await watching(run)
        await run.go("notes")
        shop.skill("added")
        await run.until(lambda: "added" in run.names)
        (shop.project_root / "added").rename(shop.project_root / "moved")
        await run.until(lambda: run.row("added") is None and run.row("moved") is not None)
        assert run.row("moved").state == "broken"
        shutil.rmtree(shop.project_root / "moved")
        await run.until(lambda: "moved" not in run.names)
        assert run.browse.entry is not None
        assert run.browse.entry.name == "notes"
        shutil.rmtree(shop.project_root / "notes")
        await run.until(lambda: "notes" not in run.names and run.browse.entry is not None)
        await run.viewed(run.browse.entry.name if run.browse.entry is not None else "")


async def test_the_last_skill_goes_and_the_screen_says_so(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await watching(run)
        shutil.rmtree(shop.user_root / "review")
        for folder in list(shop.project_root.iterdir()):
            shutil.rmtree(folder)
        await run.shows("No skills here yet.")
        await run.until(lambda: run.browse.area.view is None and run.browse.entry is None)
        await run.until(lambda: "Does" not in run.text())
        shop.skill("again")
        await run.until(lambda: run.names == ["again"])


async def test_a_skill_that_changed_after_its_activation_is_stale(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await watching(run)
        await run.activate("notes")
        await run.until(lambda: run.row("notes").state == "loaded")
        file = shop.project_root / "notes" / "SKILL.md"
        old = file.read_bytes()
        file.write_bytes(old + b"More.\n")
        await run.until(lambda: run.row("notes").state == "stale")
        await run.shows("stale")
        file.write_bytes(old)
        await run.until(lambda: run.row("notes").state == "loaded")
        (shop.project_root / "notes" / "helper.sh").write_text("true\n", encoding="utf-8")
        await run.until(lambda: run.row("notes").state == "stale")


async def test_a_skill_that_changes_while_its_question_is_open_is_stale_at_once(shop: Shop) -> None:
    shop.config("watch: false\n")
    async with running(shop.launch()) as run:
        await run.go("notes")
        await run.press("a")
        await run.prompt("notes")
        file = shop.project_root / "notes" / "SKILL.md"
        file.write_bytes(file.read_bytes() + b"More.\n")
        await run.answer("notes", "o")
        await run.calls(1)
        await run.until(lambda: run.row("notes").state == "stale")


async def test_without_watching_f5_reads_again(shop: Shop) -> None:
    shop.config("watch: false\n")
    async with running(shop.launch()) as run:
        await run.shows("not watching")
        shop.skill("added")
        await run.press("f5")
        await run.until(lambda: "added" in run.names)


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an editor that adds a line and notes what it was given."""
    script = tmp_path / "ed it.sh"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tmp_path}/given"\necho Edited. >> "$1"\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", f"'{script}'")
    return tmp_path / "given"


def given(editor: Path) -> list[str]:
    """Return the arguments the editor was run with."""
    return editor.read_text(encoding="utf-8").splitlines() if editor.exists() else []


async def test_the_editor_opens_the_selected_skill_and_the_change_shows(
    shop: Shop, editor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.config("watch: false\n")
    monkeypatch.setattr("textual.drivers.headless_driver.HeadlessDriver.can_suspend", property(lambda _: True))
    async with running(shop.launch()) as run:
        await run.go("notes")
        await run.press("e")
        await run.until(editor.exists)
        assert given(editor) == [str(shop.project_root / "notes" / "SKILL.md")]
        await run.until(lambda: run.browse.area.view is not None and "Edited." in str(run.browse.area.view.parsed))


async def test_a_terminal_that_cannot_be_handed_over_is_told(shop: Shop, editor: Path) -> None:
    async with running(shop.launch()) as run:
        with pytest.raises(SuspendNotSupported), run.app.suspend():
            pass
        await run.go("notes")
        await run.press("e")
        await run.told("could not be run")
        assert given(editor) == []


async def test_an_editor_that_is_not_there_is_told(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "no-such-editor")
    monkeypatch.setenv("PATH", "/nonexistent")
    async with running(shop.launch()) as run:
        await run.go("notes")
        await run.press("e")
        await run.told("no-such-editor")
        await run.told("no editor was found")
        assert isinstance(run.app, App)

"""The samples in the whole app: every state there is, each seen on every tab and called through the engine."""

from __future__ import annotations

from skillui.core import Error, Ok
from skillui.tui.dialogs.permission import PermissionPrompt
from skillui.tui.panes.resources import ResourcesPane
from skillui.workspace.launch import open_launch
from tests.tui.app.whole_app import Shop, running

TABS = ("overview", "frontmatter", "body", "resources", "problems", "preview")


async def test_every_sample_is_seen_on_every_tab_without_a_fault() -> None:
    async with running(open_launch(demo=True)) as run:
        states = {row.state for row in run.browse.catalog.rows}
        assert states >= {"ok", "broken", "untrusted", "disabled", "shadowed", "sensitive"}
        for row in run.browse.catalog.rows:
            assert run.browse.catalog.select(row.key)
            await run.until(
                lambda row=row: run.browse.area.view is not None and run.browse.area.view.entry.location == row.key  # type: ignore[misc]
            )
            for tab in TABS:
                await run.browse.area.open_tab(tab)
                await run.pilot._wait_for_screen()
                assert "failed" not in run.text()
        assert not [text for text in run.said if "failed" in text]


async def test_every_sample_is_called_and_what_comes_of_it_shows() -> None:
    async with running(open_launch(demo=True)) as run:
        names = [*run.app.workbench.catalog.by_name, *run.app.workbench.catalog.broken_by_name]
        for number, name in enumerate(dict.fromkeys(names)):
            run.app.call_engine({"name": name}, False)
            await run.until(
                lambda ended=number: isinstance(run.screen, PermissionPrompt) or len(run.records) > ended  # type: ignore[misc]
            )
            if isinstance(run.screen, PermissionPrompt):
                await run.answer(name, "o" if number % 2 else "d")
            await run.calls(number + 1)
        codes = {result.code for result in run.results if isinstance(result, Error)}
        assert codes >= {"NOT_TRUSTED", "DISABLED", "INVALID_FRONTMATTER", "NAME_MISMATCH", "INVALID_PARAM"}
        assert run.activated == {record.event.name for record in run.records if isinstance(record.result, Ok)}
        await run.until(lambda: all(run.row(name).state in ("loaded", "sensitive") for name in run.activated))


async def test_a_file_of_a_skill_opens_over_the_tree_and_escape_leads_back(shop: Shop) -> None:
    folder = shop.project_root / "notes" / "scripts"
    folder.mkdir()
    (folder / "run.sh").write_text("echo from the script\n", encoding="utf-8")
    async with running(shop.launch()) as run:
        await run.go("notes")
        await run.press("enter", "]", "]", "]")
        await run.until(lambda: isinstance(run.browse.area.pane, ResourcesPane) and run.browse.area.has_focus_within)
        await run.shows("run.sh", "listed")
        await run.press("end", "enter")
        await run.shows("scripts/run.sh", "echo from the script")
        await run.press("escape")
        await run.until(lambda: run.browse.area.has_focus_within and "echo from" not in run.text())
        await run.press("escape")
        await run.until(lambda: run.browse.catalog.list.has_focus)

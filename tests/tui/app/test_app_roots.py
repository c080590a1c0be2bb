"""Watching goes on whatever lies in a root, and roots that come later are found."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from skillui.tui import watching as watching_module
from skillui.tui.dialogs.new_skill import NewSkillDialog
from skillui.workspace.launch import open_launch
from tests.tui.app.test_app_files import watching
from tests.tui.app.whole_app import Shop, running

SKILL = "---\nname: {0}\ndescription: Does {0}. Use when {0} is wanted.\n---\nDo it.\n"


def write(root: Path, name: str) -> None:
    (root / name).mkdir(parents=True)
    (root / name / "SKILL.md").write_text(SKILL.format(name), encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="file names there are UTF-8")
async def test_a_name_that_is_no_utf8_does_not_end_watching(shop: Shop) -> None:
    odd = Path(os.fsdecode(os.fsencode(shop.project_root / "notes") + b"/caf\xe9.md"))
    async with running(shop.launch()) as run:
        await watching(run)
        odd.mkdir()  # noqa: ASYNC240
        await run.until(lambda: run.app.reader._watcher is not None and run.app.reader._watcher._polling)
        shop.skill("added")
        await run.until(lambda: "added" in run.names)
        await run.shows("⟳ watching")
        assert not [text for text in run.said if "watched" in text]


async def test_f5_watches_again_where_watching_ended(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("no more watches")

    monkeypatch.setattr(watching_module, "_PAUSES", (0.01,))
    async with running(shop.launch()) as run:
        await watching(run)
        run.app.reader.stop()
        with monkeypatch.context() as patch:
            patch.setattr("watchfiles.watch", broken)
            patch.setattr("skillui.tui.watched_folders.Looks", broken)
            await run.press("f5")
            await run.told("no more watches")
            await run.shows("not watching")
        await run.press("f5")
        await run.shows("⟳ watching")
        await watching(run)


async def test_a_root_that_is_made_later_is_found_and_watched(tmp_path: Path) -> None:
    async with running(open_launch(str(tmp_path)), skills=False) as run:
        await run.shows("No skills here yet.")
        session = run.app.workbench.session.state
        write(tmp_path / ".skills", "first")
        await run.until(lambda: run.names == ["first"])
        assert run.app.workbench.session.state is session
        await watching(run)
        await run.shows("roots 1")


async def test_a_root_of_the_user_that_is_made_later_comes_beside_the_others(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.activate("notes")
        await run.until(lambda: run.row("notes").state == "loaded")
        write(shop.home / ".agents" / "skills", "later")
        await run.until(lambda: "later" in run.names and run.row("notes").state == "loaded")
        await run.go("later")
        await run.shows("~/.agents/skills", "trusted")


async def test_f5_finds_a_new_root_without_watching(tmp_path: Path, shop: Shop) -> None:
    shop.config("watch: false\n")
    async with running(open_launch(str(tmp_path)), skills=False) as run:
        await run.until(lambda: not run.browse.catalog._scanning)
        before = len(run.app.workbench.roots)
        write(tmp_path / ".agents" / "skills", "first")
        await run.press("f5")
        await run.until(lambda: "first" in run.names)
        assert len(run.app.workbench.roots) == before + 1
        await run.shows("not watching")


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_screen_without_skills_offers_what_can_be_done(tmp_path: Path, size: tuple[int, int]) -> None:
    async with running(open_launch(str(tmp_path)), size, skills=False) as run:
        await run.shows("No skills here yet.", "n New skill", "~/.gemini/skills")
        await run.until(lambda: "a activates" not in run.text())
        assert "/ Search" not in run.text()
        await run.press("n")
        await run.until(lambda: isinstance(run.screen, NewSkillDialog))
        await run.press("escape")
        write(tmp_path / ".skills", "first")
        await run.press("f5")
        await run.until(lambda: run.names == ["first"])
        await run.shows("/ Search", "a activates")
        assert "n New skill" not in run.text()

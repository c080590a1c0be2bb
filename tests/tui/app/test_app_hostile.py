"""A project that attacks the screen: through every tab, the prompt, the toasts and Session mode at three sizes."""

from __future__ import annotations

import pytest

from skillui.tui.dialogs.diff import CompareDialog
from skillui.tui.dialogs.permission import PermissionPrompt
from tests.tui.app.whole_app import Run, Shop, running
from tests.tui.hostile import HOSTILE

SIZES = [(80, 24), (120, 36), (200, 50)]
TABS = ("overview", "frontmatter", "body", "resources", "problems", "preview")


def folder_name(text: str) -> str:
    """Return what of a text a file system takes as a name."""
    kept = text.replace("/", "∕").replace("\0", "").encode("utf-8", "ignore").decode()
    return kept.encode()[:120].decode("utf-8", "ignore")


def quoted(text: str) -> str:
    """Write any text as a YAML double-quoted scalar."""
    clean = text.encode("utf-8", "replace").decode()
    plain = (char if char.isprintable() and char not in '"\\' else f"\\U{ord(char):08x}" for char in clean)
    return f'"{"".join(plain)}"'


def attacked(shop: Shop) -> list[str]:
    """Put each text into a description, a body, file names, folder names and faults of the frontmatter."""
    for number, text in enumerate(HOSTILE.values()):
        text = text.encode("utf-8", "replace").decode()
        fields = (
            f"license: {quoted(text)}\nallowed-tools: [{quoted(text)}, Bash]\nargument-hint: {quoted(text[:150])}\n"
        )
        about = quoted(f"Use when {text}"[:1000])
        body = f"# {text}\n[{text}]({text})\n$ARGUMENTS ${{{text}}}\n"
        file = shop.skill(f"skill-{number:02}", body, fields, about=about)
        if name := folder_name(text).strip("."):
            (file.parent / name).write_text(text, encoding="utf-8")
            folder = shop.project_root / f"x{name}"
            folder.mkdir(exist_ok=True)
            (folder / "SKILL.md").write_text(f"---\nname: {quoted(text)}\n{text}: x\n---\n{text}", encoding="utf-8")
    return [f"skill-{number:02}" for number in range(len(HOSTILE))]


async def walk_tabs(run: Run) -> None:
    for tab in TABS:
        await run.browse.area.open_tab(tab)
        await run.pilot._wait_for_screen()
        run.text()


@pytest.mark.parametrize("size", SIZES)
async def test_every_row_and_every_tab_shows_hostile_skills_as_text(shop: Shop, size: tuple[int, int]) -> None:
    attacked(shop)
    async with running(shop.launch(), size) as run:
        run.browse.add_class("-detail")
        rows = list(run.browse.catalog.rows)
        assert len(rows) > len(HOSTILE) * 1.5
        # A third of the skills at each size: every one is seen at one of them.
        for row in rows[SIZES.index(size) :: len(SIZES)]:
            assert run.browse.catalog.select(row.key)
            await run.until(
                lambda row=row: run.browse.area.view is not None and run.browse.area.view.entry.location == row.key  # type: ignore[misc]
            )
            await walk_tabs(run)
        run.browse.remove_class("-detail")
        await run.pilot.pause()
        run.text()


@pytest.mark.parametrize("size", SIZES)
async def test_prompt_toasts_and_session_show_hostile_skills_as_text(shop: Shop, size: tuple[int, int]) -> None:
    names = attacked(shop)
    async with running(shop.launch(), size) as run:
        asked = 0
        some = names[SIZES.index(size) :: len(SIZES)]
        for number, name in enumerate(some):
            arguments = list(HOSTILE.values())[number]
            run.app.call_engine({"name": name, "arguments": arguments}, False)
            await run.until(
                lambda ended=number: isinstance(run.screen, PermissionPrompt) or len(run.records) > ended  # type: ignore[misc]
            )
            if isinstance(run.screen, PermissionPrompt):
                await run.prompt(name)
                run.text()
                await run.press("o" if number % 2 else "d")
                asked += 1
            await run.calls(number + 1)
            run.text()
        assert asked > len(some) / 2
        for number, text in enumerate(list(HOSTILE.values())[:10]):
            run.app.call_engine({"name": text, text: text}, False)
            await run.calls(len(some) + number + 1)
        await run.pilot.pause()
        run.text()
        await run.press("3")
        await run.until(lambda: run.app.current_mode == "session")
        for _ in range(8):
            for _ in range(4):
                await run.press("]")
                run.text()
            await run.press("up")


async def test_comparison_search_help_and_errors_show_hostile_text(shop: Shop) -> None:
    attacked(shop)
    shop.skill("skill-08", "Another.\n", user=True)
    async with running(shop.launch()) as run:
        await run.go("skill-08")
        await run.press("c")
        await run.until(lambda: isinstance(run.screen, CompareDialog))
        run.text()
        await run.press("escape")
        await run.until(lambda: run.screen is run.browse)
        for text in HOSTILE.values():
            run.app.search_for(text[:200].replace("\n", " "))
            await run.pilot._wait_for_screen()
            run.text()
            run.app.say(text, "error")
            await run.pilot._wait_for_screen()
            run.text()
        run.app.search_for("")
        await run.press("ctrl+p", *"Skill")
        await run.shows("Skill skill-0")


async def test_hostile_configuration_is_told_as_text(shop: Shop) -> None:
    keys = "".join(f"  {quoted(text[:60])}: {quoted(text[:60])}\n" for text in set(HOSTILE.values()))
    shop.config(f"{quoted(HOSTILE['window title'])}: 1\nkeys:\n{keys}")
    async with running(shop.launch()) as run:
        await run.told("unknown key")
        run.text()

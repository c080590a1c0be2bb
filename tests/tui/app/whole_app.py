"""The whole app over a small project that a test writes, driven by keys and mouse."""

from __future__ import annotations

import unicodedata
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from textual import events
from textual.keys import REPLACED_KEYS, _character_to_key, _get_unicode_name_from_key
from textual.pilot import Pilot
from textual.screen import Screen

from skillui.core import AskedElsewhere, CallRecord, Ok, SkillResult
from skillui.tui.app import SkilluiApp
from skillui.tui.dialogs.permission import PermissionPrompt
from skillui.tui.model.quiet import QUIET
from skillui.tui.model.rows import CatalogRow
from skillui.tui.panes.preview import PreviewPane
from skillui.tui.screens.browse import BrowseScreen
from skillui.workspace.launch import Launch, open_launch
from tests.tui.conftest import wait_until
from tests.tui.skill_bench import on_screen


class Shop:
    """A repository with skills of its own, and the user's skills in a home that is nobody's."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.path = folder / "shop"
        self.home = home
        (self.path / ".git").mkdir(parents=True)
        self.project_root = self.path / ".skills"
        self.user_root = home / ".claude" / "skills"

    def skill(
        self, name: str, body: str = "Do it.\n", fields: str = "", *, user: bool = False, about: str = ""
    ) -> Path:
        """Write a skill and return its SKILL.md; one in the user's root is trusted."""
        folder = (self.user_root if user else self.project_root) / name
        folder.mkdir(parents=True, exist_ok=True)
        about = about or f"Does {name}. Use when {name} is wanted."
        file = folder / "SKILL.md"
        file.write_bytes(f"---\nname: {name}\ndescription: {about}\n{fields}---\n{body}".encode())
        return file

    def broken(self, name: str) -> Path:
        """Write a skill without a description."""
        folder = self.project_root / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: {name}\n---\nDo it.\n", encoding="utf-8")
        return folder / "SKILL.md"

    def config(self, text: str) -> None:
        """Write the user's config.yaml."""
        folder = self.home / ".config" / "skillui"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.yaml").write_text(text, encoding="utf-8")

    def launch(self, **options: Any) -> Launch:
        """Open the project as the command line would."""
        return open_launch(str(self.path), **options)


class Run:
    """One running app."""

    def __init__(self, app: SkilluiApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot
        self.now = 0.0

    @property
    def browse(self) -> BrowseScreen:
        return self.app.browse

    @property
    def screen(self) -> Screen[Any]:
        return self.app.screen

    @property
    def records(self) -> list[CallRecord]:
        """The calls of the current session, in call order."""
        return list(self.app.workbench.session.state.records)

    @property
    def results(self) -> list[SkillResult]:
        return [record.result for record in self.records if not isinstance(record.result, AskedElsewhere)]

    @property
    def decisions(self) -> list[str | None]:
        return [record.event.decision for record in self.records]

    @property
    def activated(self) -> set[str]:
        """Names in the session's activated set."""
        return set(self.app.workbench.activated)

    @property
    def names(self) -> list[str]:
        """The rows of the catalog that are in the list now."""
        return [item.name for item in self.browse.catalog.list.rows if isinstance(item, CatalogRow)]

    @property
    def said(self) -> list[str]:
        """Every toast, the newest last."""
        return [notification.message for notification in self.app._notifications]

    def row(self, name: str) -> Any:
        """Return the first row of a name, None where there is none."""
        return next((row for row in self.browse.catalog.rows if row.name == name), None)

    def text(self) -> str:
        return on_screen(self.app)

    async def until(self, condition: Callable[[], object], seconds: float = 10.0) -> None:
        await wait_until(self.pilot, condition, seconds)

    async def shows(self, *texts: str) -> None:
        """Wait until the screen holds these texts."""

        def shown() -> bool:
            text = self.text()
            return all(part in text for part in texts)

        shown.__name__ = f"shows {texts}"
        try:
            await self.until(shown)
        except BaseException:
            print(self.text())
            raise

    async def told(self, text: str) -> None:
        """Wait until a toast says this."""

        def told() -> bool:
            return any(text in message for message in self.said)

        told.__name__ = f"told {text!r} among {self.said}"
        await self.until(told)

    async def press(self, *keys: str) -> None:
        """Press keys, each when the one before was handled; `Pilot.press` waits for an idle processor instead."""
        for key in keys:
            # What `Pilot.press` does first: a name for the key, and its character where it has one.
            name = key if len(key) > 1 or key.isalnum() else _character_to_key(key)
            original = REPLACED_KEYS.get(name, name)
            character = key if len(key) == 1 else None
            if len(key) > 1 and "+" not in key:
                with suppress(KeyError):
                    character = unicodedata.lookup(_get_unicode_name_from_key(original))
            driver = self.app._driver
            assert driver is not None
            driver.send_message(events.Key(name, character))
            await self.pilot._wait_for_screen()
            while self.app._key_on_its_way and self.app.is_running:
                await self.pilot._wait_for_screen()
            await self.pilot._wait_for_screen()

    async def go(self, name: str) -> None:
        """Put the cursor on a skill and wait until it is shown on the right."""
        self.app.go_to_skill(name)
        if name not in self.app.workbench.catalog.by_name:
            self.browse.go_to(self.row(name).entry)
        await self.until(lambda: self.screen is self.browse and self.browse.catalog.list.has_focus)
        await self.until(lambda: self.browse.entry is not None and self.browse.entry.name == name)
        await self.viewed(name)

    async def viewed(self, name: str) -> None:
        await self.until(lambda: self.browse.area.view is not None and self.browse.area.view.entry.name == name)

    async def prompt(self, name: str) -> PermissionPrompt:
        """Wait for the question about a skill, and until it listens."""
        await self.until(lambda: isinstance(self.screen, PermissionPrompt) and self.screen.request.name == name)
        prompt = self.screen
        assert isinstance(prompt, PermissionPrompt)
        await self.until(lambda: prompt._wakes_at is not None)
        self.now += QUIET
        await self.until(lambda: not prompt.asleep)
        return prompt

    async def answer(self, name: str, key: str) -> None:
        """Answer the question about a skill with a key, and wait until the call has ended."""
        prompt = await self.prompt(name)
        await self.press(key)
        await self.until(lambda: self.screen is not prompt)

    async def calls(self, number: int) -> SkillResult:
        """Wait for that many calls in the session; return the result of the last."""

        def ended() -> bool:
            return len(self.records) == number

        await self.until(ended)
        return self.results[-1]

    async def activate(self, name: str, key: str = "a", answer: str | None = "o") -> SkillResult:
        """Activate a skill by keys and answer the question with a key."""
        before = len(self.records)
        await self.go(name)
        await self.press(key)
        if answer is not None:
            await self.answer(name, answer)
        return await self.calls(before + 1)

    def ok(self, name: str) -> Ok:
        """Return the result that loaded a skill."""
        return next(
            record.result for record in self.records if record.event.name == name and isinstance(record.result, Ok)
        )


@asynccontextmanager
async def running(launch: Launch, size: tuple[int, int] = (120, 36), skills: bool = True) -> AsyncIterator[Run]:
    """Run the app until the end of the block, with a prompt clock that only `Run.prompt` moves."""
    with launch:
        app = SkilluiApp(launch)
        async with app.run_test(size=size, notifications=True) as pilot:
            run = Run(app, pilot)
            app.prompts._clock = lambda: run.now
            if skills:
                await run.until(lambda: app.browse.catalog.rows and not app.browse.catalog._scanning)
                await run.until(lambda: app.browse.area.view is not None)
            yield run


async def preview_of(run: Run) -> PreviewPane:
    """Wait for the Preview of the selected skill to stand."""

    def stands() -> bool:
        pane = run.browse.area.pane
        return isinstance(pane, PreviewPane) and pane.preview is not None and pane.view is run.browse.area.view

    await run.until(stands)
    pane = run.browse.area.pane
    assert isinstance(pane, PreviewPane)
    return pane

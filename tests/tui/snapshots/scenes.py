"""What is played before a picture is taken, and how long to wait until nothing moves any more."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.strip import Strip

from skillui.review.content import ReviewedContent, read_content
from skillui.review.records import Place, Verdict
from skillui.tui.app import SkilluiApp
from skillui.tui.messages import TabRequested
from skillui.tui.model.quiet import QUIET
from skillui.tui.screens.review import ReviewScreen
from skillui.tui.screens.session import SessionScreen
from tests.tui.app.whole_app import Run, preview_of

NOW: Final = 1_772_443_800.0
"""Monday 2 March 2026, 09:30 UTC."""
_AWAITED = {"prompts", "dialogs", "calls"}
"""Groups of workers that wait for the person."""
CHANGED: Final = "release-notes"
_DECIDED: Final[dict[str, Verdict]] = {CHANGED: "approved", "design-system": "approved", "secrets": "denied"}
_STILL = 3
"""Looks at the screen in a row that must find it the same."""


@dataclass
class Moment:
    """What the clock says."""

    now: float = NOW

    def go_on(self, seconds: float) -> None:
        """Let time go by."""
        self.now += seconds


class Stage(Run):
    """A running app with the hand on its clock."""

    def __init__(self, app: SkilluiApp, pilot: Pilot[Any], moment: Moment) -> None:
        super().__init__(app, pilot)
        self.moment = moment
        app.prompts._clock = lambda: self.now

    async def go(self, name: str) -> None:
        """Put the cursor on a skill and wait until all of it is shown: what comes next may lie over it."""
        await super().go(name)
        await settled(self)

    async def open_tab(self, tab: str) -> None:
        """Show a tab of the selected skill with the keyboard in it."""
        self.browse.post_message(TabRequested(tab))
        await self.until(lambda: self.browse.area.active == tab and self.browse.area.pane is not None)
        if tab == "preview":
            await preview_of(self)

    async def call(self, name: str, key: str = "a", answer: str | None = "o") -> None:
        """Activate a skill by keys."""
        self.moment.go_on(37)
        await self.activate(name, key, answer)
        self._say_no_duration(6_400.0 if answer is not None else 2.0)

    async def call_with(self, params: object, answer: str | None = None) -> None:
        """Call the engine as a model would."""
        self.moment.go_on(37)
        count = len(self.records)
        self.app.call_engine(params, False)
        if answer is not None:
            await self.answer(str(params["name"]) if isinstance(params, dict) else "", answer)
        await self.calls(count + 1)
        self._say_no_duration(4_100.0 if answer is not None else 1.0)

    def _say_no_duration(self, milliseconds: float) -> None:
        """Write down another duration than the one this test happened to take."""
        records = self.app.workbench.session.state.records
        records[-1] = replace(records[-1], event=replace(records[-1].event, duration_ms=milliseconds))
        self.app.clear_notifications()


Scene = Callable[[Stage], Awaitable[None]]

TABS: Final = {
    "overview": "api-conventions",
    "frontmatter": "weekly-report",
    "body": "release-notes",
    "resources": "design-system",
    "problems": "quick-setup",
    "preview": "compare-branches",
}
"""Each tab with the sample that has most to show in it."""


async def every_state(stage: Stage) -> None:
    """One skill loaded, one loaded and changed since, the cursor on a skill that wins over two others."""
    await stage.call("commit-message")
    await stage.call("explain-error")
    await settled(stage)  # what a call loaded is read again, and found to be as it was
    stage.app.workbench.stale = frozenset({"explain-error"})
    stage.app.show_session_state()
    await stage.go("api-conventions")


def tab(name: str) -> Scene:
    """Return the scene of a tab."""

    async def scene(stage: Stage) -> None:
        await stage.go(TABS[name])
        await stage.open_tab(name)
        if name == "preview":
            await stage.press(*"main", "tab")
            await stage.shows("3 replaced", "Compare main with")

    return scene


async def some_calls(stage: Stage) -> None:
    """Six calls, each with another end, the cursor on a denied one in the Session mode."""
    await stage.call("commit-message", answer="a")
    await stage.call("quick-setup", answer="d")
    await stage.call_with({"name": "compare-branches", "arguments": {"base": "main", "head": "topic"}}, "o")
    await stage.call_with({"name": "commit-message"})
    await stage.call_with({"name": "publish-release"})
    await stage.call_with({"name": "comit-mesage"})
    await stage.press("3")
    await stage.until(lambda: isinstance(stage.screen, SessionScreen))
    await stage.press("home", "down")
    screen = stage.screen
    assert isinstance(screen, SessionScreen)
    await stage.until(lambda: screen.detail.record is stage.records[1])


async def trust_prompt(stage: Stage) -> None:
    """The question about a skill that came with the project."""
    await stage.go("quick-setup")
    await stage.press("a")
    await stage.prompt("quick-setup")


async def review(stage: Stage, name: str) -> ReviewScreen:
    """The review of a queue with each state in it, the cursor on a skill."""
    _decide(stage)
    await stage.press("2")
    await stage.until(lambda: isinstance(stage.screen, ReviewScreen))
    screen = stage.screen
    assert isinstance(screen, ReviewScreen)
    screen.quiet.clock = lambda: stage.now
    await stage.until(lambda: any(row.name == name and row.root == "project" for row in screen.queue.rows))
    await settled(stage)
    screen.queue.go_to(next(row.key for row in screen.queue.rows if row.name == name))
    await stage.until(lambda: screen.sheet is not None and screen.sheet.item.place.name == name)
    await settled(stage)
    stage.now += QUIET
    return screen


def _decide(stage: Stage) -> None:
    """Put into the store what was decided before this run."""
    store, catalog = stage.app.workbench.store, stage.app.workbench.catalog
    for name, verdict in _DECIDED.items():
        entry = catalog.by_name[name]
        content = read_content(entry.dir)
        if name == CHANGED:
            content = _older(content)
        store.decide(verdict, content, Place(name, entry.dir, ".skills"), "looked at with the team")


def _older(content: ReviewedContent) -> ReviewedContent:
    """Return content as it was before somebody changed two lines of SKILL.md."""
    files = []
    for file in content.files:
        text = file.text
        if file.path == "SKILL.md" and text is not None:
            text = text.replace(
                b"between two tags",
                b"since the last tag that anybody can remember, whoever wrote them and whatever they say,",
            ).replace(b"version: 0.4.1", b"version: 0.4.0")
            file = replace(file, text=text, size=len(text), sha256=hashlib.sha256(text).hexdigest())
        files.append(file)
    return replace(content, digest="sha256:" + "0" * 64, files=tuple(files))


async def opened(stage: Stage, skills: bool) -> None:
    """Wait until the catalog stands, and the first skill beside it."""
    app = stage.app
    await stage.until(lambda: app._browse is not None and app.browse.is_mounted)
    await stage.until(lambda: not app.browse.catalog._scanning)
    if skills:
        await stage.until(lambda: app.browse.catalog.rows)
        await stage.until(lambda: app.browse.area.view is not None)
    # Nothing is watched, so that nothing is noticed between two pictures; the line says what it usually says.
    await stage.until(lambda: app.browse.top_bar.line.watching is not None)
    app.errands.show_watching(True)
    # What a dialog is put over before it was ever laid out stays blank behind it.
    await settled(stage)


async def settled(stage: Stage) -> None:
    """Wait until no worker is at work and the screen stays as it is; what was said in passing is gone."""
    app = stage.app
    same, seen = 0, _strips(app)
    while same < _STILL:
        await stage.until(lambda: not _busy(stage))
        app.clear_notifications()
        await stage.pilot.pause(0.02)
        now = _strips(app)
        same = same + 1 if now == seen and not app._notifications else 0
        seen = now


async def alone(stage: Stage) -> None:
    """Put nothing behind a dialog: a screen that was covered while it was laid out is drawn or not, as it happens."""
    if isinstance(stage.app.screen, ModalScreen):
        stage.app.screen.styles.background = stage.app.theme_variables["background"]
        await settled(stage)


def _strips(app: SkilluiApp) -> list[Strip]:
    return list(app.screen._compositor.render_strips())


def _busy(stage: Stage) -> bool:
    app = stage.app
    if any(worker.is_running and worker.group not in _AWAITED for worker in app.workers):
        return True
    screen = app.screen
    if not isinstance(screen, SessionScreen):
        return False
    return screen.detail.record is not None and screen.detail.disk.kind == "reading"

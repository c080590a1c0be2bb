"""Every mode, tab and dialog of the whole app as pictures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from skillui.tui.dialogs.base import Dialog
from skillui.tui.dialogs.confirm import ConfirmDialog
from skillui.tui.dialogs.decide import DecideDialog
from skillui.tui.dialogs.diff import FixDialog
from skillui.tui.dialogs.error_details import ErrorDialog
from skillui.tui.messages import LinkRequested
from tests.tui.snapshots.conftest import Picture
from tests.tui.snapshots.scenes import (
    CHANGED,
    TABS,
    Scene,
    Stage,
    every_state,
    review,
    settled,
    some_calls,
    tab,
    trust_prompt,
)

Size = tuple[int, int]
SMALL, USUAL, LARGE = (80, 24), (120, 36), (200, 50)
SIZES = [pytest.param(SMALL, id="80x24"), pytest.param(USUAL, id="120x36"), pytest.param(LARGE, id="200x50")]


async def _nothing(stage: Stage) -> None:
    """What one sees first."""


async def _dialog(stage: Stage) -> None:
    await stage.until(lambda: isinstance(stage.screen, Dialog) and stage.screen.focused is not None)


# Browse


@pytest.mark.parametrize("size", SIZES)
def test_catalog(picture: Picture, size: Size) -> None:
    picture(every_state, size)


def _tabs() -> Iterator[object]:
    for name in TABS:
        for size in (SMALL, USUAL, LARGE):
            if name != "overview" or size == SMALL:  # the catalog's picture shows it where there is room for both
                yield pytest.param(name, size, id=f"{name}-{size[0]}x{size[1]}")


@pytest.mark.parametrize(("name", "size"), _tabs())
def test_tab(picture: Picture, size: Size, name: str) -> None:
    picture(tab(name), size)


def test_overview_of_a_broken_skill(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        await stage.go("reset-database")

    picture(scene, USUAL)


def test_source_of_hostile_text(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        await stage.go("text-tricks")
        await stage.open_tab("body")

    picture(scene, USUAL)


def test_body_rendered(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        await stage.go("design-system")
        await stage.open_tab("body")
        await stage.press("r")
        await stage.until(lambda: stage.screen.query("BodyPane.-rendered MarkdownTable"))

    picture(scene, USUAL)


def test_file_of_a_skill(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        await stage.go("design-system")
        await stage.open_tab("resources")
        await stage.press("end", "enter")
        await stage.until(lambda: stage.screen.query("ResourcesPane.-file"))
        await stage.shows("tokens.py   Python text", "def tokens")

    picture(scene, USUAL)


@pytest.mark.parametrize("size", SIZES[:2])
def test_search(picture: Picture, size: Size) -> None:
    async def scene(stage: Stage) -> None:
        await stage.press("/", *"no is:untrusted")
        await stage.until(lambda: stage.browse.catalog.query_text == "no is:untrusted")
        await stage.until(lambda: stage.browse.entry is not None and stage.browse.entry.name == "release-notes")
        await stage.viewed("release-notes")

    picture(scene, size)


def test_grouped_by_root(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        await stage.press("g")
        await stage.until(lambda: stage.browse.catalog.grouped)

    picture(scene, USUAL)


@pytest.mark.parametrize("size", SIZES[:2])
def test_no_skills(picture: Picture, size: Size) -> None:
    picture(_nothing, size, at="nobody/work/new")


# Session


@pytest.mark.parametrize("size", SIZES)
def test_session(picture: Picture, size: Size) -> None:
    picture(some_calls, size)


@pytest.mark.parametrize("part", ["call", "output", "decision", "content"])
def test_part_of_a_call(picture: Picture, part: str) -> None:
    async def scene(stage: Stage) -> None:
        await some_calls(stage)
        await stage.press("up", "enter")
        await stage.until(lambda: stage.screen.has_class("-detail"))
        for _ in range(("call", "output", "decision", "content").index(part)):
            await stage.press("right")

    picture(scene, SMALL)


def test_session_without_calls(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        await stage.press("3")

    picture(scene, USUAL)


# Review


@pytest.mark.parametrize("size", SIZES)
def test_review(picture: Picture, size: Size) -> None:
    picture(_review_new, size)


async def _review_new(stage: Stage) -> None:
    await review(stage, "quick-setup")


@pytest.mark.parametrize("size", SIZES)
def test_review_of_a_changed_skill(picture: Picture, size: Size) -> None:
    picture(_review_changed, size)


async def _review_changed(stage: Stage) -> None:
    screen = await review(stage, CHANGED)
    for _ in range(2):
        await stage.press("enter")
        await settled(stage)
    await stage.until(lambda: screen.text.view.has_focus)
    await stage.press("]")


@pytest.mark.parametrize("size", SIZES[:2])
def test_files_under_review(picture: Picture, size: Size) -> None:
    async def scene(stage: Stage) -> None:
        screen = await review(stage, "quick-setup")
        await stage.press("enter")
        # A file counts as read once its end was on the screen: each is given the time to be there.
        for index in (1, 2):
            await settled(stage)
            await stage.press("J")
            await stage.until(lambda: screen.files.index == index)  # noqa: B023

    picture(scene, size)


@pytest.mark.parametrize("size", SIZES[:2])
def test_approving_what_was_not_read(picture: Picture, size: Size) -> None:
    async def scene(stage: Stage) -> None:
        await review(stage, "quick-setup")
        await stage.press("a")
        await _awake(stage)

    picture(scene, size)


@pytest.mark.parametrize("size", SIZES[:2])
def test_approving_several(picture: Picture, size: Size) -> None:
    async def scene(stage: Stage) -> None:
        screen = await review(stage, "quick-setup")
        await stage.press("space", "space", "home", "space", "space", "end", "space")
        await stage.until(lambda: len(screen.queue.marked) == 5)
        await settled(stage)
        stage.now += 1
        await stage.press("a")
        await _awake(stage)

    picture(scene, size)


async def _awake(stage: Stage) -> None:
    await _dialog(stage)
    dialog = stage.screen
    assert isinstance(dialog, DecideDialog)
    stage.now += 1
    await stage.until(lambda: not dialog.asleep)


def test_log_of_decisions(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        await review(stage, "quick-setup")
        await stage.press("l")
        await _dialog(stage)

    picture(scene, USUAL)


def test_compare_with(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        await review(stage, "api-conventions")
        await stage.press("D")
        await _dialog(stage)

    picture(scene, USUAL)


# Dialogs


@pytest.mark.parametrize("size", SIZES)
def test_trust_prompt(picture: Picture, size: Size) -> None:
    picture(trust_prompt, size)


def test_permission_prompt(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        await stage.go("publish-release")
        await stage.press("A")
        await stage.prompt("publish-release")

    picture(scene, USUAL)


def test_prompt_of_a_sensitive_skill_that_sleeps(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        await stage.go("secrets")
        stage.app.call_engine({"name": "secrets"}, False)
        await stage.shows("keys wake in 0.4 s")
        stage.app.call_engine({"name": "commit-message"}, False)
        await stage.shows("1 of 2 waiting", "keys wake in 0.4 s")

    picture(scene, USUAL)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["help", "theme", "new", "export", "compare", "link", "palette"])
def test_dialog(picture: Picture, size: Size, name: str) -> None:
    picture(_DIALOGS[name], size)


async def _help(stage: Stage) -> None:
    await stage.press("?")
    await _dialog(stage)


async def _theme(stage: Stage) -> None:
    stage.app.action_choose_theme()
    await _dialog(stage)


async def _new(stage: Stage) -> None:
    await stage.press("n")
    await _dialog(stage)
    await stage.press(*"return-label")
    await stage.shows("return-label")


async def _export(stage: Stage) -> None:
    await stage.call_with({"name": "house-style"}, "o")
    await stage.press("3", "x")
    await _dialog(stage)


async def _compare(stage: Stage) -> None:
    await stage.go("api-conventions")
    await stage.press("c")
    await _dialog(stage)


async def _link(stage: Stage) -> None:
    stage.app.post_message(LinkRequested("https://docs.shop.example@elsewhere.example/api/errors?from=skill"))
    await _dialog(stage)


async def _palette(stage: Stage) -> None:
    await stage.press("ctrl+p")
    await stage.shows("New session")


_DIALOGS: dict[str, Scene] = {
    "help": _help,
    "theme": _theme,
    "new": _new,
    "export": _export,
    "compare": _compare,
    "link": _link,
    "palette": _palette,
}


def test_hidden_text_among_the_problems(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        await stage.go("text-tricks")
        await stage.press("v", "F", "F")
        await stage.until(lambda: stage.screen.query("ProblemsPane"))
        await stage.press("down", "down")

    picture(scene, USUAL)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["choices", "fix", "explain", "report"])
def test_dialog_of_the_gate(picture: Picture, size: Size, name: str) -> None:
    async def scene(stage: Stage) -> None:
        await stage.go("deploy-preview")
        await stage.open_tab("problems")
        await settled(stage)
        await stage.press({"explain": "x", "report": "X"}.get(name, "f"))
        await _dialog(stage)
        if name == "fix":
            await stage.press("enter")
            await stage.until(lambda: isinstance(stage.screen, FixDialog) and stage.screen.focused is not None)

    picture(scene, size)


def test_confirmation(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        stage.app.push_screen(ConfirmDialog("Leave", "A question still waits. Leaving denies it.", yes="Leave"))
        await _dialog(stage)

    picture(scene, USUAL)


def test_error(picture: Picture) -> None:
    async def scene(stage: Stage) -> None:
        stage.app.push_screen(ErrorDialog("Reading a skill failed", "OSError: no such device", "~/.local/state/x.log"))
        await _dialog(stage)

    picture(scene, USUAL)


# Where colour means something

MEANING: dict[str, Scene] = {
    "catalog": every_state,
    "problems": tab("problems"),
    "preview": tab("preview"),
    "trust-prompt": trust_prompt,
    "session": some_calls,
    "review": _review_changed,
}


@pytest.mark.parametrize("name", MEANING)
def test_light(picture: Picture, name: str) -> None:
    picture(MEANING[name], USUAL, theme="skillui-light")


@pytest.mark.parametrize("theme", ["high-contrast", "colour-blind"])
def test_theme(picture: Picture, theme: str) -> None:
    picture(every_state, USUAL, theme=theme)


def test_ascii(picture: Picture) -> None:
    picture(every_state, USUAL, ascii_only=True)

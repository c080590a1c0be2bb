"""A key or a click, the engine's gates, the question, and what the session holds afterwards."""

from __future__ import annotations

import pytest
from textual.widgets import Button

from skillui.core import AlreadyLoaded, Error, NotFound, Ok
from skillui.tui.dialogs.permission import PermissionPrompt
from skillui.tui.widgets.session_strip import SessionStrip
from tests.tui.app.whole_app import Shop, preview_of, running


@pytest.mark.parametrize(
    ("key", "decision", "loaded"), [("d", "deny", False), ("o", "allow_once", True), ("a", "allow", True)]
)
async def test_the_answer_to_the_prompt_decides_what_the_session_holds(
    shop: Shop, key: str, decision: str, loaded: bool
) -> None:
    async with running(shop.launch()) as run:
        result = await run.activate("deploy", answer=key)
        assert run.decisions == [decision]
        assert run.activated == ({"deploy"} if loaded else set())
        assert isinstance(result, Ok) is loaded
        if not loaded:
            assert isinstance(result, Error)
            assert result.code == "NOT_TRUSTED"
        event = run.records[0].event
        assert (event.name, event.initiator, event.turn) == ("deploy", "model", 1)
        await run.told("deploy: ok" if loaded else "deploy: NOT_TRUSTED")
        assert run.app.prompts.waiting == 0


@pytest.mark.parametrize(("button", "decision"), [("deny", "deny"), ("allow-once", "allow_once"), ("always", "allow")])
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_prompt_is_answered_by_mouse(shop: Shop, button: str, decision: str, size: tuple[int, int]) -> None:
    async with running(shop.launch(), size) as run:
        await run.go("deploy")
        await run.press("a")
        await run.prompt("deploy")
        assert await run.pilot.click(f"#{button}")
        await run.calls(1)
        assert run.decisions == [decision]


async def test_the_prompt_holds_what_a_person_must_know(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("deploy")
        await run.press("a")
        prompt = await run.prompt("deploy")
        await run.shows("model asks to activate deploy", "session 1, turn 1", "came with the project", "Bash", "Read")
        await run.shows(".skills/deploy", "Deploy $ARGUMENTS now.", "Deny", "Allow once", "Always for this content")
        assert run.screen.focused is prompt.query_one("#deny", Button)
        await run.press("enter")
        await run.calls(1)
        assert run.decisions == ["deny"]


async def test_no_key_answers_in_the_first_moments_nor_works_behind_the_prompt(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("deploy")
        await run.press("a")
        await run.until(lambda: isinstance(run.screen, PermissionPrompt))
        await run.press(*"aaooyn", "enter", "3", "e", "R")
        assert isinstance(run.screen, PermissionPrompt)
        assert run.records == []
        await run.answer("deploy", "escape")
        await run.calls(1)
        assert run.decisions == ["deny"]


async def test_no_key_of_the_screen_below_answers_or_leaves_an_awake_prompt(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("deploy")
        await run.press("a")
        prompt = await run.prompt("deploy")
        for key in ("1", "3", "e", "p", "n", "R", "x", "slash", "A", "y", "ctrl+p", "f5", "t", "question_mark"):
            await run.press(key)
            if run.screen is not prompt:  # at most something to read lies over it
                await run.press("escape")
                await run.until(lambda: run.screen is prompt)
                await run.prompt("deploy")
            assert run.app.prompts.waiting == 1
            assert run.activated == set()
        assert run.records == []


async def test_always_lasts_for_these_bytes_and_is_asked_again_after_one_other(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.activate("deploy", answer="a")
        await run.press("3")
        await run.press("n")
        await run.until(lambda: run.app.workbench.session_number == 2)
        await run.activate("deploy", answer=None)
        assert (run.decisions, run.activated) == (["allow"], {"deploy"})
        file = shop.project_root / "deploy" / "SKILL.md"
        file.write_bytes(file.read_bytes().replace(b"now.", b"now!"))
        await run.press("3", "n")
        await run.until(lambda: run.app.workbench.session_number == 3)
        result = await run.activate("deploy", answer="o")
        assert isinstance(result, Ok)
        assert "now!" in result.output
        assert run.decisions == ["allow_once"]


async def test_allow_once_is_asked_again_in_the_next_session(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.activate("deploy", answer="o")
        await run.press("3", "n")
        await run.until(lambda: run.app.workbench.session_number == 2)
        await run.activate("deploy", answer="d")
        assert run.decisions == ["deny"]


async def test_the_user_and_the_model_are_told_apart(shop: Shop) -> None:
    shop.skill("quiet", fields="disable-model-invocation: true\n", user=True)
    async with running(shop.launch()) as run:
        assert isinstance(await run.activate("quiet", "a", None), Error)
        assert isinstance(await run.activate("quiet", "A", "o"), Ok)
        assert [record.event.initiator for record in run.records] == ["model", "user"]


async def test_a_trusted_skill_is_asked_about_as_a_normal_permission(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("review")
        await run.press("a")
        prompt = await run.prompt("review")
        assert prompt.request.gate.reason == "normal"
        await run.press("o")
        await run.calls(1)
        assert run.activated == {"review"}


async def test_a_second_activation_is_already_loaded_and_asks_nobody(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.activate("deploy")
        result = await run.activate("deploy", answer=None)
        assert isinstance(result, AlreadyLoaded)
        await run.told("already loaded at turn 1")


async def test_a_broken_skill_is_an_error_with_its_code(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        result = await run.activate("half", answer=None)
        assert isinstance(result, Error)
        assert result.code == "INVALID_FRONTMATTER"
        await run.told(f"half: {result.code}")


async def test_a_skill_that_vanished_is_not_found(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("notes")
        file = shop.project_root / "notes" / "SKILL.md"
        run.app.workbench.registry.scan()
        file.unlink()
        run.app.workbench.registry.scan()
        await run.press("a")
        assert isinstance(await run.calls(1), NotFound)
        await run.told("notes: not found")


async def test_required_arguments_open_the_form_and_the_form_activates(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("ticket")
        await run.press("a")
        pane = await preview_of(run)
        await run.told("needs arguments")
        assert run.records == []
        await run.until(lambda: pane.form.fields and pane.form.fields[0].input.has_focus)
        await run.press("ctrl+g")
        await run.told("title is required")
        await run.press(*"Lamp", "ctrl+g")
        await run.answer("ticket", "o")
        result = await run.calls(1)
        assert isinstance(result, Ok)
        assert "Open Lamp for ${who}." in result.output
        assert run.records[0].event.arguments == {"title": "Lamp"}


async def test_the_form_activates_by_mouse(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("notes")
        await run.press("p")
        await preview_of(run)
        await run.pilot.click("#preview-activate")
        await run.answer("notes", "o")
        await run.calls(1)
        assert run.activated == {"notes"}


async def test_a_preview_follows_typing_and_is_no_activation(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("deploy")
        await run.press("p")
        pane = await preview_of(run)
        await run.until(lambda: pane.form.fields and pane.form.fields[0].input.has_focus)
        await run.press(*"aged")  # letters that are keys elsewhere
        await run.until(lambda: pane.preview is not None and "Deploy aged now." in pane.preview.result.output)
        await run.shows("Deploy aged now.")
        assert run.records == []
        assert run.activated == set()
        assert not isinstance(run.screen, PermissionPrompt)
        await run.press("ctrl+g")
        await run.answer("deploy", "o")
        result = await run.calls(1)
        assert result.output == pane.preview.result.output if pane.preview is not None else False


async def test_requests_queue_and_are_counted(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        for name in ("deploy", "notes", "review"):
            run.app.call_engine({"name": name}, False)
        await run.until(lambda: run.app.prompts.waiting == 3)
        await run.shows("1 of 3 waiting")
        asked = []
        for key in "oda":
            await run.until(lambda: isinstance(run.screen, PermissionPrompt) and run.screen.request.name not in asked)
            assert isinstance(run.screen, PermissionPrompt)
            asked.append(run.screen.request.name)
            await run.answer(asked[-1], key)
        await run.calls(3)
        assert sorted(asked) == ["deploy", "notes", "review"]
        assert run.activated == {asked[0], asked[2]}


@pytest.mark.parametrize("way", ["ctrl+q", "exit"])
async def test_leaving_denies_what_waits(shop: Shop, way: str) -> None:
    async with running(shop.launch()) as run:
        await run.go("deploy")
        await run.press("a")
        await run.prompt("deploy")
        state = run.app.workbench.session.state
        if way == "exit":
            run.app.exit()
        else:
            await run.press(way)
    assert [record.event.kind for record in state.records] == ["error"]
    assert state.activated == {}


async def test_a_new_session_denies_what_waits_and_the_answer_goes_nowhere(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("deploy")
        await run.press("a")
        await run.prompt("deploy")
        old = run.app.workbench.session.state
        run.app.action_new_session()
        await run.until(lambda: not isinstance(run.screen, PermissionPrompt))
        assert [record.result.kind for record in old.records] == ["error"]
        assert run.activated == set()


async def test_every_call_shows_in_the_strip_and_a_click_leads_to_it(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.activate("deploy", answer="d")
        await run.activate("notes", answer="o")
        await run.shows("2 events", "NOT_TRUSTED", "notes")
        await run.pilot.click(SessionStrip, offset=(10, 1))
        await run.until(lambda: run.app.current_mode == "session")
        await run.shows("denied by you")


async def test_nothing_lies_over_the_answers_of_a_prompt(shop: Shop) -> None:
    async with running(shop.launch()) as run:
        await run.go("deploy")
        await run.press("a")
        await run.prompt("deploy")
        for number in range(6):
            run.app.say(f"a long message in passing, number {number}", "warning")
        await run.pilot.pause()
        for button in ("#deny", "#allow-once", "#always"):
            region = run.screen.query_one(button).region
            for x in range(region.x, region.right):
                assert run.screen.get_widget_at(x, region.y)[0] is run.screen.query_one(button)

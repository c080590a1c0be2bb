"""The dialogs of the review with hostile text in every place of theirs: it is shown, and does nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from textual.app import App
from textual.screen import Screen

from skillui.core import ErrorCode, Problem, Severity
from skillui.core.catalog import BrokenSkill
from skillui.review.records import AuditEntry
from skillui.tui.dialogs.audit import AuditDialog
from skillui.tui.dialogs.compare_with import CompareWithDialog, WithCopy
from skillui.tui.dialogs.decide import DecideDialog
from skillui.tui.model.review_words import finding_words
from skillui.tui.safe_text import safe
from skillui.tui.themes import SEMANTIC_DEFAULTS
from skillui.tui.widgets.fact_table import Fact
from tests.tui.conftest import at_rest, wait_until
from tests.tui.hostile import HOSTILE
from tests.tui.skill_bench import on_screen


class DialogApp(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(SEMANTIC_DEFAULTS)


def decide(text: str) -> Screen[bool]:
    problem = Problem("X-1", Severity.ERROR, text, "SKILL.md", 1)
    facts = [Fact(safe(text), safe("not read")), Fact(finding_words(problem), safe("found"), indent=2)]
    return DecideDialog(f"Approve {text}?", text, facts, "Approve")


def audit(text: str) -> Screen[None]:
    entry = AuditEntry(1, "2026-03-02T09:30:00Z", "decision", None, text, text, text, text, text, text, 1)
    return AuditDialog([entry], text)


def compare(text: str) -> Screen[object]:
    entry = BrokenSkill(
        name=text, dir="/x", location="/x", root_index=0, code=ErrorCode.IO_ERROR, message=text, meta={}
    )
    return CompareWithDialog(text, [WithCopy(entry, text)], True)  # type: ignore[return-value]


def listens(app: DialogApp, dialog: Screen[Any]) -> bool:
    return app.screen is dialog and dialog.focused is not None


@pytest.mark.parametrize("make", [decide, audit, compare])
async def test_hostile_text_in_a_dialog_of_the_review(make: Callable[[str], Screen[Any]]) -> None:
    app = DialogApp()
    async with app.run_test(size=(80, 24)) as pilot:
        for name, text in HOSTILE.items():
            dialog = make(text)
            app.push_screen(dialog)
            await wait_until(pilot, partial(listens, app, dialog))
            await at_rest(pilot)
            on_screen(app)  # fails on what no terminal may get
            assert app.is_running, name
            await app.pop_screen()


async def test_escape_leaves_the_question_at_once() -> None:
    app = DialogApp()
    answers: list[bool | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(decide("x"), answers.append)
        await wait_until(pilot, lambda: app.screen.is_modal and app.screen.focused is not None)
        assert isinstance(app.screen, DecideDialog)
        app.screen.action_close()
        await wait_until(pilot, lambda: answers == [False])

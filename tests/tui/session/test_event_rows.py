"""A call as cells of a row, and as the rows of its parts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from skillui.core import AlreadyLoaded, AskedElsewhere, CallRecord, ContentDigest, ErrorCode, NotFound, SkillResult
from skillui.tui.model.event_facts import (
    DiskState,
    call_rows,
    compare,
    content_rows,
    decision_rows,
    disk_sign,
    output_rows,
)
from skillui.tui.model.session_rows import (
    EVENT_COLUMNS,
    EVENT_HEADER,
    STRIP_COLUMNS,
    aftermath,
    arguments_text,
    clock,
    decision_of,
    event_cells,
    outcome_of,
    strip_cells,
)
from skillui.tui.model.text_rows import text_rows
from skillui.tui.widgets.columns import aligned
from tests.tui.hostile import HOSTILE, LONG_BODY
from tests.tui.session.session_records import denied, hostile_records, ok, record

QUESTION = {
    "path": "/shop/.skills/deploy",
    "always_patterns": ["Skill(name:deploy)"],
    "metadata": {
        "name": "deploy", "reason": "untrusted_project_skill", "flags": ["sensitive"], "initiator": "model", "turn": 2,
        "digest": "sha256:41d0", "frontmatter": {"description": "Deploys.", "allowed_tools": ["Read", "Bash(*)"]},
    },
}  # fmt: skip


@pytest.fixture
def _noon_in_greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def text_of(rows: object) -> str:
    assert isinstance(rows, list)
    return "\n".join(row.content().plain for row in rows)


def test_each_kind_of_result_has_a_sign_a_word_and_a_colour() -> None:
    results: list[SkillResult] = [
        ok(),
        denied(),
        AlreadyLoaded("a", 3),
        NotFound("a"),
        denied(code=ErrorCode.INVALID_PARAM),
    ]
    outcomes = [outcome_of(record(result)) for result in results]
    assert [came.word for came in outcomes] == ["ok", "NOT_TRUSTED", "already_loaded", "not_found", "INVALID_PARAM"]
    assert len({came.glyph for came in outcomes}) == len(outcomes)
    assert all(came.style for came in outcomes)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (record(ok()), "not asked"),
        (record(ok(), decision="allow", question=QUESTION), "allowed"),
        (record(ok(), decision="allow_once", question=QUESTION), "allowed once"),
        (record(denied(), decision="deny", question=QUESTION), "denied by you"),
        (record(denied(), decision="deny"), "denied before"),
        (record(denied(), decision="ask", question=QUESTION), "denied (ask)"),
        (record(denied(), decision="deny", question=QUESTION, fault="no answer"), "denied (fault)"),
    ],
)
def test_a_decision_is_said_in_words(call: CallRecord, words: str) -> None:
    assert decision_of(call)[0] == words


@pytest.mark.usefixtures("_noon_in_greenwich")
def test_the_end_of_a_call_is_said_in_few_words() -> None:
    assert aftermath(record(ok())) == "body 612 B · sha256 9f2c…"
    assert aftermath(record(AlreadyLoaded("triage", 3))) == "since t3"
    assert aftermath(record(denied(), decision="deny", question=QUESTION)) == "denied by you · 21:14:03"
    assert aftermath(record(denied(), decision="deny", fault="took too long")) == "took too long · 21:14:03"
    assert aftermath(record(denied("bad name"))) == "bad name"
    assert aftermath(record(NotFound("trage", ("triage",)))) == "did you mean triage?"


@pytest.mark.usefixtures("_noon_in_greenwich")
def test_a_time_that_is_none_stays_as_it_is() -> None:
    assert clock("2026-11-30T21:14:03Z") == "21:14:03"
    assert clock("soon") == "soon"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (None, ""),
        ("", '""'),
        ("a b", "a b"),
        ({"path": "x.py", "note": "two words", "n": 3}, 'path=x.py note="two words" n=3'),
        ([1, "a"], '[1, "a"]'),
    ],
)
def test_arguments_are_written_on_one_line(arguments: object, text: str) -> None:
    assert arguments_text(arguments) == text


@pytest.mark.parametrize("width", [20, 46, 76, 92, 116, 200])
def test_header_and_rows_stand_in_the_same_columns(width: int) -> None:
    header = aligned(EVENT_HEADER, EVENT_COLUMNS, width, 2)
    row = aligned(event_cells(record(ok(), arguments="x")), EVENT_COLUMNS, width, 2)
    assert header.plain.find("skill") == row.plain.find("deploy")
    assert header.plain.find("result") == row.plain.find("✓ ok")


def test_narrow_tables_keep_who_what_and_the_result() -> None:
    row = aligned(event_cells(record(denied(), arguments="staging")), EVENT_COLUMNS, 75, 2).plain
    assert "model" in row
    assert "deploy" in row
    assert "staging" in row
    assert "NOT_TRUSTED" in row


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("width", [30, 76, 116])
def test_hostile_calls_stay_within_their_cells(text: str, width: int) -> None:
    for call in hostile_records(text):
        strip = aligned(strip_cells(call, 20), STRIP_COLUMNS, width, 2)
        row = aligned(event_cells(call), EVENT_COLUMNS, width, 2)
        assert {strip.plain.isprintable(), row.plain.isprintable()} == {True}
        if width > 60:
            assert strip.cell_length == row.cell_length == width
        for rows in parts_of(call, width):
            assert all(line.isprintable() for line in rows)


def parts_of(call: CallRecord, width: int) -> Iterator[list[str]]:
    output, gutter = output_rows(call, width)
    disk = DiskState("fault", call.event.digest, call.fault)
    for rows, indent in (
        (call_rows(call, width), 0),
        (output, gutter),
        (decision_rows(call, width), 0),
        (content_rows(call, disk, width), 0),
    ):
        contents = [row.content(indent) for row in rows]
        assert max(content.cell_length for content in contents) <= width
        yield [content.plain for content in contents]


def test_an_output_is_shown_exactly_and_numbered() -> None:
    text = "first\n" + "x" * 100 + "\n\n  last"
    rows = list(text_rows(text, 40, numbered=True))
    assert [row.number for row in rows] == [1, 2, None, None, 3, 4]
    assert "".join(row.content().plain for row in rows[1:4]) == "x" * 100
    assert rows[-1].content().plain == "  last"


def test_a_long_output_is_cut_into_rows_and_not_drawn() -> None:
    rows = list(text_rows(LONG_BODY, 80))
    assert len(rows) == 10_001
    assert isinstance(rows[0].text, str)


@pytest.mark.parametrize(
    ("digest", "now", "kind"),
    [
        ("sha256:a", ContentDigest("sha256:a"), "same"),
        ("sha256:a", ContentDigest("sha256:b"), "changed"),
        ("sha256:a", None, "gone"),
        ("sha256:a", ContentDigest(None, "pipe is a named pipe"), "fault"),
        (None, ContentDigest("sha256:a"), "none"),
    ],
)
def test_the_content_is_held_against_the_disk(digest: str | None, now: ContentDigest | None, kind: str) -> None:
    call = record(ok(), digest=digest, directory="/shop/.skills/triage")
    state = compare(call, now)
    assert state.kind == kind
    shown = text_of(content_rows(call, state, 80))
    assert disk_sign(state)[1] in shown
    if kind == "changed":
        assert "sha256:a" in shown
        assert "sha256:b" in shown
    if kind == "fault":
        assert "pipe is a named pipe" in shown


def test_the_question_is_shown_as_facts() -> None:
    call = record(denied(), decision="deny", question=QUESTION, fault="the hook took too long")
    shown = text_of(decision_rows(call, 100))
    for fact in (
        "denied (fault)",
        "the hook took too long",
        "the model asks to activate deploy in turn 2",
        "/shop/.skills/deploy",
        "not trusted",
        "sensitive place",
        "Read  Bash(*)",
        "Skill(name:deploy)",
        '"description": "Deploys."',
    ):
        assert fact in shown


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (record(AlreadyLoaded("triage", 3)), "in the context already, since turn 3"),
        (record(NotFound("x")), "no skill to ask about"),
        (record(denied(code=ErrorCode.INVALID_PARAM)), "before it came to a question"),
        (record(ok()), "without one"),
        (record(denied(), decision="deny"), "already waiting"),
    ],
)
def test_why_nobody_was_asked_is_said(call: CallRecord, why: str) -> None:
    assert why in text_of(decision_rows(call, 120))


def test_parameters_that_json_cannot_hold_are_named() -> None:
    endless: list[object] = []
    endless.append(endless)
    shown = text_of(call_rows(record(ok(), arguments=endless), 80))
    assert "JSON cannot hold" in shown


def test_a_question_of_another_process_says_who_asked_and_knows_no_output() -> None:
    asked = record(AskedElsewhere("skillui mcp (process 7, by mcp)"), decision="allow", question=QUESTION)
    assert outcome_of(asked).word == "asked here"
    assert decision_of(asked)[0] == "allowed"
    assert aftermath(asked) == "asked by skillui mcp (process 7, by mcp)"
    assert "process 7" in text_of(call_rows(asked, 60))
    assert "known there" in text_of(output_rows(asked, 60)[0])
    withdrawn = replace(asked, fault="withdrawn")
    assert decision_of(withdrawn)[0] == "withdrawn"

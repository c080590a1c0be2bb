"""One call in four parts, as rows: what was asked, what came back, how the hook answered, what lies on disk now."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from textual.content import Content

from skillui.core import AlreadyLoaded, AskedElsewhere, CallRecord, ContentDigest, Error, NotFound, Ok
from skillui.core.text import estimated_tokens, json_safe
from skillui.tui.glyphs import glyphs
from skillui.tui.model.session_rows import arguments_text, clock, decision_of, outcome_of, who
from skillui.tui.model.text_rows import BLANK, TextRow, fact_rows, gutter_of, heading, text_rows, words_rows
from skillui.workspace.project import shortened

DiskKind = Literal["reading", "same", "changed", "gone", "none", "fault"]
PARTS: Final = (("call", "Call"), ("output", "Output"), ("decision", "Decision"), ("content", "Content"))
"""Names and titles of the parts."""

_ELSEWHERE: Final = "Another process asked for the permission alone: what its caller got is known there."
_REASONS: Final = {
    "untrusted_project_skill": "it lies in a project root, which is not trusted",
    "normal": "every activation is asked about",
}
_FLAGS: Final = {
    "outside_workspace": "lies outside every workspace root",
    "sensitive": "lies in a sensitive place",
}


@dataclass(frozen=True, slots=True)
class DiskState:
    """How the content of a call compares with what lies on disk now."""

    kind: DiskKind
    digest: str | None = None
    """The digest now."""
    reason: str | None = None
    """Why there is none."""


def compare(record: CallRecord, now: ContentDigest | None) -> DiskState:
    """Hold the digest of a call against the one its folder has now; None means that the folder is gone."""
    if record.event.digest is None:
        return DiskState("none")
    if now is None:
        return DiskState("gone")
    if now.value is None:
        return DiskState("fault", None, now.reason)
    return DiskState("same" if now.value == record.event.digest else "changed", now.value)


def disk_sign(state: DiskState) -> tuple[str, str, str]:
    """Return glyph, word and style of a comparison."""
    signs = glyphs()
    return {
        "reading": (signs.refresh, "reading", "$text-muted"),
        "same": (signs.check, "same", "$state-ok"),
        "changed": (signs.unequal, "changed since", "$state-untrusted"),
        "gone": (signs.cross, "gone", "$state-broken"),
        "none": (signs.separator, "no digest", "$text-muted"),
        "fault": (signs.warning, "cannot be compared", "$state-untrusted"),
    }[state.kind]


def call_rows(record: CallRecord, width: int) -> list[TextRow]:
    """Return who asked for what, what came of it, and the parameters as they were given."""
    event, came = record.event, outcome_of(record)
    rows = fact_rows("call", f"#{event.seq} in turn {event.turn}, by {_caller(record)}", width)
    rows += fact_rows("skill", event.name or "(no name)", width, style="bold")
    if event.arguments is not None:
        rows += fact_rows("arguments", arguments_text(event.arguments), width)
    rows += fact_rows("result", Content.styled(f"{came.glyph} {came.word}", came.style), width)
    rows += _result_rows(record, width)
    rows += fact_rows("decision", decision_of(record)[0], width, style=decision_of(record)[1])
    rows += fact_rows("time", f"{clock(event.time)}  {event.time}", width)
    rows += fact_rows("took", _duration(record), width)
    if record.dir:
        rows += fact_rows("folder", _written(record.dir), width)
    return [*rows, BLANK, heading("Parameters as given"), *text_rows(_json(record.params), width)]


def _result_rows(record: CallRecord, width: int) -> list[TextRow]:
    match record.result:
        case Ok() as ok:
            tokens = estimated_tokens(len(ok.output))
            rows = fact_rows("size", f"body {ok.bytes:,} bytes, output ~{tokens:,} tokens", width)
            for warning in ok.warnings:
                rows += fact_rows("warning", warning, width, style="$state-untrusted")
            return rows
        case AlreadyLoaded(at_turn=turn):
            return fact_rows("", f"in the context since turn {turn}", width)
        case NotFound(siblings=siblings):
            return fact_rows("nearest", ", ".join(siblings) or "no name comes near", width)
        case AskedElsewhere(asker=asker):
            return fact_rows("asked by", asker, width) + fact_rows("session", record.event.session, width)
        case Error(message=message, meta=meta):
            rows = fact_rows("message", message, width)
            if isinstance(hint := meta.get("hint"), str):
                rows += fact_rows("hint", hint, width)
            return rows


def output_rows(record: CallRecord, width: int) -> tuple[list[TextRow], int]:
    """Return the exact text that the caller got, and the width of the gutter."""
    output = record.result.output
    if isinstance(record.result, AskedElsewhere):
        return list(words_rows(_ELSEWHERE, width, "$text-muted")), 0
    gutter = gutter_of(output)
    return list(text_rows(output, max(8, width - gutter), numbered=True)), gutter


def decision_rows(record: CallRecord, width: int) -> list[TextRow]:
    """Return the answer with its reason, and the question as facts."""
    words, style = decision_of(record)
    rows = [heading("Answer"), *fact_rows("answer", words, width, style=style)]
    if record.event.decision is not None:
        rows += fact_rows("as given", record.event.decision, width)
    if record.fault is not None:
        rows += fact_rows("fault", record.fault, width, style="$state-broken")
    if record.question is None:
        return [*rows, BLANK, *words_rows(_not_asked(record), width, "$text-muted")]
    return [*rows, BLANK, heading("Question"), *_question_rows(record.question, width)]


def _question_rows(question: Mapping[str, Any], width: int) -> list[TextRow]:
    meta = _mapping(question.get("metadata"))
    frontmatter = _mapping(meta.get("frontmatter"))
    caller = "you ask" if meta.get("initiator") == "user" else f"the {_text(meta.get('initiator'))} asks"
    rows = fact_rows(
        "asked", f"{caller} to activate {_text(meta.get('name'))} in turn {_text(meta.get('turn'))}", width
    )
    rows += fact_rows("folder", _written(_text(question.get("path"))), width)
    rows += fact_rows("reason", _REASONS.get(_text(meta.get("reason")), _text(meta.get("reason"))), width)
    for flag in _items(meta.get("flags")):
        rows += fact_rows("warning", _FLAGS.get(flag, flag), width, style="$state-sensitive")
    if (arguments := meta.get("arguments")) is not None:
        rows += fact_rows("arguments", arguments_text(arguments), width)
    tools = _items(frontmatter.get("allowed_tools"))
    rows += fact_rows("tools", "  ".join(tools) or "declares none", width)
    rows += fact_rows("content", _text(meta.get("digest")) or "has no digest", width)
    rows += fact_rows("remember as", "  ".join(_items(question.get("always_patterns"))), width)
    fields = {key: value for key, value in frontmatter.items() if key != "allowed_tools"}
    return [*rows, BLANK, heading("Frontmatter in the question"), *text_rows(_json(fields), width)]


def _not_asked(record: CallRecord) -> str:
    if record.event.decision is not None:
        return "Nobody was asked again: this call was already waiting when the same content was denied."
    match record.result:
        case Ok():
            return "No hook is set, and the session lets skills load without one."
        case AlreadyLoaded(at_turn=turn):
            return f"Nobody is asked for what is in the context already, since turn {turn}."
        case NotFound():
            return "There was no skill to ask about."
        case AskedElsewhere():
            return _ELSEWHERE
        case Error():
            return "The call was refused before it came to a question."


def content_rows(record: CallRecord, state: DiskState, width: int) -> list[TextRow]:
    """Return the digest of the call beside the one on disk now."""
    glyph, word, style = disk_sign(state)
    sentence = {
        "reading": "the folder is being read",
        "same": "the files are exactly those of this call",
        "changed": "the session still holds the old text",
        "gone": "the folder is not there any more",
        "none": "this call did not get as far as the content",
        "fault": state.reason or "the content has no digest now",
    }[state.kind]
    rows = fact_rows("on disk now", Content.styled(f"{glyph} {word}", f"bold {style}"), width)
    rows += [*fact_rows("", sentence, width), BLANK]
    rows += fact_rows("this call", record.event.digest or "no digest", width)
    if state.digest is not None:
        rows += fact_rows("now", state.digest, width)
    if record.dir:
        rows += fact_rows("folder", _written(record.dir), width)
    return rows


def _caller(record: CallRecord) -> str:
    return "you" if record.event.initiator == "user" else f"the {who(record.event)}"


def _written(path: str) -> str:
    return shortened(path, os.path.expanduser("~"))


def _duration(record: CallRecord) -> str:
    milliseconds = record.event.duration_ms
    spent = f"{milliseconds / 1000:,.1f} s" if milliseconds >= 1000 else f"{milliseconds:.0f} ms"
    return spent if record.question is None else f"{spent}, waiting for the answer included"


def _json(value: object) -> str:
    try:
        return json.dumps(json_safe(value), ensure_ascii=False, indent=2, default=repr)
    except (RecursionError, TypeError, ValueError):
        return f"({type(value).__name__}, which JSON cannot hold)"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else str(value)


def _items(value: object) -> Sequence[str]:
    return [_text(item) for item in value] if isinstance(value, list | tuple) else []

"""`skillui.lock`: a stable text, read with care, granting nothing by itself."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skillui.review.lockfile import LockEntry, LockFault, load_lock, lock_entry, read_lock, stored_decision, write_lock
from skillui.review.records import Place, StoredDecision, user_name
from skillui.review.store import DecisionStore
from tests.review.skills_for_review import content, place, write_skill

DIGEST = "sha256:" + "a" * 64
ENTRY = LockEntry("deploy", DIGEST, "approved", "ann", "2026-01-31T12:00:00Z", "read it")


def test_what_is_written_is_read() -> None:
    other = LockEntry("archive", "sha256:" + "b" * 64, "denied", "bob", "2026-02-01T12:00:00Z")
    text = write_lock([ENTRY, other])
    assert read_lock(text) == (other, ENTRY)
    assert write_lock([other, ENTRY]) == text
    assert text.endswith("}\n")


def test_a_decision_goes_there_and_back() -> None:
    made = StoredDecision(
        DIGEST, "approved", "ann", ENTRY.date, Place("deploy", "/home/ann/x", "x"), "read it", (), "app"
    )
    assert lock_entry(made) == ENTRY
    back = stored_decision(ENTRY, "skillui.lock")
    assert (back.digest, back.verdict, back.who, back.when, back.via) == (
        DIGEST,
        "approved",
        "ann",
        ENTRY.date,
        "import",
    )
    assert "/home/ann" not in write_lock([lock_entry(made)])


@pytest.mark.parametrize("text", ["\udc80", "\x1b[2J", "\u202e", '"', "\\"])
def test_any_name_can_be_written(text: str) -> None:
    made = StoredDecision(DIGEST, "denied", text, ENTRY.date, Place(text, "", ""), text, (), "app")
    (entry,) = read_lock(write_lock([lock_entry(made)]))
    assert entry.decision == "denied"


def changed(**fields: Any) -> str:
    return json.dumps({"version": 1, "decisions": [{**json.loads(write_lock([ENTRY]))["decisions"][0], **fields}]})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ('{"version": 1,\n "decisions": [}', ":2:16: no JSON"),
        ("[]", "Expected `object`"),
        ('{"version": 2, "decisions": []}', "version 2"),
        ('{"version": 1}', "decisions"),
        ('{"version": 1, "decisions": [], "trust": true}', "trust"),
        (changed(digest="md5:abc"), "$.decisions[0].digest"),
        (changed(digest=DIGEST.upper()), "$.decisions[0].digest"),
        (changed(digest=DIGEST + "\n"), "$.decisions[0].digest"),
        (changed(date="２０２６-01-31T12:00:00Z"), "decisions[0].date: write it as"),
        (changed(decision="allow_once"), "$.decisions[0].decision"),
        (changed(decision=1), "$.decisions[0].decision"),
        (changed(date="yesterday"), "decisions[0].date: write it as"),
        (changed(name=""), "$.decisions[0].name"),
        (changed(reason="x" * 5_000), "$.decisions[0].reason"),
        (changed(extra=1), "extra"),
        (json.dumps({"version": 1, "decisions": [json.loads(write_lock([ENTRY]))["decisions"][0]] * 2}), "repeats"),
        ("[" * 100_000, "skillui.lock"),
        ("\x1b[2J", "no JSON"),
    ],
)
def test_odd_input_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(LockFault) as fault:
        read_lock(text)
    assert words in str(fault.value)
    assert str(fault.value).isprintable()


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda path: os.symlink("gone", path), lambda path: None])
def test_what_is_no_file_is_refused(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "skillui.lock")
    with pytest.raises(LockFault, match=r"skillui\.lock"):
        load_lock(tmp_path / "skillui.lock")


def test_what_was_taken_over_counts_and_is_logged(tmp_path: Path) -> None:
    store = DecisionStore(tmp_path / "data" / "decisions.sqlite3")
    assert store.take_over([stored_decision(ENTRY, "skillui.lock")]) == 1
    assert store.verdict(DIGEST) == "approved"
    decision = store.decision(DIGEST)
    assert decision is not None
    assert decision.who == "ann"
    (entry,) = store.audit()
    assert (entry.kind, entry.answer, entry.who) == ("import", "approved", user_name())  # who did it, not who says so
    assert entry.reason == "2026-01-31 by ann: read it"


def test_a_denial_that_is_taken_over_ends_what_was_approved_here(tmp_path: Path) -> None:
    skill = write_skill(tmp_path / "skills", "deploy")
    store = DecisionStore(tmp_path / "data" / "decisions.sqlite3")
    made = store.decide("approved", content(skill), place(skill))
    denial = LockEntry("deploy", made.digest, "denied", "ann", ENTRY.date)
    store.take_over([stored_decision(denial, "skillui.lock")])
    assert store.verdict(made.digest) == "denied"
    assert store.approved_before(place(skill)) is None


def test_what_the_store_holds_at_its_longest_is_a_lock_file_that_can_be_read(tmp_path: Path) -> None:
    skill = write_skill(tmp_path / "skills", "deploy")
    store = DecisionStore(tmp_path / "data" / "decisions.sqlite3")
    for text in ("\udc80" * 20_000, "漢" * 20_000, ""):
        odd = Place(text, str(skill), "")
        made = store.decide("approved", content(skill), odd, text, who=text)
        (entry,) = read_lock(write_lock(map(lock_entry, store.decisions())))
        assert entry.digest == made.digest

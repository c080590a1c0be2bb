"""The store of decisions: what it keeps, what it refuses, and that a damaged one approves nothing."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from skillui.core import Problem, Severity
from skillui.review.content import ReviewedContent, changes
from skillui.review.records import SeenFinding, now
from skillui.review.store import DecisionStore, StoreFault
from tests.review.skills_for_review import content, place, write_skill


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    return write_skill(tmp_path / "skills", "deploy")


@pytest.fixture
def store(tmp_path: Path) -> DecisionStore:
    return DecisionStore(tmp_path / "data" / "decisions.sqlite3")


def approve(store: DecisionStore, skill: Path, reason: str = "") -> str:
    decision = store.decide("approved", content(skill), place(skill), reason)
    return decision.digest


def texts_of_the_last_line(store: DecisionStore) -> list[str]:
    """Return all texts of the last line of the log."""
    entry = store.audit()[-1]
    return [entry.kind, entry.digest or "", entry.name, entry.dir, entry.who, entry.answer, entry.reason, entry.via]


class TestDecisions:
    def test_nothing_is_made_before_something_is_decided(self, store: DecisionStore, skill: Path) -> None:
        assert store.verdict(content(skill).digest or "") is None
        assert not store.decisions()
        assert not store.audit()
        assert store.approved_before(place(skill)) is None
        assert store.fault is None
        assert not os.path.exists(os.path.dirname(store.path))

    def test_a_decision_holds_for_exactly_these_bytes(self, store: DecisionStore, skill: Path) -> None:
        digest = approve(store, skill)
        assert store.verdict(digest) == "approved"
        (skill / "scripts" / "run.sh").chmod(0o755)
        assert content(skill).digest != digest
        assert store.verdict(content(skill).digest or "") is None

    def test_it_says_who_when_where_why_and_what_was_found(self, store: DecisionStore, skill: Path) -> None:
        finding = SeenFinding.of(Problem("SEC-07", Severity.ERROR, "curl | sh", "SKILL.md", 3))
        before = now()
        store.decide("denied", content(skill), place(skill), "runs a download", [finding], who="ann", via="cli")
        decision = store.decision(content(skill).digest or "")
        assert decision is not None
        assert (decision.verdict, decision.who, decision.via) == ("denied", "ann", "cli")
        assert decision.reason == "runs a download"
        assert decision.place == place(skill)
        assert decision.findings == (finding,)
        assert before <= decision.when <= now()

    def test_the_last_decision_counts_and_every_one_is_logged(self, store: DecisionStore, skill: Path) -> None:
        digest = approve(store, skill)
        store.decide("denied", content(skill), place(skill))
        assert store.verdict(digest) == "denied"
        assert store.revoke(digest, "second thoughts", "ann")
        assert store.verdict(digest) is None
        assert not store.revoke(digest)
        log = [(entry.kind, entry.answer) for entry in store.audit()]
        assert log == [("decision", "approved"), ("decision", "denied"), ("revoked", "no longer denied")]
        assert store.audit()[-1].who == "ann"
        assert [entry.number for entry in store.audit(after=1)] == [2, 3]
        assert [entry.number for entry in store.audit(limit=1)] == [3]

    def test_content_without_a_digest_cannot_be_decided_on(self, store: DecisionStore, skill: Path) -> None:
        with pytest.raises(StoreFault, match="a named pipe"):
            store.decide("approved", ReviewedContent(None, "x is a named pipe"), place(skill))
        assert not os.path.exists(store.path)

    @pytest.mark.parametrize(
        "text", ["\udc80x", "\ud800", "\0", "'; DROP TABLE decisions; --", "\x1b[2J", "漢" * 5_000]
    )
    def test_any_text_comes_back_as_it_was(self, store: DecisionStore, skill: Path, text: str) -> None:
        odd = place(skill)
        odd = type(odd)(text, f"{odd.dir}{text}", text)
        finding = SeenFinding("C", "error", "m", "p", None)
        made = store.decide("approved", content(skill), odd, text[:100], [finding], who=text)
        assert store.decision(made.digest) == made
        assert store.decisions() == (made,)
        entry = store.audit()[0]
        assert (entry.name, entry.dir, entry.who) == (odd.name, odd.dir, text)
        assert store.approved_before(odd) is not None


class TestBefore:
    def test_what_changed_since_the_last_approval_can_be_shown(self, store: DecisionStore, skill: Path) -> None:
        approve(store, skill)
        (skill / "scripts" / "run.sh").write_text("#!/bin/sh\nrm -rf ~\n")
        (skill / "new.md").write_text("new")
        (skill / "SKILL.md").unlink()
        before = store.approved_before(place(skill))
        assert before is not None
        found = {one.path: one for one in changes(before, content(skill))}
        assert {path: one.state for path, one in found.items()} == {
            "SKILL.md": "removed", "new.md": "new", "scripts/run.sh": "changed",
        }  # fmt: skip
        old = found["scripts/run.sh"].before
        assert old is not None
        assert old.text == b"#!/bin/sh\necho run\n"

    def test_the_same_folder_goes_before_the_same_name(self, store: DecisionStore, skill: Path, tmp_path: Path) -> None:
        approve(store, skill)
        other = write_skill(tmp_path / "others", "deploy", "Another.\n")
        assert store.approved_before(place(other)) == content(skill)
        approve(store, other)
        assert store.approved_before(place(other)) == content(other)
        assert store.approved_before(place(skill)) == content(skill)

    def test_what_was_taken_back_is_nothing_to_compare_with(self, store: DecisionStore, skill: Path) -> None:
        digest = approve(store, skill)
        store.revoke(digest)
        assert store.approved_before(place(skill)) is None

    def test_the_same_content_elsewhere_is_told(self, store: DecisionStore, skill: Path, tmp_path: Path) -> None:
        digest = approve(store, skill)
        assert store.approved_elsewhere(digest, place(skill)) is None
        there = store.approved_elsewhere(digest, place(tmp_path / "clone" / "deploy"))
        assert there is not None
        assert there.place.dir == str(skill.resolve())

    def test_a_text_is_kept_once_and_never_past_its_limit(self, store: DecisionStore, skill: Path) -> None:
        (skill / "a").write_text("same")
        (skill / "b").write_text("same")
        (skill / "large").write_bytes(b"x" * (1024 * 1024 + 1))
        (skill / "binary").write_bytes(b"\0" * 10)
        approve(store, skill)
        before = store.approved_before(place(skill))
        assert before == content(skill)
        assert {file.path for file in before.files if file.text is None} == {"large", "binary"}
        with closing(sqlite3.connect(store.path)) as connection:
            assert connection.execute("SELECT COUNT(*) FROM texts").fetchone() == (3,)

    def test_a_text_that_is_not_what_its_hash_says_is_none(self, store: DecisionStore, skill: Path) -> None:
        approve(store, skill)
        with closing(sqlite3.connect(store.path)) as connection, connection:
            connection.execute("UPDATE texts SET data = X'00'")
        before = store.approved_before(place(skill))
        assert before is not None
        assert all(file.text is None for file in before.files)


class TestFile:
    def test_file_and_folder_are_their_owners_alone(self, store: DecisionStore, skill: Path) -> None:
        old = os.umask(0)
        try:
            approve(store, skill)
        finally:
            os.umask(old)
        folder = Path(store.path).parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}

    def test_what_sqlite_writes_beside_it_is_its_owners_alone_too(self, store: DecisionStore, skill: Path) -> None:
        digest = approve(store, skill)
        old = os.umask(0)
        try:
            with closing(sqlite3.connect(store.path)) as open_all_the_while:
                assert open_all_the_while.execute("SELECT COUNT(*) FROM decisions").fetchone() == (1,)
                store.decide("denied", content(skill), place(skill))
                modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in Path(store.path).parent.iterdir()}
        finally:
            os.umask(old)
        name = Path(store.path).name
        assert modes == {name: 0o600, f"{name}-wal": 0o600, f"{name}-shm": 0o600}
        assert store.verdict(digest) == "denied"

    def test_a_store_that_another_holds_can_be_read_and_is_a_fault_to_write(
        self, store: DecisionStore, skill: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        digest = approve(store, skill)
        monkeypatch.setattr("skillui.review.store_file.BUSY", 0.05)
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert store.verdict(digest) == "approved"
            with pytest.raises(StoreFault, match="another program holds it"):
                store.revoke(digest)
            assert "another program holds it" in (store.fault or "")
        assert store.revoke(digest)
        assert store.fault is None

    def test_the_log_is_only_added_to(self, store: DecisionStore, skill: Path) -> None:
        approve(store, skill)
        with closing(sqlite3.connect(store.path)) as connection:
            for attempt in ("DELETE FROM audit", "UPDATE audit SET answer = 'x'"):
                with pytest.raises(sqlite3.IntegrityError, match="only added to"):
                    connection.execute(attempt)

    @pytest.mark.parametrize("damage", [b"", b"garbage" * 1000, b"SQLite format 3\0" + b"\0" * 5000])
    def test_a_damaged_store_approves_nothing_and_is_left_alone(
        self, store: DecisionStore, skill: Path, damage: bytes
    ) -> None:
        digest = approve(store, skill)
        Path(store.path).write_bytes(damage)
        assert store.verdict(digest) is None
        if damage == b"":  # as if it had never been
            assert store.fault is None
            return
        assert store.fault is not None
        assert store.path in store.fault
        assert "\n" not in store.fault
        with pytest.raises(StoreFault):
            approve(store, skill)
        store.log("prompt", name="x", dir="y", via="cli")
        assert not store.decisions()
        assert not store.audit()
        assert store.approved_before(place(skill)) is None
        assert Path(store.path).read_bytes() == damage

    def test_pages_of_noise_approve_nothing(self, store: DecisionStore, skill: Path) -> None:
        digest = approve(store, skill)
        whole = Path(store.path).read_bytes()
        for start in range(100, len(whole), 4096):
            Path(store.path).write_bytes(whole[:start] + b"\xa5" * 4000 + whole[start + 4000 :])
            assert store.verdict(digest) in (None, "approved")
            assert store.verdict("sha256:" + "0" * 64) is None
            store.audit(), store.decisions(), store.approved_before(place(skill))

    def test_another_programs_database_is_left_alone(self, store: DecisionStore, skill: Path) -> None:
        os.mkdir(os.path.dirname(store.path))
        with closing(sqlite3.connect(store.path)) as connection, connection:
            connection.execute("CREATE TABLE decisions (digest, verdict)")
        os.chmod(store.path, 0o600)
        assert store.verdict(content(skill).digest or "") is None
        assert "none of skillui's" in (store.fault or "")
        with pytest.raises(StoreFault, match="left alone"):
            approve(store, skill)

    def test_no_flipped_byte_is_a_crash_or_an_approval(self, store: DecisionStore, skill: Path) -> None:
        approved = approve(store, skill)
        (skill / "more.md").write_text("more")
        denied = store.decide("denied", content(skill), place(skill), "\udc80", who="\ud800").digest
        whole = Path(store.path).read_bytes()
        chance = random.Random(7)
        for _ in range(400):
            damaged = bytearray(whole)
            for _ in range(chance.choice((1, 3, 20))):
                damaged[chance.randrange(len(whole))] = chance.randrange(256)
            Path(store.path).write_bytes(damaged)
            assert store.verdict(approved) in (None, "approved")
            assert store.verdict(denied) in (None, "denied")
            assert store.verdict("sha256:" + "0" * 64) is None
            store.audit(), store.decisions(), store.approved_before(place(skill))
            assert "\n" not in (store.fault or "")
        assert Path(store.path).read_bytes() == damaged

    def test_a_damaged_index_lends_no_content_the_verdict_of_another(self, store: DecisionStore, skill: Path) -> None:
        approve(store, skill)
        (skill / "more.md").write_text("more")
        denied = store.decide("denied", content(skill), place(skill)).digest
        with closing(sqlite3.connect(store.path)) as connection:
            query = "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_decisions_1'"
            page, size = connection.execute(query).fetchone()[0], connection.execute("PRAGMA page_size").fetchone()[0]
        whole = bytearray(Path(store.path).read_bytes())
        at = whole.index(denied.encode() + b"\x02", (page - 1) * size, page * size) + len(denied)
        whole[at] = 1  # the row of the approval
        Path(store.path).write_bytes(whole)
        assert store.verdict(denied) != "approved"

    @pytest.mark.parametrize("text", ["\ud800", "\0", "x" * 100_000])
    def test_what_is_no_digest_has_no_verdict(self, store: DecisionStore, skill: Path, text: str) -> None:
        approve(store, skill)
        assert store.verdict(text) is None
        assert not store.revoke(text)
        store.log("prompt", name=text, dir=text, digest=text, answer=text, reason=text, who=text, via=text)
        assert store.fault is None
        assert max(len(part) for part in texts_of_the_last_line(store)) <= 10_000

    def test_a_path_that_is_none_is_a_fault(self, skill: Path) -> None:
        store = DecisionStore("a\0b")
        assert store.verdict("sha256:" + "0" * 64) is None
        assert "null" in (store.fault or "")
        with pytest.raises(StoreFault):
            approve(store, skill)

    @pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda path: os.symlink("/dev/null", path)])
    def test_what_is_no_plain_file_is_not_opened(
        self, store: DecisionStore, skill: Path, make: Callable[[str], None]
    ) -> None:
        os.mkdir(os.path.dirname(store.path))
        make(store.path)
        assert store.verdict(content(skill).digest or "") is None
        assert "only a plain file" in (store.fault or "")
        with pytest.raises(StoreFault):
            approve(store, skill)

    @pytest.mark.parametrize("what", ["file", "folder"])
    def test_what_others_can_write_to_counts_for_nothing(self, store: DecisionStore, skill: Path, what: str) -> None:
        digest = approve(store, skill)
        os.chmod(store.path if what == "file" else os.path.dirname(store.path), 0o777)
        assert store.verdict(digest) is None
        assert f"others can write to the {what}" in (store.fault or "")
        with pytest.raises(StoreFault):
            approve(store, skill)

    @pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only the superuser can give a file away")
    def test_what_belongs_to_another_user_counts_for_nothing(self, store: DecisionStore, skill: Path) -> None:
        digest = approve(store, skill)
        os.chown(store.path, 12345, 12345)
        assert store.verdict(digest) is None
        assert "another user" in (store.fault or "")

    def test_a_store_that_others_could_read_is_closed_to_them(self, store: DecisionStore, skill: Path) -> None:
        digest = approve(store, skill)
        os.chmod(store.path, 0o644)
        assert store.verdict(digest) == "approved"
        assert stat.S_IMODE(os.stat(store.path).st_mode) == 0o600

    def test_a_store_on_a_medium_that_cannot_be_written_is_read(
        self, store: DecisionStore, skill: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        digest = approve(store, skill)
        monkeypatch.setattr("skillui.review.store_file._can_write", lambda path: False)  # the superuser can always
        assert store.verdict(digest) == "approved"
        assert store.fault is None

    def test_a_fault_passes(self, store: DecisionStore, skill: Path) -> None:
        digest = approve(store, skill)
        whole = Path(store.path).read_bytes()
        Path(store.path).write_bytes(b"garbage" * 100)
        assert store.verdict(digest) is None
        Path(store.path).write_bytes(whole)
        assert store.verdict(digest) == "approved"
        assert store.fault is None

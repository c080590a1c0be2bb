"""Stores of other versions: older ones are brought forward with a copy, newer ones are left alone."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from skillui.review import store_schema
from skillui.review.records import Place
from skillui.review.store import DecisionStore, StoreFault

DIGEST = "sha256:" + "a" * 64
PLACE = Place("deploy", "/skills/deploy", ".skills")

# Version 1 as it was first written, not as the program makes it now: what people have on their disks.
VERSION_1 = f"""
PRAGMA journal_mode = WAL;
CREATE TABLE decisions (digest TEXT PRIMARY KEY, verdict TEXT NOT NULL CHECK (verdict IN ('approved', 'denied')),
  who TEXT NOT NULL, at TEXT NOT NULL, name TEXT NOT NULL, dir TEXT NOT NULL, root TEXT NOT NULL,
  reason TEXT NOT NULL, findings TEXT NOT NULL, via TEXT NOT NULL);
CREATE TABLE approvals (number INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL, name TEXT NOT NULL,
  dir TEXT NOT NULL, root TEXT NOT NULL, at TEXT NOT NULL, revoked INTEGER NOT NULL DEFAULT 0);
CREATE INDEX approvals_by_dir ON approvals (dir);
CREATE INDEX approvals_by_name ON approvals (name);
CREATE TABLE files (digest TEXT NOT NULL, path BLOB NOT NULL, kind TEXT NOT NULL, executable INTEGER NOT NULL,
  size INTEGER NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (digest, path, kind)) WITHOUT ROWID;
CREATE TABLE texts (sha256 TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE audit (number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, kind TEXT NOT NULL, digest TEXT,
  name TEXT NOT NULL, dir TEXT NOT NULL, who TEXT NOT NULL, answer TEXT NOT NULL, reason TEXT NOT NULL,
  via TEXT NOT NULL, pid INTEGER NOT NULL);
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
INSERT INTO decisions VALUES ('{DIGEST}', 'approved', 'ann', '2026-01-31T12:00:00Z', 'deploy', '/skills/deploy',
  '.skills', 'read it', '[["SEC-07","error","curl","SKILL.md",3]]', 'app');
INSERT INTO approvals (digest, name, dir, root, at)
  VALUES ('{DIGEST}', 'deploy', '/skills/deploy', '.skills', '2026-01-31T12:00:00Z');
INSERT INTO files VALUES ('{DIGEST}', X'534B494C4C2E6D64', 'f', 0, 2,
  '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4');
INSERT INTO texts VALUES ('8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4', X'789CCBC80400013B00D2');
INSERT INTO audit (at, kind, digest, name, dir, who, answer, reason, via, pid) VALUES ('2026-01-31T12:00:00Z',
  'decision', '{DIGEST}', 'deploy', '/skills/deploy', 'ann', 'approved', 'read it', 'app', 7);
PRAGMA application_id = {0x736B7569};
PRAGMA user_version = 1;
"""


@pytest.fixture
def store(tmp_path: Path) -> DecisionStore:
    path = tmp_path / "data" / "decisions.sqlite3"
    path.parent.mkdir(0o700)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(VERSION_1)
    path.chmod(0o600)
    return DecisionStore(path)


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the program one version newer than it is."""

    def add_column(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE decisions ADD COLUMN note TEXT NOT NULL DEFAULT ''")

    monkeypatch.setattr(store_schema, "MIGRATIONS", [*store_schema.MIGRATIONS, add_column])


def version(path: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def write(store: DecisionStore) -> None:
    store.log("prompt", name="x", dir="y", via="cli")
    assert store.fault is None


def test_the_first_version_is_still_understood(store: DecisionStore) -> None:
    decision = store.decision(DIGEST)
    assert decision is not None
    assert (decision.verdict, decision.place, decision.reason) == ("approved", PLACE, "read it")
    assert [finding.line for finding in decision.findings] == [3]
    before = store.approved_before(PLACE)
    assert before is not None
    assert [(file.path, file.text) for file in before.files] == [("SKILL.md", b"hi")]
    assert [(entry.kind, entry.who, entry.pid) for entry in store.audit()] == [("decision", "ann", 7)]


@pytest.mark.usefixtures("newer")
def test_an_older_store_is_read_as_it_is_and_brought_forward_when_written(store: DecisionStore) -> None:
    assert store.verdict(DIGEST) == "approved"
    assert version(store.path) == 1
    write(store)
    assert version(store.path) == 2
    assert store.verdict(DIGEST) == "approved"
    assert len(store.audit()) == 2
    copy = Path(f"{store.path}.v1")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert (version(str(copy)), DecisionStore(copy).verdict(DIGEST)) == (1, "approved")
    assert len(DecisionStore(copy).audit()) == 1


@pytest.mark.usefixtures("newer")
def test_a_copy_is_never_written_over_and_half_a_copy_is_none(store: DecisionStore) -> None:
    folder = Path(store.path).parent
    (folder / "decisions.sqlite3.v1").write_text("an earlier copy")
    (folder / "decisions.sqlite3.half").write_text("of a process that was killed")
    write(store)
    assert (folder / "decisions.sqlite3.v1").read_text() == "an earlier copy"
    assert DecisionStore(folder / "decisions.sqlite3.v1-2").verdict(DIGEST) == "approved"
    assert not (folder / "decisions.sqlite3.half").exists()


@pytest.mark.usefixtures("newer")
def test_without_a_copy_nothing_is_brought_forward(store: DecisionStore) -> None:
    (Path(store.path).parent / "decisions.sqlite3.half").mkdir()  # in the way of the copy
    store.log("prompt", name="x", dir="y", via="cli")
    assert store.fault is not None
    assert version(store.path) == 1
    assert store.verdict(DIGEST) == "approved"


def _fail(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TABLE decisions")
    connection.execute("SELECT nonsense FROM nowhere")


def test_a_step_that_fails_leaves_the_old_store(store: DecisionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[Callable[[sqlite3.Connection], None]] = [*store_schema.MIGRATIONS, _fail]
    with monkeypatch.context() as patch:
        patch.setattr(store_schema, "MIGRATIONS", steps)
        with pytest.raises(StoreFault):
            store.revoke(DIGEST)
    assert version(store.path) == 1
    assert store.verdict(DIGEST) == "approved"


def test_a_newer_store_is_left_alone(store: DecisionStore) -> None:
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(store_schema.MIGRATIONS) + 1}")
    before = Path(store.path).read_bytes()
    assert store.verdict(DIGEST) is None
    assert "newer skillui" in (store.fault or "")
    with pytest.raises(StoreFault, match="newer skillui"):
        store.revoke(DIGEST)
    assert Path(store.path).read_bytes() == before

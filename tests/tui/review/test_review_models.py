"""What the Review mode shows and names, without a screen: rows, sheets, texts, what stands in the way."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from skillui.core import Problem, Severity
from skillui.core.registry import load_folder
from skillui.review.content import read_content
from skillui.review.queue import QueueItem, review_item
from skillui.review.records import Place
from skillui.review.store import DecisionStore
from skillui.tui.model.diff import diff_texts
from skillui.tui.model.diff_rows import LONGEST, paired_rows, unified_rows
from skillui.tui.model.quiet import QUIET, Quiet
from skillui.tui.model.review_obstacles import obstacles
from skillui.tui.model.review_rows import counts_of, in_order, next_open, passing, row_of
from skillui.tui.model.review_sheet import Base, ReviewSheet, make_sheet
from skillui.tui.model.review_text import FileText, text_of_file

SKILL = "---\nname: deploy\ndescription: Deploys. Use when asked.\n---\n"


@pytest.fixture
def store(tmp_path: Path) -> DecisionStore:
    return DecisionStore(tmp_path / "data" / "decisions.sqlite3")


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    folder = tmp_path / "skills" / "deploy"
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL + "Do it.\n")
    (folder / "scripts" / "run.sh").write_text("echo run\n")
    return folder


def item_of(store: DecisionStore, folder: Path) -> QueueItem:
    loaded = load_folder(str(folder))
    assert loaded is not None
    return review_item(store, loaded, "skills")


def sheet_of(store: DecisionStore, folder: Path) -> ReviewSheet:
    item = item_of(store, folder)
    return make_sheet(item, Base("its approval", item.before, approval=True))


def approve(store: DecisionStore, folder: Path) -> None:
    store.decide("approved", read_content(str(folder.resolve())), Place(folder.name, str(folder.resolve()), "skills"))


def text_of(sheet: ReviewSheet, path: str) -> FileText:
    return text_of_file(next(file for file in sheet.files if file.file.path == path), "its approval")


def test_what_needs_a_decision_comes_first_and_is_counted(store: DecisionStore, skill: Path) -> None:
    new = row_of(item_of(store, skill), "project")
    denied = replace(new, state="denied", entry=replace(new.entry, location="/b"))
    changed = replace(new, state="changed", entry=replace(new.entry, location="/c"))
    odd = replace(new, state="unreadable", entry=replace(new.entry, location="/d"))
    rows = in_order([denied, odd, changed, new])
    assert [row.state for row in rows] == ["new", "changed", "unreadable", "denied"]
    assert counts_of(rows) == {
        "all": 4, "open": 2, "new": 1, "changed": 1, "unreadable": 1, "denied": 1, "approved": 0,
    }  # fmt: skip
    assert passing(rows, "open") == [new, changed]
    assert next_open(rows, new.key) == changed.key
    assert next_open(rows, changed.key) == new.key
    assert next_open([new, denied], new.key) is None


def test_only_what_was_not_approved_before_is_to_be_read(store: DecisionStore, skill: Path) -> None:
    assert len(sheet_of(store, skill).to_read) == 2
    approve(store, skill)
    assert sheet_of(store, skill).to_read == ()
    (skill / "scripts" / "run.sh").write_text("echo other\n")
    (skill / "more.md").write_text("more\n")
    sheet = sheet_of(store, skill)
    assert [(key[0]) for key in sheet.to_read] == ["more.md", "scripts/run.sh"]
    assert sheet.first == next(index for index, file in enumerate(sheet.files) if file.file.path == "more.md")


def test_a_comparison_with_something_else_changes_nothing_about_what_is_to_be_read(
    store: DecisionStore, skill: Path
) -> None:
    item = item_of(store, skill)
    sheet = make_sheet(item, Base("a copy", item.content))
    assert {file.change.state for file in sheet.files} == {"unchanged"}
    assert all(file.to_read for file in sheet.files)


def test_a_removed_file_is_shown_and_not_to_be_read(store: DecisionStore, skill: Path) -> None:
    approve(store, skill)
    (skill / "scripts" / "run.sh").unlink()
    sheet = sheet_of(store, skill)
    gone = next(file for file in sheet.files if file.change.state == "removed")
    assert not gone.to_read
    shown = text_of_file(gone, "its approval")
    assert (shown.text, shown.note) == ("echo run\n", "Gone: it was there in its approval.")


def test_findings_stand_at_their_files_and_those_without_one_at_the_skill_file(
    store: DecisionStore, skill: Path
) -> None:
    item = item_of(store, skill)
    problems = tuple(
        Problem("X-1", Severity.ERROR, "bad", path, line)
        for path, line in (("scripts/run.sh", 1), ("", None), ("/elsewhere/SKILL.md", 2))
    )
    sheet = make_sheet(replace(item, findings=problems), Base("its approval", None, approval=True))
    found = {file.file.path: [problem.line for problem in file.findings] for file in sheet.files}
    assert found == {"SKILL.md": [None, 2], "scripts/run.sh": [1]}


def test_a_changed_file_has_a_difference_and_its_text(store: DecisionStore, skill: Path) -> None:
    approve(store, skill)
    (skill / "SKILL.md").write_text(SKILL + "Do more.\n")
    shown = text_of(sheet_of(store, skill), "SKILL.md")
    assert shown.text == SKILL + "Do more.\n"
    assert shown.diff is not None
    assert ("added", "Do more.") in [(line.kind, line.text) for line in shown.diff]


@pytest.mark.parametrize("text", ["x" * (LONGEST + 1) + "\n", "line\n" * 20_001])
def test_a_difference_that_would_not_show_everything_is_not_offered(
    store: DecisionStore, skill: Path, text: str
) -> None:
    approve(store, skill)
    (skill / "scripts" / "run.sh").write_text(text)
    shown = text_of(sheet_of(store, skill), "scripts/run.sh")
    assert (shown.text, shown.diff) == (text, None)


def test_what_cannot_be_read_says_so_and_stands_in_the_way(store: DecisionStore, skill: Path) -> None:
    (skill / "logo.png").write_bytes(b"\x89PNG\0" * 3)
    sheet = sheet_of(store, skill)
    shown = text_of(sheet, "logo.png")
    assert not shown.readable
    assert "15 bytes that cannot be read here" in shown.note
    named = [fact.text.plain for fact in obstacles(sheet, set(sheet.to_read))]
    assert named == ["logo.png  (15 bytes)"]


def test_nothing_stands_in_the_way_of_what_was_read_and_clean(store: DecisionStore, skill: Path) -> None:
    sheet = sheet_of(store, skill)
    assert obstacles(sheet, set(sheet.to_read)) == []
    assert [fact.text.plain for fact in obstacles(sheet, set())] == ["SKILL.md", "scripts/run.sh"]


def test_what_was_read_of_older_content_does_not_count(store: DecisionStore, skill: Path) -> None:
    read = set(sheet_of(store, skill).to_read)
    (skill / "scripts" / "run.sh").write_text("rm -rf /\n")
    named = [fact.text.plain for fact in obstacles(sheet_of(store, skill), read)]
    assert named == ["scripts/run.sh"]


def test_a_new_execute_bit_and_bytes_that_are_no_text_are_told(store: DecisionStore, skill: Path) -> None:
    approve(store, skill)
    (skill / "scripts" / "run.sh").write_bytes(b"echo \xff\n")
    os.chmod(skill / "scripts" / "run.sh", 0o755)
    shown = text_of(sheet_of(store, skill), "scripts/run.sh")
    assert shown.text == "echo \ufffd\n"
    assert "It can be executed now" in shown.note
    assert "no UTF-8" in shown.note


def test_a_key_that_came_too_soon_starts_the_quiet_time_anew() -> None:
    now = 0.0
    quiet = Quiet(lambda: now)
    assert not quiet.ignored()
    quiet.restart()
    for _ in range(3):
        now += QUIET / 2
        assert quiet.ignored()
    now += QUIET
    assert not quiet.ignored()


def test_long_lines_of_a_difference_go_on_in_the_next_rows() -> None:
    old, new = "word " * 40 + "old", "word " * 40 + "new and more of it"
    lines = diff_texts(old, new, "a", "b")
    for rows in (unified_rows(lines, 50, "    "), paired_rows(lines, 50, 40, "    ")):
        added = [row for row in rows if row.right is not None and row.right.kind == "added"]
        assert "".join(row.right.text[slice(*row.right_part)] for row in added if row.right is not None) == new
        assert all(row.right_part[1] - row.right_part[0] <= 50 for row in added)
        assert [row.first for row in added].count(True) == 1

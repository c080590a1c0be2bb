"""`ReviewDesk`: what it reads again and what not, and what it refuses to decide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skillui.review.store import DecisionStore
from skillui.tui.model.review_rows import ReviewRow
from skillui.tui.review_desk import ChangedMeanwhile, ReviewDesk
from skillui.tui.workbench import Workbench
from skillui.workspace.launch import open_launch


async def _nobody(request: object) -> str:
    return "deny"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "p" / ".git").mkdir(parents=True)
    for name in ("deploy", "notes"):
        write(tmp_path / "p", name, "Do it.\n")
    return tmp_path / "p"


@pytest.fixture
def desk(project: Path, tmp_path: Path) -> Iterator[ReviewDesk]:
    with open_launch(str(project)) as launch:
        workbench = Workbench(launch, _nobody, lambda record: None, DecisionStore(tmp_path / "d" / "x.sqlite3"))
        workbench.scan()
        yield ReviewDesk(workbench)
        workbench.close()


def write(project: Path, name: str, body: str) -> Path:
    folder = project / ".skills" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Does it. Use when asked.\n---\n{body}")
    return folder


def read(desk: ReviewDesk) -> dict[str, ReviewRow]:
    return {row.name: row for row in desk.read_queue(lambda: False, lambda *_: None)}


def test_only_what_was_touched_is_read_again(desk: ReviewDesk, project: Path) -> None:
    before = read(desk)
    folder = write(project, "notes", "Do more.\n")
    write(project, "deploy", "Do more.\n")
    desk.touch([str(folder / "SKILL.md")])
    after = read(desk)
    assert after["deploy"] is before["deploy"]
    assert after["notes"].digest != before["notes"].digest
    desk.touch(None)
    assert read(desk)["deploy"].digest != before["deploy"].digest


def test_a_decision_of_another_process_shows_with_the_next_reading(desk: ReviewDesk) -> None:
    row = read(desk)["notes"]
    item = desk.read_item(row.entry)
    assert item is not None
    DecisionStore(desk.store.path).decide("denied", item.content, item.place)
    assert {name: row.state for name, row in read(desk).items()} == {"deploy": "new", "notes": "denied"}
    assert desk.count_open(lambda: False) == 1


def test_a_reading_that_was_given_up_forgets_nothing(desk: ReviewDesk, project: Path) -> None:
    before = read(desk)
    desk.touch([str(write(project, "notes", "Do more.\n"))])
    desk.read_queue(lambda: True, lambda *_: None)
    assert read(desk)["notes"].digest != before["notes"].digest


def test_what_changed_since_it_was_read_is_not_decided_on(desk: ReviewDesk, project: Path) -> None:
    row = read(desk)["notes"]
    item = desk.read_item(row.entry)
    assert item is not None
    write(project, "notes", "Do more.\n")
    with pytest.raises(ChangedMeanwhile, match="notes changed on disk"):
        desk.decide("approved", item, "")
    outcomes = list(desk.decide_rows("approved", [row, read(desk)["deploy"]], "both"))
    assert [(outcome.row.name, outcome.fault) for outcome in outcomes] == [
        ("notes", "it changed on disk meanwhile"),
        ("deploy", ""),
    ]
    assert [decision.place.name for decision in desk.store.decisions()] == ["deploy"]


def test_a_count_takes_no_digest_twice(desk: ReviewDesk, project: Path) -> None:
    assert desk.count_open(lambda: False) == 2
    item = desk.read_item(read(desk)["notes"].entry)
    assert item is not None
    desk.decide("approved", item, "fine")
    assert desk.count_open(lambda: False) == 1
    desk.touch([str(write(project, "notes", "Do more.\n"))])
    assert desk.count_open(lambda: False) == 2


def test_a_revision_is_asked_for_only_in_a_repository(desk: ReviewDesk, tmp_path: Path) -> None:
    entry = read(desk)["notes"].entry
    assert desk.has_revisions(entry)
    with pytest.raises(LookupError):
        desk.content_at(entry, "HEAD")

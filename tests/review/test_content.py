"""Reviewed content: the very digest of the engine, with the texts that made it, within bounds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skillui.core import content_digest
from skillui.review import content as module
from skillui.review.content import ReviewedContent, changes, read_content, skill_content
from tests.review.skills_for_review import content, loaded, write_skill


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    return write_skill(tmp_path / "skills", "deploy")


def test_the_digest_is_the_engines(skill: Path) -> None:
    (skill / "link").symlink_to("scripts/run.sh")
    (skill / "out").symlink_to("/etc/hostname")
    (skill / os.fsdecode(b"odd\xff\n")).write_bytes(b"\0\xff")
    found = content(skill)
    assert found.digest == content_digest(str(skill.resolve())).value
    assert [file.key for file in found.files] == [
        ("SKILL.md", "f"), ("link", "l"), ("odd\udcff\n", "f"), ("out", "l"), ("out", "t"), ("scripts/run.sh", "f"),
    ]  # fmt: skip
    assert found.files[1].text == b"scripts/run.sh"
    assert found.files[2].text is None


def test_without_a_digest_there_is_the_reason(skill: Path) -> None:
    os.mkfifo(skill / "pipe")
    assert read_content(str(skill)) == ReviewedContent(None, "pipe is a named pipe")
    assert skill_content(loaded(skill)).fault == "pipe is a named pipe"


def test_the_bytes_that_were_loaded_stand_for_skill_md(skill: Path) -> None:
    before = loaded(skill)
    digest = content(skill).digest
    (skill / "SKILL.md").write_text("swapped")
    assert skill_content(before).digest == digest


def test_texts_are_kept_within_bounds(skill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TEXT", 100)
    monkeypatch.setattr(module, "MAX_TOTAL", 150)
    for name in ("a", "b"):
        (skill / name).write_text("x" * 100)
    (skill / "c").write_text("x" * 101)
    kept = {file.path for file in content(skill).files if file.text is not None}
    assert "c" not in kept
    assert len(kept & {"a", "b"}) == 1
    assert content(skill).digest == content_digest(str(skill.resolve())).value


def test_mode_kind_and_content_are_changes(skill: Path) -> None:
    before = content(skill)
    (skill / "scripts" / "run.sh").chmod(0o755)
    (skill / "SKILL.md").rename(skill / "other.md")
    (skill / "SKILL.md").symlink_to("other.md")
    states = [(one.path, one.state) for one in changes(before, content(skill))]
    assert states == [
        ("SKILL.md", "removed"), ("SKILL.md", "new"), ("other.md", "new"), ("scripts/run.sh", "changed"),
    ]  # fmt: skip
    assert {one.state for one in changes(None, before)} == {"new"}
    assert {one.state for one in changes(before, before)} == {"unchanged"}

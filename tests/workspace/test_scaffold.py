"""A new skill is valid at once, and no name, description or folder can make it otherwise."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillui.core.schema import MAX_NAME, NAME_PATTERN
from skillui.core.skill import ParsedSkill, parse_skill
from skillui.workspace import scaffold
from skillui.workspace.scaffold import ScaffoldError, kebab, new_skill


def parsed(path: Path) -> ParsedSkill:
    return parse_skill(path.read_bytes(), path.parent.name, str(path))


def test_new_skill_is_valid_without_a_single_warning(tmp_path: Path) -> None:
    path = new_skill("rename-symbol", tmp_path)
    assert path == tmp_path / "rename-symbol" / "SKILL.md"
    skill = parsed(path)
    assert skill.problems == ()
    assert skill.name == "rename-symbol"
    assert "Use when" in skill.description
    assert "# Rename symbol" in skill.body


def test_nothing_but_the_skill_is_left_in_its_folder(tmp_path: Path) -> None:
    path = new_skill("tidy", tmp_path)
    assert [entry.name for entry in path.parent.iterdir()] == ["SKILL.md"]


def test_file_is_shared_like_its_folder(tmp_path: Path) -> None:
    path = new_skill("tidy", tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(path.parent.stat().st_mode) & 0o666


@pytest.mark.parametrize(
    "description",
    [
        "Adds an entry. Use when: a pull request is merged.",
        'Says "hello" \\ and # goes on. Use when greeting.',
        "Grüßt auf 日本語 👩‍👩‍👧. Use when abroad.",
        "Hides \u202e and \u200b and \x1b[31m. Use when testing.",
        "- {not: a, list} & *no alias !tag %x @y `z`",
    ],
)
def test_description_arrives_as_it_was_given(tmp_path: Path, description: str) -> None:
    path = new_skill("tidy", tmp_path, description=description)
    assert parsed(path).problems == ()
    assert parsed(path).description == description
    assert "\x1b" not in path.read_text(encoding="utf-8")


def test_description_on_several_lines_becomes_one(tmp_path: Path) -> None:
    path = new_skill("tidy", tmp_path, description="  One.\n\u2028Use when\ttwo.\x85 ")
    assert parsed(path).description == "One. Use when two."


@pytest.mark.parametrize(
    ("description", "words"),
    [("", "empty"), (" \n ", "empty"), ("x" * 1025, "1,025"), ("\udcff", "UTF-8")],
)
def test_description_the_engine_would_refuse_is_refused(tmp_path: Path, description: str, words: str) -> None:
    with pytest.raises(ScaffoldError, match=words):
        new_skill("tidy", tmp_path, description=description)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["404", "null", "true", "no", "y", "1e5", "0x1f", "2026-01-02", "a", "a" * 64])
def test_names_that_yaml_could_take_for_something_else(tmp_path: Path, name: str) -> None:
    skill = parsed(new_skill(name, tmp_path))
    assert skill.problems == ()
    assert skill.name == name


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("MySkill", "my-skill"),
        ("my_skill", "my-skill"),
        ("my--skill", "my-skill"),
        ("-skill-", "skill"),
        ("skill\n", "skill"),
        ("Crème Brûlée!", "creme-brulee"),
        ("Straße", "strasse"),
        ("HTTPServer2Go", "http-server2-go"),
        ("what's new?", "whats-new"),
        ("../../etc/passwd", "etc-passwd"),
        ("a" * 70, "a" * 64),
        ("b" * 63 + "-c", "b" * 63),
    ],
)
def test_bad_name_is_refused_with_a_good_one_proposed(tmp_path: Path, name: str, suggestion: str) -> None:
    with pytest.raises(ScaffoldError) as caught:
        new_skill(name, tmp_path)
    assert str(caught.value).endswith(f"; try '{suggestion}'")
    assert "1 to 64" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "   ", "日本語", "...", "/", "\x00"])
def test_name_with_nothing_to_save_gets_no_proposal(tmp_path: Path, name: str) -> None:
    with pytest.raises(ScaffoldError) as caught:
        new_skill(name, tmp_path)
    assert "; try" not in str(caught.value)
    assert str(caught.value).isprintable()


def test_hostile_name_stays_out_of_the_message(tmp_path: Path) -> None:
    with pytest.raises(ScaffoldError) as caught:
        new_skill("\x1b[31mred\u202e\n" + "long" * 500, tmp_path)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


@given(st.text())
def test_every_proposal_is_a_valid_name(text: str) -> None:
    proposal = kebab(text)
    assert proposal == "" or (NAME_PATTERN.fullmatch(proposal) and len(proposal) <= MAX_NAME)
    assert kebab(proposal) == proposal


def test_missing_root_is_made_but_not_its_parents(tmp_path: Path) -> None:
    assert new_skill("tidy", tmp_path / ".skills").is_file()
    with pytest.raises(ScaffoldError, match="does not exist"):
        new_skill("tidy", tmp_path / "no" / "skills")
    assert not (tmp_path / "no").exists()


def test_root_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ScaffoldError, match="is not a folder"):
        new_skill("tidy", tmp_path / "file")


def test_root_may_be_a_link_to_a_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert new_skill("tidy", tmp_path / "link").is_file()
    assert (tmp_path / "real" / "tidy" / "SKILL.md").is_file()


def test_existing_skill_is_left_alone(tmp_path: Path) -> None:
    path = new_skill("tidy", tmp_path)
    path.write_text("mine")
    with pytest.raises(ScaffoldError, match="exists already"):
        new_skill("tidy", tmp_path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize("kind", ["file", "empty folder", "dangling link"])
def test_anything_of_that_name_is_in_the_way(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "tidy"
    if kind == "file":
        place.write_text("x")
    elif kind == "empty folder":
        place.mkdir()
    else:
        place.symlink_to("nowhere")
    with pytest.raises(ScaffoldError, match="exists already"):
        new_skill("tidy", tmp_path)
    assert not os.path.lexists(place / "SKILL.md")


def test_failed_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: str, text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(scaffold, "write_text", full)
    with pytest.raises(ScaffoldError, match="no space left on device"):
        new_skill("tidy", tmp_path)
    assert list(tmp_path.iterdir()) == []

"""What the difference of a fix says before it is applied: which file changes, under which name, or why none does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skillui.checks.run import check_skill
from skillui.checks.subject import subject_of
from skillui.core.problems import Fix
from skillui.tui.model.fixing import FixRefused, apply, preview
from skillui.tui.model.skill_view import SkillView
from tests.tui.panes.stage import shelf_with

ABOUT = "description: Sorts postcards by colour. Use when the drawer is full."
MARKED = f"\ufeff---\nname: cards\n{ABOUT}\n---\nSort them.\n"
MISNAMED = f"---\nname: Cards\n{ABOUT}\n---\nSort them.\n"


def fix_of(view: SkillView, code: str) -> Fix:
    assert view.loaded is not None
    found = [one.fix for one in check_skill(subject_of(view.loaded)) if one.code == code and one.fix is not None]
    return found[0]


def linked(folder: Path, name: str, text: str) -> SkillView:
    """Return the view of a skill that lies elsewhere, with a link to it in the root."""
    shelf = shelf_with(folder, name, text)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    root = folder / "skills"
    (root / name).rename(elsewhere / name)
    (root / name).symlink_to(elsewhere / name)
    return shelf.view(shelf.entries()[0])


def test_the_difference_names_the_file_and_what_happens(tmp_path: Path) -> None:
    view = shelf_with(tmp_path, "cards", MARKED).view("cards")
    shown = preview(fix_of(view, "ENC-01"), view)
    assert shown.about == "Remove the byte-order mark."
    texts = [line.text for line in shown.lines]
    assert any("cards/SKILL.md" in text for text in texts)
    assert (tmp_path / "skills" / "cards" / "SKILL.md").read_text(encoding="utf-8") == MARKED


def test_a_renaming_says_both_names(tmp_path: Path) -> None:
    shelf = shelf_with(tmp_path, "Cards", MISNAMED)
    view = shelf.view(shelf.entries()[0])
    fix = fix_of(view, "SKL-02")
    assert "The folder Cards becomes cards." in preview(fix, view).about
    assert apply(fix, view.entry.dir) == os.path.realpath(tmp_path / "skills" / "cards")
    assert (tmp_path / "skills" / "cards" / "SKILL.md").read_text(encoding="utf-8") == MISNAMED.replace(
        "name: Cards", "name: cards"
    )


def test_what_a_link_leads_to_is_named_before_it_changes(tmp_path: Path) -> None:
    view = linked(tmp_path, "cards", MARKED)
    fix = fix_of(view, "ENC-01")
    assert f"It is {tmp_path / 'elsewhere' / 'cards' / 'SKILL.md'} that changes" in preview(fix, view).about
    apply(fix, view.entry.dir)
    assert (tmp_path / "skills" / "cards").is_symlink()
    assert (tmp_path / "elsewhere" / "cards" / "SKILL.md").read_text(encoding="utf-8") == MARKED[1:]


def test_a_folder_that_is_a_link_is_not_renamed_away_under_it(tmp_path: Path) -> None:
    view = linked(tmp_path, "Cards", MISNAMED)
    with pytest.raises(FixRefused, match="is a link, which would lead nowhere"):
        preview(fix_of(view, "SKL-02"), view)
    assert (tmp_path / "elsewhere" / "Cards" / "SKILL.md").read_text(encoding="utf-8") == MISNAMED

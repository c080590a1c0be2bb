"""The shipped folders are found in a checkout and in an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest

import skillui
from skillui.workspace.data import data_folder


def test_a_checkout_has_them_at_its_top() -> None:
    top = Path(skillui.__file__).resolve().parent.parent
    assert data_folder("themes") == top / "themes"
    assert data_folder("sample_skills").is_dir()


def test_a_package_has_them_inside_and_looks_at_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "skillui" / "data" / "themes"
    inside.mkdir(parents=True)
    (tmp_path / "themes").mkdir()
    monkeypatch.setattr(skillui, "__file__", str(tmp_path / "skillui" / "__init__.py"))
    assert data_folder("themes") == inside

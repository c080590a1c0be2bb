"""The copy of the samples: complete, writable, with its odd parts, and gone afterwards."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from skillui.core.problems import ErrorCode
from skillui.core.registry import FilesystemSkillRegistry
from skillui.core.skill import parse_skill
from skillui.workspace.data import data_folder
from skillui.workspace.samples import DemoProject, copy_samples, demo_project, remove_samples


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[DemoProject]:
    made = copy_samples(tmp_path / "demo")
    yield made
    remove_samples(made)


def bundled_skills() -> list[Path]:
    return sorted(data_folder("sample_skills").glob("*/*/SKILL.md"))


def test_copy_is_a_project_and_a_home(demo: DemoProject, tmp_path: Path) -> None:
    folder = (tmp_path / "demo").resolve()
    assert demo.folder == folder
    assert demo.path == folder / "shop"
    assert demo.skill_roots == (
        folder / "shop/.skills",
        folder / "home/.claude/skills",
        folder / "home/.agents/skills",
    )
    assert demo.trusted_roots == demo.skill_roots[1:]
    assert demo.workspace_roots == (demo.path, *demo.trusted_roots)
    assert all(root.is_dir() for root in demo.skill_roots)


def test_copy_holds_every_bundled_file_byte_for_byte(demo: DemoProject) -> None:
    bundle = data_folder("sample_skills")
    compared = 0
    for name, root in zip(("project", "user", "shared"), demo.skill_roots, strict=True):
        for original in (bundle / name).rglob("*"):
            if original.is_file() and "__pycache__" not in original.parts:
                assert (root / original.relative_to(bundle / name)).read_bytes() == original.read_bytes()
                compared += 1
    assert compared > 40


def test_copy_can_be_edited_and_its_scripts_run(demo: DemoProject) -> None:
    for root in demo.skill_roots:
        for path in root.rglob("*"):
            if path.is_symlink() or not path.is_file() or not stat.S_IMODE(path.stat().st_mode):
                continue
            assert path.stat().st_mode & stat.S_IWUSR, path
            if path.read_bytes().startswith(b"#!") and path.parent.parent.name == "design-system":
                assert path.stat().st_mode & stat.S_IXUSR, path


def test_read_only_bundle_gives_a_writable_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("project/text-tricks/references", "project/quick-setup", "user/plain", "shared/plain"):
        (tmp_path / "bundle" / name).mkdir(parents=True)
    installed = tmp_path / "bundle" / "user" / "plain"
    (installed / "SKILL.md").write_text("---\nname: plain\n---\n")
    (installed / "SKILL.md").chmod(0o444)
    installed.chmod(0o555)
    monkeypatch.setattr("skillui.workspace.samples.data_folder", lambda name: tmp_path / "bundle")
    try:
        made = copy_samples(tmp_path / "demo")
        copied = made.skill_roots[1] / "plain"
        assert stat.S_IMODE(copied.stat().st_mode) & 0o700 == 0o700
        assert stat.S_IMODE((copied / "SKILL.md").stat().st_mode) & 0o200
    finally:
        installed.chmod(0o755)


def test_second_copy_into_the_same_folder_is_refused(demo: DemoProject) -> None:
    with pytest.raises(FileExistsError):
        copy_samples(demo.folder)


def test_links_lead_where_they_should(demo: DemoProject) -> None:
    root = demo.skill_roots[0]
    outside = (root / "payment-provider").resolve()
    assert (outside / "SKILL.md").is_file()
    assert not any(outside.is_relative_to(workspace) for workspace in demo.workspace_roots)
    inside = (root / "brand-voice").resolve()
    assert (inside / "SKILL.md").is_file()
    assert inside.is_relative_to(demo.path)
    assert not inside.is_relative_to(root)
    assert (root / "api-rules").resolve() == root / "api-conventions"
    dangling = root / "gift-cards" / "SKILL.md"
    assert dangling.is_symlink()
    assert not dangling.exists()
    leak = root / "quick-setup" / "references" / "machine.md"
    assert leak.resolve() == demo.path / "README.md"


def test_odd_files_are_what_they_claim(demo: DemoProject) -> None:
    root = demo.skill_roots[0]
    assert (root / "price-list" / "SKILL.md").is_dir()
    assert stat.S_ISFIFO((root / "order-queue" / "SKILL.md").stat().st_mode)
    assert (root / "text-tricks" / "scripts" / "one\ntwo.sh").is_file()
    assert (root / "text-tricks" / "scripts" / "\x1b[31mred.sh").is_file()
    assert (root / "two\nlines \x1b[7mand colour" / "SKILL.md").is_file()


def test_what_was_not_made_is_named_and_leaves_nothing_behind(demo: DemoProject) -> None:
    told = "\n".join(demo.skipped)
    for name, words in (("salary-bands", "an unreadable file"), ("private-notes", "an unreadable folder")):
        assert (demo.skill_roots[0] / name).exists() is (words not in told)


def test_platform_without_links_and_pipes_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(1314, "A required privilege is not held")

    monkeypatch.setattr(os, "symlink", refuse)
    monkeypatch.delattr(os, "mkfifo")
    made = copy_samples(tmp_path / "demo")
    told = "\n".join(made.skipped)
    assert "a link out of the workspace: a required privilege is not held" in told
    assert "a link that leads nowhere: " in told
    assert "a named pipe called SKILL.md: this platform has no named pipes" in told
    assert not (made.skill_roots[0] / "order-queue").exists()
    assert (made.skill_roots[0] / "price-list" / "SKILL.md").is_dir()
    remove_samples(made)
    assert not made.folder.exists()


def test_removing_spares_what_the_copy_did_not_make(tmp_path: Path) -> None:
    made = copy_samples(tmp_path)
    (tmp_path / "mine.txt").write_text("keep")
    victim = tmp_path / "outside"
    victim.mkdir(mode=0o500)
    (made.path / "link-to-outside").symlink_to(victim)
    remove_samples(made)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt", "outside"]
    assert stat.S_IMODE(victim.stat().st_mode) == 0o500
    remove_samples(made)  # a second time is harmless


def test_temporary_project_goes_away_with_its_block() -> None:
    with demo_project() as demo:
        folder = demo.folder
        assert demo.path.is_dir()
        (demo.skill_roots[1] / "commit-message").chmod(0)
    assert not folder.exists()


def test_temporary_project_goes_away_when_the_copy_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("skillui.workspace.samples.data_folder", lambda name: tmp_path / "missing")
    with pytest.raises(OSError, match="missing"), demo_project():
        pytest.fail("there is nothing to copy")
    assert list(tmp_path.iterdir()) == []


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Root reads everything, whatever the mode: where the tests run as root, be somebody else for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_unreadable_parts_are_made_reported_and_removed() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        with ordinary_user():
            if not os.access(data_folder("sample_skills"), os.R_OK, effective_ids=True):
                pytest.skip("the checkout is not open to other users")
            demo = copy_samples(Path(folder) / "demo")
            assert [line for line in demo.skipped if "unreadable" in line] == []
            with pytest.raises(PermissionError):
                (demo.skill_roots[0] / "salary-bands" / "SKILL.md").read_bytes()
            with pytest.raises(PermissionError):
                os.listdir(demo.skill_roots[0] / "private-notes")
            found = FilesystemSkillRegistry(demo.skill_roots).scan().broken_by_name
            assert found["salary-bands"].code is ErrorCode.IO_ERROR
            assert found["private-notes"].code is ErrorCode.IO_ERROR
            remove_samples(demo)
            assert not demo.folder.exists()


@pytest.mark.parametrize("path", bundled_skills(), ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_each_sample_explains_itself(path: Path) -> None:
    text = path.read_bytes().decode("latin-1")
    if path.parent.name == "old-skills":
        pytest.skip("a file that is no SKILL.md where case counts")
    assert "## What this sample shows" in text
    assert "**" in text.split("## What this sample shows")[1]


@pytest.mark.parametrize("path", bundled_skills(), ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_each_valid_description_says_when(path: Path) -> None:
    skill = parse_skill(path.read_bytes(), path.parent.name, str(path))
    if skill.valid:
        assert "Use " in skill.description

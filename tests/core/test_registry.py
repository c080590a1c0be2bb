"""Scans, refreshes and single loads of folders below roots."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skillui.core import (
    AnyEntry,
    BrokenSkill,
    Catalog,
    CatalogRegistry,
    FilesystemSkillRegistry,
    LoadedSkill,
    SkillEntry,
    SkillSession,
    catalog_of,
    registry,
)
from skillui.core.files import ReadFault, odd_kind, read_regular
from tests.core.skills import call, loaded, open_session, refused, write_skill


@pytest.fixture
def roots(tmp_path: Path) -> FilesystemSkillRegistry:
    for name in ("foo", "bar"):
        write_skill(tmp_path / "project", name)
    write_skill(tmp_path / "user", "foo")
    return FilesystemSkillRegistry(["project", tmp_path / "user"], cwd=str(tmp_path.resolve()))


def names(catalog: Catalog) -> list[str]:
    return [entry.name for entry in catalog.skills]


def counting_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    read: list[str] = []

    def counted(path: str, *rest: Any) -> Any:
        read.append(path)
        return read_regular(path, *rest)

    monkeypatch.setattr(registry, "read_regular", counted)
    return read


def test_the_protocol_of_the_specification(roots: FilesystemSkillRegistry) -> None:
    assert isinstance(roots, CatalogRegistry)
    before = roots.catalog
    entries = asyncio.run(roots.discover())
    assert [entry.name for entry in entries] == ["bar", "foo"]
    assert before is None
    assert asyncio.run(catalog_of(roots)) is roots.catalog
    skill = asyncio.run(roots.load("foo"))
    assert isinstance(skill, LoadedSkill)
    assert skill.body == "Body\n"
    assert asyncio.run(roots.load("absent")) is None


def test_an_entry_tells_all_that_rows_need(roots: FilesystemSkillRegistry, tmp_path: Path) -> None:
    entry = roots.scan().by_name["foo"]
    folder = str(tmp_path.resolve() / "project/foo")
    assert (entry.dir, entry.location, entry.skill_md) == (folder, folder, folder + "/SKILL.md")
    assert (entry.listing, entry.body_characters) == ("foo: Does it.", 5)
    assert entry.shadowed == (str(tmp_path.resolve() / "user/foo"),)
    assert entry.modified == (tmp_path / "project/foo/SKILL.md").stat().st_mtime


def test_shadowed_copies_can_be_loaded_too(roots: FilesystemSkillRegistry) -> None:
    copy = roots.scan().shadowed[0]
    skill = roots.load_entry(copy)
    assert isinstance(skill, LoadedSkill)
    assert skill.entry.root_index == 1


def test_a_second_scan_reads_only_what_changed(
    roots: FilesystemSkillRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = counting_reads(monkeypatch)
    roots.scan()
    assert len(read) == 3
    roots.scan()
    assert len(read) == 3
    write_skill(tmp_path / "project", "foo", "More\n")
    assert roots.scan().by_name["foo"].body_characters == 5
    assert read[3:] == [str(tmp_path.resolve() / "project/foo/SKILL.md")]


def test_what_is_gone_at_the_second_scan_is_gone(roots: FilesystemSkillRegistry, tmp_path: Path) -> None:
    roots.scan()
    (tmp_path / "project/bar/SKILL.md").unlink()
    assert names(roots.scan()) == ["foo"]


def test_links_are_looked_at_every_time(roots: FilesystemSkillRegistry, tmp_path: Path) -> None:
    (tmp_path / "project/bar/SKILL.md").rename(tmp_path / "real.md")
    (tmp_path / "project/bar/SKILL.md").symlink_to(tmp_path / "real.md")
    write_skill(tmp_path / "elsewhere", "linked")
    (tmp_path / "project/linked").symlink_to(tmp_path / "elsewhere/linked")
    assert names(roots.scan()) == ["bar", "foo", "linked"]
    (tmp_path / "real.md").write_text("---\nname: bar\ndescription: New.\n---\n")
    write_skill(tmp_path / "elsewhere", "linked", description="New.")
    catalog = roots.scan()
    assert {catalog.by_name[name].description for name in ("bar", "linked")} == {"New."}


def test_a_folder_moved_behind_a_link_is_where_it_is_now(roots: FilesystemSkillRegistry, tmp_path: Path) -> None:
    roots.scan()
    (tmp_path / "project/bar").rename(tmp_path / "moved")
    (tmp_path / "project/bar").symlink_to(tmp_path / "moved")
    assert roots.scan().by_name["bar"].dir == str(tmp_path.resolve() / "moved")


def test_a_scan_tells_of_its_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_BATCH", 2)
    for name in ("a", "b", "c", "d", "e"):
        write_skill(tmp_path, name)
    (tmp_path / "empty").mkdir()
    told: list[tuple[int, int, list[str]]] = []

    def observer(done: int, total: int, batch: list[AnyEntry]) -> None:
        told.append((done, total, [entry.name for entry in batch]))

    FilesystemSkillRegistry([tmp_path]).scan(observer)
    assert told == [(2, 6, ["a", "b"]), (4, 6, ["c", "d"]), (6, 6, ["e"])]


class TestRefresh:
    def test_the_first_one_is_a_scan(self, roots: FilesystemSkillRegistry) -> None:
        assert names(roots.refresh([])) == ["bar", "foo"]

    @pytest.mark.parametrize(
        ("change", "paths", "expected"),
        [
            (lambda base: write_skill(base / "project", "new"), ["project/new/SKILL.md"], ["bar", "foo", "new"]),
            (lambda base: write_skill(base / "project", "new"), ["project"], ["bar", "foo", "new"]),
            (lambda base: (base / "project/bar/SKILL.md").unlink(), ["project/bar/SKILL.md"], ["foo"]),
            (lambda base: (base / "project/bar").rename(base / "project/.bar"), ["project"], ["foo"]),
            (lambda base: write_skill(base / "project", ".new"), ["project/.new/SKILL.md"], ["bar", "foo"]),
            (lambda base: write_skill(base / "project", "bar", fields="version: [1]\n"), ["project/bar"], ["foo"]),
            (lambda base: write_skill(base / "other", "new"), ["other/new/SKILL.md"], ["bar", "foo"]),
        ],
    )
    def test_what_changed_is_what_a_scan_would_find(
        self,
        roots: FilesystemSkillRegistry,
        tmp_path: Path,
        change: Callable[[Path], Any],
        paths: list[str],
        expected: list[str],
    ) -> None:
        roots.scan()
        change(tmp_path)
        catalog = roots.refresh([str(tmp_path.resolve() / path) for path in paths])
        assert names(catalog) == expected
        assert catalog.to_json() == FilesystemSkillRegistry(roots.roots).scan().to_json()

    def test_only_the_folders_named_are_read(
        self, roots: FilesystemSkillRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        roots.scan()
        read = counting_reads(monkeypatch)
        roots.refresh([str(tmp_path.resolve() / "project/foo/scripts/a.py")])
        assert read == [str(tmp_path.resolve() / "project/foo/SKILL.md")]

    @pytest.mark.parametrize("changed", ["elsewhere/linked/SKILL.md", "elsewhere/linked", "real.md"])
    def test_a_change_behind_a_link_reaches_the_link(
        self, roots: FilesystemSkillRegistry, tmp_path: Path, changed: str
    ) -> None:
        write_skill(tmp_path / "elsewhere", "linked")
        (tmp_path / "project/linked").symlink_to(tmp_path / "elsewhere/linked")
        (tmp_path / "project/bar/SKILL.md").rename(tmp_path / "real.md")
        (tmp_path / "project/bar/SKILL.md").symlink_to(tmp_path / "real.md")
        roots.scan()
        write_skill(tmp_path / "elsewhere", "linked", description="New.")
        (tmp_path / "real.md").write_text("---\nname: bar\ndescription: New.\n---\n")
        catalog = roots.refresh([str(tmp_path.resolve() / changed)])
        name = "bar" if changed == "real.md" else "linked"
        assert catalog.by_name[name].description == "New."


class TestOtherCases:
    """A file system that minds no case, told apart by what the directory lists."""

    @pytest.mark.parametrize(("listed", "found"), [("SKILL.md", True), ("skill.md", False)])
    def test_only_the_exact_name_counts(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: str, found: bool
    ) -> None:
        write_skill(tmp_path, "foo")
        monkeypatch.setattr(os.path, "lexists", lambda path: True)
        monkeypatch.setattr(os, "listdir", lambda path: [listed])
        assert (names(FilesystemSkillRegistry([tmp_path]).scan()) == ["foo"]) is found

    def test_another_spelling_is_no_skill(self, tmp_path: Path) -> None:
        (write_skill(tmp_path, "foo") / "SKILL.md").rename(tmp_path / "foo/skill.md")
        assert FilesystemSkillRegistry([tmp_path]).scan() == Catalog()


def failing(*args: Any) -> Any:
    raise OSError(5, "Input/output error")


class TestFaults:
    def test_a_file_that_goes_while_it_is_looked_at_is_no_skill(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_skill(tmp_path, "foo")

        def gone(path: str, flags: int) -> int:
            raise FileNotFoundError(2, "No such file or directory")

        monkeypatch.setattr(os, "open", gone)
        assert FilesystemSkillRegistry([tmp_path]).scan() == Catalog()

    def test_a_file_that_may_not_be_read_has_a_hint(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write_skill(tmp_path, "foo")

        def closed(path: str, flags: int) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", closed)
        broken = FilesystemSkillRegistry([tmp_path]).scan().broken[0]
        assert broken.meta["hint"] == "make the file and its folder readable"

    def test_a_disk_fault_while_reading_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write_skill(tmp_path, "foo")
        monkeypatch.setattr(os, "read", failing)
        assert "SKILL.md input/output error" in FilesystemSkillRegistry([tmp_path]).scan().broken[0].message

    def test_a_folder_that_cannot_be_asked_is_told_and_a_file_is_none(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_skill(tmp_path, "foo")
        write_skill(tmp_path, "bar")
        lstat = os.lstat

        def strange(path: Any, **kwargs: Any) -> os.stat_result:
            if str(path).endswith("SKILL.md"):
                if "bar" in str(path):
                    (tmp_path / "bar/SKILL.md").unlink()
                    (tmp_path / "bar").rmdir()
                failing()
            return lstat(path, **kwargs)

        monkeypatch.setattr(os, "lstat", strange)
        broken = FilesystemSkillRegistry([tmp_path]).scan().broken
        assert [(entry.name, entry.meta["reason"]) for entry in broken] == [
            ("foo", "the folder cannot be read: input/output error")
        ]

    def test_a_folder_whose_name_no_path_can_have_is_none(self, tmp_path: Path) -> None:
        roots = FilesystemSkillRegistry([tmp_path])
        entry = SkillEntry("foo", "d", "/", 0, {}, location=str(tmp_path / "a\0b"))
        assert roots.load_entry(entry) is None

    @pytest.mark.parametrize(
        ("path", "words"),
        [("/a\0b", "has an impossible name"), ("{base}/none", "does not exist"), ("{base}/file/x", "does not exist")],
    )
    def test_reading_says_why_it_cannot(self, tmp_path: Path, path: str, words: str) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(ReadFault, match=words):
            read_regular(path.format(base=tmp_path), 10)

    def test_a_link_that_leads_nowhere_is_told_from_a_missing_file(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to("none")
        with pytest.raises(ReadFault, match="is a link that leads nowhere"):
            read_regular(str(tmp_path / "link"), 10)

    def test_a_file_that_grows_while_it_is_read_is_read_whole_or_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "file"
        path.write_bytes(b"abc")
        read = os.read

        def slow(handle: int, size: int) -> bytes:
            return read(handle, 1)

        monkeypatch.setattr(os, "read", slow)
        assert read_regular(str(path), 10)[0] == b"abc"

        def growing(handle: int, size: int) -> bytes:
            with path.open("ab") as file:
                file.write(b"x" * 4)
            return read(handle, size)

        monkeypatch.setattr(os, "read", growing)
        with pytest.raises(ReadFault, match="is more than 10 bytes"):
            read_regular(str(path), 10)

    def test_every_kind_of_file_has_words(self) -> None:
        assert odd_kind(stat.S_IFBLK) == "is a device"
        assert odd_kind(0) == "is not a regular file"

    def test_resources_that_cannot_be_listed_are_an_io_error(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_skill(tmp_path / "skills", "foo")
        monkeypatch.setattr(os, "listdir", failing)
        error = refused(call(open_session(tmp_path), "foo"))
        assert (error.code, "input/output error" in error.message) == ("IO_ERROR", True)
        assert error.meta["path"] == str(tmp_path.resolve() / "skills/foo/SKILL.md")


class TestForeignRegistries:
    """A registry that is no folder: only the protocol of §10."""

    def session(self, tmp_path: Path, answer: Any) -> SkillSession:
        write_skill(tmp_path / "skills", "foo")
        inner = FilesystemSkillRegistry([tmp_path / "skills"])

        class Foreign:
            discoveries = 0

            async def discover(self) -> tuple[SkillEntry, ...]:
                Foreign.discoveries += 1
                return inner.scan().skills

            async def load(self, name: str) -> LoadedSkill | BrokenSkill | None:
                if answer is OSError:
                    raise OSError(5, "Input/output error")
                return await inner.load(name) if answer is ... else None

        session = open_session(tmp_path)
        return SkillSession(session.config, registry=Foreign())

    def test_it_is_asked_once(self, tmp_path: Path) -> None:
        session = self.session(tmp_path, ...)
        assert loaded(call(session, "foo")).name == "foo"
        first = asyncio.run(session.catalog())
        assert asyncio.run(session.catalog()) is first

    def test_its_faults_are_results(self, tmp_path: Path) -> None:
        assert refused(call(self.session(tmp_path, OSError), "foo")).code == "IO_ERROR"
        assert call(self.session(tmp_path, None), "foo").kind == "not_found"


def test_a_root_that_is_named_twice_counts_where_it_was_named_first(tmp_path: Path) -> None:
    for root in ("a", "b"):
        folder = tmp_path / root / "dup"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: dup\ndescription: from {root}\n---\n")
    registry = FilesystemSkillRegistry(["a", "b", "./b/../a"], str(tmp_path))
    for catalog in (registry.scan(), registry.refresh([str(tmp_path / "a" / "dup" / "SKILL.md")])):
        (winner,) = catalog.skills
        assert (winner.description, winner.root_index) == ("from a", 0)
        assert [entry.description for entry in catalog.shadowed] == ["from b"]
    assert [skill.entry.root_index for skill in registry.load_all() if isinstance(skill, LoadedSkill)] == [0, 1]


def test_absolute_roots_need_no_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert FilesystemSkillRegistry([str(tmp_path)]).scan().skills == ()

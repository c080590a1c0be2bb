"""Skills in archives, honest ones and hostile ones, each a real file; nothing is ever unpacked to disk."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import stat
import struct
import subprocess
import tarfile
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillui.core import CatalogRegistry, LoadedSkill, SessionConfig, Severity
from skillui.core.gate import judge
from skillui.review import archive_tree
from skillui.review.archive_registry import ArchiveRegistry
from skillui.review.content import read_content
from tests.review.sources_for_review import entries_of, findings, load, scanned, simple, write_files

FOO = simple("foo").encode()
Content = bytes | str


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "foo.skill"


def pack(path: Path, members: Iterable[tuple[str, Content]], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write a zip as honest programs do."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def honest(path: Path, *more: tuple[str, Content]) -> Path:
    return pack(path, [("foo/SKILL.md", FOO), *more])


def patched(path: Path, change: Callable[[bytearray], None]) -> Path:
    data = bytearray(path.read_bytes())
    change(data)
    path.write_bytes(data)
    return path


def central(data: bytes | bytearray, name: bytes) -> int:
    """Return the place of a member's line in the directory."""
    at = data.find(b"PK\x01\x02")
    while data[at + 46 : at + 46 + len(name)] != name:
        at = data.index(b"PK\x01\x02", at + 1)
    return at


def local(data: bytes | bytearray, name: bytes) -> int:
    return int.from_bytes(data[(at := central(data, name)) + 42 : at + 46], "little")


def refused(path: Path, words: str) -> ArchiveRegistry:
    """Scan an archive that nobody may rely on: it is told why, its skills are listed, and none has a digest."""
    registry = ArchiveRegistry(path)
    catalog = registry.scan()
    grave = [problem.message for problem in registry.problems if problem.severity is Severity.ERROR]
    assert any(words in message for message in grave), grave
    assert any(words in warning for warning in catalog.warnings)
    assert registry.fault is None
    for name, entry in entries_of(registry).items():
        content = registry.content(entry)
        assert content.digest is None
        assert str(content.fault).startswith("the archive cannot be relied on: ")
        skill = load(registry, name)
        assert skill.files is not None
        assert skill.files.digest().value is None
        findings(skill)
    return registry


def unreadable(path: Path, words: str) -> None:
    """Scan what is no archive: one line, and nothing else."""
    registry = ArchiveRegistry(path)
    assert registry.scan().warnings == (registry.fault,)
    assert words in str(registry.fault)
    assert (registry.problems, registry.roots, entries_of(registry)) == ((), (), {})


class TestHonestArchives:
    @pytest.mark.parametrize("layout", ["", "foo/", "shop-1.0/skills/foo/", "shop/.claude/skills/foo/"])
    def test_a_skill_at_the_top_or_in_folders(self, path: Path, tmp_path: Path, layout: str) -> None:
        write_files(tmp_path, {"foo/SKILL.md": FOO, "foo/scripts/run.sh": "true\n"})
        pack(path, [(f"{layout}SKILL.md", FOO), (f"{layout}scripts/run.sh", "true\n")])
        registry = ArchiveRegistry(path)
        catalog = registry.scan()
        assert isinstance(registry, CatalogRegistry)
        assert [entry.name for entry in catalog.skills] == ["foo"]
        assert (catalog.warnings, registry.problems, registry.fault) == ((), (), None)
        assert registry.content(catalog.skills[0]).digest == read_content(str(tmp_path / "foo")).digest

    def test_several_skills_and_what_is_broken_among_them(self, path: Path) -> None:
        pack(
            path,
            [("a/one/SKILL.md", simple("one")), ("a/two/SKILL.md", simple("too")), ("b/one/SKILL.md", simple("one"))],
        )
        catalog = ArchiveRegistry(path).scan()
        assert [entry.name for entry in catalog.skills] == ["one"]
        assert [entry.dir for entry in catalog.shadowed] == [f"archive:{path}/b/one"]
        assert [entry.name for entry in catalog.broken] == ["two"]

    @pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    def test_stored_and_packed_and_streamed_files(self, path: Path, method: int) -> None:
        class Pipe(io.BytesIO):
            def seekable(self) -> bool:
                return False

            def tell(self) -> int:
                raise OSError

        out = Pipe()
        with zipfile.ZipFile(out, "w", method) as archive:
            archive.writestr("foo/SKILL.md", FOO)
            archive.writestr("foo/empty", b"")
            archive.writestr("foo/assets/a.txt", b"abc" * 1000)
        path.write_bytes(out.getvalue())
        registry = ArchiveRegistry(path)
        content, _ = scanned(registry, "foo")
        assert registry.problems == ()
        assert {file.path: file.size for file in content.files} == {
            "SKILL.md": len(FOO), "assets/a.txt": 3000, "empty": 0,
        }  # fmt: skip

    @pytest.mark.parametrize("how", ["gnu", "pax", "ustar", "plain"])
    def test_tar_in_its_common_formats(self, tmp_path: Path, how: str) -> None:
        deep = "/".join(["references", "d" * 60, "e" * 60 + ".md"])
        write_files(tmp_path, {"foo/SKILL.md": FOO, f"foo/{deep}": "deep", "foo/assets/é.txt": "e"})
        (tmp_path / "foo" / "assets" / "é.txt").chmod(0o755)
        formats = {"gnu": tarfile.GNU_FORMAT, "pax": tarfile.PAX_FORMAT, "ustar": tarfile.USTAR_FORMAT}
        path = tmp_path / ("a.tar" if how == "plain" else "a.tar.gz")
        with tarfile.open(path, "w" if how == "plain" else "w:gz", format=formats.get(how, tarfile.GNU_FORMAT)) as tar:
            tar.add(tmp_path / "foo", "foo")
        registry = ArchiveRegistry(path)
        content, _ = scanned(registry, "foo")
        assert registry.problems == ()
        assert content.digest == read_content(str(tmp_path / "foo")).digest

    def test_what_git_archive_makes(self, tmp_path: Path) -> None:
        from tests.review.sources_for_review import commit, git, make_repo

        repo = make_repo(tmp_path / "repo")
        write_files(repo, {"foo/SKILL.md": FOO, "foo/scripts/a.sh": "true\n"})
        (repo / "foo/scripts/a.sh").chmod(0o755)
        commit(repo)
        for form in ("zip", "tar.gz", "tar"):
            git(repo, "archive", f"--format={form}", "--prefix=repo-main/", "-o", str(tmp_path / f"a.{form}"), "HEAD")
            registry = ArchiveRegistry(tmp_path / f"a.{form}")
            content, _ = scanned(registry, "foo")
            assert content.digest == read_content(str(repo / "foo")).digest, form
            assert {problem.severity for problem in registry.problems} <= {Severity.NOTE}

    def test_entries_lie_in_no_folder_that_anything_could_trust(self, path: Path, tmp_path: Path) -> None:
        registry = ArchiveRegistry(honest(path))
        _, skill = scanned(registry, "foo")
        assert isinstance(skill, LoadedSkill)
        config = SessionConfig(cwd="/", workspace_roots=("/",), trusted_roots=("/", str(tmp_path)))
        assert not judge(config, skill.entry.dir, skill.entry.skill_md).trusted

    def test_archives_within_are_not_opened(self, path: Path, tmp_path: Path) -> None:
        inner = honest(tmp_path / "inner.zip", ("foo/../../evil", "x")).read_bytes()
        registry = ArchiveRegistry(honest(path, ("foo/assets/inner.zip", inner)))
        content, skill = scanned(registry, "foo")
        assert content.digest is not None
        assert ("SEC-05", "foo/assets/inner.zip".removeprefix("foo/")) in {(p.code, p.path) for p in findings(skill)}

    def test_nothing_is_written(self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        registry = ArchiveRegistry(honest(path, ("foo/scripts/a.sh", "true")))
        before = sorted(tmp_path.rglob("*"))
        content, skill = scanned(registry, "foo")
        findings(skill)
        assert content.digest
        assert sorted(tmp_path.rglob("*")) == before

    def test_the_archive_of_the_last_scan_is_what_is_read(self, path: Path) -> None:
        registry = ArchiveRegistry(honest(path))
        content, _ = scanned(registry, "foo")
        pack(path, [("foo/SKILL.md", simple("foo", "Another.\n"))])
        assert registry.content(entries_of(registry)["foo"]) == content
        assert scanned(registry, "foo")[0] != content

    def test_an_archive_without_skills_is_a_warning(self, path: Path) -> None:
        registry = ArchiveRegistry(pack(path, [("a/b.txt", "x")]))
        assert registry.scan().warnings == (f"{path} holds no skills",)
        assert ArchiveRegistry(pack(path, [])).scan().warnings == (f"{path} holds no skills",)


class TestNames:
    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("../evil", "leads out of the folder"),
            ("foo/../../evil", "leads out of the folder"),
            ("foo/..", "leads out of the folder"),
            ("/etc/cron.d/evil", "is an absolute path"),
            ("C:/evil", "is an absolute path"),
            ("c:evil", "is an absolute path"),
            ("foo\\..\\evil", "has a backslash"),
            ("foo//a", "has an empty part"),
            ("./foo/a", "has an empty part"),
            ("foo/./a", "has an empty part"),
            ("foo/" + "x" * 300, "has too long a path"),
            ("foo/" + "d/" * 100 + "a", "has too long a path"),
            ("foo/SKILL.md", "is in the archive twice"),
            ("foo/skill.MD", "are one name to many file systems"),
            ("FOO/other", "are one name to many file systems"),
            ("foo/SKILL.md/a", "is a file and a folder"),
            ("foo/SKILL.md/", "is a file and a folder"),
        ],
    )
    def test_what_no_folder_should_take(self, path: Path, name: str, words: str) -> None:
        with pytest.warns(UserWarning, match="Duplicate") if name == "foo/SKILL.md" else nullcontext():
            honest(path, (name, b"" if name.endswith("/") else b"evil"))
        registry = refused(path, words)
        skill = load(registry, "foo")
        assert isinstance(skill, LoadedSkill)
        assert skill.body == "Do it.\n"  # the first of its name, never the second

    def test_one_name_in_two_forms_of_unicode(self, path: Path) -> None:
        refused(honest(path, ("foo/\u00e9.md", "a"), ("foo/e\u0301.md", "b")), "are one name to many file systems")

    def test_a_nul_in_a_name(self, path: Path) -> None:
        def change(data: bytearray) -> None:
            data[:] = data.replace(b"foo/a.txt", b"foo/a\0txt")

        refused(patched(honest(path, ("foo/a.txt", "x")), change), "has a NUL in its name")

    def test_a_name_that_does_not_say_how_it_is_encoded(self, path: Path) -> None:
        def change(data: bytearray) -> None:
            data[:] = data.replace(b"foo/xx.md", b"foo/\xc3\xa9.md")

        refused(patched(honest(path, ("foo/xx.md", "x")), change), "does not say how it is encoded")

    def test_a_second_name_in_the_further_fields(self, path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("foo/SKILL.md", FOO)
            info = zipfile.ZipInfo("foo/good")
            name = b"foo/evil"
            info.extra = struct.pack("<2HBL", 0x7075, 5 + len(name), 1, zlib.crc32(b"foo/good")) + name
            archive.writestr(info, "x")
        refused(path, "has a second name")

    def test_control_characters_are_shown_as_escapes(self, path: Path) -> None:
        registry = refused(honest(path, ("foo/\x1b[31m/../a\nb", "x")), "leads out")
        assert all("\x1b" not in problem.message + problem.path for problem in registry.problems)

    def test_a_repository_within_is_a_warning(self, path: Path) -> None:
        registry = ArchiveRegistry(honest(path, ("foo/.git/config", "[core]\n\tfsmonitor = evil\n")))
        content, _ = scanned(registry, "foo")
        assert [problem.severity for problem in registry.problems] == [Severity.WARNING]
        assert content.digest is not None
        assert [file.path for file in content.files] == ["SKILL.md"]


class TestKinds:
    @pytest.mark.parametrize(
        ("mode", "words"),
        [
            (stat.S_IFLNK | 0o777, "is a link, to '/etc/passwd'"),
            (stat.S_IFIFO | 0o644, "is neither a file nor a folder"),
            (stat.S_IFCHR | 0o644, "is neither a file nor a folder"),
            (stat.S_IFDIR | 0o755, "is neither a file nor a folder"),
        ],
    )
    def test_links_and_special_files(self, path: Path, mode: int, words: str) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("foo/SKILL.md", FOO)
            info = zipfile.ZipInfo("foo/leak")
            info.create_system, info.external_attr = 3, mode << 16
            archive.writestr(info, "/etc/passwd")
        registry = refused(path, words)
        skill = load(registry, "foo")
        assert "SEC-05" in {problem.code for problem in findings(skill)}

    def test_a_link_in_the_place_of_the_skill(self, path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            info = zipfile.ZipInfo("foo/SKILL.md")
            info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
        registry = refused(path, "is a link, to '/etc/passwd'")
        assert [entry.name for entry in (registry.catalog or registry.scan()).broken] == ["foo"]

    @pytest.mark.skipif(shutil.which("zip") is None, reason="no zip program")
    def test_what_info_zip_makes_of_a_link(self, path: Path, tmp_path: Path) -> None:
        write_files(tmp_path, {"foo/SKILL.md": FOO})
        (tmp_path / "foo" / "l").symlink_to("SKILL.md")
        subprocess.run(["zip", "-q", "-r", "-y", str(path.with_suffix(".zip")), "foo"], cwd=tmp_path, check=True)
        refused(path.with_suffix(".zip"), "foo/l is a link, to 'SKILL.md'")

    def test_set_user_bits_are_found_by_the_rules(self, path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("foo/SKILL.md", FOO)
            info = zipfile.ZipInfo("foo/a.sh")
            info.create_system, info.external_attr = 3, (stat.S_IFREG | 0o4755) << 16
            archive.writestr(info, "true\n")
        _, skill = scanned(ArchiveRegistry(path), "foo")
        assert any("set-uid" in problem.message for problem in findings(skill))


class TestData:
    def test_a_false_checksum(self, path: Path) -> None:
        def change(data: bytearray) -> None:
            for at in (central(data, b"foo/a") + 16, local(data, b"foo/a") + 14):
                data[at] ^= 1

        refused(patched(honest(path, ("foo/a", "x" * 50)), change), "foo/a does not match its checksum")

    @pytest.mark.parametrize(("size", "words"), [(10, "is larger than"), (90, "is smaller than")])
    def test_a_false_size(self, path: Path, size: int, words: str) -> None:
        def change(data: bytearray) -> None:
            for at in (central(data, b"foo/a") + 24, local(data, b"foo/a") + 22):
                data[at : at + 4] = size.to_bytes(4, "little")

        refused(patched(honest(path, ("foo/a", "x" * 50)), change), words)

    def test_a_bomb_by_its_declared_size_is_not_unpacked(self, path: Path) -> None:
        honest(path, ("foo/a", b"0" * 50_000_000))
        started = time.monotonic()
        refused(path, "foo/a unpacks to 50,000,000 bytes")
        assert time.monotonic() - started < 5

    def test_a_bomb_of_many_files(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(archive_tree, "MAX_UNPACKED", 10_000)
        refused(honest(path, *((f"foo/{n}", b"0" * 900) for n in range(20))), "past the limit of 10,000")

    def test_a_bomb_that_lies_stops_at_what_it_said(self, path: Path) -> None:
        def change(data: bytearray) -> None:
            for at in (central(data, b"foo/a") + 24, local(data, b"foo/a") + 22):
                data[at : at + 4] = (1000).to_bytes(4, "little")

        refused(patched(honest(path, ("foo/a", b"0" * 50_000_000)), change), "is larger than the archive says")

    def test_encryption_and_other_methods(self, path: Path) -> None:
        def encrypt(data: bytearray) -> None:
            for at in (central(data, b"foo/a") + 8, local(data, b"foo/a") + 6):
                data[at] |= 1

        refused(patched(honest(path, ("foo/a", "x")), encrypt), "foo/a is encrypted")
        pack(path, [("foo/SKILL.md", FOO)], zipfile.ZIP_LZMA)
        registry = refused(path, "is packed by a method that is not read (14)")
        assert "SKILL.md" in next(iter(entries_of(registry).values())).problems[0].message

    def test_data_that_is_damaged_or_cut_off_or_longer_than_it_needs(self, path: Path) -> None:
        def change(data: bytearray) -> None:
            at = local(data, b"foo/a") + 30 + len(b"foo/a")
            data[at : at + 4] = b"\xff\xff\xff\xff"

        refused(patched(honest(path, ("foo/a", bytes(range(256)) * 9)), change), "foo/a is damaged")

    def test_data_that_ends_too_early(self, path: Path) -> None:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        cut = packer.compress(b"x" * 500) + packer.flush(zlib.Z_SYNC_FLUSH)  # without its last block
        pack(path, [("foo/SKILL.md", FOO), ("foo/a", cut)], zipfile.ZIP_STORED)

        def change(data: bytearray) -> None:
            for at, method in ((central(data, b"foo/a") + 8, 2), (local(data, b"foo/a") + 6, 2)):
                data[at + method : at + method + 2] = b"\x08\0"
            for at in (central(data, b"foo/a") + 24, local(data, b"foo/a") + 22):
                data[at : at + 4] = (501).to_bytes(4, "little")

        refused(patched(path, change), "foo/a is cut off")

    def test_a_link_whose_text_cannot_be_read(self, path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("foo/SKILL.md", FOO)
            info = zipfile.ZipInfo("foo/l")
            info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")

        def change(data: bytearray) -> None:
            data[local(data, b"foo/l") + 30 + 5] ^= 1

        refused(patched(path, change), "foo/l does not match its checksum")


class TestLayout:
    def test_bytes_before_between_and_behind(self, path: Path) -> None:
        honest(path, ("foo/a", "x"))
        plain = path.read_bytes()
        path.write_bytes(b"#!/bin/sh\necho evil\nexit\n" + plain)
        unreadable(path, "has other bytes before its first entry")
        path.write_bytes(plain + b"tail")
        unreadable(path, "has bytes behind its end")
        start = central(plain, b"foo/SKILL.md")
        with_gap = bytearray(plain[:start] + b"hidden" + plain[start:])
        with_gap[-6:-2] = (start + 6).to_bytes(4, "little")
        path.write_bytes(with_gap)
        refused(path, "hidden bytes before its directory")

    def test_a_prefix_that_the_offsets_know_of(self, path: Path) -> None:
        with path.open("wb") as file:
            file.write(b"#!/bin/sh\nexit\n")
            with zipfile.ZipFile(file, "a") as archive:
                archive.writestr("foo/SKILL.md", FOO)
        refused(path, "has hidden bytes before it")

    def test_an_entry_that_the_directory_does_not_name(self, path: Path, tmp_path: Path) -> None:
        honest(path, ("foo/a", "x"))
        data = path.read_bytes()
        at, end = central(data, b"foo/a"), data.index(b"PK\x05\x06")
        tail = bytearray(data[end:])
        tail[8:12] = struct.pack("<2H", 1, 1)
        tail[12:16] = struct.pack("<L", at - central(data, b"foo/SKILL.md"))
        path.write_bytes(data[:at] + tail)
        refused(path, "hidden bytes before its directory")

    def test_entries_that_share_their_data(self, path: Path) -> None:
        honest(path, ("foo/a", "x" * 100), ("foo/b", "x" * 100))

        def change(data: bytearray) -> None:
            at = central(data, b"foo/b")
            data[at + 42 : at + 46] = local(data, b"foo/a").to_bytes(4, "little")

        refused(patched(path, change), "foo/b")

    def test_two_headers_that_differ(self, path: Path) -> None:
        def change(data: bytearray) -> None:
            at = local(data, b"foo/a")
            data[at + 30 : at + 35] = b"foo/z"

        refused(patched(honest(path, ("foo/a", "x")), change), "foo/a is not what the archive's directory says")

    def test_comments(self, path: Path) -> None:
        def comment(text: bytes) -> None:
            with zipfile.ZipFile(honest(path), "a") as archive:
                archive.comment = text

        comment(b"only words")
        registry = ArchiveRegistry(path)
        assert scanned(registry, "foo")[0].digest is not None
        assert [problem.severity for problem in registry.problems] == [Severity.NOTE]
        comment(b"PK\x05\x06" + b"\0" * 18)
        unreadable(path, "a comment that imitates an archive's end")
        comment(b"x PK\x05\x06 y")
        unreadable(path, "a comment that imitates an archive's end")

    def test_a_hundred_thousand_entries(self, path: Path) -> None:
        pack(path, ((f"foo/{n}", b"") for n in range(100_000)), zipfile.ZIP_STORED)
        started = time.monotonic()
        unreadable(path, "holds more than 50,000 entries")
        assert time.monotonic() - started < 5

    def test_a_flood_of_folders_in_few_names(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(archive_tree, "MAX_MEMBERS", 100)
        refused(
            honest(path, *(("/".join(f"{n}x{d}" for d in range(60)), b"") for n in range(5))), "more than 100 folders"
        )

    def test_a_directory_with_more_or_less_than_it_says(self, path: Path) -> None:
        def fewer(data: bytearray) -> None:
            data[-14:-10] = struct.pack("<2H", 1, 1)

        def far(data: bytearray) -> None:
            data[(at := central(data, b"foo/a") + 42) : at + 4] = (0x7FFFFFFF).to_bytes(4, "little")

        unreadable(patched(honest(path, ("foo/a", "x")), fewer), "holds more entries than it says")
        refused(patched(honest(path, ("foo/a", "x")), far), "foo/a is not what the archive's directory says")
        unreadable(patched(honest(path), lambda data: data.__setitem__(central(data, b"foo/SKILL.md"), 0)), "damaged")

    def test_an_archive_of_several_parts(self, path: Path) -> None:
        def change(data: bytearray) -> None:
            data[-18] = 1

        unreadable(patched(honest(path), change), "is one part of several")

    @pytest.mark.parametrize(
        "data", [b"", b"PK", b"nonsense" * 99, b"PK\x05\x06" + b"\0" * 17, b"\x1f\x8b", b"\x1f\x8b\x08" + b"\0" * 99]
    )
    def test_what_is_no_archive(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)
        registry = ArchiveRegistry(path)
        assert registry.scan().warnings == (registry.fault,)
        assert registry.fault is not None

    def test_what_is_no_file(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.zip")
        (tmp_path / "large.zip").touch()
        os.truncate(tmp_path / "large.zip", 200 << 20)
        for name, words in {"pipe.zip": "is a named pipe", "gone.zip": "does not exist", ".": "is a directory",
                            "large.zip": "past the limit", "a\0b": "impossible name"}.items():  # fmt: skip
            unreadable(tmp_path / name, words)

    @pytest.mark.parametrize("length", [1, 10, 21, 22, 30, 60, 100, 150, 200])
    def test_a_file_that_is_cut_off(self, path: Path, length: int) -> None:
        data = honest(path, ("foo/a", "x")).read_bytes()
        path.write_bytes(data[:-length])
        unreadable(path, "cut off")


class TestTars:
    def made(self, path: Path, *infos: tuple[tarfile.TarInfo, bytes], form: int = tarfile.PAX_FORMAT) -> Path:
        with tarfile.open(path, "w:gz", format=form) as tar:
            for info, data in ((tarfile.TarInfo("foo/SKILL.md"), FOO), *infos):
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        return path

    @pytest.mark.parametrize(
        ("kind", "words"),
        [
            (tarfile.SYMTYPE, "is a link, to '/etc/passwd'"), (tarfile.LNKTYPE, "is a hard link"),
            (tarfile.FIFOTYPE, "is neither a file nor a folder"), (tarfile.CHRTYPE, "is neither a file nor a folder"),
            (tarfile.GNUTYPE_SPARSE, "is a file with holes"), (b"V", "is of a kind that is not known"),
        ],
    )  # fmt: skip
    def test_links_and_special_files(self, path: Path, kind: bytes, words: str) -> None:
        info = tarfile.TarInfo("foo/leak")
        info.type, info.linkname = kind, "/etc/passwd"
        refused(self.made(path, (info, b"")), words)

    @pytest.mark.parametrize("name", ["../evil", "/etc/evil", "foo/../../evil", "foo/SKILL.md"])
    def test_names(self, path: Path, name: str) -> None:
        refused(self.made(path, (tarfile.TarInfo(name), b"x")), "")

    def test_false_sizes_sums_and_ends(self, path: Path) -> None:
        plain = gzip.decompress(
            self.made(path, (tarfile.TarInfo("foo/a"), b"x"), form=tarfile.USTAR_FORMAT).read_bytes()
        )

        def write(data: bytes) -> Path:
            path.write_bytes(gzip.compress(data))
            return path

        unreadable(write(plain[:700]), "is cut off")
        unreadable(write(plain + b"tail" * 128), "has hidden bytes behind its end")
        unreadable(write(plain[:100] + b"7" + plain[101:]), "is damaged")
        path.write_bytes(gzip.compress(plain) + b"tail")
        unreadable(path, "has hidden bytes behind its end")
        path.write_bytes(gzip.compress(plain)[:-12])
        unreadable(path, "is cut off")

    def test_fields_for_all_members_and_odd_ones(self, path: Path) -> None:
        with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT, pax_headers={"path": "evil"}) as tar:
            info = tarfile.TarInfo("foo/SKILL.md")
            info.size = len(FOO)
            tar.addfile(info, io.BytesIO(FOO))
        unreadable(path, "changes all its members")
        info = tarfile.TarInfo("foo/a")
        info.pax_headers = {"GNU.sparse.major": "1"}
        refused(self.made(path, (info, b"x")), "with holes")

    def raw(self, path: Path, *blocks: tuple[bytes, bytes, bytes]) -> Path:
        """Write a tar of headers (name, size field, kind) with data, the checksums true."""
        out = b""
        for name, size, data in blocks:
            head = bytearray(name[:-1].ljust(100, b"\0").ljust(124, b"\0") + size.ljust(12, b"\0") + b"\0" * 376)
            head[156:157], head[257:263], head[148:156] = name[-1:], b"ustar\0", b" " * 8
            head[148:156] = b"%06o\0 " % sum(head)
            out += bytes(head) + data + b"\0" * (-len(data) % 512)
        path.write_bytes(out + b"\0" * 1024)
        return path

    @pytest.mark.parametrize(
        ("block", "words"),
        [
            ((b"a0", b"9", b""), "a number that cannot be read"),
            ((b"a0", b"\x80" + b"\xff" * 11, b""), "a number that cannot be read"),
            ((b"a0", b"-1", b""), "a number that cannot be read"),
            ((b"ax", b"3", b"3 a"), "a further header that cannot be read"),
            ((b"ax", b"4", b"0 =\n"), "a further header that cannot be read"),
            ((b"ax", b"6", b"99 a=b"), "a further header that cannot be read"),
            ((b"ax", b"1000000", b"x" * 0o1000000), "a name that is too long"),
            ((b"a0", b"7777777", b""), "is cut off"),
        ],
    )
    def test_headers_that_make_no_sense(self, path: Path, block: tuple[bytes, bytes, bytes], words: str) -> None:
        unreadable(self.raw(path, block), words)

    def test_empty_numbers_and_a_folder_with_data_and_names_of_their_own(self, path: Path) -> None:
        skill = (b"foo/SKILL.md0", b"%o" % len(FOO), FOO)
        assert ArchiveRegistry(self.raw(path, (b"./5", b"", b""), skill)).scan().skills[0].name == "foo"
        refused(self.raw(path, skill, (b"foo/d5", b"1", b"x")), "is a folder and something else")
        named = (b"././@LongLinkL", b"14", b"foo/SKILL.md")
        assert ArchiveRegistry(self.raw(path, named, (b"x0", *skill[1:]))).scan().skills[0].name == "foo"

    def test_too_many_entries(self, path: Path) -> None:
        path.write_bytes(self.raw(path, (b"a0", b"", b"")).read_bytes()[:512] * 50_001 + b"\0" * 1024)
        unreadable(path, "holds more than 50,000 entries")

    def test_a_bomb(self, path: Path) -> None:
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        zeros = b"0" * (1 << 20)
        path.write_bytes(b"".join(packer.compress(zeros) for _ in range(400)) + packer.flush())
        unreadable(path, "unpacks to more than")


def as_others_read(path: Path, top: str) -> dict[str, str] | None:
    """Return the hashes of the files below a folder as the standard library reads them, None where it does not."""
    try:
        found = _read_by_others(path)
    except NotImplementedError:  # made by a later version than it knows
        return None
    return {name.removeprefix(top): sha256(data).hexdigest() for name, data in found.items() if name.startswith(top)}


def _read_by_others(path: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            found = {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}
    else:
        with tarfile.open(path) as tar:
            for member in tar:
                if member.isfile():
                    file = tar.extractfile(member)
                    assert file is not None
                    found[member.name] = file.read()
    return found


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_whatever_bytes_are_changed_a_digest_names_what_others_would_unpack(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), {"foo/SKILL.md": FOO, "foo/scripts/a.sh": "true\n" * 20})
        form = data.draw(st.sampled_from(["zip", "zip", "tar"]))
        path = Path(folder) / f"a.{form}"
        if form == "zip":
            honest(path, ("foo/scripts/a.sh", "true\n" * 20))
        else:
            with tarfile.open(path, "w") as tar:
                tar.add(Path(folder) / "foo", "foo")
        raw = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 3))):
            raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(raw)
        registry = ArchiveRegistry(path)
        registry.scan()
        for name, entry in entries_of(registry).items():
            findings(load(registry, name))
            content = registry.content(entry)
            if content.digest is not None:
                top = f"{entry.location.removeprefix(f'archive:{path}')}/".lstrip("/")
                assert as_others_read(path, top) in (None, {file.path: file.sha256 for file in content.files})

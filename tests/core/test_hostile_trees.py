"""Trees laid out to stop, mislead or exhaust a reader: each is answered, and soon."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillui.core import AnyEntry, BrokenSkill, Catalog, FilesystemSkillRegistry, LoadedSkill
from skillui.core.problems import ErrorCode
from tests.core.skills import IS_ROOT, call, loaded, open_session, refused, write_skill

SECONDS = 10.0 if sys.gettrace() is None else 60.0  # a tracer (coverage) slows it down


@pytest.fixture(autouse=True)
def _in_bounded_time() -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < SECONDS


def scan(*roots: Path) -> Catalog:
    return FilesystemSkillRegistry([str(root) for root in roots]).scan()


def io_error(root: Path, words: str, folder: str = "foo") -> None:
    """Expect one broken skill with this reason, the same from an activation, and a healthy neighbour."""
    write_skill(root / "skills", "healthy")
    catalog = scan(root / "skills")
    assert [entry.name for entry in catalog.skills] == ["healthy"]
    assert [(entry.name, entry.code) for entry in catalog.broken] == [(folder, ErrorCode.IO_ERROR)]
    assert words in catalog.broken[0].message, catalog.broken[0].message
    error = refused(call(open_session(root), folder))
    assert (error.code, error.message) == (ErrorCode.IO_ERROR, catalog.broken[0].message)


@pytest.fixture
def skill_md(tmp_path: Path) -> Path:
    folder = tmp_path / "skills/foo"
    folder.mkdir(parents=True)
    return folder / "SKILL.md"


class TestWhatIsNoFile:
    def test_a_named_pipe(self, tmp_path: Path, skill_md: Path) -> None:
        os.mkfifo(skill_md)
        io_error(tmp_path, "is a named pipe")

    def test_a_link_to_a_named_pipe(self, tmp_path: Path, skill_md: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        skill_md.symlink_to(tmp_path / "pipe")
        io_error(tmp_path, "is a named pipe")

    @pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/tty"])
    def test_a_link_to_a_device(self, tmp_path: Path, skill_md: Path, device: str) -> None:
        skill_md.symlink_to(device)
        io_error(tmp_path, "is a device")

    @pytest.mark.skipif(not IS_ROOT, reason="only root makes devices")
    def test_a_device(self, tmp_path: Path, skill_md: Path) -> None:
        try:
            os.mknod(skill_md, 0o644 | stat.S_IFCHR, os.makedev(1, 5))
        except PermissionError:
            pytest.skip("no devices in this container")
        io_error(tmp_path, "is a device")

    def test_a_socket(self, tmp_path: Path, skill_md: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(skill_md.parent)  # the path of a socket must be short
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("SKILL.md")
            io_error(tmp_path, "is a socket")

    def test_a_directory(self, tmp_path: Path, skill_md: Path) -> None:
        skill_md.mkdir()
        io_error(tmp_path, "is a directory")

    def test_a_dangling_link(self, tmp_path: Path, skill_md: Path) -> None:
        skill_md.symlink_to("nothing")
        io_error(tmp_path, "is a link that leads nowhere")

    def test_a_link_in_a_circle(self, tmp_path: Path, skill_md: Path) -> None:
        skill_md.symlink_to("SKILL.md")
        io_error(tmp_path, "is a link that leads in a circle")

    def test_a_link_in_a_circle_whose_words_end_at_a_file(self, tmp_path: Path, skill_md: Path) -> None:
        (skill_md.parent / "other.md").write_text("---\nname: foo\ndescription: d\n---\n")
        skill_md.symlink_to("SKILL.md/../other.md")  # `realpath` names other.md; `open` never comes there
        io_error(tmp_path, "is a link that leads in a circle")


class TestSizes:
    def test_five_mebibytes_are_too_much(self, tmp_path: Path, skill_md: Path) -> None:
        skill_md.write_bytes(b"---\nname: foo\ndescription: d\n---\n" + b"x" * (5 << 20))
        io_error(tmp_path, "past the limit of 4,194,304")

    def test_a_sparse_terabyte_is_not_read(self, tmp_path: Path, skill_md: Path) -> None:
        with skill_md.open("wb") as file:
            file.truncate(1 << 40)
        io_error(tmp_path, "past the limit of 4,194,304")

    def test_just_four_mebibytes_are_loaded_whole(self, tmp_path: Path, skill_md: Path) -> None:
        head = b"---\nname: foo\ndescription: d\n---\n"
        skill_md.write_bytes(head + b"x" * ((4 << 20) - len(head)))
        assert loaded(call(open_session(tmp_path), "foo")).bytes == (4 << 20) - len(head)

    def test_two_million_placeholders_are_replaced(self, tmp_path: Path) -> None:
        write_skill(tmp_path / "skills", "foo", "$1" * 2_000_000)
        assert loaded(call(open_session(tmp_path), "foo", "ab")).body == "ab" * 2_000_000

    def test_arguments_that_would_blow_the_body_up_are_refused(self, tmp_path: Path) -> None:
        write_skill(tmp_path / "skills", "foo", "$ARGUMENTS" * 400_000)
        error = refused(call(open_session(tmp_path), "foo", "x" * 1_000))
        assert (error.code, "16,777,216 characters" in error.message) == (ErrorCode.INVALID_PARAM, True)

    def test_twenty_thousand_files_are_counted(self, tmp_path: Path) -> None:
        folder = write_skill(tmp_path / "skills", "foo")
        (folder / "scripts").mkdir()
        for number in range(20_000):
            (folder / "scripts" / f"{number:05}").touch()
        result = loaded(call(open_session(tmp_path), "foo"))
        assert result.resources[0] == "scripts/00000"
        assert result.resources_omitted == {"scripts": 19_990}
        assert "scripts/(... 19990 more)" in result.output


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (f"x: {'[' * 2000}{']' * 2000}\n", "nest"),
        (f"x: {'{a: ' * 2000}{'}' * 2000}\n", "nest"),
        (f"{'- ' * 2000}x\n", "did not find expected key"),
        (f"x:\n  {'- ' * 2000}x\n", "nest"),
        (f"{'? ' * 2000}x\n", "nest"),
        (BOMB, "anchor"),
        ("x: *nothing\n", "alias"),
        ("x: !!python/object/apply:os.system [id]\n", "tag"),
        ("x: a\0b\n", "control character U+0000"),
        ("x: a\x1b[2Jb\n", "control character U+001B"),
        ("x: a\u202eb\n", ""),
        (f"x: {'9' * 60_000}\n", "4,300 digits"),
        (f"x: {'y' * 70_000}\n", "past the limit of 65,536"),
    ],
)
def test_hostile_yaml_is_refused_with_its_reason(tmp_path: Path, fields: str, words: str) -> None:
    write_skill(tmp_path / "skills", "foo", fields=fields)
    if not words:
        assert loaded(call(open_session(tmp_path), "foo")).kind == "ok"
        return
    error = refused(call(open_session(tmp_path), "foo"))
    assert error.code is ErrorCode.INVALID_FRONTMATTER
    assert words in error.message
    assert error.message.isprintable()


class TestNames:
    @pytest.mark.parametrize("name", ["a\nb", "a\x1b[2J", "a\u2028b", "Foo", "foo.bak", "füü", " ", "'\"<&>"])
    def test_a_folder_with_an_odd_name_is_broken_by_its_name(self, tmp_path: Path, name: str) -> None:
        folder = tmp_path / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text("---\nname: foo\ndescription: d\n---\n")
        broken = scan(tmp_path / "skills").broken[0]
        assert (broken.name, broken.code) == (name, ErrorCode.NAME_MISMATCH)
        assert broken.message.isprintable()

    @pytest.mark.skipif(sys.platform == "darwin", reason="file names are UTF-8 there")
    def test_names_that_are_not_utf8_are_shown_and_written_as_json(self, tmp_path: Path) -> None:
        root = os.fsencode(tmp_path / "skills")
        os.makedirs(root + b"/f\xffo")
        Path(os.fsdecode(root + b"/f\xffo/SKILL.md")).write_text("---\nname: foo\ndescription: d\n---\n")
        folder = write_skill(tmp_path / "skills", "foo")
        (folder / "scripts").mkdir()
        for name in (b"\xff.py", b"a\nb"):
            Path(os.fsdecode(os.fsencode(folder) + b"/scripts/" + name)).touch()
        catalog = scan(tmp_path / "skills")
        assert catalog.to_json()["broken"][0]["name"] == "f\\xffo"
        result = loaded(call(open_session(tmp_path), "foo"))
        assert "scripts/\\xff.py\n" in result.output
        assert "scripts/a\\nb\n" in result.output
        assert result.to_json()["resources"] == ["scripts/a\nb", "scripts/\\xff.py"]
        assert result.digest is not None

    def test_a_root_below_a_folder_of_hostile_name_stays_one_line(self, tmp_path: Path) -> None:
        base = tmp_path / 'a"><evil\n'
        write_skill(base / "skills", "foo")
        head = loaded(call(open_session(base), "foo")).output.splitlines()[0]
        assert head.startswith('<skill name="foo" dir="')
        assert head.endswith('/a&quot;&gt;&lt;evil\\n/skills/foo">')


class TestRoots:
    def test_a_root_that_is_a_file_is_a_warning(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        write_skill(tmp_path / "skills", "foo")
        catalog = scan(tmp_path / "file", tmp_path / "skills", tmp_path / "absent")
        assert [entry.root_index for entry in catalog.skills] == [1]
        assert [warning.rsplit(": ", 1)[1] for warning in catalog.warnings] == [
            "not a directory",
            "no such file or directory",
        ]

    def test_a_root_with_a_nul_or_a_circle_is_a_warning(self, tmp_path: Path) -> None:
        (tmp_path / "loop").symlink_to("loop")
        warnings = FilesystemSkillRegistry(["a\0b", str(tmp_path / "loop")]).scan().warnings
        assert [warning.rsplit(": ", 1)[1] for warning in warnings] == [
            "has an impossible name",
            "is a link that leads in a circle",
        ]

    def test_the_root_of_everything_is_looked_at_one_level_deep(self) -> None:
        assert FilesystemSkillRegistry(["/"]).scan().warnings == ()

    def test_link_loops_are_not_followed(self, tmp_path: Path) -> None:
        folder = write_skill(tmp_path / "skills", "foo")
        (tmp_path / "skills/loop").symlink_to("loop")
        (tmp_path / "skills/up").symlink_to("..")
        (folder / "scripts").mkdir()
        (folder / "scripts/up").symlink_to("..")
        (folder / "references").symlink_to(".")
        (folder / "assets").symlink_to("assets")
        result = loaded(call(open_session(tmp_path), "foo"))
        assert result.resources == ()
        assert [entry.name for entry in scan(tmp_path / "skills").skills] == ["foo"]

    def test_a_skill_below_a_skill_is_none_of_this_catalog(self, tmp_path: Path) -> None:
        folder = write_skill(tmp_path / "skills", "foo")
        write_skill(folder, "inner")
        write_skill(tmp_path / "skills/group", "grouped")
        write_skill(tmp_path / "skills", ".hidden")
        (tmp_path / "skills/empty").mkdir()
        (tmp_path / "skills/SKILL.md").write_text("---\nname: skills\ndescription: d\n---\n")
        catalog = scan(tmp_path / "skills")
        assert [entry.name for entry in catalog.skills] == ["foo"]
        assert catalog.broken == ()


UNPRIVILEGED = """
import asyncio, os
from skillui.core import FilesystemSkillRegistry, SessionConfig, SkillSession, content_digest
def activate(name):
    config = SessionConfig(cwd=os.getcwd(), skill_roots=("skills",), unsafe_allow_skill_without_hook=True)
    return asyncio.run(SkillSession(config).skill({"name": name})).to_json()
assert activate("fine")["kind"] == "ok"  # loads every module while it may be read
if os.geteuid() == 0:  # whom no mode stops
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
catalog = FilesystemSkillRegistry(["skills", "closed"]).scan()
print([(entry.name, str(entry.code), entry.meta["reason"], entry.meta["hint"]) for entry in catalog.broken])
print([entry.name for entry in catalog.skills], catalog.warnings)
print(activate("partly")["resources"])
print(content_digest(os.getcwd() + "/skills/partly").reason)
"""


def test_what_may_not_be_read_is_told_and_hides_nothing(tmp_path: Path) -> None:
    root = tmp_path / "skills"
    (write_skill(root, "file") / "SKILL.md").chmod(0)
    write_skill(root, "folder").chmod(0)
    write_skill(root, "fine")
    partly = write_skill(root, "partly")
    for name in ("scripts", "assets"):
        (partly / name).mkdir()
        (partly / name / "a").touch()
    (partly / "assets").chmod(0)
    (tmp_path / "closed").mkdir(mode=0)
    folder: Path | None = tmp_path
    while folder is not None and folder != folder.parent and folder.stat().st_uid == os.geteuid():
        folder.chmod(folder.stat().st_mode | 0o055)
        folder = folder.parent
    done = subprocess.run(
        [sys.executable, "-c", UNPRIVILEGED], cwd=tmp_path, capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    for closed in (root / "folder", partly / "assets", tmp_path / "closed"):
        closed.chmod(0o700)
    hint = "make the file and its folder readable"
    reasons = [
        ("file", "IO_ERROR", "SKILL.md permission denied", hint),
        ("folder", "IO_ERROR", "the folder cannot be read: permission denied", hint),
    ]
    lines = done.stdout.splitlines()
    assert done.stderr == ""
    assert lines[0] == str(reasons)
    assert lines[1].startswith("['fine', 'partly'] (")
    assert lines[1].endswith("/closed: permission denied',)")
    assert lines[2:] == ["['scripts/a']", "permission denied"]


class TestSwaps:
    """Files exchanged between two looks, by way of the system calls in between."""

    def test_a_file_swapped_for_another_while_it_is_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = write_skill(tmp_path / "skills", "foo")
        (tmp_path / "secret").write_text("---\nname: foo\ndescription: d\n---\nSecret\n")
        open_now = os.open

        def swapping(path: str, flags: int) -> int:
            (folder / "SKILL.md").unlink()
            (folder / "SKILL.md").symlink_to(tmp_path / "secret")
            return open_now(path, flags)

        monkeypatch.setattr(os, "open", swapping)
        assert "changed while it was read" in scan(tmp_path / "skills").broken[0].message

    def test_a_file_swapped_for_a_pipe_while_it_is_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = write_skill(tmp_path / "skills", "foo")
        open_now = os.open

        def swapping(path: str, flags: int) -> int:
            (folder / "SKILL.md").unlink()
            os.mkfifo(folder / "SKILL.md")
            return open_now(path, flags)

        monkeypatch.setattr(os, "open", swapping)
        assert "is a named pipe" in scan(tmp_path / "skills").broken[0].message

    def test_a_link_turned_while_its_target_is_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = write_skill(tmp_path / "skills", "foo")
        (folder / "SKILL.md").rename(folder / "real.md")
        (folder / "SKILL.md").symlink_to("real.md")
        open_now = os.open

        def turning(path: str, flags: int) -> int:
            (folder / "SKILL.md").unlink()
            (folder / "SKILL.md").symlink_to("other.md")
            return open_now(path, flags)

        monkeypatch.setattr(os, "open", turning)
        assert "changed while it was read" in scan(tmp_path / "skills").broken[0].message

    def test_a_file_that_is_written_all_the_time(self, tmp_path: Path) -> None:
        folder = write_skill(tmp_path / "skills", "foo")
        program = (
            "import itertools, sys\n"
            "for n in itertools.count():\n"
            "    with open(sys.argv[1], 'w') as f:\n"
            "        f.write('---\\nname: foo\\ndescription: d\\n---\\n' + 'x' * (n % 9999) + '\\n')\n"
        )
        writer = subprocess.Popen([sys.executable, "-c", program, str(folder / "SKILL.md")])
        try:
            registry = FilesystemSkillRegistry([str(tmp_path / "skills")])
            for _ in range(200):
                catalog = registry.scan()
                entries: list[AnyEntry] = [*catalog.skills, *catalog.broken]
                assert isinstance(registry.load_entry(entries[0]), LoadedSkill | BrokenSkill)
        finally:
            writer.kill()
            writer.wait()

    def test_a_folder_that_comes_and_goes(self, tmp_path: Path) -> None:
        folder = write_skill(tmp_path / "skills", "foo")
        session = open_session(tmp_path)
        asyncio.run(session.catalog())
        (folder / "SKILL.md").unlink()
        folder.rmdir()
        assert call(session, "foo").kind == "not_found"
        folder.write_text("a file by now")
        assert call(session, "foo").kind == "not_found"

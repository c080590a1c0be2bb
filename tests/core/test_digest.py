"""The content digest: vectors computed here from the definition, and what has no digest."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillui.core import content_digest, digest

NAMES = st.text("ab.- é\n", min_size=1, max_size=6).filter(lambda name: name not in (".", ".."))


def record(kind: str, mark: str, content: bytes, path: str) -> bytes:
    return f"{kind} {mark} {len(content)} {hashlib.sha256(content).hexdigest()} ".encode() + os.fsencode(path) + b"\0"


def value(*records: bytes) -> str:
    return "sha256:" + hashlib.sha256(b"skillui-content-v1\n" + b"".join(records)).hexdigest()


def reason(folder: Path, words: str) -> None:
    result = content_digest(str(folder.resolve()))
    assert result.value is None
    assert result.reason is not None
    assert words in result.reason, result.reason


def of(folder: Path) -> str | None:
    return content_digest(str(folder.resolve())).value


def test_an_empty_folder_has_the_digest_of_the_header_alone(tmp_path: Path) -> None:
    assert of(tmp_path) == value() == "sha256:0c9fc5f0df99863fe8e3521417c914e40c12b32a8063f3c11a1ffaff1439b8de"


def test_files_count_in_byte_order_with_their_mode_and_content(tmp_path: Path) -> None:
    for path, content in {"b": b"", "a/z": b"1", "a-": b"22", "é": b"\0\xff"}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / "b").chmod(0o755)
    assert of(tmp_path) == value(
        record("f", "-", b"22", "a-"),
        record("f", "-", b"1", "a/z"),
        record("f", "x", b"", "b"),
        record("f", "-", b"\0\xff", "é"),
    )


def test_a_vector_written_out(tmp_path: Path) -> None:
    records = b"f - 2 8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4 SKILL.md\0"
    assert record("f", "-", b"hi", "SKILL.md") == records
    (tmp_path / "SKILL.md").write_text("hi")
    assert of(tmp_path) == "sha256:f0d8f6c4ffdb45f06aaa325e06dee500398a323977f4acb63a314e810f55d979"


def test_a_vector_of_every_type_made_by_other_tools(tmp_path: Path) -> None:
    """The digest is what `sha256sum` says of these records, which were written by a shell."""
    (tmp_path / "out").write_text("out")
    skill = tmp_path / "skill"
    (skill / "scripts").mkdir(parents=True)
    (skill / "SKILL.md").write_text("hi")
    (skill / "scripts/run.sh").write_text("echo\n")
    (skill / "scripts/run.sh").chmod(0o755)
    (skill / "run").symlink_to("scripts/run.sh")
    (skill / "z").symlink_to("../out")
    lines = (
        b"f - 2 8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4 SKILL.md",
        b"l - 14 bb563bfe483a3a9b1649cf50d2246475b9565947f5226b94fa0d72c9786ab298 run",
        b"f x 5 86b0c5a1e2b73b08fd54c727f4458649ed9fe3ad1b6e8ac9460c070113509a1e scripts/run.sh",
        b"l - 6 d35f42f24252f5c7728a487c44bc985dab4637e282daf663162b4d176fd119c3 z",
        b"t - 3 762069bc07a6e1b5df123a5ae7bd91c10daa04694fbaa17fba0cd6a8dcce8f22 z",
    )
    assert tuple(one.line[:-1] for one in digest.file_records(str(skill.resolve()))) == lines
    assert of(skill) == "sha256:f55d412776187d5b3fa4b1de303387fe3982925505a2eabc1517a23c54b49974"


def test_more_than_fifty_thousand_entries_have_none(tmp_path: Path) -> None:
    """Folders count too."""
    (tmp_path / "deep").mkdir()
    for number in range(49_999):
        os.close(os.open(tmp_path / str(number), os.O_CREAT))
    assert of(tmp_path) is not None
    (tmp_path / "deep" / "one-more").touch()
    reason(tmp_path, "more than 50,000 entries")


def test_the_same_content_elsewhere_is_the_same_digest(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "scripts").mkdir(parents=True)
        (tmp_path / name / "scripts/a").write_text("x")
        (tmp_path / name / "link").symlink_to("scripts/a")
    assert of(tmp_path / "one") == of(tmp_path / "two") is not None


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "a").rename(folder / "b"),
        lambda folder: (folder / "a").chmod(0o755),
        lambda folder: (folder / "a").write_text("y"),
        lambda folder: (folder / "link").unlink() or (folder / "link").symlink_to("./a"),
        lambda folder: (folder / "link").unlink() or (folder / "link").write_text("a"),
        lambda folder: (folder / "new").write_text(""),
        lambda folder: (folder / "a").unlink(),
    ],
)
def test_any_change_is_another_digest(tmp_path: Path, change: Callable[[Path], Any]) -> None:
    (tmp_path / "a").write_text("x")
    (tmp_path / "link").symlink_to("a")
    before = of(tmp_path)
    change(tmp_path)
    assert of(tmp_path) != before


@pytest.mark.parametrize("name", [".git", "__pycache__", ".DS_Store"])
def test_what_tools_leave_behind_does_not_count(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "file").write_text("x")
    os.mkfifo(tmp_path / name / "pipe")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / name).write_text("x")
    assert of(tmp_path) == value()


class TestLinks:
    def test_inside_its_target_text_counts(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("x")
        (tmp_path / "link").symlink_to("a")
        assert of(tmp_path) == value(record("f", "-", b"x", "a"), record("l", "-", b"a", "link"))

    def test_inside_it_may_dangle_or_circle(self, tmp_path: Path) -> None:
        (tmp_path / "l1").symlink_to("nothing")
        (tmp_path / "l2").symlink_to("l2")
        assert of(tmp_path) == value(record("l", "-", b"nothing", "l1"), record("l", "-", b"l2", "l2"))

    def test_out_of_the_folder_the_files_content_counts_too(self, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.write_text("x")
        skill = tmp_path / "skill"
        skill.mkdir()
        (skill / "link").symlink_to("../outside")
        target = b"../outside"
        assert of(skill) == value(record("l", "-", target, "link"), record("t", "-", b"x", "link"))
        outside.write_text("y")
        assert of(skill) == value(record("l", "-", target, "link"), record("t", "-", b"y", "link"))

    def test_out_of_the_folder_to_nowhere_a_folder_or_a_device_there_is_none(self, tmp_path: Path) -> None:
        skill = tmp_path / "skill"
        skill.mkdir()
        for target, words in (("../no", "leads nowhere"), ("..", "a directory"), ("/dev/null", "a device")):
            (skill / "link").symlink_to(target)
            reason(skill, words)
            (skill / "link").unlink()


def test_special_files_have_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reason(tmp_path, "pipe is a named pipe")


def test_a_folder_that_is_gone_has_none(tmp_path: Path) -> None:
    reason(tmp_path / "gone", "no such file")


def test_the_bytes_that_were_read_stand_for_the_file(tmp_path: Path) -> None:
    path = tmp_path.resolve() / "SKILL.md"
    path.write_text("on disk")
    known = content_digest(str(tmp_path.resolve()), {str(path): b"as read"}).value
    assert known == value(record("f", "-", b"as read", "SKILL.md"))


def test_ten_thousand_files_have_one_and_a_limit_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(10_000):
        (tmp_path / str(number)).touch()
    names = sorted(str(number) for number in range(10_000))
    assert of(tmp_path) == value(*(record("f", "-", b"", name) for name in names))
    monkeypatch.setattr(digest, "MAX_ENTRIES", 9_999)
    reason(tmp_path, "more than 9,999 entries")


def test_a_sparse_file_past_the_limit_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "MAX_BYTES", 1 << 22)
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    reason(tmp_path, "more than 4,194,304 bytes")


class TestReading:
    """Faults that come while a file is read, by way of the system calls themselves."""

    def test_a_file_that_changes_while_it_is_read_has_none(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "a").write_text("x" * 100)
        read = os.read

        def growing(handle: int, size: int) -> bytes:
            with (tmp_path / "a").open("a") as file:
                file.write("y" * (100 if file.tell() < 500 else 0))
            return read(handle, size)

        monkeypatch.setattr(os, "read", growing)
        reason(tmp_path, "a changed while it was read")

    @pytest.mark.parametrize("call", ["open", "read"])
    def test_a_file_that_cannot_be_read_has_none(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
    ) -> None:
        (tmp_path / "a").write_text("x")

        def failing(*args: Any) -> Any:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, call, failing)
        reason(tmp_path, "a cannot be read: permission denied")

    def test_a_file_swapped_for_a_pipe_has_none(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "a").write_text("x")
        open_now = os.open

        def swapped(path: str, flags: int) -> int:
            (tmp_path / "a").unlink()
            os.mkfifo(tmp_path / "a")
            return open_now(path, flags)

        monkeypatch.setattr(os, "open", swapped)
        reason(tmp_path, "a is not a regular file")


@settings(deadline=None, max_examples=40)
@given(st.dictionaries(NAMES, st.binary(max_size=20), max_size=4))
def test_it_is_the_definitions_for_any_files(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> None:
    folder = tmp_path_factory.mktemp("skill")
    for name, content in files.items():
        (folder / name).write_bytes(content)
    order = sorted(files, key=os.fsencode)
    assert of(folder) == value(*(record("f", "-", files[name], name) for name in order))
    assert re.fullmatch("sha256:[0-9a-f]{64}", of(folder) or "")

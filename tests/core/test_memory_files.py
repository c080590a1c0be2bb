"""A tree in memory is read as the same tree on disk: links, listing, digest and what the rules look at."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skillui.checks.sources import DiskSource, MemorySource
from skillui.core.digest import NoDigest, content_digest, file_records
from skillui.core.files import ReadFault
from skillui.core.memory_files import MemoryFiles
from skillui.core.memory_tree import (
    Kind,
    Listing,
    MemoryTree,
    Node,
    Target,
    TreeFault,
    file_node,
    folder_node,
    link_node,
)
from skillui.core.resources import list_resources

SKILL = "skills/foo"

names = st.sampled_from(["a", "b", "scripts", "references", ".hidden", "__pycache__", "é", "SKILL.md"])
paths = st.lists(names, min_size=1, max_size=4).map("/".join)
targets = st.lists(
    st.sampled_from(["a", "b", "scripts", "..", ".", "foo", "skills", "other", "SKILL.md"]), min_size=1, max_size=5
).map("/".join)
links = targets.filter(lambda target: target and not target.startswith("/"))
things = st.one_of(
    st.tuples(st.just("file"), st.binary(max_size=9)),
    st.tuples(st.just("program"), st.binary(max_size=9)),
    st.tuples(st.just("link"), links),
)
layouts = st.dictionaries(paths, things, max_size=12)


def lay_out(top: Path, entries: dict[str, tuple[str, bytes | str]]) -> None:
    """Write what fits; a path below a file or through a link is left out."""
    for path, (kind, content) in sorted(entries.items()):
        place = top / path
        parents = [parent for parent in place.parents if parent.is_relative_to(top)]
        if os.path.lexists(place) or any(parent.is_symlink() or parent.is_file() for parent in parents):
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if kind == "link":
            place.symlink_to(str(content))
        else:
            place.write_bytes(content if isinstance(content, bytes) else content.encode())
            place.chmod(0o755 if kind == "program" else 0o644)


def node_of(path: Path) -> Node:
    """Take a folder on disk into memory."""
    if path.is_symlink():
        return link_node(os.readlink(path))
    if path.is_dir():
        return folder_node({name: node_of(path / name) for name in os.listdir(path)})
    return file_node(path.read_bytes(), bool(path.stat().st_mode & stat.S_IXUSR))


@settings(max_examples=250, deadline=None)
@example({"a": ("file", b""), "scripts/a": ("link", "a/../../a")}, {})  # a circle whose words end at a file
@example({"a": ("link", "a/../../other")}, {"other": ("file", b"x")})
@example({"scripts": ("link", "scripts/../b"), "b/a": ("file", b"x")}, {})
@given(layouts, st.dictionaries(st.sampled_from(["other", "skills/b", "a"]), things, max_size=3))
def test_what_is_read_of_any_tree_is_what_is_read_of_the_folder(
    inside: dict[str, tuple[str, bytes | str]], around: dict[str, tuple[str, bytes | str]]
) -> None:
    with tempfile.TemporaryDirectory() as made:
        top = Path(made).resolve()
        folder = top / SKILL
        folder.mkdir(parents=True)
        lay_out(folder, inside)
        lay_out(top, around)
        files = MemoryFiles(MemoryTree(node_of(top)), SKILL)
        on_disk = content_digest(str(folder))
        assert files.digest().value == on_disk.value, on_disk
        if on_disk.value is not None:
            assert files.records() == file_records(str(folder))
        assert files.resources() == list_resources(str(folder))
        disk, memory = DiskSource(str(folder)), MemorySource(files)
        seen = {entry.path: entry for entry in memory.tree().entries}
        assert set(seen) == {entry.path for entry in disk.tree().entries}
        for entry in disk.tree().entries:
            other = seen[entry.path]
            assert (entry.link, entry.leaves, entry.is_file) == (other.link, other.leaves, other.is_file)
            assert not entry.is_file or (entry.size, entry.mode) == (other.size, other.mode)
            assert disk.read(entry.path, 100) == memory.read(entry.path, 100), entry
        assert disk.has_neighbour("b") == memory.has_neighbour("b")


class TestLinks:
    def test_a_link_in_the_skill_is_no_second_entry_and_one_to_a_file_beside_it_is(self) -> None:
        skill = folder_node({"in": link_node("SKILL.md"), "out": link_node("../x"), "SKILL.md": file_node(b"s")})
        files = MemoryFiles(MemoryTree(folder_node({"foo": skill, "x": file_node(b"12", executable=True)})), "foo")
        assert [(r.path, r.kind, r.size, r.executable) for r in files.records()] == [
            (b"SKILL.md", "f", 1, False),
            (b"in", "l", 8, False),
            (b"out", "l", 4, False),
            (b"out", "t", 2, True),
        ]

    @pytest.mark.parametrize("target", ["../../x", "/etc/passwd", "../.."])
    def test_a_link_out_of_the_tree_leaves_and_means_no_digest(self, target: str) -> None:
        files = MemoryFiles(MemoryTree(folder_node({"foo": folder_node({"l": link_node(target)})})), "foo")
        assert files.digest().reason == "l is a link out of the folder to what is not known here"
        (entry,) = MemorySource(files).tree().entries
        assert (entry.leaves, entry.is_file, entry.link) == (True, False, target)
        assert MemorySource(files).read("l", 100) is None

    def test_a_circle_leads_nowhere_and_a_chain_of_many_does_too(self) -> None:
        chain = {f"l{n}": link_node(f"l{n + 1}") for n in range(60)} | {"l60": file_node(b"x")}
        tree = MemoryTree(folder_node({"a": link_node("b"), "b": link_node("a"), **chain}))
        assert tree.resolve("a").node is None
        assert tree.resolve("l0").node is None
        assert MemoryTree(folder_node({"a": link_node("a/../../x")})).resolve("a").path is None
        assert MemoryTree(folder_node({"a": link_node("a/..")})).resolve("a") == Target("", None)
        assert tree.resolve("l40").node is chain["l60"]

    def test_a_link_through_too_many_folders_keeps_nobody_busy(self) -> None:
        tree = MemoryTree(folder_node({"l": link_node("./" * 1500)}))
        with pytest.raises(TreeFault, match="too many folders"):
            tree.resolve("l")
        files = MemoryFiles(tree, "")
        assert files.digest().value is None
        assert [entry.is_file for entry in MemorySource(files).tree().entries] == [False]


class TestWhatCannotBeKnown:
    def test_a_submodule_is_an_entry_that_nobody_enters(self) -> None:
        sub = Node(Kind.SUBMODULE, stat.S_IFDIR | 0o755)
        files = MemoryFiles(MemoryTree(folder_node({"vendor": sub, "SKILL.md": file_node(b"s")})), "")
        assert files.digest().reason == "vendor is a submodule, whose files are in another repository"
        assert MemorySource(files).tree().unread == ("vendor/",)

    def test_a_folder_with_impossible_entries_has_no_digest_and_is_told_as_unread(self) -> None:
        odd = Node(Kind.FOLDER, stat.S_IFDIR | 0o755, inside=lambda: Listing({"a": file_node(b"")}, ("an entry '..'",)))
        files = MemoryFiles(MemoryTree(folder_node({"scripts": odd})), "")
        assert files.digest().reason == "scripts/ holds an entry '..'"
        assert MemorySource(files).tree().unread == ("scripts/",)

    def test_content_that_fails_or_lies_about_its_size_has_no_digest(self) -> None:
        def broken() -> Iterator[bytes]:
            yield b"12"
            raise TreeFault("is damaged")

        lying = Node(Kind.FILE, stat.S_IFREG | 0o644, 9, lambda: iter([b"12"]))
        failing = Node(Kind.FILE, stat.S_IFREG | 0o644, 9, broken)
        for node, words in ((lying, "another size"), (failing, "is damaged")):
            files = MemoryFiles(MemoryTree(folder_node({"a": node})), "")
            with pytest.raises(NoDigest, match=words):
                files.records()
            with pytest.raises(ReadFault, match=words):
                node.read(100)
            assert MemorySource(files).read("a", 100) is None

    def test_a_fault_of_the_source_means_no_digest(self) -> None:
        files = MemoryFiles(MemoryTree(folder_node({"a": file_node(b"")})), "", fault="the archive lies")
        assert files.digest().reason == "the archive lies"

    def test_too_many_entries_and_too_many_bytes(self) -> None:
        many = folder_node({str(n): file_node(b"") for n in range(50_001)})
        assert "more than 50,000 entries" in str(MemoryFiles(MemoryTree(many), "").digest().reason)
        huge = Node(Kind.FILE, stat.S_IFREG | 0o644, 1 << 40, lambda: iter([b""]))
        assert "more than" in str(MemoryFiles(MemoryTree(folder_node({"a": huge})), "").digest().reason)

    def test_a_flood_of_resources_is_not_listed_to_its_end(self) -> None:
        flood = folder_node({f".{n}": file_node(b"") for n in range(50_001)} | {"z": file_node(b"")})
        assert MemoryFiles(MemoryTree(folder_node({"scripts": flood})), "").resources().names == ()

    def test_what_is_no_file_is_not_read(self) -> None:
        for node, words in ((folder_node({}), "is a directory"), (Node(Kind.ODD, 0, odd="is odd"), "is odd")):
            with pytest.raises(ReadFault, match=words):
                node.read(1)
            with pytest.raises(TreeFault, match=node.odd or "is not a regular file"):
                node.head(1)

    def test_a_skill_that_is_not_there_raises_as_a_folder_does(self) -> None:
        files = MemoryFiles(MemoryTree(folder_node({})), "gone")
        with pytest.raises(OSError, match="no such file"):
            files.resources()
        assert files.digest().value is None

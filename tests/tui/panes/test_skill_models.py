"""The plain values the panes show."""

import os
from pathlib import Path

import pytest

from skillui.checks.field_readers import FIELD_READERS, HARNESSES, readers_at_length, readers_in_short
from skillui.checks.tools import broad_reason
from skillui.core.schema import KNOWN_FIELDS
from skillui.core.skill import parse_skill
from skillui.tui.model.fields import field_rows
from skillui.tui.model.figures import age, counted, human_size, short_digest
from skillui.tui.model.file_content import MAX_FILE, content_of, read_file_content
from skillui.tui.model.places import fields_source, tab_of
from skillui.tui.model.resource_tree import ResourceTree, mode_text
from skillui.tui.model.skill_view import SkillFile


@pytest.mark.parametrize(
    ("tool", "broad"),
    [
        ("Bash", True),
        ("Bash(*)", True),
        ("Bash(:*)", True),
        ("Bash(sh:*)", True),
        ("Bash(python3 -c *)", True),
        ("Bash(/usr/bin/env *)", True),
        ("Write", True),
        ("Edit", True),
        ("WebFetch", True),
        ("WebFetch(domain:*)", True),
        ("*", True),
        ("mcp__files__*", True),
        ("Bash(git log:*)", False),
        ("Bash(python3 scripts/*)", False),
        ("WebFetch(domain:example.org)", False),
        ("Write(docs/**)", False),
        ("Read", False),
        ("mcp__files__read", False),
        ("", False),
        ("Bash(", False),
    ],
)
def test_broad_tools_are_told_from_narrow_ones(tool: str, broad: bool) -> None:
    assert (broad_reason(tool) is not None) is broad


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (12_595, "12.3 KiB"), (1 << 20, "1.0 MiB"), (5 << 30, "5.0 GiB")],
)
def test_sizes_are_short(size: int, text: str) -> None:
    assert human_size(size) == text


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (0, "just now"),
        (59, "59 seconds ago"),
        (60, "1 minute ago"),
        (7_200, "2 hours ago"),
        (86_400, "1 day ago"),
        (86_400 * 400, "13 months ago"),
        (86_400 * 365 * 3, "3 years ago"),
        (-3_600, "in the future"),
    ],
)
def test_ages_are_in_words(passed: float, words: str) -> None:
    assert age(1e9 - passed, 1e9) == words


def test_figures_name_what_they_count() -> None:
    assert (counted(1, "file"), counted(1_204, "file")) == ("1 file", "1,204 files")
    assert short_digest("sha256:" + "ab" * 32) == "sha256 abababababab"


def test_every_reader_is_a_known_harness_and_every_key_plain() -> None:
    for key, readers in FIELD_READERS.items():
        assert {reader.harness for reader in readers} <= set(HARNESSES), key
    assert readers_in_short("no-such-key") == "no known reader"
    assert readers_in_short("name") == "all"
    assert readers_in_short("paths") == "Claude Code, Cursor"
    assert "approves" in readers_at_length("allowed-tools")
    assert readers_at_length("license") == "No harness is known to read it."


def test_fields_show_what_normalisation_made_of_them() -> None:
    text = (
        "---\nname: x\nversion: 1.10\nallowed-tools: Read, Bash(git log:*)\nlicense:\nowner: [a, b]\n"
        "user-invocable: maybe\n---\nbody\n"
    )
    rows = {row.key: row for row in field_rows(parse_skill(text.encode(), "x", "/x/SKILL.md"))}
    assert (rows["version"].value, rows["version"].type) == ("1.10", "float")
    assert rows["allowed-tools"].value == "Read, Bash(git log:*)"
    assert (rows["license"].used, rows["license"].value) == (False, "")
    assert (rows["owner"].known, rows["owner"].value, rows["owner"].type) == (False, "a, b", "list")
    assert (rows["user-invocable"].used, rows["user-invocable"].severity) == (False, "error")
    assert (rows["description"].type, rows["description"].line) == ("missing", None)
    assert rows["version"].line == 3
    assert all(rows[key].known for key in rows if key in KNOWN_FIELDS)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("---\nname: x\n---\nbody\n", "---\nname: x\n---\n"),
        ("---\r\nname: x\r\n---\r\nbody", "---\r\nname: x\r\n---\r\n"),
        ("no fence\n---\n", "no fence\n---\n"),
        ("---\nname: x\nnever closed", "---\nname: x\nnever closed"),
        ("---\n---\n", "---\n---\n"),
        ("", ""),
    ],
)
def test_the_frontmatter_tab_has_the_fences_or_the_whole_file(text: str, source: str) -> None:
    parsed = parse_skill(text.encode(), "x", "/x/SKILL.md")
    assert fields_source(parsed) == source
    for problem in parsed.problems:
        lines = source.count("\n") + 1
        assert tab_of(problem, parsed) == ("frontmatter" if (problem.line or 1) <= lines else "body")


def file(path: str, size: int = 1) -> SkillFile:
    return SkillFile(path, size, 0o100644)


def test_folders_have_rows_only_for_what_is_unfolded() -> None:
    tree = ResourceTree([file("a.txt"), file("SKILL.md"), file("scripts/deep/x.py", 5), file("scripts/b.py", 2)])
    assert [row.path for row in tree.rows(set())] == ["SKILL.md", "a.txt", "scripts"]
    folder = tree.rows(set())[2]
    assert (folder.files, folder.size, folder.opened) == (2, 7, False)
    opened = tree.rows({"scripts", "scripts/deep"})
    assert [(row.path, row.depth) for row in opened[2:]] == [
        ("scripts", 0), ("scripts/b.py", 1), ("scripts/deep", 1), ("scripts/deep/x.py", 2),
    ]  # fmt: skip
    assert tree.folders() == {"scripts", "scripts/deep"}


def test_a_tree_may_be_deep() -> None:
    tree = ResourceTree([file("d/" * 3_000 + "x")])
    assert len(tree.rows(tree.folders())) == 3_001


@pytest.mark.parametrize(
    ("mode", "text"), [(0o100644, "rw-"), (0o100755, "rwx"), (0o104755, "4755"), (0o100666, "0666"), (0, "")]
)
def test_modes_are_the_owners_unless_others_matter(mode: int, text: str) -> None:
    assert mode_text(mode) == text


@pytest.mark.parametrize(
    ("data", "kind", "type"),
    [
        (b"hello\n", "text", "text"),
        (b"BM is how this begins", "text", "text"),
        (b"MZ", "text", "text"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 20, "binary", "PNG image"),
        (b"\x7fELF\x02\x01", "binary", "ELF executable"),
        (b"PK\x03\x04....", "binary", "ZIP archive"),
        (b"MZ\x90\0\x03\0", "binary", "Windows executable"),
        (b"\xff\xfeh\0i\0", "binary", "UTF-16 text"),
        (b"a\0b", "binary", "binary data"),
        (b"caf\xe9", "binary", "binary data"),
        (b"", "text", "text"),
    ],
)
def test_a_file_is_text_or_says_what_else_it_is(data: bytes, kind: str, type: str) -> None:
    content = content_of("x", data, len(data))
    assert (content.kind, content.type) == (kind, type)
    assert content.text.isprintable() or kind == "text" or "\n" in content.text


def test_files_are_read_inside_the_skill_alone(tmp_path: Path) -> None:
    skill = tmp_path / "skill"
    (skill / "scripts").mkdir(parents=True)
    (skill / "scripts" / "run.py").write_text("import os\n")
    (skill / "inner.py").symlink_to("scripts/run.py")
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "skill-evil").mkdir()
    (tmp_path / "skill-evil" / "x").write_text("secret")
    (skill / "out").symlink_to("../secret")
    (skill / "side").symlink_to("../skill-evil")
    (skill / "nowhere").symlink_to("gone")
    (skill / "round").symlink_to("round/../inner.py")
    os.mkfifo(skill / "pipe")
    good = read_file_content(str(skill), "scripts/run.py")
    assert (good.kind, good.type, good.text, good.size) == ("text", "Python text", "import os\n", 10)
    assert read_file_content(str(skill), "inner.py").text == "import os\n"
    for path in ("out", "side/x", "../secret", "/etc/passwd", "..", ""):
        refused = read_file_content(str(skill), path)
        assert (refused.kind, refused.text) == ("refused", ""), path
    assert "leaves the skill" in read_file_content(str(skill), "out").reason
    reasons = {"pipe": "pipe", "nowhere": "leads nowhere", "round": "circle", "scripts": "directory", "a\0b": "name"}
    for path, word in reasons.items():
        refused = read_file_content(str(skill), path)
        assert refused.kind == "refused"
        assert word in refused.reason


def test_a_large_file_is_named_and_not_read(tmp_path: Path) -> None:
    with (tmp_path / "big").open("wb") as stream:
        stream.truncate(MAX_FILE + 1)
    content = read_file_content(str(tmp_path), "big")
    assert (content.kind, content.size) == ("refused", MAX_FILE + 1)
    assert "past the limit" in content.reason

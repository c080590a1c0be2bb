"""Differences of texts: what is shown, that it is right, and that hostile texts cost no more than others."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from skillui.core import FilesystemSkillRegistry, SessionConfig
from skillui.core.gate import judge
from skillui.core.resources import Resources
from skillui.tui.model.compare import compare_views
from skillui.tui.model.diff import MAX_LINES, DiffLine, diff_texts, side_by_side
from skillui.tui.model.skill_view import SkillView, read_files
from skillui.tui.themes import SEMANTIC_DEFAULTS
from skillui.tui.widgets.diff_view import DiffView
from skillui.workspace.project import Root
from tests.tui.conftest import wait_until
from tests.tui.hostile import HOSTILE

OLD = "\n".join([f"line {number}" for number in range(1, 21)]) + "\n"
NEW = OLD.replace("line 10\n", "line ten\nand more\n")


def shown(lines: tuple[DiffLine, ...]) -> list[str]:
    signs = {"added": "+", "removed": "-", "context": " ", "fold": "~", "note": "!", "header": ""}
    return [signs[line.kind] + line.text for line in lines]


def unfolded(lines: tuple[DiffLine, ...]) -> list[DiffLine]:
    return [inner for line in lines for inner in (line.folded or (line,))]


def test_a_difference_is_unified_and_folded() -> None:
    assert shown(diff_texts(OLD, NEW, "a", "b")) == [
        "--- a",
        "+++ b",
        "~6 unchanged lines",
        " line 7",
        " line 8",
        " line 9",
        "-line 10",
        "+line ten",
        "+and more",
        " line 11",
        " line 12",
        " line 13",
        "~7 unchanged lines",
    ]


def test_the_words_that_changed_are_told() -> None:
    lines = diff_texts("run it now\n", "run it later\n", "a", "b")
    removed, added = lines[-2:]
    assert [removed.text[start:end] for start, end in removed.spans] == ["now"]
    assert [added.text[start:end] for start, end in added.spans] == ["later"]
    unlike = diff_texts("something\n", "0123\n", "a", "b")
    assert [line.spans for line in unlike[-2:]] == [(), ()]


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("same\n", "same\n", "no difference"),
        ("same", "same\n", "only the new text ends its last line"),
        ("a\nb\n", "a\nb", "only the old text ends its last line"),
        ("x\n" * (MAX_LINES + 1), "", "too long to compare line by line: 20,001 and 0 lines"),
    ],
)
def test_what_no_line_shows_is_said(old: str, new: str, note: str) -> None:
    lines = diff_texts(old, new, "a", "b")
    assert (lines[-1].kind, lines[-1].text) == ("note", note)
    assert not any(line.kind in ("added", "removed") for line in lines)


TEXT = st.lists(st.sampled_from(["a", "b", "c", "", "d e", "x\r"]), max_size=30).map("\n".join)


@given(TEXT, TEXT)
def test_both_texts_can_be_read_from_the_difference(old: str, new: str) -> None:
    lines = unfolded(diff_texts(old, new, "a", "b"))
    if old != new:
        before = {line.old_no: line.text for line in lines if line.old_no is not None}
        after = {line.new_no: line.text for line in lines if line.new_no is not None}
        expected = [text.removesuffix("\n").split("\n") if text else [] for text in (old, new)]
        assert [before[number] for number in range(1, len(before) + 1)] == expected[0]
        assert [after[number] for number in range(1, len(after) + 1)] == expected[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x\n" * 19_000, "x\n" * 9_000 + "y\n" + "x\n" * 9_000),
        ("a\nb\n" * 9_000, "b\na\nc\n" * 6_000),
        ("".join(f"{n % 300}\n" for n in range(19_000)), "".join(f"{n * 7 % 300}\n" for n in range(19_000))),
        ("x" * 1_000_000, "y" * 1_000_000),
        ("word " * 390 + "\n", "word " * 380 + "\n"),
    ],
)
def test_hostile_texts_end(old: str, new: str) -> None:
    started = time.monotonic()
    lines = diff_texts(old, new, "a", "b")
    # Not a measurement: the ways round the bounds take minutes.
    assert time.monotonic() - started < 30
    assert any(line.kind in ("added", "removed") for line in lines)


def test_replaced_lines_stand_side_by_side() -> None:
    pairs = side_by_side(diff_texts("a\nb\nc\n", "a\nx\ny\nc\n", "old", "new"))
    texts = [(left and left.text, right and right.text) for left, right in pairs]
    assert texts == [("--- old", "+++ new"), ("a", "a"), ("b", "x"), (None, "y"), ("c", "c")]


class DiffApp(App[None]):
    def __init__(self, lines: tuple[DiffLine, ...]) -> None:
        super().__init__()
        self.view = DiffView(lines)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(SEMANTIC_DEFAULTS)

    def compose(self) -> ComposeResult:
        yield self.view

    def lines(self) -> list[str]:
        height = self.view.scrollable_content_region.height
        return [self.view.render_line(y).text.rstrip() for y in range(height)]


async def test_a_narrow_view_is_unified_with_numbers() -> None:
    async with DiffApp(diff_texts(OLD, NEW, "a", "b")).run_test(size=(60, 20)) as pilot:
        app = pilot.app
        assert isinstance(app, DiffApp)
        lines = app.lines()
        assert not app.view.wide
        assert " 7  7   line 7" in lines
        assert "10    - line 10" in lines
        assert "   10 + line ten" in lines


async def test_a_wide_view_puts_the_texts_side_by_side() -> None:
    async with DiffApp(diff_texts(OLD, NEW, "a", "b")).run_test(size=(130, 20)) as pilot:
        app = pilot.app
        assert isinstance(app, DiffApp)
        await wait_until(pilot, lambda: app.view.wide)
        changed = next(line for line in app.lines() if "line ten" in line)
        left, right = changed.split("│")
        assert (left.strip(), right.strip()) == ("10 - line 10", "10 + line ten")
        await pilot.resize_terminal(80, 20)
        await wait_until(pilot, lambda: not app.view.wide)


async def test_enter_opens_a_fold() -> None:
    async with DiffApp(diff_texts(OLD, NEW, "a", "b")).run_test(size=(60, 30)) as pilot:
        app = pilot.app
        assert isinstance(app, DiffApp)
        app.view.focus()
        await pilot.press("down", "down", "enter")
        await wait_until(pilot, lambda: " 1  1   line 1" in app.lines())
        assert sum(line.kind == "fold" for line in app.view.lines) == 1


async def test_changes_can_be_walked() -> None:
    new = OLD.replace("line 3\n", "").replace("line 17\n", "line 17 b\n")
    async with DiffApp(diff_texts(OLD, new, "a", "b")).run_test(size=(60, 30)) as pilot:
        app = pilot.app
        assert isinstance(app, DiffApp)
        app.view.next_change()
        first = app.view.cursor
        app.view.next_change()
        second = app.view.cursor
        app.view.next_change(-1)
        assert first == app.view.cursor
        assert first is not None
        assert second is not None
        assert first < second
        await pilot.pause()


@pytest.mark.parametrize("width", [80, 130])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_text_stays_in_its_line(text: str, width: int) -> None:
    old = f"{text} before\n{text}"
    lines = diff_texts(old, f"{text} after\n{text} {text}", f"a{text}", "b")
    async with DiffApp(lines).run_test(size=(width, 24)) as pilot:
        app = pilot.app
        assert isinstance(app, DiffApp)
        await pilot.pause()
        for y in range(min(24, len(app.view.rows))):
            strip = app.view.render_line(y)
            assert strip.text.isprintable()
            assert strip.cell_length == app.view.scrollable_content_region.width
            assert "cannot be drawn" not in strip.text


def view_of(folder: Path, registry: FilesystemSkillRegistry, root_index: int) -> SkillView:
    catalog = registry.scan()
    entry = next(e for e in (*catalog.skills, *catalog.shadowed) if e.root_index == root_index)
    loaded = registry.load_entry(entry)
    assert loaded is not None
    files, omitted = read_files(entry.dir, "", frozenset())
    root = Root(str(folder), "root", root_index == 1, True, folder.name)
    gate = judge(SessionConfig(cwd=str(folder), trusted_roots=("two",)), entry.dir, entry.skill_md)
    return SkillView(
        entry, root, gate, loaded, loaded.parsed, entry.problems, files, omitted, Resources(), None, (), root_index == 0
    )


def test_two_copies_are_compared(tmp_path: Path) -> None:
    for root, word in (("one", "first"), ("two", "second")):
        folder = tmp_path / root / "deploy"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: deploy\ndescription: The {word}\n---\nbody\n", encoding="utf-8")
        (folder / f"{word}.txt").write_text("x", encoding="utf-8")
    registry = FilesystemSkillRegistry([tmp_path / "one", tmp_path / "two"])
    comparison = compare_views(view_of(tmp_path, registry, 0), view_of(tmp_path, registry, 1))
    facts = {fact.label: fact for fact in comparison.facts}
    assert (facts["description"].winner, facts["description"].other) == ("The first", "The second")
    assert facts["description"].differs
    assert not facts["body"].differs
    assert (comparison.only_winner, comparison.only_other) == (("first.txt",), ("second.txt",))
    assert "-description: The second" in shown(comparison.lines)
    assert "+description: The first" in shown(comparison.lines)

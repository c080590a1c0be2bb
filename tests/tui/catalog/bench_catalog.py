"""A measurement, run by hand: `python -m tests.tui.catalog.bench_catalog`. Nothing here is timed as a test."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Callable

from textual.app import App, ComposeResult

from skillui.core import AnyEntry, BrokenSkill, Catalog, ErrorCode, Gate, Problem, SessionConfig, Severity, SkillEntry
from skillui.core.catalog import assemble
from skillui.core.gate import judge
from skillui.tui.model.rows import CatalogRow, RowBuilder
from skillui.tui.panes.catalog import CatalogPane
from skillui.tui.themes import SEMANTIC_DEFAULTS
from skillui.workspace.project import Root

HOME, SHOP = "/home/ann/.claude/skills", "/home/ann/shop/.skills"
ROOTS = (Root(SHOP, "project", False, True, ".skills"), Root(HOME, "user", True, True, "~/.claude/skills"))
CONFIG = SessionConfig(cwd="/home/ann/shop", skill_roots=(SHOP, HOME), trusted_roots=(HOME,))
TYPED = ("deploy", "is:untrusted rel", "review chang", "tool:Bash de", "e", "chagnelog", '"review')


def made_catalog(size: int, seed: int = 4) -> Catalog:
    """Return a catalog of `size` folders: some broken, some shadowed, with descriptions of forty words."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))) for _ in range(4_000)]
    words += ["deploy", "review", "changelog", "release"]
    entries: list[AnyEntry] = []
    for number in range(size):
        name = "-".join(chance.choices(words, k=2)) + f"-{number}"
        entries.append(_entry(name, number, " ".join(chance.choices(words, k=40))))
        if number % 40 == 1:
            entries.append(_entry(name, 0, "a copy"))
    return assemble(entries)


def _entry(name: str, number: int, description: str) -> AnyEntry:
    index = number % 2
    folder = f"{(SHOP, HOME)[index]}/{name}"
    path = f"{folder}/SKILL.md"
    if number % 25 == 24:
        problem = Problem(ErrorCode.INVALID_FRONTMATTER, Severity.ERROR, "no colon", path, 3)
        code = ErrorCode.INVALID_FRONTMATTER
        return BrokenSkill(name, folder, index, code, "broken", {"line": 3}, folder, path, (problem,))
    fields = {"name": name, "allowed-tools": ["Read", "Bash(git log:*)"]} if number % 3 else {"name": name}
    return SkillEntry(name, description, folder, index, fields, (), folder, path, (), 900, 1_700_000_000.0 + number)


class CatalogApp(App[None]):
    """The pane alone."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(SEMANTIC_DEFAULTS)

    def compose(self) -> ComposeResult:
        yield CatalogPane()


def _report(what: str, seconds: list[float]) -> None:
    ordered = sorted(second * 1_000 for second in seconds)
    last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    print(f"{what:<44} median {statistics.median(ordered):6.1f} ms   p99 {last:6.1f} ms   n {len(ordered)}")


def _times(work: Callable[[], object], repeats: int = 9) -> list[float]:
    found = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return found


async def measure_keys(rows: tuple[CatalogRow, ...], rounds: int = 12) -> list[float]:
    """Return the seconds from each letter typed to the list drawn again, as the event loop spends them."""
    app = CatalogApp()
    seconds: list[float] = []
    async with app.run_test(size=(60, 40)) as pilot:
        pane = app.query_one(CatalogPane)
        pane.show_rows(rows)
        await app.workers.wait_for_complete()
        await pilot.pause()
        pane.focus_search()
        for text in TYPED * rounds:
            pane.search("")
            await pilot.pause()
            for end in range(1, len(text) + 1):
                started = time.perf_counter()
                pane.read_search(text[:end])
                for y in range(pane.list.size.height):
                    pane.list.render_line(y)
                seconds.append(time.perf_counter() - started)
    return seconds


def asked(entry: AnyEntry) -> Gate:
    """Judge as a session does."""
    return judge(CONFIG, entry.dir, entry.skill_md)


def main() -> None:
    """Print what 10,000 rows cost."""
    catalog = made_catalog(10_000)
    gate = asked(catalog.skills[0])
    _report("rows, gates known", _times(lambda: RowBuilder().build(catalog, ROOTS, lambda entry: gate)))
    _report("rows, each judged", _times(lambda: RowBuilder().build(catalog, ROOTS, asked)))
    builder = RowBuilder()
    rows = builder.build(catalog, ROOTS, asked)
    _report("rows again, nothing changed", _times(lambda: builder.build(catalog, ROOTS, asked)))
    _report("a letter: search, rows, list drawn", asyncio.run(measure_keys(rows)))


if __name__ == "__main__":
    main()

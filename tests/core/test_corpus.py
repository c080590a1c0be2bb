"""Real skills, read where they lie: each is listed, previewed and, where valid, activated without a fault.

`SKILLUI_SHARED` names the folder that holds `corpus`; by default it lies beside the checkout.
"""

from __future__ import annotations

import asyncio
import csv
import os
from pathlib import Path
from typing import Any

import pytest

from skillui.core import (
    AnyEntry,
    BrokenSkill,
    FilesystemSkillRegistry,
    LoadedSkill,
    Ok,
    SessionConfig,
    SkillEntry,
    SkillSession,
)

SHARED = Path(os.environ.get("SKILLUI_SHARED") or Path(__file__).parents[2].parent / "shared")
CORPUS = SHARED / "corpus"
if not (CORPUS / "INDEX.tsv").is_file():
    pytest.skip(f"no corpus of real skills at {CORPUS} (set SKILLUI_SHARED)", allow_module_level=True)

ROWS = list(csv.DictReader((CORPUS / "INDEX.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t"))
FILES = sorted(
    str(path.relative_to(CORPUS)) for path in CORPUS.glob("*/*/SKILL.md") if path.name in os.listdir(path.parent)
)

BROKEN, MISMATCH, FINE, ABSENT, UNREAD = "INVALID_FRONTMATTER", "NAME_MISMATCH", "ok", "absent", "IO_ERROR"

VERDICTS: dict[str, str] = {
    "name-missing": BROKEN,
    "name-format": BROKEN,
    "name-length": BROKEN,
    "name-ne-dir": MISMATCH,
    "description-missing": BROKEN,
    "description-too-long": BROKEN,
    "frontmatter:missing": BROKEN,
    "yaml-invalid": BROKEN,
    "metadata-not-map": BROKEN,
    # A list is no text and has no obvious one.
    "compatibility-not-string": BROKEN,
    # Text fields and the scalars under `metadata` are taken as written: `name: yes` is "yes", `1.10` is "1.10";
    # what is nested there is a warning.
    "name-not-string": FINE,
    "metadata-not-string-map": FINE,
    # Only the exact name SKILL.md counts; a folder without one holds no skill.
    "filename-case": ABSENT,
}
"""Reason of the index to what the engine makes of it."""

RULED: dict[str, tuple[str, str]] = {
    "ClawBio__ClawBio/claw-ancestry-pca": (BROKEN, "duplicate keys are refused"),
    "stbenjam__skillsaw/release-notes": (BROKEN, "anchors are refused"),
    "seaworld008__Commonly-used-high-value-skills/campaign-analytics": (FINE, "an empty metadata counts as left out"),
}
"""Folders whose outcome follows from a ruling on something the index does not name as a reason."""

GRAVEST = (BROKEN, MISMATCH, ABSENT, FINE)


def expected(row: dict[str, str]) -> str:
    if not (CORPUS / row["folder"]).exists():
        return ABSENT  # a copy of the corpus may have lost links that lead nowhere
    if row["folder"] in RULED:
        return RULED[row["folder"]][0]
    if row["expected"] == "unreadable":
        return UNREAD
    outcomes = [VERDICTS[reason] for reason in row["reasons"].split(";") if reason]
    return min(outcomes, key=GRAVEST.index, default=FINE)


def entry_of(root: Path, folder: str) -> AnyEntry | None:
    catalog = FilesystemSkillRegistry([str(root)]).scan()
    entries: list[AnyEntry] = [*catalog.skills, *catalog.shadowed, *catalog.broken]
    return next((entry for entry in entries if Path(entry.location).name == folder), None)


@pytest.mark.parametrize("row", ROWS, ids=[row["folder"] for row in ROWS])
def test_the_engine_agrees_with_the_index_but_for_its_rulings(row: dict[str, str]) -> None:
    root, folder = row["folder"].split("/")
    entry = entry_of(CORPUS / root, folder)
    verdict = ABSENT if entry is None else str(entry.code) if isinstance(entry, BrokenSkill) else FINE
    assert verdict == expected(row), entry


@pytest.mark.parametrize("file", FILES)
def test_each_is_listed_previewed_and_activated_alike(file: str) -> None:
    root, folder, _ = file.split("/")
    entry = entry_of(CORPUS / root, folder)
    assert entry is not None
    config = SessionConfig(cwd=str(CORPUS.resolve()), skill_roots=(root,), unsafe_allow_skill_without_hook=True)
    session = SkillSession(config)
    loaded = FilesystemSkillRegistry([str(CORPUS / root)]).load_entry(entry)
    assert loaded is not None
    preview = session.preview(loaded, user_initiated=True)
    result: Any = asyncio.run(session.skill({"name": folder}, user_initiated=True))
    if isinstance(entry, SkillEntry):
        assert isinstance(loaded, LoadedSkill)
        data = (CORPUS / file).read_bytes()
        if any(argument.required for argument in loaded.parsed.arguments or ()):
            assert result.code == "INVALID_PARAM"
            return
        assert isinstance(result, Ok)
        assert isinstance(preview, Ok)
        assert (result.output, result.body.encode()) == (preview.output, data[-result.bytes :] if result.bytes else b"")
        assert result.digest is not None
    else:
        assert preview.kind == result.kind == "error"
        assert entry.problems[0].message != ""
        if result.code != "INVALID_PARAM":  # a folder whose name is no skill's cannot even be asked for
            assert (result.code, result.message) == (entry.code, entry.message)


def test_every_reason_of_the_index_is_mapped_and_no_ruling_is_idle() -> None:
    assert {reason for row in ROWS for reason in row["reasons"].split(";")} - {""} <= set(VERDICTS)
    assert set(RULED) <= {row["folder"] for row in ROWS}
    assert len(FILES) >= len(ROWS) - 5

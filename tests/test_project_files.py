"""What no file of the project may say: where packages come from, and whose machine it was written on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
NOT_OURS = {"build", "dist", "__pycache__", "snapshot_report.html"}
HOSTS = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("anaconda", "org"), ("npmjs", "com"))]
SWITCHES = ["--" + "index-url", "--" + "extra-index-url", "--" + "find-links"]


def project_files() -> Iterator[Path]:
    """Yield every file of the project: no environment, cache or build."""
    for path in sorted(TOP.rglob("*")):
        parts = path.relative_to(TOP).parts
        hidden = any(part.startswith(".") and part not in (".ci", ".gitignore", ".gitattributes") for part in parts)
        ours = not hidden and not NOT_OURS.intersection(parts) and not any(p.endswith(".egg-info") for p in parts)
        if ours and path.is_file():
            yield path


FILES = list(project_files())


def test_the_files_of_the_project_are_found() -> None:
    names = {path.relative_to(TOP).as_posix() for path in FILES}
    assert {"README.md", "pyproject.toml", "skillui/cli/entry.py", "sample_skills/README.md"} <= names


@pytest.mark.parametrize("word", [*HOSTS, *SWITCHES])
def test_no_file_names_where_packages_come_from(word: str) -> None:
    assert [str(path) for path in FILES if word.encode() in path.read_bytes()] == []


def test_no_file_names_a_folder_of_this_machine() -> None:
    folders = [f"{folder}/".encode() for folder in (TOP, Path.home()) if len(folder.parts) > 1]
    assert [str(path) for path in FILES if any(folder in path.read_bytes() for folder in folders)] == []

"""A copy of the bundled samples as a realistic project, with what no archive can hold made on the spot."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from skillui.workspace.data import data_folder
from skillui.workspace.odd_samples import make_odd_samples

_PROJECT, _HOME, _ELSEWHERE = "shop", "home", "elsewhere"

_PROJECT_README = """\
# Shop

A made-up project to look at: `.skills` holds skills that came with the repository, and nobody has reviewed
them. `../home` stands for a home folder with personal skills, `../elsewhere` for a place outside both.

Three skills have no text that could say what they show: the `SKILL.md` of `price-list` is a folder, that of
`order-queue` a named pipe, which would make a careless reader wait for ever, and that of `gift-cards` a link
that leads nowhere. None of them is ever opened; each is listed as broken, with `IO_ERROR` and the reason.

This is a copy. Change it, break it, delete it; nothing outside this temporary folder is touched.
"""


@dataclass(frozen=True, slots=True)
class DemoProject:
    """Where a copy of the samples lies and how a session over it is set; all paths are resolved."""

    folder: Path
    """The folder that holds everything: the project, the home, and a place outside both."""
    path: Path
    """The demo project's own folder."""
    skill_roots: tuple[Path, ...]
    """In order of precedence: the project's, the user's, the shared ones."""
    trusted_roots: tuple[Path, ...]
    workspace_roots: tuple[Path, ...]
    """What the workspace fence lets through: the project and the two personal roots."""
    skipped: tuple[str, ...] = ()
    """What this platform, file system or user cannot show, one sentence each."""


def copy_samples(target: Path) -> DemoProject:
    """Copy the bundled samples below `target`, which is created where it does not exist.

    Raises `FileExistsError` where a copy lies there already, and `OSError` where it cannot be written.
    What only this platform cannot make is not an error: it is named in `DemoProject.skipped`.
    """
    target.mkdir(parents=True, exist_ok=True)
    folder = target.resolve()
    project, home = folder / _PROJECT, folder / _HOME
    project.mkdir()
    roots = (project / ".skills", home / ".claude" / "skills", home / ".agents" / "skills")
    bundle = data_folder("sample_skills")
    for name, root in zip(("project", "user", "shared"), roots, strict=True):
        _copy_tree(bundle / name, root)
    (project / "README.md").write_text(_PROJECT_README, encoding="utf-8")
    skipped = make_odd_samples(project=project, root=roots[0], elsewhere=folder / _ELSEWHERE)
    return DemoProject(folder, project, roots, roots[1:], (project, *roots[1:]), skipped)


def remove_samples(demo: DemoProject) -> None:
    """Remove what `copy_samples` made, unreadable parts included, and the folder if nothing else is in it."""
    for name in (_PROJECT, _HOME, _ELSEWHERE):
        top = demo.folder / name
        if top.is_dir() and not top.is_symlink():
            _make_readable(top)
            shutil.rmtree(top)
    if demo.folder.is_dir() and not any(demo.folder.iterdir()):
        demo.folder.rmdir()


@contextmanager
def demo_project() -> Iterator[DemoProject]:
    """Hold a copy of the samples in a temporary folder of its own for the length of a `with` block."""
    folder = Path(tempfile.mkdtemp(prefix="skillui-demo-")).resolve()
    try:
        yield copy_samples(folder)
    finally:
        _make_readable(folder)
        shutil.rmtree(folder)


def _copy_tree(source: Path, target: Path) -> None:
    """Copy bytes alone: an installed bundle may be read-only, and the copy is there to be changed."""
    shutil.copytree(source, target, copy_function=_copy_file, ignore=shutil.ignore_patterns("__pycache__"))
    # copytree ends by giving each folder its original's mode, which may forbid writing.
    for folder, _, _ in os.walk(target):
        Path(folder).chmod(0o755)


def _copy_file(source: str, target: str) -> None:
    shutil.copyfile(source, target)
    with open(target, "rb") as file:
        is_script = file.read(2) == b"#!"
    if is_script:  # wheels and some checkouts lose the bit
        Path(target).chmod(0o755)


def _make_readable(top: Path) -> None:
    """Give back the modes that removing a tree needs; links are never followed."""
    top.chmod(0o700)
    # Top down: a folder's mode is mended before the walk enters it.
    for folder, names, _ in os.walk(top):
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o700)

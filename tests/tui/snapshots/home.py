"""The homes in the pictures: the samples at one place that is the same on every machine, and an empty one."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from skillui.workspace.data import data_folder
from skillui.workspace.samples import copy_samples
from tests.tui.snapshots.scenes import NOW

PLACE = Path("/tmp/skillui-snapshots")
_DAY = 86_400
_STAMP = "made-from"


def made_place() -> Path:
    """Return the folder that holds the homes, made anew where the samples or this module changed."""
    wanted = _digest()
    with _alone():
        if not _is_made_from(wanted):
            folder = Path(tempfile.mkdtemp(prefix="skillui-snapshots-", dir=PLACE.parent))
            _make(folder)
            (folder / _STAMP).write_text(wanted, encoding="utf-8")
            if PLACE.exists():
                shutil.rmtree(PLACE)
            folder.rename(PLACE)
    return PLACE


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Hold the place against the other processes of a run."""
    with open(f"{PLACE}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _is_made_from(wanted: str) -> bool:
    try:
        return (PLACE / _STAMP).read_text(encoding="utf-8") == wanted
    except OSError:
        return False


def _digest() -> str:
    """Return a digest of all that the folder is made from."""
    sources = [Path(__file__), *sorted(path for path in data_folder("sample_skills").rglob("*") if path.is_file())]
    sources += sorted(Path(copy_samples.__code__.co_filename).parent.glob("*samples.py"))
    found = hashlib.sha256()
    for source in sources:
        found.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return found.hexdigest()


def _make(folder: Path) -> None:
    demo = copy_samples(folder)
    work = folder / "home" / "work"
    work.mkdir()
    demo.path.rename(work / "shop")
    (folder / "elsewhere").rename(work / "elsewhere")
    (work / "shop" / ".git").mkdir()
    (folder / "nobody" / "work" / "new").mkdir(parents=True)
    _drop_what_differs(work / "shop" / ".skills")
    _settle(folder)
    folder.chmod(0o755)


def _drop_what_differs(root: Path) -> None:
    """Remove what not every user and every file system can show."""
    for name in ("salary-bands", "private-notes"):
        if (root / name).exists():
            (root / name).chmod(0o700)
            shutil.rmtree(root / name)
    for path in (root / "text-tricks" / "references").iterdir():
        if not os.fsencode(path.name).isascii():
            path.unlink()


def _settle(folder: Path) -> None:
    """Give every entry a mode and a time that depend on its name alone."""
    for above, folders, files in os.walk(folder, topdown=False):
        for path in sorted(Path(above, name) for name in (*folders, *files)):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
            age = zlib.crc32(os.fsencode(path.relative_to(folder))) % (70 * _DAY)
            os.utime(path, (NOW - age, NOW - age), follow_symlinks=False)

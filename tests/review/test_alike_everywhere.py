"""One skill in a folder, in a git revision and in an archive: the same findings, digest and resources.

`SKILLUI_SHARED` names the folder that holds `corpus`; by default it lies beside the checkout.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from skillui.core import CatalogRegistry
from skillui.core.registry import FilesystemSkillRegistry
from skillui.review.archive_registry import ArchiveRegistry
from skillui.review.git_registry import GitRegistry
from skillui.review.memory_registry import MemoryRegistry
from skillui.workspace.odd_samples import make_odd_samples
from tests.review.sources_for_review import commit, entries_of, findings, load, make_repo, on_disk, seen

SAMPLES = Path(__file__).parents[2] / "sample_skills"
CORPUS = Path(os.environ.get("SKILLUI_SHARED") or Path(__file__).parents[2].parent / "shared") / "corpus"


def copied(source: Path, target: Path) -> Path:
    """Copy folders of skills, without what git would not take: its own names, and what cannot be read."""
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(".git", "__pycache__"))
    return target


def packed(root: Path, path: Path) -> Path:
    if shutil.which("zip") is None:
        made = shutil.make_archive(str(path) + ".made", "zip", root)
        return Path(made).rename(path)
    subprocess.run(["zip", "-q", "-r", "-y", str(path), "."], cwd=root, check=True)
    return path


def alike(disk: FilesystemSkillRegistry, other: CatalogRegistry) -> int:
    """Compare everything that is told of every skill; return how many there are."""
    assert disk.catalog is not None
    assert other.catalog is not None
    assert [entry.name for entry in disk.catalog.skills] == [entry.name for entry in other.catalog.skills]
    assert entries_of(disk).keys() == entries_of(other).keys()
    for folder in entries_of(disk):
        one, two = load(disk, folder), load(other, folder)
        assert seen(one) == seen(two), folder
        assert findings(one) == findings(two), folder
    return len(entries_of(disk))


@pytest.mark.parametrize("kind", ["git", "zip", "skill", "tar.gz"])
@pytest.mark.parametrize("root", sorted(path.name for path in SAMPLES.iterdir() if path.is_dir()))
def test_the_sample_skills(tmp_path: Path, root: str, kind: str) -> None:
    folder = copied(SAMPLES / root, tmp_path / "repo" / root)
    assert alike(on_disk(folder), opened(folder, kind, tmp_path)) > 4


@pytest.mark.parametrize("kind", ["git", "zip"])
@pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus of real skills at {CORPUS} (set SKILLUI_SHARED)")
def test_real_skills(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "repo" / "all"
    for repo in sorted(path for path in CORPUS.iterdir() if path.is_dir()):
        copied(repo, folder / repo.name)
    for twin in folder.rglob("skill.md"):  # beside a SKILL.md it makes an archive doubtful
        twin.unlink()
    total = 0
    for number, root in enumerate(sorted(folder.iterdir())):
        total += alike(on_disk(root), opened(root, kind, tmp_path / str(number), whole=folder.parent))
    assert total > 50


def opened(folder: Path, kind: str, scratch: Path, whole: Path | None = None) -> MemoryRegistry:
    """Put a root of skills into a repository or an archive, and scan it."""
    scratch.mkdir(exist_ok=True)
    if kind == "git":
        repo = whole or folder.parent
        if not (repo / ".git").exists():
            commit(make_repo(repo))
        registry: MemoryRegistry = GitRegistry(repo, "HEAD", str(folder.relative_to(repo)))
    elif kind == "tar.gz":
        subprocess.run(["tar", "czf", str(scratch / "a.tar.gz"), "-C", str(folder.parent), folder.name], check=True)
        registry = ArchiveRegistry(scratch / "a.tar.gz")
    else:
        registry = ArchiveRegistry(packed(folder, scratch / f"a.{kind}"))
    registry.scan()
    assert [problem.message for problem in registry.problems if problem.severity == "error"] == []
    return registry


def test_links_between_skills_of_a_repository_lead_where_they_do_on_disk(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo")
    copied(SAMPLES / "project", repo / "skills")
    (repo / "skills" / "linked").symlink_to("design-system")
    root = repo / ".claude" / "skills"
    root.mkdir(parents=True)
    (root / "design-system").symlink_to("../../skills/design-system")
    shutil.copytree(SAMPLES / "project" / "api-conventions", root / "api-conventions")
    (root / "api-conventions" / "references" / "near.md").symlink_to("errors.md")
    (root / "api-conventions" / "references" / "far.md").symlink_to("../../../../skills/triage-bug/SKILL.md")
    (root / "nowhere").symlink_to("../../skills/nothing")
    commit(repo)
    registry = GitRegistry(repo, "HEAD", sources=(".skills", ".claude/skills"))
    registry.scan()
    assert registry.roots == (f"git:{repo}@{str(registry.commit)[:12]}/.claude/skills",)
    assert alike(on_disk(root), registry) == 2
    assert entries_of(registry)["design-system"].dir.endswith("/skills/design-system")
    assert [file.kind for file in registry.content(entries_of(registry)["api-conventions"]).files].count("t") == 1


def test_odd_sample_skills_are_read_without_a_crash(tmp_path: Path) -> None:
    folder = tmp_path / "repo" / "odd"
    folder.mkdir(parents=True)
    make_odd_samples(project=tmp_path / "repo", root=folder, elsewhere=tmp_path / "elsewhere")
    repo = make_repo(tmp_path / "repo")
    commit(repo)
    registry = GitRegistry(repo, "HEAD", "odd")
    catalog = registry.scan()
    assert registry.fault is None
    for entry in entries_of(registry).values():
        skill = registry.load_entry(entry)
        assert skill is not None
        findings(skill)
        registry.content(entry)
    assert catalog.skills

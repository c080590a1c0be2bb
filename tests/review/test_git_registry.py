"""Skills of a git revision: where they are found, how they are read, and what the registry says when it cannot."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillui.core import BrokenSkill, CatalogRegistry, ErrorCode, LoadedSkill, SessionConfig, SkillSession
from skillui.core.gate import judge
from skillui.review.content import read_content
from skillui.review.git_registry import GitRegistry, Revision, RevisionFault, parse_revision
from skillui.review.queue import read_queue
from skillui.review.store import DecisionStore
from tests.review.sources_for_review import (
    commit,
    entries_of,
    findings,
    git,
    load,
    make_repo,
    scanned,
    simple,
    write_files,
)

SOURCES = (".skills", ".claude/skills", ".agents/skills")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with skills in two project roots and in a folder of another name."""
    made = make_repo(tmp_path / "shop")
    write_files(made, {
        ".claude/skills/alpha/SKILL.md": simple("alpha"),
        ".claude/skills/alpha/scripts/run.sh": "#!/bin/sh\necho run\n",
        ".claude/skills/notes.txt": "no folder",
        ".agents/skills/alpha/SKILL.md": simple("alpha", "Another.\n"),
        ".agents/skills/beta/SKILL.md": "---\nname: gamma\ndescription: Does it.\n---\n",
        ".agents/skills/.hidden/SKILL.md": simple(".hidden"),
        "tools/delta/SKILL.md": simple("delta"),
        "README.md": "# Shop\n",
    })  # fmt: skip
    (made / ".claude/skills/alpha/scripts/run.sh").chmod(0o755)
    commit(made)
    return made


@pytest.fixture
def opened(repo: Path) -> Iterator[GitRegistry]:
    registry = GitRegistry(repo, "HEAD", sources=SOURCES)
    registry.scan()
    yield registry
    registry.close()


class TestWhereSkillsAreFound:
    def test_in_the_project_roots_in_their_order(self, opened: GitRegistry) -> None:
        catalog = opened.catalog
        assert catalog is not None
        assert isinstance(opened, CatalogRegistry)
        assert [root.rpartition("@")[2][13:] for root in opened.roots] == [".claude/skills", ".agents/skills"]
        assert [(entry.name, entry.root_index) for entry in catalog.skills] == [("alpha", 0)]
        assert [entry.root_index for entry in catalog.shadowed] == [1]
        assert [(entry.name, entry.code) for entry in catalog.broken] == [("beta", ErrorCode.NAME_MISMATCH)]
        assert catalog.warnings == ()
        assert catalog.skills[0].modified == 1700000000.0

    @pytest.mark.parametrize("path", ["tools", "tools/delta", "tools/delta/SKILL.md"])
    def test_below_a_path_that_is_a_root_a_skill_or_a_file_of_one(self, repo: Path, path: str) -> None:
        registry = GitRegistry(repo, "HEAD", path, SOURCES)
        catalog = registry.scan()
        assert [entry.name for entry in catalog.skills] == ["delta"]
        registry.close()

    def test_in_a_repository_that_is_a_skill_itself(self, tmp_path: Path) -> None:
        repo = make_repo(tmp_path / "alpha")
        write_files(repo, {"SKILL.md": simple("alpha"), "references/a.md": "a"})
        commit(repo)
        registry = GitRegistry(repo, "HEAD", sources=SOURCES)
        content, skill = scanned(registry, registry.scan().skills[0].location.rpartition("/")[2])
        assert isinstance(skill, LoadedSkill)
        assert content.digest == read_content(str(repo)).digest
        registry.close()

    def test_from_any_folder_of_the_repository_and_from_a_bare_one(self, repo: Path, tmp_path: Path) -> None:
        git(tmp_path, "clone", "-q", "--bare", str(repo), "bare.git")
        for start in (repo / "tools", repo / ".git", tmp_path / "bare.git"):
            registry = GitRegistry(start, "main", sources=SOURCES)
            assert [entry.name for entry in registry.scan().skills] == ["alpha"], start
            registry.close()

    def test_in_a_second_working_tree_under_the_name_of_its_own_folder(self, tmp_path: Path) -> None:
        repo = make_repo(tmp_path / "alpha")
        write_files(repo, {"SKILL.md": simple("beta"), "references/a.md": "a"})
        commit(repo)
        git(repo, "worktree", "add", "-q", "--detach", str(tmp_path / "beta"))
        git(repo, "config", "core.worktree", "/etc")
        registry = GitRegistry(tmp_path / "beta" / "references", "HEAD")
        assert [entry.name for entry in registry.scan().skills] == ["beta"]
        assert registry.scan().skills[0].dir == f"git:{tmp_path / 'beta'}@{str(registry.commit)[:12]}"
        registry.close()

    def test_each_revision_has_its_own(self, repo: Path) -> None:
        git(repo, "tag", "-a", "v1", "-m", "first")
        write_files(repo, {".skills/new/SKILL.md": simple("new")})
        commit(repo, "second: with a colon")
        for name, expected in {
            "v1": ["alpha"], "HEAD~1": ["alpha"], "HEAD^{tree}": ["alpha", "new"], "main": ["alpha", "new"],
            ":/second: with": ["alpha", "new"], "HEAD^{/first|it is}": ["alpha"], "main@{0}": ["alpha", "new"],
        }.items():  # fmt: skip
            registry = GitRegistry(repo, name, sources=SOURCES)
            assert [entry.name for entry in registry.scan().skills] == expected, name
            registry.close()

    def test_a_scan_asks_again_what_the_name_means_and_entries_of_before_are_gone(
        self, repo: Path, opened: GitRegistry
    ) -> None:
        assert opened.catalog is not None
        before = opened.load_entry(opened.catalog.skills[0])
        write_files(repo, {".claude/skills/alpha/SKILL.md": simple("alpha", "Changed.\n")})
        second = commit(repo)
        assert isinstance(before, LoadedSkill)
        assert opened.load_entry(before.entry) is not None
        catalog = opened.scan()
        assert opened.commit == second
        assert opened.load_entry(before.entry) is None
        after = opened.load_entry(catalog.skills[0])
        assert isinstance(after, LoadedSkill)
        assert (before.body, after.body) == ("Do it.\n", "Changed.\n")


class TestReading:
    def test_the_digest_is_the_folders(self, repo: Path, opened: GitRegistry) -> None:
        content = opened.content(entries_of(opened)["beta"])
        assert content.digest == read_content(str(repo / ".agents/skills/beta")).digest
        executable = opened.content(opened.scan().skills[0])
        assert executable.digest == read_content(str(repo / ".claude/skills/alpha")).digest
        assert [(file.path, file.executable) for file in executable.files] == [
            ("SKILL.md", False),
            ("scripts/run.sh", True),
        ]

    def test_nothing_on_disk_is_read_or_written(self, repo: Path, opened: GitRegistry) -> None:
        git(repo, "rm", "-rq", "--cached", ".claude")
        for path in sorted((repo / ".claude").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        before = sorted(path for path in repo.rglob("*"))
        opened.scan()
        skill = load(opened, "alpha")
        findings(skill)
        opened.content(entries_of(opened)["alpha"])
        assert sorted(path for path in repo.rglob("*")) == before

    def test_entries_lie_in_no_folder_that_anything_could_trust(self, repo: Path, opened: GitRegistry) -> None:
        config = SessionConfig(cwd="/", workspace_roots=("/",), trusted_roots=("/", str(repo)))
        for entry in entries_of(opened).values():
            gate = judge(config, entry.dir, entry.skill_md)
            assert (gate.trusted, gate.flags) == (False, ("outside_workspace",))

    def test_a_review_takes_its_skills_as_those_of_a_folder(
        self, repo: Path, tmp_path: Path, opened: GitRegistry
    ) -> None:
        store = DecisionStore(tmp_path / "store" / "decisions.sqlite3")
        config = SessionConfig(cwd=str(tmp_path))
        items = {
            (item.entry.name, item.entry.root_index): item for item in read_queue(store, opened, config, opened.roots)
        }
        assert {key: item.state for key, item in items.items()} == {
            ("alpha", 0): "new", ("alpha", 1): "new", ("beta", 1): "new",
        }  # fmt: skip
        item = items["alpha", 0]
        store.decide("approved", item.content, item.place, via="cli")
        digest = read_content(str(repo / ".claude/skills/alpha")).digest
        assert digest is not None
        assert store.verdict(digest) == "approved"

    async def test_a_session_activates_what_the_revision_holds(self, opened: GitRegistry) -> None:
        config = SessionConfig(cwd="/", bypass_workspace_guard=True, unsafe_allow_skill_without_hook=True)
        session = SkillSession(config, registry=opened)
        result = await session.skill({"name": "alpha"})
        assert result.kind == "ok"
        assert "scripts/run.sh" in result.output
        assert (await opened.load("nobody")) is None
        assert [entry.name for entry in await opened.discover()] == ["alpha"]
        session.close()

    def test_many_threads_read_at_once(self, opened: GitRegistry) -> None:
        digests: list[str | None] = []
        entry = entries_of(opened)["alpha"]

        def read() -> None:
            for _ in range(20):
                digests.append(opened.content(entry).digest)

        threads = [threading.Thread(target=read) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(digests) == 120
        assert len(set(digests)) == 1
        assert digests[0] is not None

    def test_skills_are_handed_over_one_by_one_and_told_during_a_scan(self, opened: GitRegistry) -> None:
        told: list[tuple[int, int, list[str]]] = []
        opened.scan(lambda done, total, batch: told.append((done, total, [entry.name for entry in batch])))
        assert told == [(3, 3, ["alpha", "alpha", "beta"])]
        names = [skill.entry.name if isinstance(skill, LoadedSkill) else skill.name for skill in opened.load_all()]
        assert names == ["alpha", "alpha", "beta"]
        assert opened.catalog is not None
        assert opened.catalog.broken[0].parsed is None

    def test_git_ends_when_closed_and_starts_again_when_asked(self, opened: GitRegistry) -> None:
        opened.close()
        assert load(opened, "alpha")
        assert opened.content(entries_of(opened)["alpha"]).digest is not None


class TestFaults:
    @pytest.mark.parametrize(
        ("revision", "path", "words"),
        [
            ("nothing", None, "there is no revision 'nothing'"),
            ("HEAD:README.md", None, "there is no revision"),
            ("HEAD", "nowhere", "there is no 'nowhere' in the revision 'HEAD'"),
            ("HEAD", "../outside", "the path counts from the top of the repository"),
            ("--help", None, "there is no revision '--help'"),
            ("--batch-all-objects", None, "there is no revision"),
            ("HEAD\nHEAD", None, "there is no revision"),
            ("x" * 5000, None, "there is no revision"),
            ("", None, "there is no revision"),
        ],
    )
    def test_what_is_not_there_is_said_in_one_line(
        self, repo: Path, revision: str, path: str | None, words: str
    ) -> None:
        registry = GitRegistry(repo, revision, path, SOURCES)
        catalog = registry.scan()
        assert catalog.warnings == (registry.fault,)
        assert words in str(registry.fault)
        assert "\n" not in str(registry.fault)
        assert (catalog.skills, catalog.broken, registry.roots, registry.problems) == ((), (), (), ())
        registry.close()

    def test_a_folder_without_a_repository_or_no_folder(self, tmp_path: Path) -> None:
        for path, words in ((tmp_path, "lies in no git repository"), (tmp_path / "gone", "there is no such folder")):
            registry = GitRegistry(path, "HEAD")
            registry.scan()
            assert words in str(registry.fault)

    def test_a_revision_without_skills_is_a_warning(self, repo: Path) -> None:
        registry = GitRegistry(repo, "HEAD", sources=(".nowhere",))
        assert registry.scan().warnings == ("the revision 'HEAD' holds no skills",)
        assert registry.fault is None
        registry.close()

    def test_without_git_nothing_is_read(self, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", ".:/nowhere")
        (repo / "git").write_text("#!/bin/sh\ntouch ran\n")
        (repo / "git").chmod(0o755)
        monkeypatch.chdir(repo)
        registry = GitRegistry(repo, "HEAD")
        registry.scan()
        assert "git is not installed" in str(registry.fault)
        assert not (repo / "ran").exists()

    def test_skills_that_cannot_be_read_are_broken_ones(self, repo: Path) -> None:
        root = repo / ".skills"
        write_files(root, {
            "big/SKILL.md": b"x" * (4 * 1024 * 1024 + 1), "folder/SKILL.md/a": "a", "lost/a": "a",
            "lower/skill.md": "a",
        })  # fmt: skip
        (root / "lost" / "SKILL.md").symlink_to("nothing")
        (root / "out").symlink_to("../../elsewhere")
        (root / "far").symlink_to("/etc")
        (root / "gone").symlink_to("nothing")
        (root / "away").mkdir()
        (root / "away" / "SKILL.md").symlink_to("/etc/passwd")
        commit(repo)
        registry = GitRegistry(repo, "HEAD", ".skills")
        registry.scan()
        reasons = {name: entry.problems[0].message for name, entry in entries_of(registry).items()}
        assert reasons == {
            "away": "SKILL.md is a link to what is not known here",
            "big": "SKILL.md is 4,194,305 bytes, past the limit of 4,194,304",
            "far": "the folder is a link to what is not known here",
            "folder": "SKILL.md is a directory",
            "lost": "SKILL.md is a link that leads nowhere",
            "out": "the folder is a link to what is not known here",
        }
        for name, entry in entries_of(registry).items():
            assert isinstance(entry, BrokenSkill)
            assert entry.code is ErrorCode.IO_ERROR
            findings(load(registry, name))
        assert registry.content(entries_of(registry)["far"]).fault == "its folder is a link to what is not known here"
        assert registry.content(entries_of(registry)["away"]).digest is None
        assert registry.content(entries_of(registry)["big"]).digest == read_content(str(root / "big")).digest
        registry.close()


class TestRevisions:
    @pytest.mark.parametrize(
        ("text", "name", "path"),
        [
            ("HEAD", "HEAD", None),
            ("HEAD:", "HEAD", None),
            ("HEAD:.claude/skills/", "HEAD", ".claude/skills"),
            ("HEAD:./a//b", "HEAD", "a/b"),
            ("v1.0~3:a:b", "v1.0~3", "a:b"),
            ("HEAD^{/fix: it}:a", "HEAD^{/fix: it}", "a"),
            ("main@{2026-01-01 10:00}", "main@{2026-01-01 10:00}", None),
            ("--output=x", "--output=x", None),
        ],
    )
    def test_a_revision_and_a_path(self, text: str, name: str, path: str | None) -> None:
        assert parse_revision(text) == Revision(name, path)

    @pytest.mark.parametrize("text", ["", ":a", " :a", "HEAD:/etc", "HEAD:../x", "HEAD:a/../..", "HEAD\n", "a\0b"])
    def test_what_is_no_revision_is_refused_with_what_to_write(self, text: str) -> None:
        with pytest.raises(RevisionFault, match=r"revision|path"):
            parse_revision(text)


def test_a_catalog_is_read_in_a_thread_of_its_own(opened: GitRegistry) -> None:
    assert asyncio.run(opened.read_catalog()).skills[0].name == "alpha"

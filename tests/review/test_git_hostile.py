"""Hostile repositories: nothing they say is executed, nothing they hold crashes, and what is doubtful has no digest."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from skillui.core import BrokenSkill, LoadedSkill
from skillui.review import git_process, git_tree
from skillui.review.content import read_content
from skillui.review.git_objects import GitObjects
from skillui.review.git_registry import GitRegistry
from tests.review.sources_for_review import (
    blob,
    commit,
    commit_tree,
    entries_of,
    findings,
    git,
    load,
    make_repo,
    raw_tree,
    scanned,
    simple,
    write_files,
)

FILE, PROGRAM, LINK, TREE, SUBMODULE = "100644", "100755", "120000", "40000", "160000"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo")


def skill_tree(repo: Path, *more: tuple[str, bytes, str]) -> str:
    """Commit `skills/foo` with a SKILL.md and these raw entries; return the commit."""
    entries = sorted([(FILE, b"SKILL.md", blob(repo, simple("foo").encode())), *more], key=lambda entry: entry[1])
    root = raw_tree(repo, (TREE, b"foo", raw_tree(repo, *entries)))
    return commit_tree(repo, raw_tree(repo, (TREE, b"skills", root)))


class TestNothingRuns:
    @pytest.fixture
    def trapped(self, tmp_path: Path, repo: Path) -> tuple[Path, Path]:
        """A repository in which everything that git could be made to run leaves a mark."""
        marks = tmp_path / "marks"
        marks.mkdir()

        def trap(name: str, passes: bool = False) -> str:
            script = tmp_path / f"trap-{name}"
            script.write_text(f"#!/bin/sh\ntouch '{marks / name}'\n" + ("cat\n" if passes else "exit 0\n"))
            script.chmod(0o755)
            return str(script)

        write_files(repo, {
            ".skills/foo/SKILL.md": simple("foo"), ".skills/foo/a.bin": "raw\n", ".skills/foo/b.txt": "$Id$\nraw\n",
        })  # fmt: skip
        commit(repo)
        write_files(
            repo, {".gitattributes": "* filter=evil diff=evil text eol=crlf ident working-tree-encoding=UTF-16\n"}
        )
        for name in (
            "post-checkout",
            "post-index-change",
            "reference-transaction",
            "pre-auto-gc",
            "fsmonitor-watchman",
        ):
            shutil.copy(trap(f"hook-{name}"), repo / ".git" / "hooks" / name)
        settings = {
            "core.fsmonitor": trap("fsmonitor"), "core.hooksPath": str(repo / ".git" / "hooks"),
            "filter.evil.smudge": trap("smudge", True), "filter.evil.clean": trap("clean", True),
            "filter.evil.process": trap("process"), "diff.evil.textconv": trap("textconv"),
            "diff.evil.command": trap("command"), "diff.external": trap("external"), "core.pager": trap("pager", True),
            "core.sshCommand": trap("ssh"), "core.gitProxy": trap("proxy"), "core.askPass": trap("askpass"),
            "credential.helper": trap("credential"), "core.editor": trap("editor"), "gpg.program": trap("gpg"),
            "alias.cat-file": "!" + trap("alias"), "alias.rev-parse": "!" + trap("alias2"), "pager.cat-file": "true",
            "core.alternateRefsCommand": trap("alternates"), "uploadpack.packObjectsHook": trap("pack"),
            "protocol.allow": "always", "protocol.ext.allow": "always", "protocol.file.allow": "always",
            "remote.origin.url": f"ext::{trap('ext')}", "remote.origin.promisor": "true",
            "remote.origin.partialclonefilter": "blob:none", "extensions.partialClone": "origin",
            "core.repositoryformatversion": "1", "remote.origin.uploadpack": trap("uploadpack"),
            "trace2.normalTarget": str(marks / "trace2"),
        }  # fmt: skip
        for key, value in settings.items():
            git(repo, "config", key, value)
        return repo, marks

    def read_all(self, repo: Path) -> GitRegistry:
        registry = GitRegistry(repo, "HEAD", sources=(".skills",))
        registry.scan()
        for name in entries_of(registry):
            findings(load(registry, name))
            registry.content(entries_of(registry)[name])
        registry.close()
        return registry

    def test_of_what_the_repository_configures(self, trapped: tuple[Path, Path]) -> None:
        repo, marks = trapped
        registry = self.read_all(repo)
        assert [file.text for file in registry.content(entries_of(registry)["foo"]).files][1:] == [
            b"raw\n",
            b"$Id$\nraw\n",
        ]
        assert os.listdir(marks) == []
        registry.close()

    def test_the_traps_are_real_ones(self, trapped: tuple[Path, Path]) -> None:
        repo, marks = trapped
        subprocess.run(["git", "-C", str(repo), "status"], capture_output=True, check=False)
        subprocess.run(["git", "-C", str(repo), "cat-file", "--filters", "HEAD:.skills/foo/a.bin"], capture_output=True)
        subprocess.run(["git", "-C", str(repo), "cat-file", "-p", "1" * 40], capture_output=True, check=False)
        assert {"fsmonitor", "process", "ext"} <= set(os.listdir(marks))

    @pytest.mark.parametrize("url", ["ext", "file", "helper"])
    def test_to_fetch_what_is_missing(self, trapped: tuple[Path, Path], url: str, tmp_path: Path) -> None:
        repo, marks = trapped
        if url == "file":
            other = make_repo(tmp_path / "other")
            git(repo, "config", "remote.origin.url", f"file://{other}")
        elif url == "helper":
            git(repo, "config", "remote.origin.vcs", "ext")
        missing = git(repo, "rev-parse", "HEAD:.skills/foo/a.bin")
        (repo / ".git" / "objects" / missing[:2] / missing[2:]).unlink()
        registry = self.read_all(repo)
        assert registry.content(entries_of(registry)["foo"]).fault == "a.bin is missing from the repository"
        assert os.listdir(marks) == []
        registry.close()

    def test_of_what_the_environment_says(self, repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write_files(repo, {".skills/foo/SKILL.md": simple("foo")})
        commit(repo)
        mark = tmp_path / "mark"
        for name, value in {
            "GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/nowhere", "GIT_OBJECT_DIRECTORY": "/nowhere",
            "GIT_TRACE": str(mark),
            "GIT_INDEX_FILE": "/nowhere", "GIT_NAMESPACE": "x", "GIT_TRACE2": str(mark), "GIT_EXEC_PATH": "/nowhere",
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.repositoryformatversion", "GIT_CONFIG_VALUE_0": "99",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        registry = GitRegistry(repo, "HEAD", sources=(".skills",))
        assert [entry.name for entry in registry.scan().skills] == ["foo"]
        assert not mark.exists()
        registry.close()


class TestObjectsThatDeceive:
    def test_replacements_are_not_heeded(self, repo: Path) -> None:
        write_files(repo, {".skills/foo/SKILL.md": simple("foo", "True.\n")})
        first = commit(repo)
        true = git(repo, "rev-parse", "HEAD:.skills/foo/SKILL.md")
        git(repo, "replace", true, blob(repo, simple("foo", "False.\n").encode()))
        write_files(repo, {".skills/bar/SKILL.md": simple("bar")})
        git(repo, "replace", first, commit(repo))
        registry = GitRegistry(repo, first, sources=(".skills",))
        assert [entry.name for entry in registry.scan().skills] == ["foo"]
        skill = load(registry, "foo")
        assert isinstance(skill, LoadedSkill)
        assert skill.body == "True.\n"
        registry.close()

    def test_objects_of_another_repository_are_read_where_git_finds_them(self, repo: Path, tmp_path: Path) -> None:
        write_files(repo, {".skills/foo/SKILL.md": simple("foo")})
        commit(repo)
        git(tmp_path, "clone", "-q", "--shared", "--no-checkout", str(repo), "borrower")
        registry = GitRegistry(tmp_path / "borrower", "HEAD", sources=(".skills",))
        content, _ = scanned(registry, "foo")
        assert content.digest == read_content(str(repo / ".skills/foo")).digest
        registry.close()

    @pytest.mark.parametrize("name", [b"..", b".", b".git", b".GIT", b"a/b", b"", b"../../x", b"x" * 300])
    def test_entries_that_no_checkout_would_make(self, repo: Path, name: bytes) -> None:
        head = skill_tree(repo, (FILE, name, blob(repo, b"evil")))
        registry = GitRegistry(repo, head, "skills")
        content, skill = scanned(registry, "foo")
        assert content.digest is None
        assert "holds an entry" in str(content.fault)
        assert ("SEC-05", "a folder that cannot be listed") in {(p.code, p.message) for p in findings(skill)}
        assert all(".." not in line for line in skill.files.resources().names) if skill.files else False
        registry.close()

    def test_a_name_twice(self, repo: Path) -> None:
        head = skill_tree(repo, (FILE, b"a", blob(repo, b"good")), (FILE, b"a", blob(repo, b"evil")))
        registry = GitRegistry(repo, head, "skills")
        content, _ = scanned(registry, "foo")
        assert content.fault == "the folder holds an entry 'a' twice"
        registry.close()

    @pytest.mark.parametrize("target", [b"../../../../etc/passwd", b"/etc/passwd", b"../../.git/config", b"a\0b", b""])
    def test_links_that_leave_the_tree(self, repo: Path, target: bytes) -> None:
        registry = GitRegistry(repo, skill_tree(repo, (LINK, b"leak", blob(repo, target))), "skills")
        content, skill = scanned(registry, "foo")
        assert content.digest is None
        assert "leak" in str(content.fault)
        assert "SEC-05" in {problem.code for problem in findings(skill)} or target == b"../../.git/config"
        registry.close()

    def test_a_link_that_says_more_than_a_path_can(self, repo: Path) -> None:
        registry = GitRegistry(repo, skill_tree(repo, (LINK, b"l", blob(repo, b"a/" * 5000))), "skills")
        assert scanned(registry, "foo")[0].fault == "l is a link that says too much"
        registry.close()

    def test_a_submodule_is_shown_and_not_entered(self, repo: Path) -> None:
        registry = GitRegistry(repo, skill_tree(repo, (SUBMODULE, b"vendor", "1" * 40)), "skills")
        content, skill = scanned(registry, "foo")
        assert content.fault == "vendor is a submodule, whose files are in another repository"
        assert ("SEC-05", "vendor") in {(problem.code, problem.path) for problem in findings(skill)}
        registry.close()

    def test_a_pointer_to_large_storage_is_the_text_that_it_is(self, repo: Path) -> None:
        text = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
        write_files(repo, {"skills/foo/SKILL.md": simple("foo"), "skills/foo/assets/big.png": text})
        write_files(repo, {".gitattributes": "*.png filter=lfs diff=lfs merge=lfs -text\n"})
        git(repo, "-c", "filter.lfs.clean=cat", "add", "-A")
        git(repo, "commit", "-qm", "x")
        git(repo, "config", "filter.lfs.smudge", "false")
        registry = GitRegistry(repo, "HEAD", "skills")
        content, _ = scanned(registry, "foo")
        assert [file.text for file in content.files if file.path == "assets/big.png"] == [text]
        assert content.digest is not None
        registry.close()

    def test_names_in_any_bytes(self, repo: Path) -> None:
        names = [b"\xff\xfe", "é".encode(), b"a\nb", b"\x1b[31m", b"-rf", b"a b", b"\xe2\x80\xae"]
        registry = GitRegistry(repo, skill_tree(repo, *((FILE, name, blob(repo, name)) for name in names)), "skills")
        content, skill = scanned(registry, "foo")
        assert {os.fsencode(file.path) for file in content.files} == {*names, b"SKILL.md"}
        assert content.digest is not None
        findings(skill)
        registry.close()

    def test_odd_modes_and_kinds(self, repo: Path) -> None:
        data = blob(repo, b"x")
        folder = raw_tree(repo, (FILE, b"a", data))
        for mode, name, oid, words in (
            ("10644", b"odd", data, "odd has a mode that git does not know"),
            (FILE, b"odd", folder, "odd is missing from the repository"),
            (TREE, b"odd", data, "is a blob where a tree should be"),
            (TREE, b"odd", "2" * 40, "is missing from the repository"),
            (FILE, b"odd", "2" * 40, "odd is missing from the repository"),
        ):
            registry = GitRegistry(repo, skill_tree(repo, (mode, name, oid)), "skills")
            content, skill = scanned(registry, "foo")
            assert (content.digest, content.fault) == (None, words)
            findings(skill)
            registry.close()

    def test_a_tree_that_git_did_not_make(self, repo: Path) -> None:
        for data in (b"nonsense", b"100644 a\0short", b"999 a\0" + b"1" * 20, b"100644 a" * 9):
            oid = git(repo, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", data=data)
            registry = GitRegistry(repo, skill_tree(repo, (TREE, b"odd", oid)), "skills")
            assert scanned(registry, "foo")[0].fault == "is a tree that git did not make"
            registry.close()


class TestThingsTooLarge:
    def test_trees_that_multiply(self, repo: Path) -> None:
        oid = raw_tree(repo, (FILE, b"a", blob(repo, b"x")))
        for _ in range(9):
            oid = raw_tree(repo, *((TREE, b"%02d" % n, oid) for n in range(20)))
        started = time.monotonic()
        registry = GitRegistry(repo, skill_tree(repo, (TREE, b"bomb", oid)), "skills")
        content, skill = scanned(registry, "foo")
        assert content.fault == "the folder holds more than 50,000 entries"
        assert "more files than are looked at" in {problem.message for problem in findings(skill)}
        assert time.monotonic() - started < 60
        registry.close()

    def test_a_revision_with_more_entries_than_are_taken_in(self, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(git_tree, "MAX_SEEN", 4)
        many = raw_tree(repo, *((FILE, b"%d" % n, blob(repo, b"x")) for n in range(5)))
        registry = GitRegistry(repo, skill_tree(repo, (TREE, b"many", many)), "skills")
        assert "holds more than 4 entries" in str(scanned(registry, "foo")[0].fault)
        registry.close()

    def test_a_root_that_cannot_be_read_is_a_fault_in_one_line(self, repo: Path) -> None:
        head = commit_tree(repo, raw_tree(repo, (TREE, b"skills", "2" * 40)))
        for path, sources in (("skills", ()), (None, ("skills",)), ("skills/foo", ())):
            registry = GitRegistry(repo, head, path, sources)
            assert "is missing from the repository" in " ".join(registry.scan().warnings), path
            registry.close()

    def test_git_that_ends_in_the_middle_is_started_again(self, repo: Path) -> None:
        write_files(repo, {"skills/foo/SKILL.md": simple("foo")})
        commit(repo)
        objects = GitObjects(str(repo))
        assert objects.find("HEAD") is not None
        objects._batches["--batch-check"]._process.kill()
        objects._batches["--batch-check"]._process.wait()
        with pytest.raises(git_process.GitFault, match="ended unexpectedly"):
            objects.find("HEAD")
        assert objects.find("HEAD") is not None
        objects.close()

    def test_a_large_file_that_is_damaged(self, repo: Path) -> None:
        write_files(repo, {"skills/foo/SKILL.md": simple("foo"), "skills/foo/big": os.urandom(9_000_000)})
        commit(repo)
        oid = git(repo, "rev-parse", "HEAD:skills/foo/big")
        place = repo / ".git" / "objects" / oid[:2] / oid[2:]
        place.chmod(0o644)
        os.truncate(place, 5_000_000)
        registry = GitRegistry(repo, "HEAD", "skills")
        content, _ = scanned(registry, "foo")
        assert (content.digest, content.fault) == (None, "big cannot be read: git ended unexpectedly")
        registry.close()

    def test_folders_that_never_end(self, repo: Path) -> None:
        oid = raw_tree(repo, (FILE, b"a", blob(repo, b"x")))
        for _ in range(400):
            oid = raw_tree(repo, (TREE, b"d", oid))
        registry = GitRegistry(repo, skill_tree(repo, (TREE, b"d", oid)), "skills")
        content, skill = scanned(registry, "foo")
        assert str(content.fault).endswith("lies in too many folders")
        findings(skill)
        registry.close()

    def test_a_large_file_is_streamed_and_its_text_is_not_looked_at(self, repo: Path) -> None:
        write_files(
            repo, {"skills/foo/SKILL.md": simple("foo"), "skills/foo/big.txt": b"\x7fELF\x01" + b"0" * 20_000_000}
        )
        commit(repo)
        registry = GitRegistry(repo, "HEAD", "skills")
        content, skill = scanned(registry, "foo")
        assert content.digest == read_content(str(repo / "skills" / "foo")).digest
        assert sorted(p.message[:20] for p in findings(skill) if p.path == "big.txt" and p.code == "SEC-05") == [
            "20,000,005 bytes, mo",
            "a native executable ",
        ]
        registry.close()

    def test_a_folder_object_that_is_too_large_is_not_read(self, repo: Path) -> None:
        oid = raw_tree(repo, *((FILE, b"%0200d" % n, "3" * 40) for n in range(80_000)))
        registry = GitRegistry(repo, skill_tree(repo, (TREE, b"large", oid)), "skills")
        content, skill = scanned(registry, "foo")
        assert "past the limit of 16,777,216" in str(content.fault)
        findings(skill)
        registry.close()

    def test_a_damaged_object_is_a_fault_and_the_next_one_is_read_all_the_same(self, repo: Path) -> None:
        write_files(
            repo, {"skills/foo/SKILL.md": simple("foo"), "skills/foo/a": "a", "skills/bar/SKILL.md": simple("bar")}
        )
        commit(repo)
        oid = git(repo, "rev-parse", "HEAD:skills/foo/SKILL.md")
        place = repo / ".git" / "objects" / oid[:2] / oid[2:]
        place.chmod(0o644)
        place.write_bytes(place.read_bytes()[:20])
        registry = GitRegistry(repo, "HEAD", "skills")
        catalog = registry.scan()
        assert [entry.name for entry in catalog.skills] == ["bar"]
        assert [entry.name for entry in catalog.broken] == ["foo"]
        assert registry.content(catalog.broken[0]).digest is None
        assert registry.content(catalog.skills[0]).digest is not None
        registry.close()

    def test_a_pipe_in_the_place_of_an_object_does_not_hold_the_program(
        self, repo: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(git_process, "MAX_SECONDS", 0.5)
        head = skill_tree(repo, (FILE, b"a", oid := blob(repo, b"never read")))
        place = repo / ".git" / "objects" / oid[:2] / oid[2:]
        place.unlink()
        os.mkfifo(place)
        registry = GitRegistry(repo, head, "skills")
        started = time.monotonic()
        content, skill = scanned(registry, "foo")
        assert (content.digest, content.fault) == (None, "git does not answer")
        assert "git does not answer" in str(skill.problems[0].message if isinstance(skill, BrokenSkill) else "")
        assert time.monotonic() - started < 5  # it is waited for once, not once for each question
        registry.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_someone_else_is_refused_by_gits_own_rule(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(repo, {".skills/foo/SKILL.md": simple("foo")})
    commit(repo)
    for path in (repo, repo / ".git"):
        os.chown(path, 12345, 12345)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("SUDO_UID", raising=False)
    registry = GitRegistry(repo, "HEAD", sources=(".skills",))
    assert registry.scan().skills == ()
    assert "belongs to someone else" in str(registry.fault)
    (home / ".gitconfig").write_text(f"[safe]\n\tdirectory = {repo}\n")
    assert [entry.name for entry in registry.scan().skills] == ["foo"]
    registry.close()


def test_sha256_repositories_are_read_alike(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main", "--object-format=sha256")
    write_files(folder, {"skills/foo/SKILL.md": simple("foo"), "skills/foo/scripts/a.sh": "true\n"})
    commit(folder)
    registry = GitRegistry(folder, "HEAD", "skills")
    content, _ = scanned(registry, "foo")
    assert content.digest == read_content(str(folder / "skills" / "foo")).digest
    registry.close()

"""The store under several processes at once, and under writers that are killed."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from skillui.review.content import ReviewedContent
from skillui.review.records import Place
from skillui.review.store import DecisionStore, StoreFault

# Approves one made-up content after another and says each once it is committed.
WRITER = """
import sys
from skillui.review.content import ReviewedContent
from skillui.review.records import Place
from skillui.review.store import DecisionStore
store, name, count = DecisionStore(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for number in range(count):
    digest = "sha256:" + f"{name}{number:04}".encode().hex().ljust(64, "0")
    store.decide("approved", ReviewedContent(digest), Place(name, "/" + name, "r"))
    print(digest, flush=True)
"""


def fork() -> int:
    """Fork, though other tests may have left idle threads behind: the child here needs none of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_processes_that_begin_and_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "data" / "decisions.sqlite3"
    writers = [writer(path, name, 25) for name in "abcd"]
    said = [line for one in writers for line in one.communicate()[0].split()]
    assert [one.returncode for one in writers] == [0, 0, 0, 0]
    store = DecisionStore(path)
    assert {decision.digest for decision in store.decisions()} == set(said)
    assert len(said) == len(store.audit()) == 100


def test_threads_that_make_one_store_at_once_share_it(tmp_path: Path) -> None:
    for attempt in range(20):
        store = DecisionStore(tmp_path / str(attempt) / "decisions.sqlite3")
        faults: list[Exception] = []
        threads = [threading.Thread(target=_write, args=(store, name, faults)) for name in "abcdef"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not faults
        assert len(store.decisions()) == len(store.audit()) == 18


def _write(store: DecisionStore, name: str, faults: list[Exception]) -> None:
    try:
        for number in range(3):
            digest = "sha256:" + f"{name}{number}".encode().hex().ljust(64, "0")
            store.decide("approved", ReviewedContent(digest), Place(name, f"/{name}", "r"))
    except StoreFault as fault:
        faults.append(fault)


def test_a_hundred_killed_writers_lose_nothing_that_was_committed(tmp_path: Path) -> None:
    """One process writes; its children, forked a hundred times, are killed at ever later points."""
    path = tmp_path / "data" / "decisions.sqlite3"
    store = DecisionStore(path)
    said: set[str] = set()
    for number in range(100):
        reader, out = os.pipe()
        child = fork()
        if child == 0:
            try:
                os.close(reader)
                for step in range(50):
                    digest = "sha256:" + f"{number:03}{step:03}".encode().hex().ljust(64, "0")
                    store.decide("approved", ReviewedContent(digest), Place("x", "/x", "r"))
                    os.write(out, digest.encode() + b"\n")
            finally:
                os._exit(0)
        os.close(out)
        with open(reader, "rb") as pipe:
            for _ in range(number % 3):  # killed before its first, second or third commit, or in the midst of one
                said.add(pipe.readline().decode().strip())
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            said |= {line.decode() for line in pipe.read().split()}
    said -= {""}
    assert len(said) > 60
    assert said <= {decision.digest for decision in store.decisions()}
    assert store.fault is None
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        kept = connection.execute("SELECT COUNT(*) FROM decisions").fetchone()
        assert (
            kept == connection.execute("SELECT COUNT(*) FROM audit").fetchone()
        )  # a decision and its line, or neither


def in_child(work: Callable[[], str]) -> str:
    """Run `work` in a forked child, which may give up rights and limits, and return what it returns."""
    reader, out = os.pipe()
    child = fork()
    if child == 0:
        try:
            os.close(reader)
            try:
                said = work()
            except BaseException as error:
                said = f"{type(error).__name__}: {error}"
            os.write(out, said.encode())
        finally:
            os._exit(0)
    os.close(out)
    with open(reader, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    return said


DIGEST, OTHER = "sha256:" + "a" * 64, "sha256:" + "b" * 64


def approve(store: DecisionStore, digest: str) -> None:
    store.decide("approved", ReviewedContent(digest), Place("x", "/x", "r"))


def test_without_space_a_decision_is_a_fault_and_the_earlier_ones_hold(tmp_path: Path) -> None:
    store = DecisionStore(tmp_path / "data" / "decisions.sqlite3")
    approve(store, DIGEST)

    def work() -> str:
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))  # no file may grow past this
        try:
            approve(store, OTHER)
        except StoreFault as fault:
            kept = store.fault == str(fault)
            store.log("prompt", name="x", dir="/x", via="cli")
            return f"{kept} {store.verdict(OTHER)} {fault}"
        return "decided"

    assert in_child(work).startswith(f"True None the decisions in {store.path} cannot be used: ")
    assert store.verdict(DIGEST) == "approved"
    assert store.verdict(OTHER) is None
    approve(store, OTHER)
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_may_only_be_read_is_read_and_not_written(what: str) -> None:
    folder = Path(tempfile.mkdtemp())  # not below a folder that only the superuser may enter
    store = DecisionStore(folder / "decisions.sqlite3")
    try:
        as_somebody = os.geteuid() == 0
        if as_somebody:
            os.chown(folder, 65534, 65534)

        def prepare() -> str:
            if as_somebody:
                os.setuid(65534)
            approve(store, DIGEST)
            os.chmod(store.path, 0o400 if what == "file" else 0o600)
            os.chmod(folder, 0o500 if what == "folder" else 0o700)
            found = store.verdict(DIGEST)
            try:
                approve(store, OTHER)
            except StoreFault as fault:
                return f"{found} {store.verdict(DIGEST)} {fault}"
            return "decided"

        said = in_child(prepare)
    finally:
        shutil.rmtree(folder)
    assert (
        said == f"approved approved the decisions in {store.path} cannot be used: the file or its folder is read-only"
    )


def test_what_may_not_be_read_approves_nothing() -> None:
    folder = Path(tempfile.mkdtemp())
    store = DecisionStore(folder / "decisions.sqlite3")
    try:
        as_somebody = os.geteuid() == 0
        if as_somebody:
            os.chown(folder, 65534, 65534)

        def work() -> str:
            if as_somebody:
                os.setuid(65534)
            approve(store, DIGEST)
            os.chmod(store.path, 0)
            return f"{store.verdict(DIGEST)} {store.fault}"

        said = in_child(work)
    finally:
        shutil.rmtree(folder)
    assert said.startswith(f"None the decisions in {store.path} cannot be used: ")

"""The objects of a git repository, read through `git cat-file` and nothing else."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from skillui.core.memory_tree import TreeFault
from skillui.review.git_process import Batch, GitFault, GitSilence, run

MAX_NAME: Final = 1000
"""Characters a revision's name may have."""
MAX_TREE: Final = 16 * 1024 * 1024
"""Bytes of one folder's object."""
_KEPT_WHOLE: Final = 8 * 1024 * 1024
_AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True)
class Header:
    """What git says of one object."""

    oid: str
    kind: str
    size: int


class GitObjects:
    """The objects of the repository around the folder `repo`. Safe in several threads; raises `GitFault` when made.

    Git's own rules of ownership hold: a repository of someone else is refused, unless the user's
    configuration names it in `safe.directory`.
    """

    def __init__(self, repo: str) -> None:
        self.repo = os.path.abspath(repo)
        if not os.path.isdir(self.repo):
            raise GitFault("there is no such folder")
        self.git_dir = run(self.repo, "rev-parse", "--absolute-git-dir")
        self._lock = threading.Lock()
        self._batches: dict[str, Batch] = {}
        self.silent = False
        """Whether git once did not answer: then it is not asked again, so that the wait has an end."""
        self._end = weakref.finalize(self, _close, self._batches)

    @property
    def top(self) -> str:
        """The folder that people know the repository by."""
        folder = self.repo
        while not os.path.lexists(os.path.join(folder, ".git")):
            if (above := os.path.dirname(folder)) == folder:
                return self.git_dir  # one without a working tree
            folder = above
        return folder  # not what git says: a configuration may name any folder as its own

    def close(self) -> None:
        """End the processes; they start again when something is asked."""
        with self._lock:
            _close(self._batches)

    def find(self, name: str) -> Header | None:
        """Return the object that a revision's name means, None where there is none. Raises `GitFault`."""
        if not name or len(name) > MAX_NAME or any(char in name for char in "\n\r\0"):
            return None
        with self._lock:
            try:
                batch = self._batch("--batch-check")
                batch.ask(os.fsencode(name))
                return _header(batch.line())
            except GitFault as fault:
                self._drop("--batch-check", fault)
                raise

    def sizes(self, oids: Sequence[str]) -> list[int | None]:
        """Return the sizes of files in bytes, None for what is missing or no file. Raises `TreeFault`."""
        found: list[int | None] = []
        with self._lock:
            try:
                batch = self._batch("--batch-check")
                for start in range(0, len(oids), _AT_ONCE):
                    part = oids[start : start + _AT_ONCE]
                    batch.ask(*(oid.encode() for oid in part))
                    for oid in part:
                        header = _header(batch.line())
                        found.append(header.size if header and header.kind == "blob" and header.oid == oid else None)
            except GitFault as fault:
                self._drop("--batch-check", fault)
                raise TreeFault(str(fault)) from None
        return found

    def read(self, oid: str, kind: str, limit: int) -> bytes:
        """Return an object's content. Raises `TreeFault`, where it is another kind or larger too."""
        with self._lock:
            try:
                # The size is asked first, as that of a file was: git would take all of it into memory at once.
                for mode in ("--batch",) if kind == "blob" else ("--batch-check", "--batch"):
                    batch = self._batch(mode)
                    batch.ask(oid.encode())
                    header = _expected(batch.line(), oid, kind)
                    if header.size > limit:
                        raise TreeFault(f"is {header.size:,} bytes, past the limit of {limit:,}")
                return b"".join(batch.content(header.size))
            except GitFault as fault:
                self._drop("--batch-check", fault)
                self._drop("--batch")
                raise TreeFault(str(fault)) from None
            except TreeFault:
                self._drop("--batch")  # its content may follow
                raise

    def stream(self, oid: str, size: int) -> Iterator[bytes]:
        """Yield a file's content in parts. Raises `TreeFault`."""
        if size <= _KEPT_WHOLE:
            yield self.read(oid, "blob", _KEPT_WHOLE)
            return
        batch = None  # one of its own: whoever reads may stop in the middle
        try:
            self._heed_silence()
            batch = Batch(self.repo, "--batch")
            batch.ask(oid.encode())
            header = _expected(batch.line(), oid, "blob")
            yield from batch.content(header.size)
        except GitFault as fault:
            self.silent = self.silent or isinstance(fault, GitSilence)
            raise TreeFault(str(fault)) from None
        finally:
            if batch is not None:
                batch.close()

    def _heed_silence(self) -> None:
        if self.silent:
            raise GitFault("git does not answer")

    def _batch(self, mode: str) -> Batch:
        self._heed_silence()
        if mode not in self._batches:
            self._batches[mode] = Batch(self.repo, mode)
        return self._batches[mode]

    def _drop(self, mode: str, fault: GitFault | None = None) -> None:
        self.silent = self.silent or isinstance(fault, GitSilence)
        if (batch := self._batches.pop(mode, None)) is not None:
            batch.close()


def _close(batches: dict[str, Batch]) -> None:
    while batches:
        batches.popitem()[1].close()


def _header(line: bytes) -> Header | None:
    """Read `<oid> <kind> <size>`; None for `<name> missing` and `<name> ambiguous`."""
    parts = line.split(b" ")
    if len(parts) != 3 or not parts[2].isdigit() or parts[1] not in (b"blob", b"tree", b"commit", b"tag"):
        return None
    return Header(parts[0].decode("ascii", "replace"), parts[1].decode(), int(parts[2]))


def _expected(line: bytes, oid: str, kind: str) -> Header:
    header = _header(line)
    if header is None or header.oid != oid:
        raise TreeFault("is missing from the repository")
    if header.kind != kind:
        raise TreeFault(f"is a {header.kind} where a {kind} should be")
    return header

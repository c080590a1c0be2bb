"""Running git to read objects, and for nothing else: no hook, filter, monitor, pager or transport is ever started.

The repository may be hostile in every part, its configuration too. So git is asked only for objects by name, on
standard input (a name is never read as an option), and what its configuration could start is switched off.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from typing import Final

from skillui.core.text import clipped

MAX_SECONDS: Final = 15.0
"""Time git may stay silent; a pipe in the place of an object would keep it silent for ever."""
_CHUNK: Final = 1 << 20
_MAX_LINE: Final = 64 * 1024

_KEPT: Final = ("PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "DEVELOPER_DIR", "SDKROOT")
_OPTIONS: Final = (
    "--no-replace-objects", "--no-pager", "--no-optional-locks", "--literal-pathspecs",
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false",
    "-c", "protocol.allow=never", "-c", "credential.helper=", "-c", "core.askPass=", "-c", "core.sshCommand=false",
    "-c", "core.gitProxy=false", "-c", "submodule.recurse=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
)  # fmt: skip


class GitFault(Exception):
    """Git cannot be asked, or does not answer; one line for a person."""


class GitSilence(GitFault):
    """Git was asked and does not answer; it would not answer the next time either."""


def environment() -> dict[str, str]:
    """Return the variables git is run with: the user's own configuration is read, no `GIT_*` of theirs goes along."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {
        **kept, "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1", "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_PAGER": "cat",
        # Stronger than `protocol.*.allow` of the repository: an older git that would fetch what is missing may not.
        "GIT_ALLOW_PROTOCOL": "none", "GIT_ASKPASS": "false", "SSH_ASKPASS": "false", "GIT_SSH_COMMAND": "false",
        "GIT_FLUSH": "1",
    }  # fmt: skip


def command(repo: str, *arguments: str) -> list[str]:
    """Return the whole command line of one git. Raises `GitFault` where there is no git."""
    program = shutil.which("git")
    if program is None or not os.path.isabs(program):
        raise GitFault("git is not installed, or not on the PATH")
    return [program, *_OPTIONS, "-C", repo, *arguments]


def run(repo: str, *arguments: str) -> str:
    """Run one short git command and return its output. Raises `GitFault` with git's own words."""
    try:
        done = subprocess.run(
            command(repo, *arguments), stdin=subprocess.DEVNULL, capture_output=True, timeout=MAX_SECONDS,
            env=environment(), cwd="/", check=False,
        )  # fmt: skip
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise GitFault(f"git cannot be run: {error.__class__.__name__}") from None
    if done.returncode != 0:
        raise GitFault(_told(done.stderr.decode("utf-8", "replace")))
    return os.fsdecode(done.stdout).removesuffix("\n")


def _told(errors: str) -> str:
    if "dubious ownership" in errors or "unsafe repository" in errors:
        return "git refuses the repository, which belongs to someone else (see `safe.directory` in git's manual)"
    if "not a git repository" in errors:
        return "it lies in no git repository"
    return f"git says: {clipped(errors.strip().removeprefix('fatal: '), 200)}"


class Batch:
    """One `git cat-file --batch` or `--batch-check` that answers in order. Not for several threads at once."""

    def __init__(self, repo: str, mode: str) -> None:
        try:
            self._process = subprocess.Popen(
                command(repo, "cat-file", mode), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env=environment(), cwd="/", bufsize=0,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            raise GitFault(f"git cannot be run: {error.__class__.__name__}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._rest = b""

    def ask(self, *names: bytes) -> None:
        """Put questions, a few at a time: what they add up to must fit into a pipe with the answers."""
        try:
            self._stdin.write(b"".join(name + b"\n" for name in names))
        except OSError:
            raise GitFault("git ended unexpectedly") from None

    def line(self) -> bytes:
        """Return the next line of the answer, without its end."""
        while (end := self._rest.find(b"\n")) < 0:
            if len(self._rest) > _MAX_LINE:
                raise GitFault("git answered with too long a line")
            self._rest += self._more()
        found, self._rest = self._rest[:end], self._rest[end + 1 :]
        return found

    def content(self, size: int) -> Iterator[bytes]:
        """Yield the content that follows a line, `size` bytes, and take the line end behind it."""
        left = size
        while left:
            chunk = self._rest or self._more()
            part, self._rest = chunk[:left], chunk[left:]
            left -= len(part)
            yield part
        if (self._rest or self._more())[:1] != b"\n":
            raise GitFault("git answered out of order")
        self._rest = self._rest[1:]

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._stdin.close()
        self._stdout.close()
        self._process.wait()

    def _more(self) -> bytes:
        poll = select.poll()
        poll.register(self._stdout, select.POLLIN | select.POLLHUP)
        if not poll.poll(MAX_SECONDS * 1000):
            raise GitSilence("git does not answer")
        chunk = os.read(self._stdout.fileno(), _CHUNK)
        if not chunk:
            raise GitFault("git ended unexpectedly")
        return chunk

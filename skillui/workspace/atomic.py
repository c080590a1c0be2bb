"""Files of our own, written so that a crash leaves either the old text or the new one, never half of it."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile


def write_text(path: str, text: str) -> None:
    """Replace the file at `path` by `text` in UTF-8, line ends as they are. See `write_bytes`."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str, data: bytes) -> None:
    """Replace the file at `path` by `data`, whole or not at all. Raises `OSError`.

    An existing file keeps its mode, a new one is the owner's alone (0600). A link stays a link: the
    file it leads to is replaced. The folder must exist. What is not a regular file is not replaced.
    """
    target = os.path.realpath(path)
    mode = _mode_to_keep(target)
    folder, name = os.path.split(target)
    # The temporary file must be on the same file system, or replacing it would be a copy.
    handle, temporary = tempfile.mkstemp(prefix=f".{name[:100]}.", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _mode_to_keep(target: str) -> int:
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return 0o600
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "is not a regular file", target)
    return stat.S_IMODE(mode) & 0o777


def _sync_folder(folder: str) -> None:
    # Best effort: some file systems and Windows cannot open a folder; the file's own text is safe already.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

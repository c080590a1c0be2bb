"""Where the broker's sockets lie, and whose they are: a folder of ours alone, a peer that is us."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import stat
import struct
import sys
from collections.abc import Mapping

from skillui.core.files import reason_of
from skillui.core.text import clipped

RUNTIME_VARIABLE = "SKILLUI_RUNTIME_DIR"
MAX_SOCKETS = 64
"""Sockets of running apps that are looked at."""
_MAX_SOCKET_PATH = 103
"""Bytes that every system takes in a socket's path (macOS the fewest)."""
_NAME = re.compile(r"broker-([0-9]{1,10})-[0-9a-f]{8}\.sock")
_LOCAL_PEERCRED, _LOCAL_PEERPID, _SOL_LOCAL = 1, 2, 0


class BrokerFault(Exception):
    """The broker cannot be used; one line for a person."""


def is_supported() -> bool:
    """Tell whether this system has what the broker stands on."""
    return hasattr(socket, "AF_UNIX") and hasattr(os, "geteuid")


def find_runtime_folder(environ: Mapping[str, str] | None = None) -> str:
    """Return the folder of the sockets, which need not exist yet. Raises `BrokerFault`."""
    environ = os.environ if environ is None else environ
    if given := environ.get(RUNTIME_VARIABLE, "").strip():
        if not os.path.isabs(given) or "\0" in given:
            raise BrokerFault(f"{RUNTIME_VARIABLE} is not an absolute path: {clipped(given)}")
        return os.path.normpath(given)
    base = environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(base) and "\0" not in base:
        return os.path.join(os.path.normpath(base), "skillui")
    import warnings  # both only where no variable says it

    import platformdirs

    with warnings.catch_warnings():
        # Without a runtime folder it takes one in the temporary folder: who owns it is checked here.
        warnings.simplefilter("ignore")
        return os.path.abspath(platformdirs.PlatformDirs("skillui", appauthor=False).user_runtime_dir)


def make_folder(folder: str) -> None:
    """Create the folder where it is missing, open to us alone, and check it. Raises `BrokerFault`."""
    try:
        os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)
    except OSError as error:
        raise BrokerFault(f"the runtime folder {clipped(folder, 200)} cannot be made: {reason_of(error)}") from None
    check_folder(folder)


def check_folder(folder: str) -> None:
    """Refuse a folder in which anybody else could put a socket. Raises `BrokerFault`, `FileNotFoundError`."""
    shown = clipped(folder, 200)
    try:
        info = os.lstat(folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise BrokerFault(f"the runtime folder {shown} cannot be used: {reason_of(error)}") from None
    if not stat.S_ISDIR(info.st_mode):
        raise BrokerFault(f"the runtime folder {shown} is not a folder")
    if info.st_uid != os.geteuid():
        raise BrokerFault(f"the runtime folder {shown} belongs to another user")
    if info.st_mode & 0o022:
        raise BrokerFault(f"others may write to the runtime folder {shown}: take that right away (chmod 700)")


def new_socket_path(folder: str) -> tuple[str, str]:
    """Return the path a new socket gets, and the one it has until it listens. Raises `BrokerFault`."""
    name = f"broker-{os.getpid()}-{os.urandom(4).hex()}"
    path = os.path.join(folder, f"{name}.sock")
    if len(os.fsencode(path)) > _MAX_SOCKET_PATH:
        shown = clipped(folder, 200)
        raise BrokerFault(
            f"the path of the runtime folder {shown} is too long for a socket: set {RUNTIME_VARIABLE} to a shorter one"
        )
    return path, os.path.join(folder, f"{name}.new")


def list_sockets(folder: str) -> list[str]:
    """Return the paths of the sockets in a folder that was checked, by name; none where it is missing."""
    try:
        names = sorted(name for name in os.listdir(folder) if _NAME.fullmatch(name))
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names]


def remove_if_stale(path: str) -> bool:
    """Remove a socket that refused a connection, once its process is gone too; tell whether it was."""
    match = _NAME.fullmatch(os.path.basename(path))
    # Some systems refuse where a queue is full as well: a living process keeps its socket.
    if match is None or _is_alive(int(match[1])):
        return False
    with contextlib.suppress(OSError):
        os.unlink(path)
        return True
    return False


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def remove_stale(folder: str) -> None:
    """Remove what apps that were killed left in the folder."""
    for path in list_sockets(folder)[:1024]:
        probe = socket.socket(socket.AF_UNIX)
        probe.setblocking(False)
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            remove_if_stale(path)
        except OSError:
            pass
        finally:
            probe.close()


def peer_of(connection: socket.socket) -> tuple[int, int]:
    """Return user id and process id of the other end, as the kernel knows them (0 for an unknown process).

    Raises `BrokerFault` where the system does not tell the user.
    """
    try:
        if hasattr(socket, "SO_PEERCRED"):
            pid, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
            return uid, max(pid, 0)
        if sys.platform == "darwin" or "bsd" in sys.platform:
            credentials = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 128)
            _, uid = struct.unpack_from("=II", credentials)
            return uid, _mac_pid(connection)
    except (OSError, struct.error):
        pass
    raise BrokerFault("the system does not tell whose the other end of a socket is")


def _mac_pid(connection: socket.socket) -> int:
    try:
        return int.from_bytes(connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID, 4), sys.byteorder)
    except OSError:
        return 0


def is_own_peer(connection: socket.socket) -> bool:
    """Tell whether the process at the other end runs as our user."""
    try:
        return peer_of(connection)[0] == os.geteuid()
    except BrokerFault:
        return False

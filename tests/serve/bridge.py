"""A `skillui rpc` subprocess to talk to."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from typing import Any


@cache
def own_folders() -> dict[str, str]:
    """Return variables that leave this user's decisions and running apps alone."""
    top = tempfile.mkdtemp(prefix="skillui-test-")
    atexit.register(shutil.rmtree, top, ignore_errors=True)
    return {f"SKILLUI_{kind}_DIR": os.path.join(top, kind) for kind in ("DATA", "RUNTIME", "STATE", "CONFIG")}


class BridgeProcess:
    """One long-lived bridge; every answer is checked to be one line of ASCII JSON."""

    def __init__(self, cwd: str | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "skillui.serve.rpc"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
            env={**os.environ, **own_folders()},
        )  # fmt: skip
        self.calls = 0

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.endswith(b"\n")
        answer = json.loads(line.decode("ascii"), parse_constant=_refuse)
        assert isinstance(answer, dict)
        return answer

    def line(self, line: bytes) -> dict[str, Any]:
        self.send(line)
        return self.receive()

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        self.calls += 1
        request = {"id": self.calls, "method": method} | ({} if params is None else {"params": params})
        answer = self.line(json.dumps(request).encode())
        assert answer["id"] == self.calls
        return answer

    def close(self) -> tuple[bytes, bytes]:
        out, err = self.process.communicate(timeout=30)
        return out, err


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")

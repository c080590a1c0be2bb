"""A `skillui rpc` subprocess to talk to."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


class BridgeProcess:
    """One long-lived bridge; every answer is checked to be one line of ASCII JSON."""

    def __init__(self, cwd: str | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "skillui.serve.rpc"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
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

"""The bridge's lines: what is skipped, what is too long, how it ends, what it remembers."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from skillui.serve import rpc
from skillui.serve.rpc import Bridge, serve
from skillui.serve.rpc_requests import MAX_LINE
from tests.serve.bridge import BridgeProcess


def run(data: bytes) -> list[dict[str, Any]]:
    out = io.BytesIO()
    serve(io.BytesIO(data), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


GOOD = b'{"id": 1, "method": "tool_definition"}'


def test_blank_lines_have_no_answer_and_the_last_line_needs_no_newline() -> None:
    assert [answer["id"] for answer in run(b"\n  \r\n" + GOOD + b"\r\n\n" + GOOD)] == [1, 1]
    assert run(b"") == run(b"\n") == []


@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_past_the_limit_is_skipped_and_not_held(end: bytes) -> None:
    class Source(io.RawIOBase):
        """A line that no one should keep, then, where it ends, a good one."""

        parts = iter([b"x" * (MAX_LINE + 1)] + [b"x" * (1 << 16)] * 10_000 + [end] + [GOOD] * bool(end))
        largest = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            self.largest = max(self.largest, size)
            part = next(self.parts, b"")
            assert len(part) <= size
            return part

    source = Source()
    out = io.BytesIO()
    serve(source, out)  # type: ignore[arg-type]
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert answers[0]["error"] == {"code": -32600, "message": "the line is longer than 8,388,608 bytes"}
    assert [answer["id"] for answer in answers[1:]] == [1] * bool(end)
    assert source.largest == MAX_LINE + 1


def test_a_line_of_just_the_limit_is_read() -> None:
    padded = GOOD.ljust(MAX_LINE) + b"\n"
    assert [answer["id"] for answer in run(padded + GOOD.ljust(MAX_LINE + 1) + b"\n" + GOOD)] == [1, None, 1]


def test_a_fault_of_the_bridge_itself_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> dict[str, Any]:
        return {"nan": float("nan")}

    monkeypatch.setattr(rpc, "tool_definition", broken)
    assert run(GOOD)[0]["error"]["code"] == -32603


def test_a_working_directory_that_is_gone_must_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> str:
        raise FileNotFoundError

    monkeypatch.setattr(os, "getcwd", gone)
    assert "'cwd' is needed" in run(b'{"id": 1, "method": "catalog"}')[0]["error"]["message"]


def test_few_registries_are_remembered_and_each_only_once(tmp_path: Path) -> None:
    bridge = Bridge()
    first = bridge._registry(("/a",))
    assert bridge._registry(("/a",)) is first
    for number in range(rpc.MAX_REGISTRIES):
        bridge._registry((f"/{number}",))
    assert bridge._registry(("/a",)) is not first


def test_a_second_look_at_ten_thousand_skills_reads_none_again(tmp_path: Path) -> None:
    root = tmp_path / ".skills"
    for number in range(10_000):
        folder = root / f"s{number}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: s{number}\ndescription: d\n---\n")
    process = BridgeProcess(cwd=str(tmp_path))
    params = {"params": {"name": "s77"}, "session": {"unsafe_allow_skill_without_hook": True}}
    times = []
    for name in ("s77", "s78"):
        started = time.perf_counter()
        assert process.ask("skill", {**params, "params": {"name": name}})["result"]["kind"] == "ok"
        times.append(time.perf_counter() - started)
    process.close()
    assert times[1] < times[0] / 2


class TestQuietEnds:
    @pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-"])
    def test_no_input_or_output_at_all(self, closed: str) -> None:
        command = f"{shlex.quote(sys.executable)} -m skillui.serve.rpc {closed}"
        done = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    def test_a_closed_output(self) -> None:
        process = BridgeProcess()
        assert process.process.stdout is not None
        assert process.process.stdin is not None
        assert process.process.stderr is not None
        process.ask("tool_definition")
        process.process.stdout.close()
        process.send(GOOD)
        assert process.process.wait(30) == 0
        assert process.process.stderr.read() == b""
        process.process.stdin.close()
        process.process.stderr.close()

    def test_an_interrupt(self) -> None:
        process = BridgeProcess()
        process.ask("tool_definition")
        process.process.send_signal(signal.SIGINT)
        _, err = process.process.communicate(timeout=30)
        assert (process.process.returncode, err) == (0, b"")

    def test_an_output_without_a_descriptor(self) -> None:
        class Closed(io.BytesIO):
            def write(self, data: Any, /) -> int:
                raise BrokenPipeError

        serve(io.BytesIO(GOOD), Closed())


def test_the_bridge_loads_nothing_of_the_screen() -> None:
    program = (
        "import sys, io, skillui.serve.rpc as rpc\n"
        'rpc.serve(io.BytesIO(b\'{"method": "catalog", "id": 1}\'), io.BytesIO())\n'
        "print(sorted({'textual', 'rich', 'watchfiles', 'tree_sitter', 'rapidfuzz', 'sqlite3', 'click'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=60)
    assert done.stdout == b"[]\n"

"""Any line at all: one answer that is one line of ASCII JSON, and the bridge goes on."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillui.serve.rpc import serve
from tests.core.skills import write_skill

NAMES = """\
id method params session skill catalog tool_definition name foo cwd hook allow arguments turn roots skill_roots for
model user_initiated jsonrpc 2.0 /"""
WORDS = st.sampled_from([*NAMES.split(), "\ud800"])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=5)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=8
)
SESSIONS = st.fixed_dictionaries(
    {},
    optional={
        "cwd": st.just("{cwd}") | VALUES, "skill_roots": st.lists(WORDS) | VALUES, "hook": st.just("allow") | VALUES,
        "trusted_roots": st.lists(WORDS), "sensitive_patterns": st.lists(st.text(max_size=8)), "id": st.text(),
        "untrusted_project_skills": st.sampled_from(["warn", "allow"]) | VALUES,
    },
)  # fmt: skip
TOOL = st.fixed_dictionaries({"name": st.just("foo") | WORDS}, optional={"arguments": VALUES}) | VALUES
REQUESTS = st.fixed_dictionaries(
    {"id": LEAVES, "method": st.sampled_from(["skill", "catalog", "tool_definition"]) | WORDS},
    optional={
        "params": VALUES | st.fixed_dictionaries(
            {}, optional={"params": TOOL, "session": SESSIONS, "turn": LEAVES, "user_initiated": LEAVES, "for": WORDS}
        ),
    },
)  # fmt: skip
LINES = REQUESTS.map(json.dumps).map(str.encode) | VALUES.map(json.dumps).map(str.encode) | st.binary(max_size=60)


def refuse(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


@settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
@given(st.lists(LINES.map(lambda line: line.replace(b"\n", b" ")), max_size=4))
def test_every_line_has_its_answer(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    base = tmp_path_factory.getbasetemp() / "fuzz"
    write_skill(base / ".skills", "foo", "$ARGUMENTS \u2028\n")
    lines = [line.replace(b"{cwd}", str(base).encode()) for line in lines]
    out = io.BytesIO()
    serve(io.BytesIO(b"\n".join([*lines, b'{"id": "last", "method": "tool_definition"}'])), out)
    answers = out.getvalue().decode("ascii").split("\n")
    assert answers.pop() == ""
    assert len(answers) == sum(bool(line.strip()) for line in lines) + 1
    for answer in answers:
        message = json.loads(answer, parse_constant=refuse)
        assert ("result" in message) != ("error" in message)
        answer.encode("ascii")
        json.dumps(message, ensure_ascii=False).encode("utf-8")
        if "error" in message:
            assert message["error"]["code"] in (-32700, -32600, -32601, -32602), message
            assert "\n" not in message["error"]["message"]
    assert json.loads(answers[-1])["id"] == "last"


def test_the_fuzz_can_load_a_skill(tmp_path: Path) -> None:
    write_skill(tmp_path / ".skills", "foo")
    request = {"id": 1, "method": "skill", "params": {"params": {"name": "foo"}, "session": {"cwd": str(tmp_path)}}}
    request["params"]["session"]["hook"] = "allow"  # type: ignore[index]
    out = io.BytesIO()
    serve(io.BytesIO(json.dumps(request).encode()), out)
    assert json.loads(out.getvalue())["result"]["kind"] == "ok"

"""The bridge as a harness meets it: strict settings, one answer a line, never a crash."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skillui.core.tool import DESCRIPTION
from skillui.serve import rpc
from skillui.serve.rpc import Bridge, serve
from skillui.serve.rpc_requests import MAX_LINE
from tests.core.skills import write_skill
from tests.serve.bridge import BridgeProcess


@pytest.fixture(scope="module")
def bridge() -> Iterator[BridgeProcess]:
    process = BridgeProcess()
    yield process
    assert process.close() == (b"", b"")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_skill(tmp_path / ".skills", "foo", "Hello $1\n")
    write_skill(tmp_path / ".skills", "manual", fields="disable-model-invocation: true\n")
    write_skill(tmp_path / ".skills", "hidden", fields="user-invocable: false\n")
    return tmp_path.resolve()


def skill(root: Path, name: str = "foo", **more: Any) -> dict[str, Any]:
    session = {"cwd": str(root), "hook": "allow", **more.pop("session", {})}
    return {"params": {"name": name, **more.pop("tool", {})}, "session": session, **more}


class TestSkill:
    def test_an_activation_has_everything(self, bridge: BridgeProcess, root: Path) -> None:
        result = bridge.ask("skill", skill(root, tool={"arguments": "a b"}))["result"]
        folder = str(root / ".skills/foo")
        assert result.pop("output").startswith(f'<skill name="foo" dir="{folder}">\n')
        assert result.pop("digest").startswith("sha256:")
        assert result == {
            "kind": "ok", "name": "foo", "dir": folder, "body": "Hello a\n",
            "frontmatter": {"name": "foo", "description": "Does it."}, "resources": [], "resources_omitted": {},
            "bytes": 8, "warnings": [],
        }  # fmt: skip

    def test_calls_with_one_id_share_what_is_active_and_the_turn(self, bridge: BridgeProcess, root: Path) -> None:
        first = bridge.ask("skill", skill(root, "absent", session={"id": "s1"}))["result"]
        assert first["kind"] == "not_found"
        bridge.ask("skill", skill(root, session={"id": "s1"}))
        again = bridge.ask("skill", skill(root, session={"id": "s1", "hook": None}))["result"]
        assert (again["kind"], again["at_turn"]) == ("already_loaded", 2)
        assert bridge.ask("skill", skill(root, session={"id": "s2"}))["result"]["kind"] == "ok"

    def test_without_an_id_the_folder_is_the_session(self, bridge: BridgeProcess, root: Path) -> None:
        bridge.ask("skill", skill(root, turn=7))
        again = bridge.ask("skill", skill(root, session={"id": str(root)}))["result"]
        assert (again["kind"], again["at_turn"]) == ("already_loaded", 7)

    @pytest.mark.parametrize("by", ["call", "session", "call over session"])
    def test_the_user_may_invoke_what_the_model_may_not(self, bridge: BridgeProcess, root: Path, by: str) -> None:
        code = bridge.ask("skill", skill(root, "manual"))["result"]["error"]["code"]
        assert code == "DISABLED"
        request = skill(root, "manual", session={"user_initiated": by == "session"})
        if by.startswith("call"):
            request["user_initiated"] = True
        assert bridge.ask("skill", request)["result"]["kind"] == "ok"

    @pytest.mark.parametrize(
        ("hook", "outcome"),
        [
            (None, "no permission hook is set"),
            ("deny", "the permission hook denied it"),
            ("ask", "returned ask"),
            ("allow", None),
            ("allow_once", None),
            ("broker", "no skillui is running"),
        ],
    )
    def test_the_named_hook_decides(
        self, bridge: BridgeProcess, root: Path, hook: str | None, outcome: str | None
    ) -> None:
        result = bridge.ask("skill", skill(root, session={"hook": hook}))["result"]
        if outcome is None:
            assert result["kind"] == "ok"
        else:
            assert result["error"]["code"] == "NOT_TRUSTED"
            assert outcome in result["error"]["message"]

    def test_settings_are_the_calls_own(self, bridge: BridgeProcess, root: Path) -> None:
        assert bridge.ask("skill", skill(root, "foo", session={"hook": "deny"}))["result"]["kind"] == "error"
        assert bridge.ask("skill", skill(root, "foo"))["result"]["kind"] == "ok"

    @pytest.mark.parametrize("key", ["roots", "workspace_roots"])
    def test_the_fence_has_two_names(self, bridge: BridgeProcess, root: Path, key: str) -> None:
        open_call = {"hook": None, "unsafe_allow_skill_without_hook": True, "trusted_roots": [".skills"]}
        closed = bridge.ask("skill", skill(root, session={key: ["other"], **open_call}))["result"]
        assert closed["error"]["code"] == "OUTSIDE_WORKSPACE"
        session = {key: ["other"], "bypass_workspace_guard": True, **open_call}
        assert bridge.ask("skill", skill(root, session=session))["result"]["kind"] == "ok"

    @pytest.mark.parametrize("params", [None, [], "foo", 3, {}, {"name": "\ud800"}, {"name": "foo", "args": "x"}])
    def test_wrong_tool_parameters_are_the_engines_to_refuse(
        self, bridge: BridgeProcess, root: Path, params: Any
    ) -> None:
        answer = bridge.ask("skill", {"params": params, "session": {"cwd": str(root)}})
        assert answer["result"]["error"]["code"] == "INVALID_PARAM"

    def test_a_skill_written_between_two_calls_is_found(self, bridge: BridgeProcess, root: Path) -> None:
        assert bridge.ask("skill", skill(root, "late"))["result"]["kind"] == "not_found"
        write_skill(root / ".skills", "late")
        assert bridge.ask("skill", skill(root, "late"))["result"]["kind"] == "ok"

    def test_numbers_json_cannot_hold_are_text(self, bridge: BridgeProcess, root: Path) -> None:
        write_skill(root / ".skills", "odd", "\u2028\x1b\U0001f600\n", fields="a: .nan\nb: -.inf\nc: [.inf]\n")
        result = bridge.ask("skill", skill(root, "odd"))["result"]
        assert result["frontmatter"]["a"] == ".nan"
        assert (result["frontmatter"]["b"], result["frontmatter"]["c"]) == ("-.inf", [".inf"])
        assert result["body"] == "\u2028\x1b\U0001f600\n"

    @pytest.mark.parametrize("text", ["9" * 4300, "0x" + "f" * 3568, "-" + "9" * 4299, "0o" + "7" * 4758], ids=len)
    def test_the_largest_integers_can_be_written(self, bridge: BridgeProcess, root: Path, text: str) -> None:
        write_skill(root / ".skills", "big", fields=f"n: {text}\n")
        assert bridge.ask("skill", skill(root, "big"))["result"]["frontmatter"]["n"] == int(text, 0)


class TestCatalog:
    @pytest.mark.parametrize(
        ("extra", "names"),
        [
            ({}, ["foo", "hidden", "manual"]),
            ({"for": "model"}, ["foo", "hidden"]),
            ({"for": "user"}, ["foo", "manual"]),
        ],
    )
    def test_each_audience_has_its_view(
        self, bridge: BridgeProcess, root: Path, extra: dict[str, str], names: list[str]
    ) -> None:
        catalog = bridge.ask("catalog", {"session": {"cwd": str(root)}, **extra})["result"]
        assert [entry["name"] for entry in catalog["skills"]] == names

    def test_it_tells_what_is_shadowed_broken_and_missing(self, bridge: BridgeProcess, root: Path) -> None:
        write_skill(root / "user", "foo")
        write_skill(root / "user", "bad", fields="version: [1]\n")
        session = {"cwd": str(root), "skill_roots": [".skills", "user", "nowhere"]}
        catalog = bridge.ask("catalog", {"session": session})["result"]
        assert catalog["skills"][0]["meta"] == {"shadowed": [str(root / "user/foo")]}
        assert set(catalog["skills"][0]) == {
            "name", "description", "dir", "root_index", "frontmatter", "meta", "problems"
        }  # fmt: skip
        assert [(entry["name"], entry["code"], entry["root_index"]) for entry in catalog["broken"]] == [
            ("bad", "INVALID_FRONTMATTER", 1)
        ]
        assert len(catalog["warnings"]) == 1

    def test_the_working_directory_is_the_default(self, root: Path) -> None:
        process = BridgeProcess(cwd=str(root))
        assert len(process.ask("catalog")["result"]["skills"]) == 3
        assert process.close() == (b"", b"")


def test_the_tool_definition_is_the_specifications(bridge: BridgeProcess) -> None:
    definition = bridge.ask("tool_definition", {"session": {}})["result"]
    assert (definition["name"], definition["description"]) == ("skill", DESCRIPTION)
    assert definition["input_schema"]["required"] == ["name"]
    assert bridge.ask("tool_definition")["result"] == definition


@pytest.mark.parametrize(
    ("session", "words"),
    [
        ({"trused_roots": []}, "'trused_roots'"),
        ({"Hook": "allow"}, "'Hook'"),
        ({"skill_root": "x"}, "'skill_root'"),
        ({"cwd": "relative"}, "'cwd' must be an absolute path"),
        ({"cwd": ""}, "'cwd'"),
        ({"cwd": None}, "'cwd'"),
        ({"cwd": "/a\0b"}, "'cwd'"),
        ({"cwd": "/\ud800"}, "'cwd'"),
        ({"skill_roots": ".skills"}, "'skill_roots'"),
        ({"skill_roots": [1]}, "'skill_roots'"),
        ({"skill_roots": [""]}, "'skill_roots'"),
        ({"skill_roots": None}, "'skill_roots'"),
        ({"workspace_roots": {}}, "'workspace_roots'"),
        ({"roots": ["a"], "workspace_roots": ["a"]}, "'roots'"),
        ({"roots": "a"}, "'roots'"),
        ({"trusted_roots": None}, "'trusted_roots'"),
        ({"untrusted_project_skills": "yes"}, "'untrusted_project_skills'"),
        ({"untrusted_project_skills": ["warn"]}, "'untrusted_project_skills'"),
        ({"sensitive_patterns": "**"}, "'sensitive_patterns'"),
        ({"sensitive_patterns": ["!"]}, "sensitive_patterns"),
        ({"bypass_workspace_guard": 1}, "'bypass_workspace_guard'"),
        ({"unsafe_allow_skill_without_hook": "true"}, "'unsafe_allow_skill_without_hook'"),
        ({"user_initiated": None}, "'user_initiated'"),
        ({"id": 3}, "'id'"),
        ({"id": ""}, "'id'"),
        ({"hook": "always"}, "'hook'"),
        ({"hook": True}, "'hook'"),
        ({"hook": ["allow"]}, "'hook'"),
        ([], "'session'"),
        (None, "'session'"),
    ],
)
def test_a_setting_that_is_not_understood_is_refused_by_name(
    bridge: BridgeProcess, root: Path, session: Any, words: str
) -> None:
    if isinstance(session, dict):
        session = {"cwd": str(root), **session}
    for method, params in (("skill", {"params": {"name": "foo"}}), ("catalog", {}), ("tool_definition", {})):
        error = bridge.ask(method, {**params, "session": session})["error"]
        assert (error["code"], words in error["message"]) == (-32602, True), error


@pytest.mark.parametrize(
    ("method", "params", "words"),
    [
        ("skill", {}, "'params'"),
        ("skill", {"params": {}, "turns": 1}, "'turns'"),
        ("skill", {"params": {}, "turn": True}, "'turn'"),
        ("skill", {"params": {}, "turn": -1}, "'turn'"),
        ("skill", {"params": {}, "turn": 1.5}, "'turn'"),
        ("skill", {"params": {}, "turn": 2**60}, "'turn'"),
        ("skill", {"params": {}, "user_initiated": "yes"}, "'user_initiated'"),
        ("catalog", {"for": None}, "'for'"),
        ("catalog", {"for": ["model"]}, "'for'"),
        ("catalog", {"audience": "model"}, "'audience'"),
        ("tool_definition", {"name": "x"}, "'name'"),
        ("skill", [], "'params' must be an object"),
        ("skill", "x", "'params' must be an object"),
    ],
)
def test_wrong_parameters_of_a_method_are_refused_by_name(
    bridge: BridgeProcess, method: str, params: Any, words: str
) -> None:
    error = bridge.ask(method, params)["error"]
    assert (error["code"], words in error["message"]) == (-32602, True), error


@pytest.mark.parametrize(
    ("line", "code", "request_id", "words"),
    [
        (b"x", -32700, None, "not JSON"),
        (b'{"id": 1', -32700, None, "not JSON"),
        (b"\xff\xfe{}", -32700, None, "not UTF-8"),
        (b'{"id": NaN, "method": "catalog"}', -32700, None, "NaN"),
        (b'{"id": 1, "method": "skill", "params": {"turn": -Infinity}}', -32700, None, "-Infinity"),
        (b'{"id": 1, "id": 2, "method": "catalog"}', -32700, None, "duplicate key 'id'"),
        (b'{"id": 1, "params": {"session": {"a": 1, "b": 2, "a": 3}}}', -32700, None, "duplicate key 'a'"),
        (b"[" * 100_000, -32700, None, "nested too deeply"),
        (b'{"id": ' + b"9" * 5000 + b"}", -32700, None, "not JSON"),
        (b"[]", -32600, None, "JSON object"),
        (b'[{"id": 1, "method": "catalog"}]', -32600, None, "JSON object"),
        (b"null", -32600, None, "JSON object"),
        (b"{}", -32600, None, "'method'"),
        (b'{"id": 5}', -32600, 5, "'method'"),
        (b'{"id": 5, "method": 7}', -32600, 5, "'method'"),
        (b'{"id": [], "method": "catalog"}', -32600, None, "'id'"),
        (b'{"id": true, "method": "catalog"}', -32600, None, "'id'"),
        (b'{"id": 1e999, "method": "catalog"}', -32600, None, "'id'"),
        (b'{"id": "\\ud800", "method": "catalog"}', -32600, None, "'id'"),
        (b'{"id": 5, "method": "catalog", "sesion": {}}', -32600, 5, "'sesion'"),
        (b'{"id": 5, "jsonrpc": "1.0", "method": "catalog"}', -32600, 5, "'jsonrpc'"),
        (b'{"id": "a", "method": "activate"}', -32601, "a", "'activate'"),
        (b'{"id": 1.5, "method": "\\ud800\\n"}', -32601, 1.5, "unknown method"),
        (b'{"method": "Skill"}', -32601, None, "'Skill'"),
    ],
)
def test_a_bad_line_is_answered_and_the_next_is_served(
    bridge: BridgeProcess, line: bytes, code: int, request_id: Any, words: str
) -> None:
    answer = bridge.line(line)
    assert answer["id"] == request_id
    assert (answer["error"]["code"], words in answer["error"]["message"]) == (code, True), answer
    assert "result" in bridge.ask("tool_definition")


def test_the_largest_id_comes_back_and_the_version_is_echoed(bridge: BridgeProcess) -> None:
    answer = bridge.line(b'{"jsonrpc": "2.0", "id": ' + b"9" * 4300 + b', "method": "tool_definition"}')
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", 10**4300 - 1)


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

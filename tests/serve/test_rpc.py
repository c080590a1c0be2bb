"""The bridge as a harness meets it: strict settings, one answer a line, never a crash."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skillui.core.tool import DESCRIPTION
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

"""The small parts: settings, gates, results, events, resources, texts."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

import skillui.core as core
from skillui.core import (
    AlreadyLoaded,
    ConfigFault,
    Error,
    ErrorCode,
    NotFound,
    SessionConfig,
    SkillSession,
    fixed_hook,
    yaml_reader,
)
from skillui.core.catalog import BrokenSkill
from skillui.core.events import utc_now
from skillui.core.files import is_below, resolved
from skillui.core.gate import judge
from skillui.core.params import InvalidParam, read_params
from skillui.core.resources import list_resources
from skillui.core.substitution import substitute
from skillui.core.text import estimated_tokens
from skillui.core.visible import pieces, visible
from skillui.core.yaml_reader import YamlFault, compose
from tests.core.skills import call, loaded, open_session, parsed, parsed_with, refused, write_skill


class TestNames:
    def test_every_public_name_is_there_and_listed(self) -> None:
        assert all(getattr(core, name) is not None for name in core.__all__)
        assert set(core.__all__) <= set(dir(core))

    def test_any_other_is_an_attribute_error(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'Skil'"):
            core.Skil  # noqa: B018

    @pytest.mark.parametrize("module", ["skillui.core.session", "skillui.core.visible", "skillui.core.tool"])
    def test_the_engine_loads_nothing_of_the_screen_and_prints_nothing(self, module: str) -> None:
        program = (
            f"import sys, {module}\n"
            "assert not {'textual', 'rich', 'watchfiles', 'tree_sitter', 'click', 'sqlite3'} & set(sys.modules)\n"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


class TestSettings:
    @pytest.mark.parametrize(
        ("settings", "words"),
        [
            ({"cwd": "relative"}, "absolute"),
            ({"cwd": "/", "untrusted_project_skills": "never"}, "untrusted_project_skills"),
            ({"cwd": "/", "sensitive_patterns": ("!",)}, "sensitive_patterns"),
        ],
    )
    def test_what_cannot_be_used_is_refused_at_once(self, settings: dict[str, Any], words: str) -> None:
        with pytest.raises(ConfigFault, match=words):
            SessionConfig(**settings)

    def test_paths_may_be_relative_and_the_fence_is_the_roots(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to("real")
        base = str(tmp_path.resolve())
        config = SessionConfig(cwd=base, skill_roots=("link", "a/../b"), trusted_roots=("link", "/x\0"))
        assert config.roots == (f"{base}/link", f"{base}/b")
        assert config.resolved_fence == (f"{base}/real", f"{base}/b")
        assert config.resolved_trusted == (f"{base}/real", "/x\0")
        assert (config.session_id, SessionConfig(cwd=base, id="s").session_id) == (base, "s")

    def test_below_is_by_whole_components(self) -> None:
        assert is_below("/a/skills", "/a/skills")
        assert is_below("/a/skills/x", "/a/skills")
        assert is_below("/a", "/")
        assert not is_below("/a/skills-evil", "/a/skills")
        assert resolved("/\ud800") == "/\ud800"


class TestGates:
    def gate(self, place: str, **settings: Any) -> core.Gate:
        return judge(SessionConfig(cwd="/w", skill_roots=("s",), **settings), place, f"{place}/SKILL.md")

    def test_the_first_row_that_applies_names_the_denial(self) -> None:
        assert self.gate("/x/secrets/foo").denial is ErrorCode.OUTSIDE_WORKSPACE
        assert self.gate("/w/s/secrets/foo").denial is ErrorCode.SENSITIVE
        assert self.gate("/w/s/foo").denial is ErrorCode.NOT_TRUSTED
        assert self.gate("/w/s/foo", trusted_roots=("s",)).denial is ErrorCode.PERMISSION_DENIED
        assert self.gate("/w/s/foo", untrusted_project_skills="allow").denial is ErrorCode.PERMISSION_DENIED

    def test_all_flags_are_told_at_once(self) -> None:
        assert self.gate("/x/.env/foo").flags == ("outside_workspace", "sensitive")
        assert self.gate("/x/.env/foo", bypass_workspace_guard=True).flags == ("sensitive",)
        assert self.gate("/x/.env/foo", sensitive_patterns=()).flags == ("outside_workspace",)

    def test_a_linked_file_must_pass_too(self, tmp_path: Path) -> None:
        folder = write_skill(tmp_path / "skills", "foo")
        (folder / "SKILL.md").rename(tmp_path / "real.md")
        (folder / "SKILL.md").symlink_to(tmp_path / "real.md")
        error = refused(call(open_session(tmp_path), "foo"))
        assert error.code is ErrorCode.OUTSIDE_WORKSPACE
        session = open_session(tmp_path, workspace_roots=(".",), trusted_roots=("skills",))
        entry = asyncio.run(session.catalog()).by_name["foo"]
        assert not session.judge(entry).trusted
        assert not session.judge(BrokenSkill("foo", "/x", 0, ErrorCode.IO_ERROR, "", {})).trusted

    def test_mode_warn_adds_a_warning(self, tmp_path: Path) -> None:
        write_skill(tmp_path / "skills", "foo")
        session = open_session(tmp_path, untrusted_project_skills="warn")
        assert loaded(call(session, "foo")).warnings == ("the skill lies in a root that is not trusted",)


class TestPreview:
    def test_it_asks_nobody_and_activates_nothing(self, tmp_path: Path) -> None:
        write_skill(tmp_path / "skills", "foo", "$1 $2\n")
        session = SkillSession(SessionConfig(cwd=str(tmp_path), skill_roots=("skills",)), hook=fixed_hook("deny"))
        entry = asyncio.run(session.catalog()).by_name["foo"]
        skill = asyncio.run(session.registry.load("foo"))
        assert skill is not None
        result = loaded(session.preview(skill, "a"))
        assert (result.body, result.digest, entry.name) == ("a $2\n", None, "foo")
        assert result.substitution is not None
        assert [literal.text for literal in result.substitution.literals] == ["$2"]
        assert session.state.activated == {}
        assert session.state.records == []

    def test_it_refuses_as_activation_would(self, tmp_path: Path) -> None:
        write_skill(tmp_path / "skills", "foo", fields="disable-model-invocation: true\n")
        session = open_session(tmp_path)
        skill = asyncio.run(session.registry.load("foo"))
        assert skill is not None
        assert refused(session.preview(skill)).code is ErrorCode.DISABLED
        assert refused(session.preview(skill, 3, user_initiated=True)).code is ErrorCode.INVALID_PARAM
        assert refused(session.preview(skill, {"a": "b"}, user_initiated=True)).code is ErrorCode.INVALID_PARAM


class TestResources:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        for name in ("scripts/b", "scripts/a/deep", "scripts/.hidden", "scripts/__pycache__/x", "other/x"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()
        return tmp_path.resolve()

    def test_shallow_files_come_first_and_hidden_ones_not_at_all(self, folder: Path) -> None:
        assert list_resources(str(folder)).names == ("scripts/b", "scripts/a/deep")

    def test_links_are_listed_that_stay_inside_and_end_at_a_file(self, folder: Path) -> None:
        (folder / "references").symlink_to("other")
        for name, target in {
            "in": "b", "out": "/etc/passwd", "dir": "a", "no": "none", "self": "self", "pipe": "../pipe"
        }.items():  # fmt: skip
            (folder / "scripts" / name).symlink_to(target)
        os.mkfifo(folder / "pipe")
        os.mkfifo(folder / "scripts/fifo")
        assert list_resources(str(folder)).names == ("scripts/b", "scripts/in", "scripts/a/deep", "references/x")

    @pytest.mark.parametrize("target", ["/etc", ".", "none", "other/x"])
    def test_a_resource_folder_must_be_a_folder_inside(self, folder: Path, target: str) -> None:
        (folder / "assets").symlink_to(target)
        assert all(name.startswith("scripts/") for name in list_resources(str(folder)).names)

    def test_a_limit_ends_the_counting(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("skillui.core.resources.MAX_ENTRIES", 3)
        for number in range(20):
            (folder / f"scripts/{number:02}").touch()
        result = list_resources(str(folder))
        assert len(result.names) + sum(result.omitted.values()) <= 3

    def test_a_folder_that_goes_away_is_passed_over(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        scandir = os.scandir

        def going(path: Any) -> Any:
            if str(path).endswith("/a"):
                raise FileNotFoundError
            return scandir(path)

        monkeypatch.setattr(os, "scandir", going)
        assert list_resources(str(folder)).names == ("scripts/b",)


class TestEvents:
    def test_each_call_has_one_that_is_json(self, tmp_path: Path) -> None:
        write_skill(tmp_path / "skills", "foo")
        config = open_session(tmp_path).config
        moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
        session = SkillSession(config, hook=fixed_hook("allow"), clock=lambda: moment)
        call(session, "foo", "a", turn=9)
        call(session, "foo")
        call(session, "absent", user_initiated=True)
        asyncio.run(session.skill("nonsense"))
        events = [record.event.to_json() for record in session.state.records]
        assert [event["kind"] for event in events] == ["ok", "already_loaded", "not_found", "error"]
        digest, duration = events[0].pop("digest"), events[0].pop("duration_ms")
        assert digest.startswith("sha256:")
        assert duration > 0
        assert events[0] == {
            "seq": 1, "time": "2026-01-02T03:04:05Z", "session": config.cwd, "turn": 9, "initiator": "model",
            "name": "foo", "arguments": "a", "kind": "ok", "code": None, "decision": "allow",
            "reason": "untrusted_project_skill", "flags": [], "bytes": 5,
        }  # fmt: skip
        assert (events[1]["turn"], events[2]["initiator"], events[3]["code"]) == (2, "user", "INVALID_PARAM")
        assert utc_now().tzinfo is UTC

    def test_results_are_json(self) -> None:
        assert AlreadyLoaded("foo", 3).to_json()["at_turn"] == 3
        assert NotFound("foo", ("fop",)).to_json()["siblings"] == ["fop"]
        assert "Did you mean: fop?" in NotFound("foo", ("fop",)).output
        error = Error(ErrorCode.IO_ERROR, "m", {"path": "/p", "reason": "r", "line": 2, "column": 1, "hint": "h"})
        assert error.output == "Error [IO_ERROR]: m\nPath: /p\nReason: r (line 2, column 1)\nHint: h"

    def test_the_question_is_the_specifications(self, tmp_path: Path) -> None:
        write_skill(tmp_path / "skills", "foo", fields="allowed-tools: Read, Grep\nx: .nan\n")
        asked: list[core.PermissionRequest] = []

        async def hook(request: core.PermissionRequest) -> str:
            asked.append(request)
            return "allow"

        call(open_session(tmp_path, hook), "foo")
        question = asked[0].to_json()
        assert (question["tool"], question["action"]) == ("skill", "activate")
        assert question["always_patterns"] == ["Skill(name:foo)"]
        assert question["path"] == str(tmp_path.resolve() / "skills/foo")
        assert question["metadata"]["frontmatter"]["allowed_tools"] == ["Read", "Grep"]
        assert question["metadata"]["frontmatter"]["x"] == ".nan"


class TestParsing:
    @pytest.mark.parametrize(
        ("text", "line", "column", "words", "hint"),
        [
            ("a: b: c", 1, 5, "mapping values are not allowed", 'quote it: a: "b: c"'),
            ("a: 1\nb", 2, 1, "could not find expected ':'", "write `key: value`"),
            ("a: @b", 1, 4, "cannot start any token", "reserves"),
            ("\ta: b", 1, 1, "cannot start any token", "not tabs"),
            ("a: 'b\nc: d\n", 1, 4, "quoted scalar", "close the quotation mark"),
            ("a: [b\nc: d\n", 1, 4, "flow sequence", "close the bracket"),
            ("a: {b\nc: d\n", 1, 4, "flow mapping", "close the bracket"),
            ("a:\n  - b\n c: d", 3, 2, "did not find expected", "indentation"),
            ("a: " + "[" * 40 + "]" * 40, 1, 35, "deeper than 32 levels", "nest at most 32"),
            ("a: b\ra: c", 1, 5, "lone carriage return", "remove the character"),
            ("a: b\u2028", 1, 5, "U+2028", "remove the character"),
            ("a: b\x85", 1, 5, "U+0085", "remove the character"),
            ("\ufeffa: b", 1, 1, "byte-order mark", "remove the character"),
            ("a: \x07", 1, 4, "control character U+0007", "remove the character"),
            ("- a", 1, 1, "is a list", "write `key: value`"),
            ("text", 1, 1, "is plain text", "write `key: value`"),
            ("1: a", 1, 1, "the key `1` is not text", "quote the key"),
            ("[a]: b", 1, 1, "the key `a list or mapping` is not text", "quote the key"),
            ("a: 1\nb: 2\na: 3", 3, 1, "duplicate key 'a'", "keep one"),
            ("x: {a: 1, a: 2}", 1, 11, "duplicate key 'a'", "keep one"),
            ("a: &b c", 1, 4, "anchor `&b`", "quote"),
            ("a: *b", 1, 4, "alias `*b`", "quote"),
            ("a: !b c", 1, 4, "tag `!b`", "quote"),
            ("a: b\n... x\n", 2, 5, "", ""),
            ("%YAML 3.0\n--- {}\n", 1, 1, "", ""),
            ("a: 1\n--- {b: 1}", 2, 1, "", ""),
            ('a: "\\q"', 1, 4, "", ""),
        ],
    )
    def test_a_fault_says_where_why_and_what_to_write(
        self, text: str, line: int, column: int, words: str, hint: str
    ) -> None:
        with pytest.raises(YamlFault) as caught:
            compose(text)
        fault = caught.value
        assert words in fault.reason
        assert hint in (fault.hint or "")
        if words:
            assert (fault.line, fault.column) == (line, column)

    def test_a_fault_of_the_reader_below_has_words_too(self) -> None:
        error = yaml.reader.ReaderError("text", 0, 7, "utf-8", "special characters are not allowed")
        fault = yaml_reader._from_yaml_error(error, "\x07")
        assert fault.reason == "not readable as YAML: special characters are not allowed"

    @pytest.mark.parametrize("text", ["", "\n", "# c", "~", "null", "---"])
    def test_nothing_is_nothing(self, text: str) -> None:
        assert compose(text) is None

    @pytest.mark.parametrize(
        ("data", "line", "column", "words"),
        [
            (b"---\nname: \xff\n---\n", 2, 7, "byte 0xff at offset 10 is not UTF-8"),
            (b"\xc3\xa9\xe9", 1, 2, "byte 0xe9 at offset 2"),
            ("---".encode("utf-16"), 1, 1, "UTF-16 (little endian)"),
            ("---".encode("utf-16-be"), 1, 1, "no frontmatter"),
            (b"\xfe\xff\0-", 1, 1, "UTF-16 (big endian)"),
            (b"", 1, 1, "no frontmatter"),
            (b"---", 1, 1, "not closed"),
            (b"---\nname: foo\n", 1, 1, "not closed"),
            (b"--- x\n---\n", 1, 1, "no frontmatter"),
        ],
    )
    def test_a_file_that_is_none_is_told_with_its_place(self, data: bytes, line: int, column: int, words: str) -> None:
        skill = core.parse_skill(data, "foo", "p")
        (problem,) = skill.errors
        assert words in problem.message
        assert (problem.line, problem.column) == (line, column)

    def test_a_late_fence_is_pointed_at(self) -> None:
        assert core.parse_skill(b"x\n\n---\n", "foo", "p").errors[0].hint is not None
        assert "line 3" in (core.parse_skill(b"x\n\n---\n", "foo", "p").errors[0].hint or "")

    def test_lines_are_the_files(self) -> None:
        assert core.parse_skill(b"---\r\nname: foo\r\ndescription: d\r\n---  \r\n\r\nB", "foo", "p").body == "\r\nB"
        assert parsed("name: foo\ndescription: d\n").body_line == 5
        assert parsed_with("a: b: c").errors[0].line == 4


def test_a_number_is_the_type_of_its_name() -> None:
    for value, words in ((True, "a boolean"), (1.5, "a number"), ((), "tuple"), (None, "null")):
        with pytest.raises(InvalidParam, match=f"not {words}"):
            read_params({"name": value})
    with pytest.raises(InvalidParam, match="lone surrogate"):
        read_params({"name": "foo", "arguments": {"a": "\ud800"}})
    with pytest.raises(InvalidParam, match="3 more unknown parameters"):
        read_params({"name": "foo"} | {f"x{number}": 1 for number in range(11)})


def test_small_texts() -> None:
    assert [estimated_tokens(count) for count in (0, 1, 4, 5)] == [0, 1, 1, 2]
    assert [piece.replaced for piece in pieces("é")] == [False]
    assert [piece.replaced for piece in pieces("\u0301a\x1bb")] == [True, False, True, False]
    assert (visible("a\tb", tabs="  "), visible("a\tb"), visible("a\tb", newlines=True)) == ("a  b", "a␉b", "a\tb")
    assert [piece.replaced for piece in pieces("a\ufe0f")] == [False, True]
    assert substitute("$99999999999 $ARGUMENTS[99999999999]", "a").spans == ()

"""`skillui hook claude-code` as Claude Code runs it: a process, JSON in, one decision out; any fault is a denial."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from skillui.review.content import read_content
from skillui.review.records import Place
from skillui.review.store import DecisionStore
from tests.serve.asking import make_skill

TOP = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "skillui", "hook", "claude-code"]
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX streams and signals")


@dataclass
class Answer:
    """What the process said."""

    code: int
    out: bytes
    err: bytes

    @property
    def output(self) -> dict[str, str]:
        assert self.code == 0, self.err
        assert self.err == b""
        assert self.out.isascii()
        assert self.out.count(b"\n") == 1
        output = json.loads(self.out)["hookSpecificOutput"]
        assert set(output) == {"hookEventName", "permissionDecision", "permissionDecisionReason"}
        assert output["hookEventName"] == "PreToolUse"
        assert isinstance(output, dict)
        return output

    @property
    def decision(self) -> str:
        return self.output["permissionDecision"]

    @property
    def reason(self) -> str:
        return self.output["permissionDecisionReason"]


class Claude:
    """A home, a repository, and a Claude Code that is about to use a skill."""

    def __init__(self, top: Path) -> None:
        self.home, self.repo = top / "home", top / "shop"
        self.home.mkdir()
        (self.repo / ".git").mkdir(parents=True)
        keep = ("PATH", "LANG", "SYSTEMROOT")
        self.environ = {name: os.environ[name] for name in keep if name in os.environ} | {
            "HOME": str(self.home), "USERPROFILE": str(self.home), "PYTHONPATH": str(TOP), "PYTHONWARNINGS": "error",
            "SKILLUI_DATA_DIR": str(self.home / "data"), "SKILLUI_STATE_DIR": str(self.home / "state"),
            "SKILLUI_CONFIG_DIR": str(self.home / "config"), "SKILLUI_RUNTIME_DIR": str(self.home / "run"),
        }  # fmt: skip
        self.store_file = self.home / "data" / "decisions.sqlite3"
        self.store = DecisionStore(self.store_file)

    @property
    def project(self) -> Path:
        return self.repo / ".claude" / "skills"

    @property
    def personal(self) -> Path:
        return self.home / ".claude" / "skills"

    def decide(self, verdict: Any, skill: Path) -> None:
        content = read_content(str(skill.resolve()))
        place = Place(skill.name, str(skill.resolve()), str(skill.parent))
        self.store.decide(verdict, content, place, reason="read it", via="cli")

    def input(self, skill: Any = "deploy", **changes: Any) -> dict[str, Any]:
        message = {
            "session_id": "abc", "transcript_path": str(self.home / "t.jsonl"), "cwd": str(self.repo),
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Skill",
            "tool_input": {"skill": skill, "args": "staging"}, "tool_use_id": "toolu_1",
        }  # fmt: skip
        return {key: value for key, value in {**message, **changes}.items() if value is not ...}

    def raw(self, data: bytes, *options: str, environ: dict[str, str] | None = None) -> Answer:
        done = subprocess.run(
            [*COMMAND, *options], input=data, capture_output=True, env={**self.environ, **(environ or {})}, timeout=60,
            cwd=self.home,
        )  # fmt: skip
        return Answer(done.returncode, done.stdout, done.stderr)

    def use(
        self, skill: Any = "deploy", *options: str, environ: dict[str, str] | None = None, **changes: Any
    ) -> Answer:
        return self.raw(json.dumps(self.input(skill, **changes)).encode(), *options, environ=environ)

    def log(self) -> list[tuple[str, str, str]]:
        return [(entry.kind, entry.name, entry.answer) for entry in self.store.audit() if entry.via == "hook"]


@pytest.fixture
def claude(tmp_path: Path) -> Claude:
    return Claude(tmp_path.resolve())


class TestDecisions:
    def test_approved_is_allowed_denied_is_denied_unknown_is_asked(self, claude: Claude) -> None:
        good, bad = make_skill(claude.project, "good"), make_skill(claude.project, "bad")
        make_skill(claude.project, "new")
        claude.decide("approved", good)
        claude.decide("denied", bad)
        assert [claude.use(name).decision for name in ("good", "bad", "new")] == ["allow", "deny", "ask"]
        assert claude.use("new", "--unknown", "deny").decision == "deny"
        assert claude.use("new", "--unknown=ask").decision == "ask"
        assert claude.log() == [
            ("activation", "good", "allow"), ("activation", "bad", "deny"), ("prompt", "new", "ask"),
            ("activation", "new", "deny"), ("prompt", "new", "ask"),
        ]  # fmt: skip

    def test_the_reason_names_the_folder_and_what_to_do(self, claude: Claude) -> None:
        skill = make_skill(claude.project)
        reason = claude.use().reason
        assert reason.startswith("skillui: nobody approved the content of ")
        assert skill.name in reason
        assert "skillui review" in reason

    def test_any_change_voids_the_approval(self, claude: Claude) -> None:
        skill = make_skill(claude.project)
        claude.decide("approved", skill)
        assert claude.use().decision == "allow"
        (skill / "run.sh").write_text("echo hi")
        assert claude.use().decision == "ask"

    @pytest.mark.parametrize("mode", ["bypassPermissions", "auto", "dontAsk", "something new"])
    def test_where_nobody_is_asked_unknown_is_denied(self, claude: Claude, mode: str) -> None:
        skill = make_skill(claude.project)
        answer = claude.use(permission_mode=mode)
        assert (answer.decision, f"in mode {mode} nobody is asked" in answer.reason) == ("deny", True)
        claude.decide("approved", skill)
        assert claude.use(permission_mode=mode).decision == "allow"

    @pytest.mark.parametrize("mode", ["default", "plan", "acceptEdits", ...])
    def test_where_somebody_is_asked_unknown_is_asked(self, claude: Claude, mode: Any) -> None:
        make_skill(claude.project)
        assert claude.use(permission_mode=mode).decision == "ask"

    @pytest.mark.parametrize("tool", ["Bash", "Read", "mcp__x__Skill", "skill"])
    def test_another_tool_is_no_business_of_the_hook(self, claude: Claude, tool: str) -> None:
        answer = claude.use(tool_name=tool, tool_input={"command": "ls"})
        assert (answer.code, answer.out, answer.err) == (0, b"{}\n", b"")
        assert claude.log() == []


class TestRules:
    def test_the_personal_folder_goes_first(self, claude: Claude) -> None:
        make_skill(claude.project, body="The project's.")
        claude.decide("approved", make_skill(claude.personal, body="Mine."))
        assert claude.use().decision == "allow"

    def test_the_personal_folder_may_lie_elsewhere(self, claude: Claude, tmp_path: Path) -> None:
        claude.decide("denied", make_skill(tmp_path / "conf" / "skills"))
        assert claude.use(environ={"CLAUDE_CONFIG_DIR": str(tmp_path / "conf")}).decision == "deny"
        assert "no skill folder holds" in claude.use().reason

    def test_folders_count_up_to_the_repositorys_root_and_no_further(self, claude: Claude) -> None:
        deep = claude.repo / "apps" / "web"
        deep.mkdir(parents=True)
        claude.decide("approved", make_skill(claude.project))
        above = make_skill(claude.repo.parent / ".claude" / "skills", "above")
        claude.decide("approved", above)
        assert claude.use(cwd=str(deep)).decision == "allow"
        answer = claude.use("above", cwd=str(deep))
        assert (answer.decision, "no skill folder holds" in answer.reason) == ("ask", True)

    @pytest.mark.parametrize("other", ["denied", None])
    def test_of_several_copies_in_a_project_the_worst_counts(self, claude: Claude, other: str | None) -> None:
        near = make_skill(claude.repo / "apps" / ".claude" / "skills", body="Near.")
        far = make_skill(claude.project, body="Far.")
        claude.decide("approved", near)
        if other:
            claude.decide(other, far)
        expected = "deny" if other else "ask"
        assert claude.use(cwd=str(claude.repo / "apps")).decision == expected
        claude.decide("approved", far)
        assert claude.use(cwd=str(claude.repo / "apps")).decision == "allow"

    def test_where_the_session_began_counts_too(self, claude: Claude, tmp_path: Path) -> None:
        make_skill(claude.project, body="Of the session.")
        elsewhere = tmp_path / "elsewhere"
        claude.decide("approved", make_skill(elsewhere / ".claude" / "skills"))
        assert claude.use(cwd=str(elsewhere)).decision == "allow"
        answer = claude.use(cwd=str(elsewhere), environ={"CLAUDE_PROJECT_DIR": str(claude.repo)})
        assert answer.decision == "ask"

    def test_the_folders_name_is_the_key(self, claude: Claude) -> None:
        skill = make_skill(claude.project, "deploy")
        (skill / "SKILL.md").write_text((skill / "SKILL.md").read_text().replace("name: deploy", "name: release"))
        claude.decide("approved", skill)
        assert claude.use("deploy").decision == "allow"
        assert claude.use("/deploy").decision == "allow"
        assert claude.use("release").decision == "ask"

    def test_plugin_skills_are_unknown_and_say_why(self, claude: Claude) -> None:
        answer = claude.use("office:pdf")
        assert (answer.decision, "comes from a plugin" in answer.reason) == ("ask", True)
        assert claude.use("office:pdf", "--unknown", "deny").decision == "deny"

    @pytest.mark.skipif(os.name != "posix", reason="symbolic links")
    def test_approved_content_outside_the_repository_is_asked_about(self, claude: Claude, tmp_path: Path) -> None:
        real = make_skill(tmp_path / "elsewhere")
        claude.decide("approved", real)
        claude.project.mkdir(parents=True)
        (claude.project / "deploy").symlink_to(real)
        answer = claude.use()
        assert (answer.decision, "outside the repository" in answer.reason) == ("ask", True)
        claude.decide("denied", real)
        assert claude.use().decision == "deny"

    def test_approved_content_in_a_sensitive_place_is_asked_about(self, claude: Claude) -> None:
        repo = claude.home / "secrets" / "shop"
        (repo / ".git").mkdir(parents=True)
        claude.decide("approved", make_skill(repo / ".claude" / "skills"))
        answer = claude.use(cwd=str(repo))
        assert (answer.decision, "sensitive place" in answer.reason) == ("ask", True)

    def test_no_file_of_the_project_grants_anything(self, claude: Claude) -> None:
        skill = make_skill(claude.project)
        own = DecisionStore(claude.repo / ".skillui" / "decisions.sqlite3")
        content = read_content(str(skill))
        own.decide("approved", content, Place("deploy", str(skill), str(skill.parent)), via="cli")
        assert claude.use(environ={"SKILLUI_DATA_DIR": ".skillui"}, cwd=str(claude.repo)).decision == "ask"


class TestFaults:
    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b"", "the input is empty"), (b" \n", "the input is empty"), (b"{", "not JSON"), (b"\xff\xfe", "not UTF-8"),
            (b"[]", "no JSON object"), (b"null", "no JSON object"), (b"[" * 100_000, "nested too deeply"),
            (b'{"tool_name": "Skill"', "not JSON"), (b'{"a": 1, "a": 2}', "twice"), (b"{}", "'tool_name' is missing"),
            (b"x" * (9 * 1024 * 1024), "longer than"), (b'{"n": 1' + b"0" * 5000 + b"}", "not JSON"),
            (b'{"tool_name": "\\ud800"}', "'hook_event_name' is missing"), (b"\x00" * 64, "not JSON"),
        ],
    )  # fmt: skip
    def test_input_that_is_nothing_is_denied(self, claude: Claude, data: bytes, words: str) -> None:
        answer = claude.raw(data)
        assert answer.decision == "deny"
        assert words in answer.reason
        assert [kind for kind, _, _ in claude.log()] == ["fault"]

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"tool_name": 5}, "'tool_name' is no text"), ({"tool_name": ...}, "'tool_name' is missing"),
            ({"tool_input": ...}, "'tool_input' is no object"), ({"tool_input": []}, "'tool_input' is no object"),
            ({"tool_input": {}}, "'tool_input.skill' is missing"), ({"cwd": ...}, "'cwd' is missing"),
            ({"tool_input": {"skill": ["a"]}}, "'tool_input.skill' is no text"), ({"cwd": 1}, "'cwd' is no text"),
            ({"cwd": "shop"}, "no absolute path"), ({"cwd": "/nowhere/at/all"}, "is no folder"),
            ({"cwd": "/a\0b"}, "no absolute path"), ({"hook_event_name": "PostToolUse"}, "is a hook for PreToolUse"),
            ({"hook_event_name": ...}, "'hook_event_name' is missing"), ({"permission_mode": 1}, "is no text"),
        ],
    )  # fmt: skip
    def test_a_field_that_is_wrong_is_denied(self, claude: Claude, change: dict[str, Any], words: str) -> None:
        make_skill(claude.project)
        answer = claude.use(**change)
        assert answer.decision == "deny"
        assert words in answer.reason

    @pytest.mark.parametrize("name", ["..", ".", "../deploy", "a/b", "a\\b", "/", " ", "x" * 300, "a\0b", "\udc80"])
    def test_what_is_no_name_is_denied(self, claude: Claude, name: str) -> None:
        answer = claude.use(name)
        assert answer.decision == "deny"
        assert "is no name of a skill" in answer.reason

    def test_a_reason_is_one_line_whatever_the_name(self, claude: Claude) -> None:
        answer = claude.use("x\x1b[2J\n\u202e" + "y" * 200)
        assert answer.decision == "ask"
        assert "\n" not in answer.reason
        assert "\x1b" not in answer.reason
        assert len(answer.reason) <= 600

    @posix
    def test_content_without_a_digest_is_denied(self, claude: Claude) -> None:
        os.mkfifo(make_skill(claude.project) / "pipe")
        answer = claude.use()
        assert (answer.decision, "pipe is a named pipe" in answer.reason) == ("deny", True)

    @pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
    def test_an_unreadable_skill_is_denied(self, claude: Claude) -> None:
        skill = make_skill(claude.project)
        (skill / "SKILL.md").chmod(0)
        assert claude.use().decision == "deny"
        skill.chmod(0)
        assert claude.use().decision == "deny"
        skill.chmod(0o700)

    def test_a_damaged_store_denies_and_is_named(self, claude: Claude) -> None:
        skill = make_skill(claude.project)
        claude.decide("approved", skill)
        claude.store_file.write_bytes(b"no database at all" * 400)
        for extra in ("-wal", "-shm"):
            Path(f"{claude.store_file}{extra}").unlink(missing_ok=True)
        answer = claude.use()
        assert (answer.decision, "cannot be used: the file is damaged" in answer.reason) == ("deny", True)

    def test_a_log_that_cannot_be_written_allows_nothing(self, claude: Claude) -> None:
        make_skill(claude.project)
        (claude.home / "data").write_text("a file where the folder should be")
        assert claude.use().decision == "deny"

    @pytest.mark.parametrize("options", [["--unknown"], ["--unknown", "allow"], ["--unkown", "deny"], ["more"]])
    def test_options_that_are_wrong_block_with_words(self, claude: Claude, options: list[str]) -> None:
        make_skill(claude.project)
        answer = claude.use("deploy", *options)
        assert (answer.code, answer.out) == (2, b"")
        assert answer.err.startswith(b"skillui: ")


@posix
class TestStreams:
    def run(self, claude: Claude, closing: str) -> Answer:
        """Run the hook with streams closed by a shell."""
        script = f'exec "$@" {closing}'
        done = subprocess.run(
            ["sh", "-c", script, "sh", *COMMAND], input=json.dumps(claude.input()).encode(), capture_output=True,
            env=claude.environ, timeout=60,
        )  # fmt: skip
        return Answer(done.returncode, done.stdout, done.stderr)

    def test_a_closed_standard_input_is_denied(self, claude: Claude) -> None:
        assert "standard input is closed" in self.run(claude, "<&-").reason

    def test_a_closed_standard_output_blocks(self, claude: Claude) -> None:
        make_skill(claude.project)
        answer = self.run(claude, ">&-")
        assert (answer.code, answer.out) == (2, b"")
        assert answer.err == b"skillui: standard output is closed; the skill is denied\n"
        assert claude.log() == [("prompt", "deploy", "ask")]

    def test_a_closed_standard_error_changes_nothing(self, claude: Claude) -> None:
        make_skill(claude.project)
        assert self.run(claude, "2>&-").decision == "ask"

    def test_all_streams_closed_blocks(self, claude: Claude) -> None:
        assert self.run(claude, "<&- >&- 2>&-").code == 2

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
    def test_an_answer_that_cannot_be_written_blocks(self, claude: Claude) -> None:
        answer = self.run(claude, ">/dev/full")
        assert answer.code == 2
        assert b"cannot be written" in answer.err

    def test_a_reader_that_went_away_blocks(self, claude: Claude) -> None:
        out, into = os.pipe()
        os.close(out)
        process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=into, stderr=subprocess.PIPE, env=claude.environ,
            preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL),
        )  # fmt: skip
        os.close(into)
        _, err = process.communicate(json.dumps(claude.input()).encode(), timeout=60)
        assert process.returncode == 2
        assert err.count(b"\n") == 1

    def test_a_signal_while_it_waits_is_a_denial(self, claude: Claude) -> None:
        process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=claude.environ
        )
        assert process.stdin is not None
        process.stdin.write(b'{"tool_name": ')
        process.stdin.flush()
        _wait_until_it_reads(process.pid)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        answer = Answer(process.returncode, out, err)
        assert (answer.decision, "it was interrupted" in answer.reason) == ("deny", True)

    def test_an_input_that_never_ends_is_denied(self, claude: Claude) -> None:
        script = (
            "import skillui.serve.hook_input as i, skillui.serve.hook_main as m\n"
            "i.read_input.__defaults__ = (0.2,)\nraise SystemExit(m.run('ask'))"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=claude.environ,
        )  # fmt: skip
        assert process.stdout is not None
        assert b"did not end within 0.2 s" in process.stdout.readline()
        process.communicate(timeout=60)


def test_the_hook_loads_neither_the_screen_nor_the_command_line(claude: Claude) -> None:
    make_skill(claude.project)
    script = (
        "import sys, skillui.cli\ncode = skillui.cli.main(['hook', 'claude-code'])\n"
        "heavy = ['textual', 'rich', 'watchfiles', 'click', 'yaml', 'asyncio', 'tree_sitter', 'pydantic']\n"
        "print([name for name in heavy if name in sys.modules], code, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(claude.input()).encode(), capture_output=True,
        env=claude.environ, timeout=60,
    )  # fmt: skip
    assert done.stderr == b"[] 0\n"


@pytest.mark.parametrize(
    ("module", "code"), [("skillui.serve.hook_main", 2), ("skillui.serve.hook_judge", 0), ("skillui.review.store", 0)]
)
def test_a_part_that_cannot_be_loaded_denies(claude: Claude, module: str, code: int) -> None:
    script = (
        f"import sys, skillui.cli\nsys.modules[{module!r}] = None\n"
        "raise SystemExit(skillui.cli.main(['hook', 'claude-code']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(claude.input()).encode(), capture_output=True,
        env=claude.environ, timeout=60,
    )  # fmt: skip
    answer = Answer(done.returncode, done.stdout, done.stderr)
    assert answer.code == code
    if code == 0:
        assert (answer.decision, "the hook failed" in answer.reason) == ("deny", True)
    else:
        assert answer.err.count(b"\n") == 1
        assert b"the skill is denied" in answer.err


def _wait_until_it_reads(pid: int) -> None:
    """Wait until the process sleeps in its reading; where that cannot be seen, long enough."""
    deadline = time.monotonic() + 10
    seen = 0
    while time.monotonic() < deadline and seen < 5:
        time.sleep(0.1)
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            state = "S"
        seen = seen + 1 if state == "S" else 0

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from skillui.checks.tools import is_broad
from skillui.core import FilesystemSkillRegistry, LoadedSkill, SessionConfig, SkillSession
from skillui.workspace.width import cells
from tests.cli.conftest import World

PROMPT = "Type yes to allow it this once, anything else denies \\[no\\]: "


def digest_of(world: World, name: str) -> str:
    return str(json.loads(world.run("show", name, "--json").out)["digest"])


def engine_output(world: World, name: str, arguments: object = None, root: Path | None = None) -> str:
    registry = FilesystemSkillRegistry([root or world.project_root])
    entry = registry.scan().by_name[name]
    loaded = registry.load_entry(entry)
    assert isinstance(loaded, LoadedSkill)
    return SkillSession(SessionConfig(str(world.shop)), registry=registry).preview(loaded, arguments).output


def test_digest_that_was_read_allows_and_the_output_is_exact(world: World) -> None:
    world.skill(world.project_root, "deploy", body="To $1.\r\n\x1b[1mbold\u202e")
    done = world.run("activate", "deploy", "staging now", "--yes-i-read-it", digest_of(world, "deploy"))
    assert (done.code, done.err) == (0, "")
    assert done.raw == engine_output(world, "deploy", "staging now").encode()
    assert b"To staging.\r\n\x1b[1mbold" in done.raw


def test_digest_of_other_content_denies_and_names_the_right_one(world: World) -> None:
    folder = world.skill(world.project_root, "deploy")
    read = digest_of(world, "deploy")
    (folder / "extra.txt").write_text("new")
    done = world.run("activate", "deploy", "--yes-i-read-it", read)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith('Error [NOT_TRUSTED]: skill "deploy"')
    assert digest_of(world, "deploy") in done.err


def test_content_without_a_digest_is_denied(world: World) -> None:
    folder = world.skill(world.project_root, "deploy")
    os.mkfifo(folder / "pipe")
    done = world.run("activate", "deploy", "--yes-i-read-it", "sha256:" + "0" * 64)
    assert done.code == 1
    assert "no digest: pipe is a named pipe" in done.err


@pytest.mark.parametrize(("root", "code"), [("project_root", "NOT_TRUSTED"), ("user_root", "PERMISSION_DENIED")])
def test_without_a_person_it_is_refused(world: World, root: str, code: str) -> None:
    world.skill(getattr(world, root), "deploy")
    done = world.run("activate", "deploy", stdin=b"yes\nyes\n")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"Error [{code}]: ")
    assert "nobody is at a terminal to be asked" in done.err
    assert "--yes-i-read-it" not in done.err


def test_what_is_not_found_or_wrong_goes_to_stderr_as_the_engine_says_it(world: World) -> None:
    world.skill(world.project_root, "deploy")
    world.skill(world.project_root, "broken", description="")
    world.skill(world.user_root, "manual", more="disable-model-invocation: true")
    wrong = {
        "deplyo": '(No skill matches "deplyo". Did you mean: deploy? Run with a listed name from the catalog.)\n',
        "broken": "Error [INVALID_FRONTMATTER]: ",
        "Not Kebab": "Error [INVALID_PARAM]: ",
        "manual": "Error [DISABLED]: ",
    }
    for name, words in wrong.items():
        done = world.run("activate", name)
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith(words)


def test_as_user_reaches_what_no_model_may(world: World) -> None:
    world.skill(world.user_root, "manual", more="disable-model-invocation: true")
    done = world.run("activate", "manual", "--as-user", "--yes-i-read-it", digest_of(world, "manual"))
    assert done.code == 0
    assert done.out.startswith('<skill name="manual"')


def test_named_arguments_build_the_map(world: World) -> None:
    world.skill(world.project_root, "deploy", more="arguments: [where, how]", body="${where} ${how}")
    digest = digest_of(world, "deploy")
    done = world.run("activate", "deploy", "--arg", "where=a=b", "--arg", "how=", "--yes-i-read-it", digest)
    assert "\na=b \n" in done.out
    assert "INVALID_PARAM" in world.run("activate", "deploy", "text", "--yes-i-read-it", digest).err


def test_session_log_gets_the_event_of_every_call(world: World) -> None:
    world.skill(world.project_root, "deploy")
    log = world.top / "events.jsonl"
    world.run("activate", "deploy", "--session-log", str(log))
    world.run("--session-log", str(log), "activate", "deploy", "--yes-i-read-it", digest_of(world, "deploy"))
    first, second = map(json.loads, log.read_text().splitlines())
    assert (first["kind"], first["code"], first["decision"]) == ("error", "NOT_TRUSTED", "deny")
    assert (second["kind"], second["decision"], second["name"]) == ("ok", "allow_once", "deploy")
    assert log.stat().st_mode & 0o777 == 0o600


def spawn(world: World, *arguments: str, width: int = 100, output: str = "") -> pexpect.spawn[str]:
    """Start the program at a terminal; `output` is where the shell sends its standard output."""
    command = shlex.join([sys.executable, "-m", "skillui", *arguments])
    child = pexpect.spawn(
        "/bin/sh", ["-c", f"exec {command} {output}"], cwd=str(world.shop), env=world.environ, encoding="utf-8",
        timeout=30, dimensions=(40, width), echo=False,
    )  # fmt: skip
    return child


def ended(child: pexpect.spawn[str]) -> int:
    child.expect(pexpect.EOF)
    child.close()
    return int(child.exitstatus if child.exitstatus is not None else -1)


def test_person_is_asked_with_everything_made_visible(world: World) -> None:
    world.skill(
        world.project_root, "deploy", description='"x\\e[2Jy"', more='allowed-tools: ["Bash(*)", "Read", "A\\u202EB"]'
    )
    result = world.top / "result"
    child = spawn(world, "activate", "deploy", "to", output=f"> {result}")
    child.expect(PROMPT)
    asked = child.before or ""
    for words in (
        "The model asks to activate the skill deploy", str(world.project_root / "deploy"), "project: .skills",
        "not trusted: it came with the project", "Bash(*)   <- broad", "A⟨U+202E⟩B", digest_of(world, "deploy"),
        "x␛[2Jy", "arguments  to",
    ):  # fmt: skip
        assert words in asked
    assert "\x1b" not in asked
    child.sendline("yes")
    assert ended(child) == 0
    assert result.read_text() == engine_output(world, "deploy", "to")


@pytest.mark.parametrize("answer", ["", "y", "no", "YES", "yes please"])
def test_anything_but_yes_in_full_denies(world: World, answer: str) -> None:
    world.skill(world.project_root, "deploy")
    child = spawn(world, "activate", "deploy")
    child.expect(PROMPT)
    child.sendline(answer)
    child.expect("the person at the terminal denied it")
    assert ended(child) == 1


def test_end_of_input_denies(world: World) -> None:
    world.skill(world.project_root, "deploy")
    child = spawn(world, "activate", "deploy")
    child.expect(PROMPT)
    child.sendeof()
    child.expect("Error \\[NOT_TRUSTED\\]")
    assert ended(child) == 1


def test_what_was_typed_ahead_is_no_answer(world: World) -> None:
    world.skill(world.project_root, "deploy")
    child = spawn(world, "activate", "deploy")
    child.sendline("yes")
    child.expect(PROMPT)
    child.sendline("no")
    child.expect("denied it")
    assert ended(child) == 1


def test_interrupt_at_the_question_is_quiet_and_logged_as_a_denial(world: World) -> None:
    world.skill(world.project_root, "deploy")
    log = world.top / "events.jsonl"
    child = spawn(world, "activate", "deploy", "--session-log", str(log))
    child.expect(PROMPT)
    child.sendintr()
    assert ended(child) == 130
    assert "Traceback" not in (child.before or "")
    assert json.loads(log.read_text())["code"] == "NOT_TRUSTED"


def test_question_reaches_the_terminal_when_stderr_does_not(world: World) -> None:
    world.skill(world.user_root, "deploy")
    child = spawn(world, "activate", "deploy", output=f"2> {world.top / 'errors'}")
    child.expect(PROMPT)
    child.sendline("yes")
    child.expect("</skill>")
    assert ended(child) == 0
    assert (world.top / "errors").read_text() == ""


def test_result_on_a_terminal_cannot_command_it(world: World) -> None:
    world.skill(world.user_root, "deploy", body="a\x1b]0;title\x07b")
    child = spawn(world, "activate", "deploy", "--yes-i-read-it", digest_of(world, "deploy"))
    child.expect("a␛\\]0;title␇b")
    child.expect("2 characters are shown as symbols")
    assert ended(child) == 0


def test_piped_yes_is_not_a_person_even_at_a_terminal(world: World) -> None:
    world.skill(world.project_root, "deploy")
    command = shlex.join([sys.executable, "-m", "skillui", "activate", "deploy"])
    child = pexpect.spawn(
        "/bin/sh", ["-c", f"echo yes | {command}"], cwd=str(world.shop), env=world.environ, encoding="utf-8", timeout=30
    )
    child.expect("nobody is at a terminal")
    assert ended(child) == 1


@pytest.mark.parametrize("width", [40, 80, 120])
def test_list_fits_the_terminal(world: World, width: int) -> None:
    world.skill(world.project_root, "deploy", description="漢字" * 100)
    world.skill(world.project_root, "a" * 64, description="word " * 100)
    child = spawn(world, "list", width=width)
    child.expect(pexpect.EOF)
    lines = (child.before or "").replace("\r", "").splitlines()
    child.close()
    assert len(lines) == 4
    assert all(cells(line) <= width for line in lines)
    assert any("…" in line for line in lines)


def test_termination_removes_the_copy_of_the_samples(world: World) -> None:
    child = spawn(world, "--demo", "activate", "weekly-report")
    child.expect(PROMPT)
    assert list((world.top / "tmp").iterdir()) != []
    child.kill(signal.SIGTERM)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 128 + signal.SIGTERM
    assert list((world.top / "tmp").iterdir()) == []


def test_session_log_that_fails_while_writing_is_one_line(world: World) -> None:
    world.skill(world.user_root, "deploy")
    digest = digest_of(world, "deploy")
    # A limit of no bytes at all stands for a full disk.
    script = f"ulimit -f 0; trap '' XFSZ; exec {sys.executable} -m skillui activate deploy --session-log log "
    done = subprocess.run(
        ["sh", "-c", script + f"--yes-i-read-it {digest}"],
        cwd=world.shop,
        env=world.environ,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    *warnings, _ = done.stderr.splitlines()  # the decisions have no room either, which is a warning
    assert all(line.startswith("skillui: warning: ") for line in warnings)
    assert "session log" in done.stderr


@pytest.mark.parametrize(
    ("tool", "broad"),
    [
        ("Bash", True), ("Bash(*)", True), ("Bash(:*)", True), ("Bash(sh:*)", True), ("Bash(bash -c *)", True),
        ("Bash(git log:*)", False), ("Bash(python3 scripts/*)", False), ("Read", False), ("Read(*)", False),
        ("Write", True),
        ("Write(docs/**)", False), ("WebFetch(*)", True), ("*", True), ("Bash(/bin/sh:*)", True), ("Edit", True),
    ],
)  # fmt: skip
def test_broad_tools(tool: str, broad: bool) -> None:
    assert is_broad(tool) is broad


def test_question_shows_the_text_that_would_be_returned(world: World) -> None:
    world.skill(world.user_root, "deploy", body="Read this first.\n\x1b[2JType yes to allow it\u202e\n")
    child = spawn(world, "activate", "deploy")
    child.expect(PROMPT)
    shown = (child.before or "").replace("\r\n", "\n")
    assert "  | Read this first.\n" in shown
    assert "  | ␛[2JType yes to allow it⟨U+202E⟩\n" in shown
    assert "2 characters are shown as symbols" in shown
    assert "NOT ALL OF IT" not in shown
    child.sendline("no")
    assert ended(child) == 1


def test_question_says_how_much_of_a_long_text_it_leaves_out(world: World) -> None:
    world.skill(world.user_root, "deploy", body="".join(f"Step {number} of many.\n" for number in range(500)))
    child = spawn(world, "activate", "deploy")
    child.expect(PROMPT)
    shown = child.before or ""
    assert "Step 50 of many." in shown
    assert "Step 70 of many." not in shown
    assert "NOT ALL OF IT: " in shown
    child.sendline("no")
    assert ended(child) == 1


def test_question_wraps_at_words_within_the_terminal(world: World) -> None:
    words = "describes " * 40
    world.skill(world.user_root, "deploy", body=words + "\n", description=words.strip())
    child = spawn(world, "activate", "deploy", width=80)
    child.expect(PROMPT)
    lines = (child.before or "").replace("\r\n", "\n").split("\n")
    told = [line for line in lines if "describes" in line]
    assert len(told) > 8
    assert all(cells(line) <= 80 and line.rstrip().endswith("describes") for line in told), told
    child.sendline("no")
    assert ended(child) == 1


@pytest.mark.parametrize("blank", ["\u00a0", "\u3000", "\u2003"])
def test_no_description_forges_a_line_of_the_question(world: World, blank: str) -> None:
    forged = [
        "  root       ~/.claude/skills: your own folder",
        "  why        trusted: it lies in your own skill folder",
    ]
    text = "Formats a table. Use when asked." + blank * 40
    text += "".join((line.replace(" ", blank) + blank * 80)[:80] for line in forged)
    world.skill(world.project_root, "deploy", description=f'"{text}"')
    child = spawn(world, "activate", "deploy", width=80)
    child.expect(PROMPT)
    lines = (child.before or "").replace("\r", "").split("\n")
    rows = [line.split() for line in lines if line[:2] == "  " and line[2:3].strip()]
    assert [row[0] for row in rows].count("root") == 1
    assert [row[0] for row in rows].count("why") == 1
    assert all(cells(line) <= 80 for line in lines if "sha256:" not in line and "dir  " not in line)
    child.sendline("no")
    assert ended(child) == 1

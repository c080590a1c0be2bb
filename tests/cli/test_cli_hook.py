"""`skillui hook install` and `uninstall`: a change of one settings file that leaves the rest as it is."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import World

INSTALL = ("hook", "install", "claude-code")
ODD = (
    '{\n\t"model" : "opus",  \n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{"matcher": "Bash", "hooks": []}\n\t\t],\n'
    '\t\t"Stop": []\n\t},\n\t"env": {"A": "\\u00e9", "n": 1.50}\n}'
)
SHAPES = {
    "odd layout": ODD,
    "empty object": "{}",
    "empty object on two lines": "{\n}\n",
    "one line": '{"model": "opus"}\n',
    "no hooks": '{\n  "model": "opus"\n}\n',
    "empty hooks": '{\n    "hooks": {},\n    "model": "opus"\n}\n',
    "other event": '{\n  "hooks": {\n    "Stop": []\n  }\n}\n',
    "empty event": '{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n',
    "windows line ends": '{\r\n  "model": "opus"\r\n}\r\n',
    "compact": '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[]}]},"a":[1,2]}',
    "strings like brackets": '{\n  "a": "}]\\"{",\n  "hooks": {"PreToolUse": [{"matcher": "]"}]}\n}\n',
}


def settings(world: World, scope: str = "--user") -> Path:
    return (world.home if scope == "--user" else world.shop) / ".claude" / "settings.json"


def write(world: World, text: str, scope: str = "--user") -> Path:
    path = settings(world, scope)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def ours(path: Path) -> list[dict[str, Any]]:
    groups = json.loads(path.read_text())["hooks"]["PreToolUse"]
    return [group for group in groups if group.get("matcher") == "Skill"]


def test_without_being_told_to_it_shows_the_change_and_writes_nothing(world: World) -> None:
    done = world.run(*INSTALL)
    assert done.code == 0
    assert "+++ " in done.out
    assert '+        "matcher": "Skill"' in done.out
    assert "nothing was written" in done.err
    assert not settings(world).exists()


@pytest.mark.parametrize("scope", ["--user", "--project"])
def test_told_to_it_writes_the_hook(world: World, scope: str) -> None:
    done = world.run(*INSTALL, scope, "--write")
    assert (done.code, done.err) == (0, "")
    (group,) = ours(settings(world, scope))
    (handler,) = group["hooks"]
    assert handler["type"] == "command"
    assert handler["onFailure"] == "block"
    command = str(handler["command"])
    assert command.endswith("hook claude-code")
    assert os.path.isabs(command.split()[0].strip("'")) == (scope == "--user")
    if os.name == "posix":
        assert stat.S_IMODE(settings(world, scope).stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
def test_the_command_runs_no_module_of_the_project(world: World) -> None:
    world.run(*INSTALL, "--write", environ={"PATH": "/nowhere"})
    command = ours(settings(world))[0]["hooks"][0]["command"]
    assert command.split()[1:] == ["-P", "-m", "skillui", "hook", "claude-code"]
    (world.shop / "skillui").mkdir()
    (world.shop / "skillui" / "__init__.py").write_text("")
    (world.shop / "skillui" / "__main__.py").write_text("print('allow')")
    done = subprocess.run(
        ["sh", "-c", command], cwd=world.shop, env=world.environ, input=b"", capture_output=True, timeout=60
    )
    assert b'"permissionDecision":"deny"' in done.stdout


def test_the_project_is_the_repository_around_the_working_folder(world: World) -> None:
    deep = world.shop / "apps" / "web"
    deep.mkdir(parents=True)
    assert world.run(*INSTALL, "--project", "--write", cwd=deep).code == 0
    assert settings(world, "--project").exists()


def test_the_answer_to_unknown_content_goes_into_the_command(world: World) -> None:
    world.run(*INSTALL, "--project", "--unknown", "deny", "--write")
    assert '"skillui hook claude-code --unknown deny"' in settings(world, "--project").read_text()


@pytest.mark.parametrize("shape", SHAPES)
def test_everything_else_stays_byte_for_byte(world: World, shape: str) -> None:
    before = SHAPES[shape]
    path = write(world, before)
    assert world.run(*INSTALL, "--write").code == 0
    after = path.read_bytes().decode()
    kept = iter(after)
    assert all(character in kept for character in before)  # nothing was taken away, the order is the same
    assert len(ours(path)) == 1
    expected = json.loads(before)
    expected.setdefault("hooks", {}).setdefault("PreToolUse", []).append(ours(path)[0])
    assert json.loads(after) == expected
    assert list(json.loads(after)) == list(expected)
    assert ("\r\n" in before) == ("\r\n" in after)
    if "\r\n" in before:
        assert after.count("\n") == after.count("\r\n")


@pytest.mark.parametrize("shape", SHAPES)
def test_it_is_installed_once(world: World, shape: str) -> None:
    path = write(world, SHAPES[shape])
    world.run(*INSTALL, "--write")
    once = path.read_bytes()
    done = world.run(*INSTALL, "--write")
    assert (done.code, "is installed" in done.out, "already" in done.out) == (0, True, True)
    assert path.read_bytes() == once


@pytest.mark.parametrize("shape", sorted(set(SHAPES) - {"empty hooks", "empty event", "empty object on two lines"}))
def test_taking_it_out_gives_the_same_bytes_back(world: World, shape: str) -> None:
    path = write(world, SHAPES[shape])
    world.run(*INSTALL, "--write")
    assert world.run("hook", "uninstall", "claude-code").code == 0
    assert len(ours(path)) == 1
    assert world.run("hook", "uninstall", "claude-code", "--write").code == 0
    assert json.loads(path.read_text()) == json.loads(SHAPES[shape])
    assert path.read_bytes().decode() == SHAPES[shape]
    assert "already" in world.run("hook", "uninstall", "claude-code").out


@pytest.mark.parametrize(
    "matcher", ["Skill", "Bash|Skill", "*", "", "Skill,Bash", ...], ids=["one", "two", "all", "empty", "list", "none"]
)
def test_a_hook_that_was_written_by_hand_is_known(world: World, matcher: object) -> None:
    group = {"matcher": matcher, "hooks": [{"type": "command", "command": "/opt/bin/skillui hook claude-code"}]}
    if matcher is ...:
        del group["matcher"]
    write(world, json.dumps({"hooks": {"PreToolUse": [group]}}))
    assert "already" in world.run(*INSTALL).out


@pytest.mark.parametrize(
    ("matcher", "command"),
    [("Bash", "skillui hook claude-code"), ("Skill", "echo skillui hook claude-code"), ("Skill", "skillui hook")],
)
def test_what_only_looks_like_it_is_not_it(world: World, matcher: str, command: str) -> None:
    group = {"matcher": matcher, "hooks": [{"type": "command", "command": command}]}
    path = write(world, json.dumps({"hooks": {"PreToolUse": [group]}}))
    assert world.run(*INSTALL, "--write").code == 0
    assert len(json.loads(path.read_text())["hooks"]["PreToolUse"]) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{\n  "a": 1,\n}', "line 3, column 1"), ("// note\n{}", "line 1, column 1"), ("[]", "line 1, column 1"),
        ('{\n  "hooks": []\n}', "line 2, column 12: 'hooks' must be an object"),
        ('{"hooks": {"PreToolUse": {}}}', "line 1, column 26: 'PreToolUse' must be a list"),
        ('{"hooks": {}, "hooks": {}}', "twice"), ('{"a": NaN}', "NaN"), ("[" * 100_000, "nested too deeply"),
        ('\ufeff{"a": 1}', "line 1, column 1"), ('"text"', "line 1, column 1"),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_left_alone(world: World, text: str, words: str) -> None:
    path = write(world, text)
    done = world.run(*INSTALL, "--write")
    assert done.is_one_line_fault()
    assert words in done.err
    assert path.read_text(encoding="utf-8") == text


def test_bytes_that_are_no_text_are_left_alone(world: World) -> None:
    path = write(world, "")
    path.write_bytes(b'{"a": "\xff"}')
    assert "not UTF-8" in world.run(*INSTALL, "--write").err


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
class TestLinks:
    def test_a_project_cannot_lead_the_change_out_of_itself(self, world: World) -> None:
        victim = world.home / "victim.json"
        victim.write_text("{}")
        (world.shop / ".claude").mkdir()
        settings(world, "--project").symlink_to(victim)
        done = world.run(*INSTALL, "--project", "--write")
        assert done.is_one_line_fault()
        assert victim.read_text() == "{}"

    def test_the_users_own_link_stays_one(self, world: World) -> None:
        real = world.home / "dotfiles.json"
        real.write_text("{}")
        settings(world).parent.mkdir(parents=True)
        settings(world).symlink_to(real)
        assert world.run(*INSTALL, "--write").code == 0
        assert settings(world).is_symlink()
        assert "Skill" in real.read_text()


@pytest.mark.skipif(os.name != "posix", reason="a terminal of its own")
@pytest.mark.parametrize(("answer", "written"), [("yes", True), ("y", False), ("", False)])
def test_at_a_terminal_a_typed_yes_writes_it(world: World, answer: str, written: bool) -> None:
    import pexpect

    child = pexpect.spawn(
        sys.executable, ["-m", "skillui", *INSTALL], cwd=str(world.shop), env=dict(world.environ), timeout=60
    )
    child.expect("Type yes to write it")
    child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert settings(world).exists() == written


def test_help_names_the_answers(world: World) -> None:
    done = world.run("hook", "claude-code", "--help")
    assert done.code == 0
    assert "--unknown" in done.out
    assert {"claude-code", "install", "uninstall"} <= set(world.run("hook", "--help").out.split())

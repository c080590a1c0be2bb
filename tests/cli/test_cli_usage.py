from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from skillui import __version__
from skillui.cli import main
from skillui.cli.group import COMMANDS
from tests.cli.conftest import World


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_of_every_command_names_the_exit_codes(world: World, command: str) -> None:
    done = world.run(*filter(None, [command]), "--help")
    assert done.code == 0
    assert done.err == ""
    assert done.out.startswith("Usage: skillui")
    assert "Exit codes:" in done.out


def test_version(world: World) -> None:
    assert world.run("--version").out == f"skillui, version {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--nope",), "--nope"),
        (("list", "--nope"), "skillui list --help"),
        (("list", "--for", "nobody"), "nobody"),
        (("show",), "Missing argument"),
        (("lsit",), "did you mean `list`?"),
        (("./lsit",), "there is no file or folder './lsit'"),
        (("",), "no file or folder"),
        (("list", "--root", ""), "the path is empty"),
        (("list", "--trusted-root", ""), "the path is empty"),
        (("--theme", "nonsense"), "there is no theme `nonsense`; there are: "),
        (("--theme", "x", "list"), "--theme belongs to the app"),
        (("--session-log", "x", "list"), "--session-log"),
        (("--root", "x", "rpc"), "`rpc`"),
        (("list", "--demo", "--root", "x"), "--demo opens its own roots"),
        ((".", "--demo"), "--demo opens its own roots"),
        (("new", "Not A Name"), "try 'not-a-name'"),
        (("new", "fine", "--root", "no/such/folder"), "does not exist"),
        (("completion", "tcsh"), "tcsh"),
        (("activate", "x", "text", "--arg", "a=b"), "not both"),
        (("activate", "x", "--arg", "a=b", "--arg", "a=c"), "given twice"),
        (("activate", "x", "--arg", "ab"), "KEY=VALUE"),
        (("activate", "x", "--arg", "=b"), "KEY=VALUE"),
        (("activate", "x", "--yes-i-read-it", "yes"), "64 hexadecimal digits"),
        (("activate", "x", "--session-log", "no/such/log"), "session log"),
        (("activate", "x", "--session-log", "."), "session log"),
        (("bad\x1b[2Jname\nsecond",), "bad␛[2Jname"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(world: World, arguments: tuple[str, ...], words: str) -> None:
    done = world.run(*arguments)
    assert done.is_one_line_fault(), done
    assert words in done.err


def test_path_that_cannot_be_opened_is_one_line(world: World) -> None:
    (world.shop / "loop").symlink_to("loop")
    done = world.run("loop")
    assert done.is_one_line_fault(), done
    assert "cannot be opened" in done.err


def test_working_folder_that_is_gone_is_one_line(world: World) -> None:
    gone = world.top / "gone"
    gone.mkdir()
    script = f"cd {gone} && rmdir {gone} && exec {sys.executable} -m skillui list"
    done = subprocess.run(["sh", "-c", script], env=world.environ, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "skillui: the working folder does not exist any more\n"
    gone.mkdir()
    checked = subprocess.run(
        ["sh", "-c", script.replace(" list", " check")], env=world.environ, capture_output=True, text=True
    )
    assert (checked.returncode, checked.stdout) == (2, "")
    assert checked.stderr.startswith("skillui: the working directory cannot be used")
    gone.mkdir()
    shown = subprocess.run(
        ["sh", "-c", script.replace(" list", " list --demo")], env=world.environ, capture_output=True, text=True
    )
    assert shown.returncode == 0  # the samples lie elsewhere
    assert "explain-error" in shown.stdout


def test_command_wins_over_a_folder_of_its_name(world: World) -> None:
    world.skill(world.shop / "list", "inside")
    world.skill(world.project_root, "outside")
    assert "inside" not in world.run("list").out
    opened = world.run("./list")
    assert "inside" in opened.out
    assert "outside" in opened.out


def test_without_a_terminal_the_list_is_printed_and_said_so(world: World) -> None:
    world.skill(world.project_root, "deploy")
    done = world.run()
    assert done.code == 0
    assert "deploy" in done.out
    assert done.err.count("\n") == 1
    assert "needs a terminal" in done.err
    assert world.run(str(world.shop), cwd=world.home).out == done.out


def test_options_count_before_and_after_the_command(world: World) -> None:
    world.skill(world.top / "a", "first")
    world.skill(world.top / "b", "second")
    done = world.run("--root", str(world.top / "a"), "list", "--root", str(world.top / "b"), "--json")
    assert '"root_index": 0' in done.out.split("second")[0]
    assert "first" in done.out
    assert "second" in done.out


def test_reader_that_goes_away_is_quiet(world: World) -> None:
    for number in range(3000):
        world.skill(world.project_root, f"skill-{number}")
    script = f"{{ {sys.executable} -m skillui list; echo $? >&2; }} | head -1"
    done = subprocess.run(["sh", "-c", script], cwd=world.shop, env=world.environ, capture_output=True, text=True)
    assert done.stderr == "141\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["list"], ["--help"], ["--version"], ["list", "--help"], ["rpc"]])
def test_full_disk_is_one_line(world: World, arguments: list[str]) -> None:
    world.skill(world.project_root, "deploy")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "skillui", *arguments], cwd=world.shop, env=world.environ, stdout=full,
            stderr=subprocess.PIPE, text=True, input='{"id": 1, "method": "tool_definition"}\n',
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        2,
        "skillui: standard output cannot be written: no space left on device\n",
    )


@pytest.mark.parametrize("more", [{}, {"COMP_WORDS": "skillui", "COMP_CWORD": "abc"}])
def test_a_completion_that_no_shell_asked_for_is_one_line(world: World, more: dict[str, str]) -> None:
    done = world.run(environ={"_SKILLUI_COMPLETE": "bash_complete", **more})
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "COMP_WORDS" in done.err


def test_a_project_that_links_its_folder_elsewhere_gets_no_new_skill_there(world: World) -> None:
    victim = world.top / "victim"
    victim.mkdir()
    world.project_root.symlink_to(victim)
    done = world.run("new", "planted")
    assert (done.code, done.out) == (2, "")
    assert str(victim) in done.err
    assert list(victim.iterdir()) == []
    assert world.run("new", "planted", "--root", str(victim)).code == 0


def test_a_broken_skill_is_shown_and_the_code_says_so(world: World) -> None:
    world.skill(world.project_root, "half", description="")
    done = world.run("show", "half")
    assert done.code == 1
    assert "INVALID_FRONTMATTER" in done.out


def test_a_file_that_is_no_session_log_is_not_appended_to(world: World) -> None:
    file = world.skill(world.project_root, "deploy") / "SKILL.md"
    before = file.read_bytes()
    done = world.run("activate", "deploy", "--session-log", str(file))
    assert (done.code, done.out) == (2, "")
    assert "is no session log" in done.err
    assert file.read_bytes() == before


def test_closed_output_is_one_line(world: World) -> None:
    script = f"exec {sys.executable} -m skillui list >&-"
    done = subprocess.run(["sh", "-c", script], cwd=world.shop, env=world.environ, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "skillui: standard output is closed\n")


def test_unexpected_fault_is_one_line_and_its_traceback_in_the_log(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise RuntimeError("boom\nTraceback of nothing")

    monkeypatch.setattr("skillui.workspace.launch.open_launch", fail)
    monkeypatch.setenv("SKILLUI_STATE_DIR", str(world.home / "state"))
    log = world.home / "state" / "skillui.log"
    assert main(["list"]) == 2
    line = capsys.readouterr().err
    assert line == f"skillui: something went wrong inside skillui (RuntimeError); the details are in {log}\n"
    assert "Traceback" in log.read_text()
    assert os.stat(log).st_mode & 0o777 == 0o600


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(world: World, shell: str) -> None:
    done = world.run("completion", shell)
    assert (done.code, done.err) == (0, "")
    assert "_SKILLUI_COMPLETE" in done.out
    assert "skillui" in done.out


def complete(world: World, words: str) -> str:
    count = str(len(words.split(" ")) - 1)
    environ = {"_SKILLUI_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": count}
    done = world.run(environ=environ)
    assert (done.code, done.err) == (0, "")
    return done.out


def test_shell_completes_commands_folders_and_skill_names(world: World) -> None:
    world.skill(world.project_root, "deploy")
    world.skill(world.project_root, "design")
    world.skill(world.project_root, "broken", description="")
    assert complete(world, "skillui sh").splitlines() == ["dir,sh", "plain,show"]
    assert complete(world, "skillui show de").splitlines() == ["plain,deploy", "plain,design"]
    assert complete(world, "skillui show b").strip() == ""


HEAVY = ("textual", "rich", "watchfiles", "tree_sitter")
RUNS = (
    ["--help"], ["--version"], ["list"], ["list", "--json"], ["list", "--demo"], ["show", "deploy"],
    ["activate", "deploy"], ["rpc"], ["new", "another"], ["completion", "zsh"], ["."], ["nowhere"],
)  # fmt: skip


@pytest.mark.parametrize("arguments", RUNS, ids=" ".join)
def test_no_command_imports_the_interface(world: World, arguments: list[str]) -> None:
    world.skill(world.project_root, "deploy")
    script = f"import sys; from skillui.cli import main; main({arguments!r}); sys.stdout = sys.stderr; " + (
        f"print('loaded:', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=world.shop, env=world.environ, capture_output=True, text=True, input=""
    )
    assert done.stderr.splitlines()[-1] == "loaded: []"


def test_listing_needs_no_event_loop(world: World) -> None:
    script = "import sys; from skillui.cli import main; main(['list']); print('asyncio' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=world.shop, env=world.environ, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "False"


def packed(world: World) -> str:
    """Write two skills, commit them, and pack them into an archive beside the project."""
    world.skill(world.project_root, "deploy")
    world.skill(world.project_root, "menus")
    world.commit()
    path = world.top / "pack.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(world.project_root.rglob("SKILL.md")):
            archive.write(file, file.relative_to(world.project_root).as_posix())
    return str(path)


def test_an_archive_and_a_revision_are_listed_where_there_is_no_terminal(world: World) -> None:
    path = packed(world)
    (world.project_root / "menus" / "SKILL.md").unlink()  # the working tree has no part in a revision
    revision = ["--git", "HEAD"]
    for arguments in ([path], revision, [*revision, "--repo", str(world.shop)], ["list", *revision]):
        done = world.run(*arguments)
        assert done.code == 0, done.err
        assert "deploy" in done.out
        assert "menus" in done.out
        assert "2 skills" in done.out
    assert done.err == ""
    names = [skill["name"] for skill in json.loads(world.run("list", "--git", "HEAD", "--json").out)["skills"]]
    assert names == ["deploy", "menus"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--git", "nonsense"], "there is no revision 'nonsense'"),
        (["--git", "HEAD:../x"], "without .. or / in front"),
        (["--git", "HEAD", "pack.zip"], "leave out PATH"),
        (["--git", "HEAD", "."], "leave out PATH"),
        (["--repo", "."], "--repo goes with --git REV"),
        (["pack.zip", "--demo"], "leave out --root, --trusted-root and --demo"),
        (["--git", "HEAD", "--root", "."], "leave out --root, --trusted-root and --demo"),
        (["--git", "HEAD", "list"], "`list` takes --git after its name"),
        (["--git", "HEAD", "show", "deploy"], "`show` reads no revision"),
        (["broken.zip"], "broken.zip"),
        (["list", "--repo", "."], "--repo goes with --git REV"),
    ],
)
def test_a_source_that_cannot_be_opened_is_one_line(world: World, arguments: list[str], words: str) -> None:
    shutil.copy(packed(world), world.shop / "pack.zip")
    (world.shop / "broken.zip").write_bytes(b"no archive")
    done = world.run(*arguments)
    assert done.is_one_line_fault(), (done.code, done.out, done.err)
    assert words in done.err

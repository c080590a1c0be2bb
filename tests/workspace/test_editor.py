from __future__ import annotations

import os
from pathlib import Path

import pytest

from skillui.workspace.editor import EditorCommand, editor_command

FILE = "/work/a b/$(x);SKILL.md"


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


def install(folder: Path, name: str) -> str:
    program = folder / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return str(program)


def command(programs: Path, line: int | None = None, setting: str | None = None, **environ: str) -> EditorCommand:
    return editor_command(FILE, line, setting=setting, environ={"PATH": str(programs), **environ})


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("vim", ["+7", FILE]),
        ("nvim", ["+7", FILE]),
        ("vi", ["+7", FILE]),
        ("nano", ["+7", FILE]),
        ("emacs", ["+7", FILE]),
        ("gvim", ["-f", "+7", FILE]),
        ("code", ["--wait", "-g", f"{FILE}:7"]),
        ("subl", ["--wait", f"{FILE}:7"]),
        ("hx", [f"{FILE}:7"]),
        ("my-editor", [FILE]),
    ],
)
def test_the_line_is_given_in_the_editors_own_form(programs: Path, name: str, arguments: list[str]) -> None:
    program = install(programs, name)
    assert command(programs, 7, EDITOR=name).argv == (program, *arguments)


def test_the_first_that_can_be_run_is_taken(programs: Path) -> None:
    for name in ("one", "two", "three", "nano", "vi"):
        install(programs, name)
    assert command(programs, VISUAL="one", EDITOR="two", setting="three").source == "$VISUAL"
    assert command(programs, VISUAL=" ", EDITOR="two", setting="three").source == "$EDITOR"
    assert command(programs, setting="three").source == "editor"
    found = command(programs)
    assert (found.source, os.path.basename(found.argv[0])) == ("found", "nano")
    (programs / "nano").unlink()
    assert os.path.basename(command(programs).argv[0]) == "vi"


def test_arguments_are_split_as_by_a_shell_and_kept_once(programs: Path) -> None:
    program = install(programs, "code")
    assert command(programs, EDITOR="code -w --profile 'My Skills'").argv == (
        program,
        "-w",
        "--profile",
        "My Skills",
        FILE,
    )


def test_what_cannot_be_used_is_told_and_passed_over(programs: Path) -> None:
    install(programs, "vi")
    found = command(programs, VISUAL="code '--wait", EDITOR="nowhere --x")
    assert found.source == "found"
    assert found.problems == (
        "$VISUAL cannot be split into words: no closing quotation",
        "$EDITOR names a program that was not found: nowhere",
    )


def test_without_any_editor_the_reason_says_what_to_set(programs: Path) -> None:
    found = command(programs)
    assert (found.argv, found.source) == ((), None)
    assert "set $VISUAL or $EDITOR" in found.problems[-1]


@pytest.mark.parametrize("search", ["", ".", ":", "bin", "./bin:"])
def test_no_program_is_taken_from_the_working_folder(
    programs: Path, monkeypatch: pytest.MonkeyPatch, search: str
) -> None:
    for folder in (programs, programs.parent):
        install(folder, "vi")
    monkeypatch.chdir(programs.parent)
    monkeypatch.setenv("PATH", str(programs))
    assert editor_command(FILE, environ={"PATH": search}).argv == ()
    assert editor_command(FILE, environ={"PATH": search, "EDITOR": "bin/vi"}).argv == ()
    assert editor_command(FILE, environ={"PATH": search, "EDITOR": str(programs / "vi")}).argv != ()


def test_a_file_whose_name_begins_with_a_dash_is_no_option(programs: Path) -> None:
    install(programs, "vi")
    found = editor_command("-c!x", 0, environ={"PATH": str(programs)})
    assert found.argv[1:] == (os.path.abspath("-c!x"),)

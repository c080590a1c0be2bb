"""The README keeps its word: its examples are run, its tables compared with what the program has."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from skillui.cli.group import COMMANDS
from skillui.core import ErrorCode
from skillui.tui.actions import ACTIONS, GROUPS
from skillui.workspace.config_values import KNOWN_KEYS
from skillui.workspace.locate import PROJECT_SOURCES
from skillui.workspace.project import USER_SOURCES

TOP = Path(__file__).parents[1]
README = (TOP / "README.md").read_text(encoding="utf-8")
SHOP = "/srv/shop"
SKILL = "---\nname: hello\ndescription: Greets somebody. Use when asked to greet.\n---\nGreet $ARGUMENTS.\n"


def fences(language: str) -> list[str]:
    """Return the text of each fenced block of this language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


EXAMPLES = [example for block in fences("console") for example in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)[1:]]


def keys_table() -> str:
    """Return the table of keys as the README should have it."""
    lines = ["| where | keys | what | action |", "|---|---|---|---|"]
    for group, title in GROUPS.items():
        for action in (action for action in ACTIONS.values() if action.group == group):
            keys = " ".join(f"`{key}`" for key in action.keys.split(","))
            lines.append(f"| {title} | {keys} | {action.description} | `{action.id}` |")
    return "\n".join(lines)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Make the project of the examples, with its one skill."""
    folder = tmp_path.resolve() / "shop" / ".skills" / "hello"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL, encoding="utf-8")
    return folder.parents[1]


def run(arguments: list[str], folder: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in a home that is nobody's, with nobody at a terminal."""
    environ = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    environ |= {"HOME": str(folder), "PYTHONPATH": str(TOP), "PYTHONUTF8": "1", "TMPDIR": str(folder)}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder, env=environ, input=given, capture_output=True, text=True, timeout=60, start_new_session=True,
    )  # fmt: skip


def fits(expected: str, found: str) -> bool:
    """Tell whether `found` is `expected`, where `…` stands for any text and on a line of its own for any lines."""
    pattern = "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", expected))
    return re.fullmatch(pattern, found, re.DOTALL) is not None


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.partition("\n")[0])
def test_a_console_example_does_what_it_shows(example: str, tmp_path: Path) -> None:
    command, _, expected = example.partition("\n")
    program, *arguments = shlex.split(command.removeprefix("$ "))
    assert program == "skillui"
    done = run(["-m", "skillui", *arguments], tmp_path)
    found = done.stdout or done.stderr
    lines = expected.strip("\n")
    # What follows the last line that is shown is left out as well.
    assert fits(lines, found.strip("\n")) or fits(f"{lines}\n…", found.strip("\n")), found


def test_there_are_console_examples() -> None:
    assert len(EXAMPLES) >= 3


def test_the_library_example_prints_what_it_says(shop: Path) -> None:
    (program,) = fences("python")
    done = run(["-c", program.replace(SHOP, str(shop))], shop.parent)
    assert done.returncode == 0, done.stderr
    assert [done.stdout.replace(str(shop), SHOP)] == fences("text")


def test_the_bridge_answers_the_example_as_shown(shop: Path) -> None:
    request, response = fences("json")
    done = run(["-m", "skillui", "rpc"], shop.parent, request.replace(SHOP, str(shop)))
    answer = json.loads(done.stdout)
    shown = json.loads(response)
    assert answer["id"] == shown["id"]
    assert {key: answer["result"].get(key) for key in shown["result"]} == shown["result"]


def test_the_keys_are_those_of_the_program() -> None:
    table = README.partition("<!-- keys -->\n")[2].partition("\n<!-- /keys -->")[0]
    assert table == keys_table(), "write this between the marks:\n" + keys_table()


def test_every_command_key_code_and_folder_is_named() -> None:
    wanted: list[Any] = [f"`skillui {name}" for name in COMMANDS]
    wanted += [f"| `{key}` |" for key in KNOWN_KEYS]
    wanted += [f"`{code.value}`" for code in ErrorCode if code is not ErrorCode.NOT_FOUND]  # a result of its own
    wanted += [f"`{source}`" for source in (*PROJECT_SOURCES, *USER_SOURCES)]
    wanted += [f"`{path.stem}`" for path in (TOP / "themes").glob("*.yaml")]
    assert [word for word in wanted if word not in README] == []


def test_what_is_not_there_is_not_promised() -> None:
    commands = set(re.findall(r"`skillui ([a-z]+)", README))
    assert commands <= COMMANDS.keys()


def test_links_and_pictures_lead_to_files() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert targets
    assert [target for target in targets if not (TOP / target).exists()] == []

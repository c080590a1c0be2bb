"""The whole program as a person runs it: in a terminal that is found as it was left, whatever happens."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("termios", reason="pseudo-terminals are a thing of POSIX")

from tests.tui.app.whole_app import Shop
from tests.tui.hostile import HOSTILE
from tests.tui.terminal import PATIENCE, Terminal

Start = Callable[..., Terminal]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    shop = Shop(tmp_path, tmp_path / "home")
    shop.skill("deploy", "Deploy $ARGUMENTS now.\n", "allowed-tools: Bash\n")
    shop.skill("notes", "Write notes.\n")
    shop.broken("half")
    shop.skill("review", "Review it.\n", user=True)
    return shop


@pytest.fixture
def start(tmp_path: Path, shop: Shop) -> Iterator[Start]:
    """Return what starts the program on the shop; it is ended with the test."""
    running: list[Terminal] = []

    def started(*arguments: str, **options: object) -> Terminal:
        terminal = Terminal(tmp_path, *arguments, **{"cwd": shop.path, **options})  # type: ignore[arg-type]
        running.append(terminal)
        return terminal

    yield started
    for terminal in running:
        terminal.close()


def test_start_search_deny_allow_and_quit(start: Start, shop: Shop, tmp_path: Path) -> None:
    terminal = start(str(shop.path), "--session-log", str(tmp_path / "events.jsonl"))
    terminal.shows("deploy", "half", "notes", "review", "model sees")
    terminal.press("/notes")  # in one go, as a slow line delivers it
    terminal.shows("1 of 4")
    terminal.press("\r")
    terminal.press("a")
    terminal.shows("The model asks to activate notes", "Deny", "Allow once", "Always for this content")
    denied = terminal.answer("d")
    assert (denied["name"], denied["code"], denied["decision"]) == ("notes", "NOT_TRUSTED", "deny")
    terminal.press("A")
    terminal.shows("You ask to activate notes")
    allowed = terminal.answer("o")
    assert (allowed["kind"], allowed["initiator"], allowed["decision"]) == ("ok", "user", "allow_once")
    terminal.press("\x11")
    assert terminal.ends() == 0
    assert terminal.left_on() == []
    assert b"Traceback" not in terminal.raw
    assert len(terminal.events()) == 2
    assert not any((shop.path / name).exists() for name in ("config.yaml", "state.json", "skillui.log"))


def test_quitting_while_a_prompt_waits_denies_it(start: Start, shop: Shop, tmp_path: Path) -> None:
    terminal = start(str(shop.path), "--session-log", str(tmp_path / "events.jsonl"))
    terminal.shows("deploy", "review", "model sees")
    terminal.press("a")
    terminal.shows("The model asks to activate deploy")
    terminal.press("\x11")
    assert terminal.ends() == 0
    assert terminal.left_on() == []
    assert [(event["kind"], event["code"]) for event in terminal.events()] == [("error", "NOT_TRUSTED")]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_restores_the_terminal(start: Start, name: str) -> None:
    terminal = start()
    terminal.shows("deploy", "review")
    number = getattr(signal, name)
    terminal.child.kill(number)
    assert terminal.ends() == 128 + number
    assert terminal.left_on() == []
    assert b"Traceback" not in terminal.raw


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="only /proc tells whether the program still runs")
def test_the_program_ends_with_its_terminal_however_busily_it_draws(start: Start, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import asyncio, signal\n"
        "import skillui.tui.app as app\n"
        "begin = app.SkilluiApp._begin\n"
        "def busy(self):\n"
        "    begin(self)\n"
        "    asyncio.get_running_loop().remove_signal_handler(signal.SIGHUP)\n"
        "    signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"  # it comes late, or not at all
        "    self.set_interval(0.01, lambda: self.screen.refresh(layout=True))\n"
        "app.SkilluiApp._begin = busy\n",
        encoding="utf-8",
    )
    terminal = start(environ={"PYTHONPATH": os.pathsep.join((str(tmp_path), str(Path(__file__).parents[2])))})
    terminal.shows("deploy", "review")
    process = Path(f"/proc/{terminal.child.pid}/stat")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), terminal.child.child_fd)  # the other end of the terminal is gone
    end = time.monotonic() + PATIENCE
    while process.read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < end, "the program outlives its terminal"
        time.sleep(0.02)


def test_a_signal_while_a_prompt_waits_denies_and_restores(start: Start, shop: Shop, tmp_path: Path) -> None:
    terminal = start(str(shop.path), "--session-log", str(tmp_path / "events.jsonl"))
    terminal.shows("deploy", "review", "model sees")
    terminal.press("a")
    terminal.shows("The model asks to activate deploy")
    terminal.child.kill(signal.SIGTERM)
    assert terminal.ends() == 143
    assert terminal.left_on() == []
    assert [event["kind"] for event in terminal.events()] == ["error"]


def test_the_editor_has_the_terminal_and_its_change_shows(start: Start, shop: Shop, tmp_path: Path) -> None:
    script = tmp_path / "editor"
    script.write_text(f'#!/bin/sh\nstty -a > "{tmp_path}/stty"\necho "Edited by hand." >> "$1"\n', encoding="utf-8")
    script.chmod(0o755)
    terminal = start(environ={"EDITOR": str(script)})
    terminal.shows("deploy", "review", "model sees")
    terminal.press("pred blue")  # the letters are text of the form, in whatever pieces they arrive
    terminal.shows("Deploy red blue now.")
    terminal.escape()
    terminal.press("e")
    terminal.shows("Edited by hand.")
    modes = (tmp_path / "stty").read_text(encoding="utf-8").split()
    assert "icanon" in modes
    assert "echo" in modes
    assert (shop.project_root / "deploy" / "SKILL.md").read_text(encoding="utf-8").endswith("Edited by hand.\n")
    terminal.press("\x11")
    assert terminal.ends() == 0
    assert terminal.left_on() == []


@pytest.mark.parametrize("content", [b"#!/nonexistent\n", b"\x7fELFjunk"])
def test_an_editor_that_cannot_be_run_gives_the_terminal_back(start: Start, tmp_path: Path, content: bytes) -> None:
    script = tmp_path / "editor"
    script.write_bytes(content)
    script.chmod(0o755)
    terminal = start(environ={"EDITOR": str(script)})
    terminal.shows("deploy", "review", "model sees")
    terminal.press("e")
    terminal.shows("could not be run", "deploy", "review")
    terminal.press("v")
    terminal.shows("Problems")
    terminal.press("\x11")
    assert terminal.ends() == 0
    assert terminal.left_on() == []


def test_an_interrupt_in_the_editor_is_the_editors_alone(start: Start, tmp_path: Path) -> None:
    script, began = tmp_path / "editor", tmp_path / "began"
    script.write_text(f"#!/bin/sh\ntrap 'exit 0' INT\n: > '{began}'\nwhile :; do sleep 0.05; done\n", encoding="utf-8")
    script.chmod(0o755)
    terminal = start(environ={"EDITOR": str(script)})
    terminal.shows("deploy", "review", "model sees")
    terminal.press("e")
    terminal.until(began.exists, "the editor runs")
    terminal.press("\x03")
    terminal.shows("deploy", "review", "model sees")
    terminal.press("\x11")
    assert terminal.ends() == 0


def test_an_edit_from_outside_shows(start: Start, shop: Shop) -> None:
    terminal = start()
    terminal.shows("deploy", "watching")
    terminal.until(lambda: _rewritten(shop, terminal), "shows the new description")
    terminal.press("\x11")
    assert terminal.ends() == 0


def _rewritten(shop: Shop, terminal: Terminal) -> bool:
    shop.skill("deploy", about="Ships the shop. Use on Fridays.")
    terminal.read(0.5)
    return "Ships the shop" in terminal.text


def test_no_byte_of_a_hostile_skill_acts_on_the_terminal(start: Start, shop: Shop, tmp_path: Path) -> None:
    texts = [text.encode("utf-8", "replace").decode() for text in HOSTILE.values() if len(text) < 400]
    everything = "\n\n".join(texts)
    one_line = "".join(f"\\U{ord(char):08x}" for char in " ".join(texts)[:900])
    file = shop.skill(
        "attack", everything, f'license: "{one_line}"\nallowed-tools: ["{one_line[:500]}"]\n', about=f'"{one_line}"'
    )
    for text in texts:
        name = text.replace("/", "").replace("\0", "").encode()[:100].decode("utf-8", "ignore").strip(".")
        if name:
            (file.parent / name).write_text(text, encoding="utf-8")
            (shop.project_root / f"a{name}").mkdir()
            (shop.project_root / f"a{name}" / "SKILL.md").write_text(everything, encoding="utf-8")
    terminal = start(str(shop.path), "--session-log", str(tmp_path / "events.jsonl"), size=(160, 50))
    terminal.shows("attack", "review")
    terminal.press("/attack\r")
    terminal.shows("attack")
    for seen in ("The specification knows it", "rm -rf", "SKILL.md", "No problems", "activate with these"):
        terminal.press("]")
        terminal.shows(seen)
    terminal.escape()
    terminal.press("a")
    terminal.shows("asks to activate attack")
    terminal.answer("o")
    for keys in ("3", "]", "]", "1", "\x1b[F", "\x1b[5~", "\x1b[5~"):
        terminal.press(keys)
        terminal.read(0.3)
    terminal.press("\x11")
    assert terminal.ends() == 0
    assert terminal.left_on() == []
    for sign in HOSTILE_BYTES:
        assert sign not in terminal.raw, sign


HOSTILE_BYTES = [
    b"\x1b]0;", b"\x1b]2;", b"\x1b]52;", b"\x1b]8;;file", b"\x1b[2K", b"\x00", b"\x0b", b"\x0c",
    *(chr(code).encode() for code in (0x85, 0x9B, 0x200B, 0x200D, 0x2028, 0x2029, 0x202E, 0x2060, 0x2066, 0x2067)),
    *(chr(code).encode() for code in (0xFEFF, 0xE0072, 0xE0100, 0x3164, 0x115F, 0xFFA0, 0x034F)),
]  # fmt: skip


def test_a_theme_that_is_not_there_is_one_line(start: Start) -> None:
    terminal = start("--theme", "nonsense")
    assert terminal.ends() == 2
    assert terminal.text.count("\n") == 1
    assert "there is no theme `nonsense`; there are: " in terminal.text
    assert b"\x1b[?1049h" not in terminal.raw


def test_a_crash_is_one_line_that_names_the_log(start: Start, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import skillui.tui.screens.browse as browse\n"
        "def wrong(self, *_):\n    raise RuntimeError('of no use [/x]')\n"
        "browse.BrowseScreen.show_catalog = wrong\n",
        encoding="utf-8",
    )
    path = os.pathsep.join((str(tmp_path), str(Path(__file__).parents[2])))
    terminal = start(environ={"PYTHONPATH": path})
    assert terminal.ends() == 1
    assert terminal.left_on() == []
    told = "".join(terminal.raw.decode().rpartition("skillui failed")[1:]).replace("\r\n", "")
    assert told == f"skillui failed: RuntimeError. The log has the details: {terminal.home}/state/skillui.log"
    assert b"Traceback" not in terminal.raw
    log = (terminal.home / "state" / "skillui.log").read_text(encoding="utf-8")
    assert "Traceback" in log
    assert "of no use" in log


def test_a_folder_without_skills_opens_on_where_it_looked(start: Start, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    for folder in (tmp_path / "home").rglob("SKILL.md"):
        folder.unlink()
    terminal = start(str(tmp_path / "bare"))
    terminal.shows("No skills here yet.", "begins a new skill", "skillui --demo", "Looked in", ".claude/skills")
    terminal.press("\x11")
    assert terminal.ends() == 0


@pytest.mark.parametrize("size", [(40, 10), (20, 4), (1, 1)])
def test_a_terminal_that_is_far_too_small_does_no_harm(start: Start, size: tuple[int, int]) -> None:
    terminal = start(size=size)
    terminal.until(lambda: b"\x1b[?1049h" in terminal.raw and len(terminal.raw) > 60, "draws")
    for keys in ("]", "\r", "\x1b", "a", "\x1b", "3", "1", "?", "\x1b", "/x", "\x1b", "\x1b"):
        terminal.press(keys)
        terminal.read(0.1)
    terminal.press("\x11")
    assert terminal.ends() == 0
    assert terminal.left_on() == []
    assert b"Traceback" not in terminal.raw


def test_the_samples_open_and_go_away_with_the_program(start: Start, tmp_path: Path) -> None:
    terminal = start("--demo")
    terminal.shows("api-conventions", "demo")
    copies = list((tmp_path / "tmp").glob("skillui-demo-*"))
    assert len(copies) == 1
    terminal.press("\x11")
    assert terminal.ends() == 0
    assert not copies[0].exists()
    assert terminal.left_on() == []

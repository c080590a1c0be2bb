"""The wheel and the source archive, installed where nothing of the checkout is in reach, and run as a person would."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
from dataclasses import dataclass
from pathlib import Path

import pexpect
import pytest

TOP = Path(__file__).parents[1]
DATA = "from skillui.workspace.data import data_folder\n" + "\n".join(
    f"print(*sorted(str(p.relative_to(data_folder({name!r}))) for p in data_folder({name!r}).rglob('*.*')), sep='\\n')"
    for name in ("themes", "sample_skills")
)
"""A program that prints the name of every theme and sample it finds."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs a pty and posix folders")]


@dataclass(frozen=True)
class Installed:
    """A fresh environment with one archive in it, and a home that is nobody's."""

    folder: Path
    home: Path

    @property
    def environ(self) -> dict[str, str]:
        return {
            "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "HOME": str(self.home), "TMPDIR": str(self.home),
            "TERM": "xterm-256color", "PYTHONUTF8": "1", "PYTHONWARNINGS": "error",
        }  # fmt: skip

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        program = str(self.folder / "bin" / command[0])
        return subprocess.run(
            [program, *command[1:]], cwd=self.home, env=self.environ, capture_output=True, text=True, timeout=60
        )


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build both archives; without the build backend here, in an environment of the build's own."""
    folder = tmp_path_factory.mktemp("dist")
    options = ["--no-isolation"] if importlib.util.find_spec("hatchling") else []
    command = [sys.executable, "-m", "build", *options, "--outdir", str(folder)]
    done = subprocess.run([*command, str(TOP)], capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    return {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}


@pytest.fixture(scope="module", params=["wheel", "sdist"])
def installed(
    request: pytest.FixtureRequest, archives: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    """Install an archive beside the libraries that the tests run with."""
    folder = tmp_path_factory.mktemp(request.param)
    target = folder / "venv"
    venv.create(target, with_pip=False, symlinks=True)
    python = target / "bin" / "python"
    ours = sysconfig.get_path("purelib", vars={"base": str(target), "platbase": str(target)})
    # A path alone: what lies there is found after the archive's own modules, and no editable install is followed.
    Path(ours, "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-index", "--no-deps"]
    done = subprocess.run(
        [*pip, "--ignore-installed", "--no-build-isolation", "--quiet", str(archives[request.param])],
        capture_output=True, text=True, timeout=110, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    home = folder / "home"
    home.mkdir()
    return Installed(target, home)


def test_the_program_comes_from_the_archive(installed: Installed) -> None:
    done = installed.run("python", "-c", "import skillui; print(skillui.__file__)")
    assert Path(done.stdout.strip()).is_relative_to(installed.folder), done


def test_every_module_can_be_imported(installed: Installed) -> None:
    program = (
        "import importlib, pkgutil, skillui\n"
        "found = [module.name for module in pkgutil.walk_packages(skillui.__path__, 'skillui.')]\n"
        "names = [name for name in found if not name.endswith('__main__')]\n"
        "for name in names: importlib.import_module(name)\n"
        "print(len(names))\n"
    )
    done = installed.run("python", "-c", program)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


@pytest.mark.parametrize("arguments", [("--demo", "list"), ("list", "--demo")])
def test_the_samples_are_listed(installed: Installed, arguments: tuple[str, ...]) -> None:
    done = installed.run("skillui", *arguments)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^✓ ok +\S+ ", done.stdout, re.MULTILINE), done.stdout
    assert {"untrusted", "broken"} <= set(done.stdout.split())


def test_themes_and_samples_are_those_of_the_checkout(installed: Installed) -> None:
    there = installed.run("python", "-c", DATA)
    here = subprocess.run([sys.executable, "-c", DATA], cwd=TOP, capture_output=True, text=True, timeout=60)
    assert there.returncode == here.returncode == 0, there.stderr + here.stderr
    # An installer compiles the scripts among the samples; the copy that is opened leaves that out.
    shown, installed_names = (
        [line for line in done.stdout.splitlines() if "__pycache__" not in line] for done in (here, there)
    )
    assert installed_names == shown
    assert "skillui-dark.yaml" in shown


def test_the_app_opens_the_samples_and_leaves_at_ctrl_q(installed: Installed) -> None:
    program = str(installed.folder / "bin" / "skillui")
    child = pexpect.spawn(
        program, ["--demo"], cwd=str(installed.home), env=installed.environ, dimensions=(36, 120), timeout=40
    )
    try:
        child.expect_exact(b"api-conventions")
        child.sendcontrol("q")
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)
    assert child.exitstatus == 0
    assert not list(installed.home.glob("skillui-demo-*"))


def test_the_source_archive_holds_what_its_tests_need(archives: dict[str, Path]) -> None:
    with tarfile.open(archives["sdist"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = [path for path in TOP.joinpath("tests").rglob("*") if path.is_file()]
    wanted = {path.relative_to(TOP).as_posix() for path in needed if path.suffix in (".py", ".yaml", ".svg")}
    assert wanted <= names
    assert {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "pyproject.toml"} <= names

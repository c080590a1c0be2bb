from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillui.workspace.width import cells, clip, pad, wrap
from tests.cli.conftest import World


def fill(world: World) -> None:
    world.skill(world.project_root, "deploy", description="Ships the shop. Use when it is ready.")
    world.skill(world.project_root, "manual", more="disable-model-invocation: true")
    world.skill(world.project_root, "broken", description="")
    world.skill(world.user_root, "deploy", description="My own way to ship.")
    world.skill(world.user_root, "notes", more="user-invocable: false")


def test_table_tells_state_root_and_shadowing(world: World) -> None:
    fill(world)
    done = world.run("list")
    lines = done.out.splitlines()
    assert done.code == 0
    assert done.err == ""
    assert [line.split()[:3] for line in lines[:5]] == [
        ["✗", "broken", "broken"],
        ["◌", "untrusted", "deploy"],
        ["└", "shadowed", "deploy"],
        ["◌", "untrusted,", "disabled"],
        ["✓", "ok", "notes"],
    ]
    assert "project" in lines[1]
    assert "user" in lines[2]
    assert "INVALID_FRONTMATTER: required field 'description' is missing" in lines[0]
    assert lines[-1] == "3 skills · 1 broken · 1 shadowed · 2 untrusted"


def test_json_has_the_shape_of_the_bridge(world: World) -> None:
    fill(world)
    listed = json.loads(world.run("list", "--json").out)
    roots = [str(world.project_root), str(world.user_root)]
    request = {"id": 1, "method": "catalog", "params": {"session": {"cwd": str(world.shop), "skill_roots": roots}}}
    served = json.loads(world.run("rpc", stdin=json.dumps(request).encode() + b"\n").out)
    assert listed == served["result"]
    assert [skill["name"] for skill in listed["skills"]] == ["deploy", "manual", "notes"]
    assert listed["skills"][0]["meta"]["shadowed"] == [str(world.user_root / "deploy")]


@pytest.mark.parametrize(("audience", "names"), [("model", ["deploy", "notes"]), ("user", ["deploy", "manual"])])
def test_list_for_one_audience(world: World, audience: str, names: list[str]) -> None:
    fill(world)
    shown = json.loads(world.run("list", "--for", audience, "--json").out)
    assert [skill["name"] for skill in shown["skills"]] == names
    assert shown["broken"] == []
    table = world.run("list", "--for", audience).out
    assert f"2 skills offered to the {audience}, of 3" in table
    assert "broken" not in table


def test_roots_replace_the_list_and_trusted_roots_add(world: World) -> None:
    fill(world)
    other = world.top / "other"
    world.skill(other, "alone")
    assert "untrusted" in world.run("list", "--root", str(other)).out
    done = world.run("list", "--root", str(other), "--trusted-root", str(other))
    assert done.out.splitlines()[-1] == "1 skill"
    assert "ok" in done.out
    assert "deploy" not in done.out


def test_missing_root_is_a_warning(world: World) -> None:
    done = world.run("list", "--root", "nowhere", "--trusted-root", "nothing")
    assert done.code == 0
    assert "0 skills" in done.out
    warnings = done.err.splitlines()
    assert len(warnings) == 2
    assert all(line.startswith("skillui: warning: ") for line in warnings)


def test_no_skills_says_where_it_looked(world: World) -> None:
    done = world.run("list")
    assert str(world.project_root) in done.out
    assert str(world.user_root) in done.out
    assert "skillui new NAME" in done.out


def test_hostile_text_is_shown_as_symbols(world: World) -> None:
    world.skill(world.project_root, "deploy", description='"a\\e[2Jb\\u202Ec\\x1cd"')
    folder = world.project_root / "odd\x1b[7m\nname"
    folder.mkdir()
    (folder / "SKILL.md").write_text("no frontmatter")
    for arguments in (["list"], ["list", "--json"], ["show", "deploy"], ["show", "deploy", "--json"]):
        done = world.run(*arguments)
        assert done.code == 0
        assert all(character.isprintable() or character == "\n" for character in done.out + done.err), arguments
    assert "a␛[2Jb⟨U+202E⟩c␜d" in world.run("list").out
    assert "odd␛[7m␊name" in world.run("list").out


def test_output_without_unicode_is_ascii(world: World) -> None:
    world.skill(world.project_root, "deploy", description="Käse")
    done = world.run("list", environ={"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})
    assert done.out.isascii()
    assert done.out.startswith("? untrusted")
    assert "K<U+00E4>se" in done.out
    assert world.run("list", environ={"SKILLUI_ASCII": "1"}).out == done.out


def test_configuration_adds_roots_and_its_mistakes_are_warnings(world: World) -> None:
    world.skill(world.home / "more", "extra")
    config = world.home / "config"
    config.mkdir()
    (config / "config.yaml").write_text("roots:\n  - ~/more\nthem: x\n")
    done = world.run("list")
    assert "extra" in done.out
    assert "unknown key `them`" in done.err
    assert done.err.count("\n") == 1


def test_demo_shows_the_samples_and_leaves_nothing_behind(world: World) -> None:
    world.skill(world.user_root, "mine")
    done = world.run("--demo", "list")
    assert done.code == 0
    assert "api-conventions" in done.out
    assert "mine" not in done.out
    assert list((world.top / "tmp").iterdir()) == []


def test_show_tells_all_of_a_valid_skill(world: World) -> None:
    folder = world.skill(
        world.project_root,
        "deploy",
        more="allowed-tools: Read, Bash(*)\narguments: {where: {required: true}}\nversion: 1.0",
    )
    world.skill(world.user_root, "deploy")
    (folder / "scripts").mkdir()
    (folder / "scripts" / "go.sh").write_text("true")
    text = world.run("show", "deploy").out
    shown = json.loads(world.run("show", "deploy", "--json").out)
    assert shown["tools"] == [{"tool": "Read", "broad": False}, {"tool": "Bash(*)", "broad": True}]
    assert shown["arguments"] == [{"name": "where", "required": True, "description": None}]
    assert shown["shadowed"] == [str(world.user_root / "deploy")]
    assert shown["trust"]["trusted"] is False
    assert shown["resources"] == ["scripts/go.sh"]
    for words in (
        str(folder),
        shown["digest"],
        "Bash(*)   <- broad",
        "where (required)",
        "scripts/go.sh",
        "not trusted",
    ):
        assert words in text
    assert "SKILL.md:6:10: warning" in text


def test_show_points_at_every_problem_of_a_broken_skill(world: World) -> None:
    world.skill(world.project_root, "deploy", description="''", more="user-invocable: maybe")
    done = world.run("show", "deploy")
    assert done.code == 1
    lines = done.out.splitlines()
    at = lines.index("       4 | user-invocable: maybe")
    assert lines[at + 1].index("^") == lines[at].index("maybe")
    assert done.out.count(" error INVALID_FRONTMATTER: ") == 2
    assert len(json.loads(world.run("show", "deploy", "--json").out)["problems"]) == 2


def test_show_of_an_unknown_name_goes_to_stderr(world: World) -> None:
    world.skill(world.project_root, "deploy")
    done = world.run("show", "deplyo")
    assert (done.code, done.out) == (1, "")
    assert done.err == '(No skill matches "deplyo". Did you mean: deploy? Run with a listed name from the catalog.)\n'


def test_new_skill_is_listed_without_a_problem(world: World) -> None:
    done = world.run("new", "fresh-start")
    path = world.project_root / "fresh-start" / "SKILL.md"
    assert (done.code, done.out, done.err) == (0, f"{path}\n", "")
    assert "no problems" in world.run("show", "fresh-start").out
    assert world.run("new", "fresh-start").is_one_line_fault()


def test_new_skill_goes_where_it_is_told(world: World, tmp_path: Path) -> None:
    done = world.run("new", "fresh-start", "--root", str(tmp_path / "elsewhere"), "--description", 'It says: "yes".')
    assert done.code == 0
    assert "ok" in world.run("list", "--root", "../elsewhere", "--trusted-root", "../elsewhere").out
    (world.shop / ".claude" / "skills").mkdir(parents=True)
    assert str(world.shop / ".claude" / "skills") in world.run("new", "another").out


def test_widths_count_cells() -> None:
    assert cells("abc") == 3
    assert cells("漢字") == 4
    assert cells("e\u0301") == 1
    assert cells("⚠\ufe0f") == 2
    assert clip("漢字かな", 5) == "漢字…"
    assert clip("漢字", 4) == "漢字"
    assert pad("漢", 4) == "漢  "
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("漢" * 5, 4) == ["漢漢", "漢漢", "漢"]
    assert "".join(wrap("x" * 30, 7)) == "x" * 30


def test_untrusted_copies_that_are_shadowed_count_as_in_the_app(world: World) -> None:
    world.skill(world.shop / ".claude" / "skills", "deploy")
    world.skill(world.project_root, "deploy")
    assert world.run("list").out.splitlines()[-1] == "1 skill · 1 shadowed · 2 untrusted"

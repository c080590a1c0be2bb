from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from skillui.workspace.config_example import write_example
from skillui.workspace.settings import Settings, SettingsLoad, SettingsProblem, load_settings

HOME = "/home/ada"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config.yaml"


def load(config: Path, text: str, actions: list[str] | None = None) -> SettingsLoad:
    config.write_text(text, encoding="utf-8")
    config.chmod(0o600)
    return load_settings(str(config), home=HOME, actions=actions)


def only(loaded: SettingsLoad) -> SettingsProblem:
    assert len(loaded.problems) == 1, loaded.problems
    return loaded.problems[0]


def test_a_missing_file_is_the_defaults(config: Path) -> None:
    assert load_settings(str(config)) == SettingsLoad(Settings())


@pytest.mark.parametrize("text", ["", "# only a comment\n", "theme:\nroots:\n", "---\n"])
def test_a_file_that_says_nothing_is_the_defaults(config: Path, text: str) -> None:
    assert load(config, text) == SettingsLoad(Settings())


def test_the_example_loads_clean_and_is_the_defaults(config: Path) -> None:
    assert load(config, write_example()) == SettingsLoad(Settings())


def test_the_example_names_every_key_with_a_comment_above_it() -> None:
    lines = write_example().splitlines()
    for field in dataclasses.fields(Settings):
        at = next(i for i, line in enumerate(lines) if line.startswith(f"{field.name}:"))
        assert lines[at - 1].startswith("#"), field.name


def test_what_the_comments_of_the_example_show_is_valid_too(config: Path) -> None:
    shown = [line[4:] for line in write_example().splitlines() if line.startswith("#   ")]
    loaded = load(config, "\n".join(shown))
    assert loaded.problems == ()
    assert loaded.settings.editor == "code --wait"
    assert loaded.settings.trusted_roots == (f"{HOME}/work/shared-skills",)
    assert loaded.settings.keymap() == {"catalog.search": "ctrl+f", "app.quit": "ctrl+q,f10"}


def test_every_key_is_read(config: Path) -> None:
    loaded = load(
        config,
        "theme: night\nkeys: {app.quit: [ctrl+q, f10], mode.browse: 1}\nroots: [~/a, /b/../c]\n"
        "trusted_roots:\n  - ~/a\n  - '~'\neditor: hx\nascii: false\nmarkdown_limit_kb: 5\nwatch: false\n",
    )
    assert loaded.problems == ()
    assert loaded.settings == Settings(
        theme="night",
        keys={"app.quit": ("ctrl+q", "f10"), "mode.browse": ("1",)},
        roots=(f"{HOME}/a", "/c"),
        trusted_roots=(f"{HOME}/a", HOME),
        editor="hx",
        ascii=False,
        markdown_limit_kb=5,
        watch=False,
    )


def test_an_unknown_key_is_named_with_the_closest_one_and_the_rest_is_used(config: Path) -> None:
    loaded = load(config, "theme: night\ntrusted-root: [/a]\n")
    problem = only(loaded)
    assert problem.key == "trusted-root"
    assert (problem.line, problem.column) == (2, 1)
    assert str(problem) == f"{config}:2:1: unknown key `trusted-root` (did you mean `trusted_roots`?)"
    assert loaded.settings == Settings(theme="night")


def test_an_unknown_key_like_no_other_lists_those_there_are(config: Path) -> None:
    hint = only(load(config, "qqqqqqqqqqqqqqq: 1\n")).hint
    assert hint is not None
    assert "markdown_limit_kb" in hint


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("watch: yes\n", (1, 8), "`watch` is the text `yes`", "write `true` or `false`"),
        ("ascii: 1\n", (1, 8), "`ascii` is the number `1`", "write `true`, `false` or `null`"),
        ("\ntheme: [a]\n", (2, 8), "`theme` is a list", "write the name of a theme"),
        ("theme: ' '\n", (1, 8), "`theme` is empty", "write the name of a theme"),
        (
            "markdown_limit_kb: 0\n",
            (1, 20),
            "`markdown_limit_kb` is the number `0`",
            "write a whole number from 1 to 4096",
        ),
        (
            "markdown_limit_kb: 1.5\n",
            (1, 20),
            "`markdown_limit_kb` is the number `1.5`",
            "write a whole number from 1 to 4096",
        ),
        ("roots: ~/a\n", (1, 8), "`roots` is the text `~/a`", "write a list, one `- ~/some/folder` a line"),
        ("keys: [a]\n", (1, 7), "`keys` is a list", "write `action: key` lines below it"),
    ],
)
def test_a_bad_value_is_named_with_its_place_and_what_to_write(
    config: Path, text: str, place: tuple[int, int], message: str, hint: str
) -> None:
    loaded = load(config, text)
    problem = only(loaded)
    assert (problem.line, problem.column) == place
    assert (problem.message, problem.hint) == (message, hint)
    assert loaded.settings == Settings()


def test_an_integer_too_long_to_convert_is_a_bad_value(config: Path) -> None:
    assert only(load(config, f"markdown_limit_kb: {'9' * 5000}\n")).key == "markdown_limit_kb"


def test_an_editor_with_an_open_quotation_mark_is_named(config: Path) -> None:
    loaded = load(config, "editor: code '--wait\n")
    assert "quotation mark" in only(loaded).message
    assert loaded.settings.editor is None


def test_bad_keys_are_left_out_one_by_one(config: Path) -> None:
    loaded = load(config, "keys:\n  a: f1\n  b: f2, f3\n  c:\n  d: []\n  e: {x: y}\n  f: true\n  g: [f4, 12]\n")
    assert loaded.settings.keys == {"a": ("f1",)}
    assert [problem.line for problem in loaded.problems] == [3, 4, 5, 6, 7, 8]
    assert {problem.key for problem in loaded.problems} == {"keys"}


def test_an_unknown_action_is_named_with_the_closest_one(config: Path) -> None:
    loaded = load(config, "keys:\n  app.quit: f1\n  app.quilt: f2\n", actions=["app.quit", "app.help"])
    problem = only(loaded)
    assert (problem.line, problem.hint) == (3, "did you mean `app.quit`?")
    assert loaded.settings.keys == {"app.quit": ("f1",)}


def test_a_bad_root_is_left_out_and_the_others_stay(config: Path) -> None:
    loaded = load(config, "roots:\n  - /a\n  - skills\n  - ~\n  - ~root/b\n  - $HOME/c\n  - 3\n  - /d\n")
    assert loaded.settings.roots == ("/a", "/d")
    assert [problem.line for problem in loaded.problems] == [3, 4, 5, 6, 7]
    assert loaded.problems[0].message == "an entry of `roots` is not an absolute path: `skills`"


@pytest.mark.parametrize(
    "trusted",
    [
        "/a",
        "{/a: /b}",
        "true",
        "[/a, skills]",
        "[/a, ./skills]",
        "[/a, ~]",
        "[/a, 3]",
        "[/a, [/b]]",
        "[/a, '']",
        '[/a, "/b\\0"]',
        "[/a, ~other/b]",
    ],
)
def test_one_doubt_about_the_trusted_roots_and_none_is_trusted(config: Path, trusted: str) -> None:
    loaded = load(config, f"theme: night\ntrusted_roots: {trusted}\n")
    problem = only(loaded)
    assert problem.key == "trusted_roots"
    assert problem.line == 2
    assert loaded.settings == Settings(theme="night")


def test_trusted_roots_named_twice_trust_nothing(config: Path) -> None:
    loaded = load(config, "trusted_roots: [/a]\ntrusted_roots: [/b]\n")
    assert only(loaded).line == 2
    assert loaded.settings.trusted_roots == ()


def test_a_relative_home_makes_no_trusted_root(config: Path) -> None:
    config.write_text("trusted_roots: [~/a]\n")
    assert load_settings(str(config), home=".").settings.trusted_roots == ()


@pytest.mark.skipif(os.name == "nt", reason="modes say nothing there")
def test_a_file_that_everybody_can_write_grants_no_trust(config: Path) -> None:
    config.write_text("theme: night\ntrusted_roots: [/a]\n")
    config.chmod(0o666)
    loaded = load_settings(str(config), home=HOME)
    assert "every user of this machine" in only(loaded).message
    assert loaded.settings == Settings(theme="night")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"theme: [a\nb: c\n", 1),
        (b"- a\n", 1),
        (b"watch: true\ntheme: &x a\n", 2),
        (b"theme: !!python/object:os.system a\n", 1),
        (b"theme: a\nwatch: \x1b[0m\n", 2),
        (b"? [a]\n: b\n", 1),
        (b"keys: " + b"[" * 20000, 1),
        (b"caf\xe9: 1\n", None),
        (b"t\x00h\x00", 1),
    ],
)
def test_a_file_that_cannot_be_parsed_is_named_and_the_defaults_are_used(
    config: Path, data: bytes, line: int | None
) -> None:
    config.write_bytes(data)
    loaded = load_settings(str(config), home=HOME)
    problem = only(loaded)
    assert problem.line == line
    assert "the defaults are used" in problem.message
    assert "frontmatter" not in str(problem)
    assert loaded.settings == Settings()


def test_a_byte_order_mark_and_windows_line_ends_are_read(config: Path) -> None:
    config.write_bytes(b"\xef\xbb\xbftheme: night\r\nwatch: false\r\n")
    assert load_settings(str(config), home=HOME) == SettingsLoad(Settings(theme="night", watch=False))


def test_a_folder_a_pipe_or_a_huge_file_is_named_and_never_blocks(config: Path, tmp_path: Path) -> None:
    assert "is a directory" in only(load_settings(str(tmp_path))).message
    os.mkfifo(tmp_path / "pipe")
    assert "is a named pipe" in only(load_settings(str(tmp_path / "pipe"))).message
    config.write_bytes(b"#" * 300_000)
    assert "past the limit" in only(load_settings(str(config))).message

"""Theme files: checked before they are worn, readable once they are."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from textual.app import App
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme
from textual.widgets import Label

from skillui.tui.themes import (
    DEFAULT_THEME,
    LAST_RESORT,
    SEMANTIC_DEFAULTS,
    ThemeLoad,
    load_shipped_themes,
    load_themes,
)
from skillui.workspace.data import data_folder

SHIPPED = {theme.name: theme for theme in load_shipped_themes().loaded}
TEXTS = [
    "foreground",
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
    "text-muted",
    "footer-key-foreground",
    "footer-description-foreground",
    *SEMANTIC_DEFAULTS,
]
SURFACES = [
    "background",
    "surface",
    "panel",
    "footer-background",
    "block-cursor-background",
    "block-cursor-blurred-background",
    "block-hover-background",
]


def variables(theme: Theme) -> dict[str, str]:
    return {**theme.to_color_system().generate(), **theme.variables}


def luminance(color: Color) -> float:
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(Color.parse(one)), luminance(Color.parse(other))))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_measured_as_wcag_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_every_shipped_theme_loads() -> None:
    assert load_shipped_themes().failed == ()
    assert SHIPPED.keys() >= {DEFAULT_THEME, "skillui-light", "high-contrast", "colour-blind"}
    assert {file.stem for file in data_folder("themes").glob("*.yaml")} == SHIPPED.keys()


@pytest.mark.parametrize("name", SHIPPED)
def test_text_is_readable_on_every_surface(name: str) -> None:
    colors = variables(SHIPPED[name])
    poor = [(text, on) for text in TEXTS for on in SURFACES if contrast(colors[text], colors[on]) < 4.5]
    assert poor == []
    assert contrast(colors["block-cursor-foreground"], colors["block-cursor-background"]) >= 7
    assert contrast(colors["text-disabled"], colors["background"]) >= 3


def test_high_contrast_is_what_it_says() -> None:
    colors = variables(SHIPPED["high-contrast"])
    assert min(contrast(colors[text], colors["background"]) for text in TEXTS) >= 7


@pytest.mark.parametrize("name", SHIPPED)
def test_states_differ_in_colour(name: str) -> None:
    colors = variables(SHIPPED[name])
    states = [colors[key] for key in SEMANTIC_DEFAULTS if key.startswith("state-")]
    assert len(set(states)) == len(states)


def test_no_state_of_the_colour_blind_theme_is_told_by_red_against_green() -> None:
    colors = variables(SHIPPED["colour-blind"])
    ok, broken = Color.parse(colors["state-ok"]), Color.parse(colors["state-broken"])
    # Blue against orange: the blue channel carries the difference, which every common form keeps.
    assert ok.b - broken.b > 100


@pytest.mark.parametrize("name", [*SHIPPED, "textual-light"])
async def test_a_theme_can_be_worn_live(name: str) -> None:
    class Themed(App[None]):
        CSS = "Label { color: $state-ok; background: $surface; }"

        def get_theme_variable_defaults(self) -> dict[str, str]:
            return dict(SEMANTIC_DEFAULTS)

        def compose(self) -> list[Label]:
            return [Label("text")]

    app = Themed()
    async with app.run_test() as pilot:
        for theme in SHIPPED.values():
            app.register_theme(theme)
        app.theme = name
        await pilot.pause()
        expected = variables(SHIPPED[name])["state-ok"] if name in SHIPPED else SEMANTIC_DEFAULTS["state-ok"]
        assert app.query_one(Label).styles.color == Color.parse(expected)


GOOD = (data_folder("themes") / f"{DEFAULT_THEME}.yaml").read_text(encoding="utf-8").replace(DEFAULT_THEME, "mine")


def load_one(folder: Path, text: str) -> ThemeLoad:
    (folder / "one.yaml").write_text(text, encoding="utf-8")
    return load_themes([folder])


def test_a_theme_of_ones_own_is_loaded(tmp_path: Path) -> None:
    assert [theme.name for theme in load_one(tmp_path, GOOD).loaded] == ["mine"]


def test_states_left_out_follow_the_colours(tmp_path: Path) -> None:
    short = GOOD[: GOOD.index("# What a skill")]
    (theme,) = load_one(tmp_path, short).loaded
    assert theme.variables["state-ok"] == theme.success
    assert theme.variables.keys() == SEMANTIC_DEFAULTS.keys()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('primary: "#7aa5f8"', 'primary: "#7aa5fg"', "colors.primary"),
        ('primary: "#7aa5f8"', "primary: auto", "colors.primary"),
        ('primary: "#7aa5f8"', "primary: ansi_red", "colors.primary"),
        ('primary: "#7aa5f8"', "primary: 7", "$.colors.primary"),
        ('primary: "#7aa5f8"', 'primry: "#7aa5f8"', "primry"),
        ('  ok: "#98cf6c"', '  ok: "[/x]"', "state-ok"),
        ("name: mine", "name: Not A Name", "is no name"),
        ("name: mine", "name: nord", "built-in"),
        ("name: mine", "nam: mine", "nam"),
        ("dark: true", "dark: perhaps", "$.dark"),
        ("  border:", "  bordr:", "did you mean `border`"),
        ('  border: "', '  link-style: "blinking #', "text style"),
        ("35%", "350%", "350%"),
        ('"#7aa5f8 35%"', '"#7aa5f 35%"', "input-selection-background"),
        ("name: mine", "name: &a mine", "line 1"),
        ("name: mine", "name: [", "line "),
    ],
)
def test_one_mistake_is_named_and_stops_nothing(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in GOOD
    (tmp_path / "good.yaml").write_text(GOOD, encoding="utf-8")
    load = load_one(tmp_path, GOOD.replace(old, new, 1))
    assert [theme.name for theme in load.loaded] == ["mine"]
    assert [failed.file.name for failed in load.failed] == ["one.yaml"]
    assert reason in load.failed[0].reason


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe")
    (tmp_path / "empty.yaml").write_bytes(b"")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "huge.yaml").write_text("a" * 100_000, encoding="utf-8")
    (tmp_path / "link.yaml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "list.yaml").write_text("- a\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a theme", encoding="utf-8")
    load = load_themes([tmp_path, tmp_path / "missing"])
    assert load.loaded == ()
    assert [failed.file.name for failed in load.failed] == [
        "bytes.yaml",
        "empty.yaml",
        "folder.yaml",
        "huge.yaml",
        "link.yaml",
        "list.yaml",
    ]


def test_a_later_folder_wins_and_a_second_file_of_a_name_does_not(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "b" / "mine.yaml").write_text(GOOD.replace("dark: true", "dark: false"), encoding="utf-8")
    (tmp_path / "b" / "twin.yaml").write_text(GOOD, encoding="utf-8")
    load = load_themes([tmp_path / "a", tmp_path / "b"])
    assert [theme.dark for theme in load.loaded] == [False]
    assert [failed.file.name for failed in load.failed] == ["twin.yaml"]


def test_an_unknown_theme_falls_back_with_a_reason() -> None:
    load = load_shipped_themes()
    assert load.choose(None) == (DEFAULT_THEME, None)
    assert load.choose("paper") == ("paper", None)
    assert load.choose("nord") == ("nord", None)
    name, reason = load.choose("papre")
    assert name == DEFAULT_THEME
    assert "did you mean `paper`" in (reason or "")
    # A theme of Textual's may be worn, yet none is offered.
    told = load.no_theme("nord-")
    assert "`nord`" not in told
    assert all(name in told for name in SHIPPED) or "did you mean" in told
    assert ThemeLoad((), ()).choose(None) == (LAST_RESORT, None)


def test_loading_leaves_the_built_in_themes_alone() -> None:
    before = copy.deepcopy(BUILTIN_THEMES)
    load_shipped_themes()
    assert before == BUILTIN_THEMES

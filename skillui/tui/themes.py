"""Themes from YAML files: every colour is checked, and one bad file never stops the rest.

Textual takes a colour it cannot read without complaint and fails when it paints, so it gets no such colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec
import yaml
from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

from skillui.core import yaml_reader
from skillui.workspace.data import data_folder

DEFAULT_THEME: Final = "skillui-dark"
"""What the interface wears until told otherwise."""
LAST_RESORT: Final = "textual-dark"
"""A theme of Textual's own, for an installation without theme files."""

SEMANTIC_DEFAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "state-ok": "#9ece6a",
        "state-broken": "#f7768e",
        "state-untrusted": "#e0af68",
        "state-disabled": "#a98ce0",
        "state-shadowed": "#8f99bd",
        "state-loaded": "#7aa2f7",
        "state-sensitive": "#ff8f8f",
        "hidden-text": "#c0caf5",
        "substituted": "#9ece6a",
        "literal": "#e0af68",
    }
)
"""Variables that the styles of this app use and Textual does not know, with what a theme without them gets.

The app returns them from `get_theme_variable_defaults`, so that Textual's own themes can be worn too.
"""

_MOST_BYTES: Final = 64 * 1024
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SHADE: Final = re.compile(
    r"#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[a-z_]+[0-9]*|(rgba?|hsla?)\([0-9., %]+\)"
)
_WITH_ALPHA: Final = re.compile(r"(?P<color>.+?) +(?P<alpha>[0-9]{1,3})%")
_TEXT_STYLES: Final = frozenset({"none", "bold", "dim", "italic", "underline", "reverse", "strike", "not"})


class _Colors(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The colours Textual derives the rest from."""

    primary: str
    secondary: str
    accent: str
    foreground: str
    background: str
    surface: str
    panel: str
    success: str
    warning: str
    error: str
    boost: str | None = None


class _States(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The colours of a skill's states."""

    ok: str | None = None
    broken: str | None = None
    untrusted: str | None = None
    disabled: str | None = None
    shadowed: str | None = None
    loaded: str | None = None
    sensitive: str | None = None


class _Text(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The colours of marked text."""

    hidden: str | None = None
    substituted: str | None = None
    literal: str | None = None


class _ThemeFile(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A theme file."""

    name: str
    dark: bool
    colors: _Colors
    description: str = ""
    states: _States = _States()
    text: _Text = _Text()
    variables: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class FailedTheme:
    """A theme file that is not used; `reason` may quote the file and must go through the gate."""

    file: Path
    reason: str


@dataclass(frozen=True, slots=True)
class ThemeLoad:
    """What was found in the theme folders."""

    loaded: tuple[Theme, ...]
    failed: tuple[FailedTheme, ...]

    def choose(self, wanted: str | None) -> tuple[str, str | None]:
        """Return the name of the theme to wear, and the reason where it is not the one wanted."""
        names = {theme.name for theme in self.loaded} | BUILTIN_THEMES.keys()
        fallback = DEFAULT_THEME if DEFAULT_THEME in names else LAST_RESORT
        if wanted is None or wanted in names:
            return wanted or fallback, None
        return fallback, self.no_theme(wanted)

    def no_theme(self, wanted: str) -> str:
        """Say that there is no such theme, and what to write instead: one of skillui's or of the person's own."""
        own = sorted(theme.name for theme in self.loaded)
        return f"there is no theme `{wanted}`{_nearest(wanted, own) or _all(own)}"

    def refusal(self, wanted: str | None) -> str | None:
        """Return why a theme cannot be worn, None where it can."""
        return self.choose(wanted)[1]


class _RefusedError(Exception):
    """Why a theme file is not used."""


def load_shipped_themes(*user_folders: Path) -> ThemeLoad:
    """Read the themes that come with skillui and those of the person's own folders."""
    return load_themes((data_folder("themes"), *user_folders))


def load_themes(folders: Iterable[Path]) -> ThemeLoad:
    """Read the `*.yaml` files of the folders; a later folder's theme replaces one of the same name."""
    loaded: dict[str, Theme] = {}
    failed: list[FailedTheme] = []
    for folder in folders:
        here: dict[str, Path] = {}
        for file in _theme_files(folder, failed):
            try:
                theme = read_theme(file)
                if theme.name in here:
                    raise _RefusedError(f"{here[theme.name].name} has a theme `{theme.name}` already")
            except _RefusedError as refused:
                failed.append(FailedTheme(file, str(refused)))
                continue
            here[theme.name] = file
            loaded[theme.name] = theme
    return ThemeLoad(tuple(loaded.values()), tuple(failed))


def _theme_files(folder: Path, failed: list[FailedTheme]) -> list[Path]:
    try:
        return sorted(file for file in folder.iterdir() if file.suffix in (".yaml", ".yml"))
    except FileNotFoundError:
        return []
    except OSError as error:
        failed.append(FailedTheme(folder, f"the folder cannot be read: {error.strerror}"))
        return []


def read_theme(file: Path) -> Theme:
    """Read one theme file."""
    try:
        return _built(msgspec.convert(_mapping(file), _ThemeFile))
    except msgspec.ValidationError as error:
        raise _RefusedError(str(error)) from None


def _mapping(file: Path) -> object:
    try:
        if not file.is_file():
            raise _RefusedError("not a regular file")
        with file.open("rb") as stream:
            raw = stream.read(_MOST_BYTES + 1)
        if len(raw) > _MOST_BYTES:
            raise _RefusedError(f"larger than {_MOST_BYTES // 1024} KiB")
        root = yaml_reader.compose(raw.decode())
        return None if root is None else yaml_reader.value(root)
    except OSError as error:
        raise _RefusedError(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise _RefusedError("not UTF-8") from None
    except yaml_reader.YamlFault as fault:
        raise _RefusedError(f"line {fault.line}: {fault.reason}") from None
    except yaml.YAMLError as error:
        raise _RefusedError(f"not readable as YAML: {error}") from None


def _built(file: _ThemeFile) -> Theme:
    if not _NAME.fullmatch(file.name):
        raise _RefusedError(f"`{file.name}` is no name: small letters, digits and single hyphens")
    if file.name in BUILTIN_THEMES:
        raise _RefusedError(f"`{file.name}` is the name of a built-in theme")
    theme = Theme(name=file.name, dark=file.dark, variables=_semantic(file), primary=file.colors.primary)
    for key, value in msgspec.structs.asdict(file.colors).items():
        if value is not None:
            setattr(theme, key, _color(f"colors.{key}", value))
    known = theme.to_color_system().generate()
    for key, value in file.variables.items():
        if key not in known:
            raise _RefusedError(f"variables.{key} is unknown{_nearest(key, known)}")
        theme.variables[key] = _variable(key, value)
    return theme


def _semantic(file: _ThemeFile) -> dict[str, str]:
    chosen = {f"state-{key}": value for key, value in msgspec.structs.asdict(file.states).items()}
    chosen |= {
        "hidden-text": file.text.hidden,
        "substituted": file.text.substituted,
        "literal": file.text.literal,
    }
    plain = {
        "state-ok": file.colors.success,
        "state-broken": file.colors.error,
        "state-untrusted": file.colors.warning,
        "state-disabled": file.colors.secondary,
        "state-shadowed": file.colors.foreground,
        "state-loaded": file.colors.primary,
        "state-sensitive": file.colors.error,
        "hidden-text": file.colors.foreground,
        "substituted": file.colors.success,
        "literal": file.colors.warning,
    }
    return {key: _color(key, chosen.get(key) or plain[key]) for key in SEMANTIC_DEFAULTS}


def _color(key: str, value: str) -> str:
    text = value.strip()
    # Textual's parser also takes `auto` and the terminal's own colours, which have no contrast to check.
    if not _SHADE.fullmatch(text) or text.startswith(("auto", "ansi_")):
        raise _RefusedError(f"{key}: `{value}` is not a colour such as #7aa2f7")
    try:
        return Color.parse(text).hex
    except ColorParseError:
        raise _RefusedError(f"{key}: `{value}` is not a colour such as #7aa2f7") from None


def _variable(key: str, value: str) -> str:
    if key.endswith("style") or "-style-" in key:
        words = value.split()
        if not words or not _TEXT_STYLES.issuperset(words):
            raise _RefusedError(f"variables.{key}: `{value}` is not a text style such as `bold underline`")
        return " ".join(words)
    match = _WITH_ALPHA.fullmatch(value.strip())
    if match is None:
        return "transparent" if value == "transparent" else _color(f"variables.{key}", value)
    if int(match["alpha"]) > 100:
        raise _RefusedError(f"variables.{key}: {match['alpha']}% is more than everything")
    color = "auto" if match["color"] == "auto" else _color(f"variables.{key}", match["color"])
    return f"{color} {int(match['alpha'])}%"


def _all(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"; there are: {listed}" if listed else ""


def _nearest(given: str, names: Iterable[str]) -> str:
    from rapidfuzz import process  # only a mistake needs it

    close = process.extractOne(given, list(names), score_cutoff=60)
    return f"; did you mean `{close[0]}`?" if close else ""

"""The folders of this user that skillui writes to; none of them is ever in a project."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

APP_NAME = "skillui"
CONFIG_VARIABLE = "SKILLUI_CONFIG_DIR"
STATE_VARIABLE = "SKILLUI_STATE_DIR"
DATA_VARIABLE = "SKILLUI_DATA_DIR"


@dataclass(frozen=True, slots=True)
class Folders:
    """Where configuration, state and data live, as absolute paths that need not exist yet."""

    config: str
    """What the person writes: `config.yaml` and own themes."""
    state: str
    """What may be lost without harm: the last theme and layout, the log."""
    data: str
    """What must not be lost: the decisions of reviews."""
    problems: tuple[str, ...] = ()
    """One line for each variable that was set but not used, and why."""

    @property
    def config_file(self) -> str:
        """The file `load_settings` reads."""
        return os.path.join(self.config, "config.yaml")

    @property
    def themes(self) -> str:
        """The folder of the user's own themes."""
        return os.path.join(self.config, "themes")

    @property
    def state_file(self) -> str:
        """The file `load_state` reads."""
        return os.path.join(self.state, "state.json")

    @property
    def store_file(self) -> str:
        """The decisions of reviews, a SQLite file."""
        return os.path.join(self.data, "decisions.sqlite3")

    @property
    def log_file(self) -> str:
        """The log; older ones lie beside it as `.1` and `.2`."""
        return os.path.join(self.state, "skillui.log")


def find_folders(environ: Mapping[str, str] | None = None) -> Folders:
    """Return the platform's folders, each replaced by its `SKILLUI_…_DIR` variable where that is set.

    Nothing is created. A variable must hold an absolute path (a leading `~` is the home folder): a
    relative one would lie in whatever project is open, so it is passed over and named in `problems`.
    """
    import platformdirs  # a tenth of the start of a command that needs no folder

    environ = os.environ if environ is None else environ
    problems: list[str] = []

    def chosen(variable: str, platform_folder: str) -> str:
        given = environ.get(variable, "").strip()
        if not given:
            return os.path.abspath(platform_folder)
        expanded = os.path.expanduser(given)
        if os.path.isabs(expanded) and "\0" not in expanded:
            return os.path.normpath(expanded)
        problems.append(f"{variable} is not an absolute path and is not used: {given}")
        return os.path.abspath(platform_folder)

    platform = platformdirs.PlatformDirs(APP_NAME, appauthor=False, roaming=False)
    return Folders(
        config=chosen(CONFIG_VARIABLE, platform.user_config_dir),
        state=chosen(STATE_VARIABLE, platform.user_state_dir),
        data=chosen(DATA_VARIABLE, platform.user_data_dir),
        problems=tuple(problems),
    )


def ensure_folder(path: str) -> str:
    """Create the folder, open to its owner alone, unless it exists; return `path`. Raises `OSError`.

    A folder that exists keeps the mode its owner gave it.
    """
    parent = os.path.dirname(path)
    if parent and parent != path:
        os.makedirs(parent, exist_ok=True)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if not os.path.isdir(path):
            raise
    return path

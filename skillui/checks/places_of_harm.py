"""Paths and what stands behind them: where writes stay inside `.runs/`, what persists, what holds credentials.

A path here is a text in which `UNKNOWN` stands for each part that only running would tell; a home folder is `~`.
"""

from __future__ import annotations

import posixpath
import re
from typing import Final

UNKNOWN: Final = "\ufffe"
"""Stands for a part of a path that cannot be told."""

_NOWHERE: Final = re.compile(r"/dev/(?:null|stdout|stderr|tty|fd/\d+|stdin|zero)|nul:?|-|&?\d", re.IGNORECASE)
_HOME: Final = re.compile(
    r"^(?:\$\{?HOME\}?|/home/[^/\ufffe]+|/Users/[^/\ufffe]+|/root|%USERPROFILE%|\$env:USERPROFILE)(?=/|$)"
)

_PERSISTENT: Final = (
    (
        r"(?:^|/)\.(?:bashrc|bash_profile|bash_login|bash_aliases|zshrc|zshenv|zprofile|zlogin|profile|kshrc|xprofile)$"
        r"|^~/\.config/fish/|/etc/(?:profile|bash\.bashrc|zsh|environment)|^\$PROFILE\b",
        "a shell's start-up file",
    ),
    (r"^/etc/cron|^/var/spool/cron", "a cron table"),
    (r"Library/Launch(?:Agents|Daemons)(?:/|$)", "launch agents"),
    (
        r"^/etc/systemd/|^/(?:usr/)?lib/systemd/system|\.config/systemd/user|^/etc/init\.d/"
        r"|^/etc/rc\.local|\.config/autostart"
        r"|Start Menu[/\\]Programs[/\\]Startup",
        "what starts by itself",
    ),
    (r"(?:^|/)\.git/hooks(?:/|$)|(?:^|/)\.husky/|hooksPath|git-path[\s,\"']+hooks|git/hooks(?:/|$)", "git hooks"),
    (
        r"(?:^|[/\ufffe])\.(?:claude|codex|cursor|gemini|qwen|opencode|windsurf|continue|copilot)/"
        r"(?:settings(?:\.local)?\.json|hooks(?:\.json)?(?:/|$)|hooks/|config\.(?:toml|json|ya?ml)|mcp\.json)"
        r"|(?:^|/)\.claude\.json$|^~/\.claude/CLAUDE\.md$|^~/\.codex/AGENTS\.md$",
        "an agent's settings or hooks",
    ),
    (r"\.ssh/authorized_keys\d?$|\.ssh/rc$|^/etc/sudoers|^/etc/ld\.so\.preload", "who may log in"),
)
_STORES: Final = (
    (r"(?:^~|[/\ufffe])/?\.ssh(?:/(?!known_hosts|config$|[^/]*\.pub$|authorized_keys|environment|rc$)|/?$)", "~/.ssh"),
    (r"(?:^~|[/\ufffe])/?\.aws(?:/(?!config$)|/?$)", "~/.aws"),
    (r"(?:^~|[/\ufffe])/?\.gnupg(?:/|$)", "~/.gnupg"),
    (
        r"(?:^~|[/\ufffe])/?\.(?:netrc|git-credentials|pgpass|vault-token|pypirc)$|^~/\.npmrc$"
        r"|^~/\.docker/config\.json$"
        r"|(?:^~|[/\ufffe])/?\.kube/config$|\.config/gcloud(?:/|$)|\.config/gh/hosts\.yml$|(?:^~|[/\ufffe])/?\.azure/"
        r"|\.claude/\.credentials\.json$|\.codex/auth\.json$|\.password-store(?:/|$)"
        r"|^/etc/(?:shadow|gshadow|master\.passwd)$",
        "a credential store",
    ),
    (r"Library/Keychains|\.local/share/keyrings|Microsoft[/\\](?:Credentials|Vault|Protect)(?:[/\\]|$)", "a keychain"),
    (
        r"(?:Chrome|Chromium|Brave-Browser|Edge|google-chrome|chromium)\b.{0,80}?(?:Cookies|Login"
        r" Data|Web Data|Local State)"
        r"|(?:\.mozilla/firefox|Firefox/Profiles)(?:/|$)|Library/Cookies|cookies\.sqlite$|logins\.json$|key4\.db$",
        "a browser's profile",
    ),
)
_ENV: Final = re.compile(
    r"(?:^|[/\ufffe])\.env(?:\.(?:local|prod(?:uction)?|dev(?:elopment)?|staging|test|secrets?))?(?:\.local)?$"
)
_PERSISTENT_RE: Final = tuple((re.compile(pattern), what) for pattern, what in _PERSISTENT)
_STORES_RE: Final = tuple((re.compile(pattern), what) for pattern, what in _STORES)
_MAX_PATH: Final = 600


def normal(path: str) -> str:
    """Return a path with `/` and one name for the home folder."""
    return _HOME.sub("~", path[:_MAX_PATH].strip().replace("\\", "/"))


def stays_inside(path: str) -> bool:
    """Tell whether a write to a path stays in `.runs/`, or goes nowhere."""
    path = normal(path)
    if _NOWHERE.fullmatch(path):
        return True
    parts = path.split("/")
    if ".runs" not in parts:
        return False
    inner = parts[parts.index(".runs") + 1 :]
    return UNKNOWN not in "/".join(inner) and not posixpath.normpath("/".join(inner) or ".").startswith("..")


def persists(path: str) -> str | None:
    """Say what a write to a path would make last, None where it is an ordinary file."""
    path = normal(path)
    return next((what for pattern, what in _PERSISTENT_RE if pattern.search(path)), None)


def store(path: str) -> str | None:
    """Name the credential store that a path leads into, None where there is none."""
    path = normal(path)
    return next((what for pattern, what in _STORES_RE if pattern.search(path)), None)


def is_env(path: str) -> bool:
    """Tell whether a path is a `.env` file with values; `.env.example` is none."""
    return _ENV.search(normal(path)) is not None


def told(path: str) -> str:
    """Return a path as a message shows it."""
    return path.replace(UNKNOWN, "…") if path.strip(UNKNOWN) else "a computed path"

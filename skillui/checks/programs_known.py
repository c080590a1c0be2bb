"""Programs by what calling them does: which reach the network, fetch, decode, run text, or write files."""

from __future__ import annotations

import re
from typing import Final

FETCHERS: Final = frozenset({"curl", "wget", "aria2c", "fetch", "http", "https", "iwr", "irm", "invoke-webrequest"})
"""Programs that print or save what an address holds."""
INTERPRETERS: Final = re.compile(
    r"(?:ba|z|da|k|a|fi)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|lua|iex|invoke-expression"
    r"|pwsh|powershell|tclsh|osascript"
)
"""Programs that run the text that comes in by a pipe."""
WRAPPERS: Final = frozenset(
    {
        "sudo",
        "doas",
        "env",
        "nohup",
        "exec",
        "command",
        "builtin",
        "nice",
        "timeout",
        "stdbuf",
        "setsid",
        "time",
        "xargs",
        "caffeinate",
    }
)
"""Programs that run the program named behind them."""
_WRAPPER_VALUES: Final = frozenset(
    {"-u", "-g", "-n", "-I", "-P", "-L", "-s", "-k", "-C", "-d", "-E", "--user", "--signal", "-i{}", "-o", "-e"}
)
READERS: Final = frozenset({
    "cat", "less", "more", "head", "tail", "grep", "egrep", "fgrep", "rg", "awk", "sed", "source", ".", "cp", "mv",
    "scp", "rsync", "tar", "zip", "base64", "xxd", "od", "strings", "cut", "sort", "jq", "yq", "bat", "nl", "tac",
    "dd", "find", "sqlite3", "7z", "gzip", "curl", "get-content", "gc", "copy", "openssl", "diff", "paste", "wget",
    "nc", "rclone", "ls",
})  # fmt: skip
"""Programs whose arguments are files that they read."""
PATTERN_FIRST: Final = frozenset({"grep", "egrep", "fgrep", "rg", "awk", "sed", "jq", "yq"})
"""Readers whose first plain argument is no file."""

_ALWAYS: Final = frozenset({
    "curl", "wget", "aria2c", "ssh", "scp", "sftp", "nc", "ncat", "netcat", "telnet", "ftp", "ping", "ping6", "dig",
    "nslookup", "whois", "traceroute", "npx", "bunx", "pnpx", "uvx", "gh", "glab", "aws", "gcloud", "gsutil", "bq",
    "az", "kubectl", "helm", "vercel", "netlify", "wrangler", "heroku", "flyctl", "fly", "doctl", "supabase",
    "firebase", "yt-dlp", "youtube-dl", "socat", "iwr", "irm", "invoke-webrequest", "invoke-restmethod", "httpie",
    "xh", "websocat", "ngrok", "cloudflared", "nmap", "twine", "sendmail", "mail", "mutt", "mosh", "rclone", "s3cmd",
    "mc", "lftp", "ossutil", "skopeo", "ssh-keyscan", "ssh-copy-id",
})  # fmt: skip
_SUBCOMMANDS: Final = {
    "git": "push|fetch|pull|clone|ls-remote|send-email|archive --remote|submodule (?:update|add)|"
    "remote (?:update|show)|lfs",
    "pip": "install|download|wheel|search|index",
    "pip3": "install|download|wheel|search|index",
    "pipx": "install|run|upgrade|inject",
    "uv": r"pip (?:install|sync|compile)|add|sync|tool (?:install|run)|lock|run .*--with|publish",
    "poetry": "install|add|update|publish|lock",
    "pdm": "install|add|update|publish",
    "conda": "install|create|update|env",
    "mamba": "install|create|update",
    "micromamba": "install|create",
    "npm": "i|ci|install|add|update|publish|exec|create|init .+|audit|outdated|view|login|x|info|search|pack .+",
    "pnpm": "i|install|add|update|publish|dlx|exec|create",
    "yarn": "install|add|up|upgrade|publish|dlx|create|",
    "bun": "i|install|add|update|publish|x|create",
    "deno": "install|add|cache|upgrade",
    "apt": "install|update|upgrade|full-upgrade|download",
    "apt-get": "install|update|upgrade|dist-upgrade|download",
    "brew": "install|update|upgrade|tap|fetch|bundle|reinstall",
    "apk": "add|update|upgrade|fetch",
    "yum": "install|update",
    "dnf": "install|update|upgrade",
    "pacman": r"-S\w*",
    "zypper": "install|update|refresh",
    "port": "install|selfupdate",
    "snap": "install|refresh",
    "choco": "install|upgrade",
    "winget": "install|upgrade",
    "scoop": "install|update",
    "cargo": "install|add|fetch|publish|update|binstall",
    "go": "get|install|mod (?:download|tidy)",
    "gem": "install|update|push",
    "bundle": "install|update",
    "composer": "install|require|update|create-project",
    "docker": "pull|push|login|build|run|compose (?:up|pull|build)|buildx",
    "podman": "pull|push|login|build|run",
    "docker-compose": "up|pull|build",
    "terraform": "init|apply|plan|destroy",
    "pulumi": "up|preview",
    "dotnet": "restore|add|tool|nuget",
    "openssl": "s_client|ocsp",
    "rustup": "(?:install|update|toolchain|component|target|default)",
    "nix": "run|shell|build|develop",
    "playwright": "install",
    "corepack": "enable|prepare|install",
    "claude": "plugin|mcp",
}
_NETWORK: Final = {program: re.compile(rf"(?:{pattern})(?:\s|$)") for program, pattern in _SUBCOMMANDS.items()}
_ASKS_ONLY: Final = frozenset({"--version", "-V", "--help", "-h", "version", "help", "-v"})


def base_name(program: str) -> str:
    """Return a program's own name without its folder, lower case, `.exe` dropped."""
    return program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe").lower()


def unwrapped(words: list[str]) -> int:
    """Return the index of the program that a command line runs behind `sudo`, `env` and their like."""
    at = 0
    while at < len(words) and (name := base_name(words[at])) in WRAPPERS:
        at += 1
        if name == "command" and words[at : at + 1] in (["-v"], ["-V"]):
            return len(words)
        while at < len(words) and (words[at].startswith("-") or ("=" in words[at] and name in ("env", "sudo"))):
            at += 2 if words[at] in _WRAPPER_VALUES else 1
        if name == "timeout":
            at += 1
    return at


def network(words: list[str]) -> str | None:
    """Say which use of the network a command line is (`curl`, `git push`), None where it is none."""
    if not words:
        return None
    name, rest = base_name(words[0]), [word for word in words[1:] if word]
    if rest and all(word in _ASKS_ONLY for word in rest):
        return None
    if name in _ALWAYS and (rest or name not in ("https", "http", "mail", "fetch", "fly", "mc")):
        return name
    if name in ("http", "https") and any("://" in word or word.startswith((":", "GET", "POST")) for word in rest):
        return name
    if name == "rsync" and any(re.match(r"[^/\s]*:|rsync://", word) for word in rest if not word.startswith("-")):
        return name
    if re.fullmatch(r"python[\d.]*|py", name) and rest[:1] == ["-m"] and len(rest) > 1:
        return network(rest[1:]) or ("http.server" if rest[1] in ("http.server", "smtpd", "ensurepip") else None)
    return _subcommand(name, rest)


def _subcommand(name: str, rest: list[str]) -> str | None:
    pattern = _NETWORK.get(name)
    if pattern is None:
        return None
    if name != "pacman":
        rest = _without_options(name, rest)
    match = pattern.match(" ".join(rest[:8])[:300])
    shown = match[0].strip() if match else ""
    return f"{name} {shown}".strip()[:40] if match else None


def _without_options(name: str, rest: list[str]) -> list[str]:
    """Drop a program's own options in front of its subcommand: `git -C folder push`."""
    at = 0
    while at < len(rest) and rest[at].startswith("-"):
        takes = rest[at] in (
            "-C",
            "-c",
            "--prefix",
            "--git-dir",
            "--work-tree",
            "--dir",
            "--cwd",
            "-F",
            "--filter",
            "--directory",
        )
        at += 2 if takes else 1
    return rest[at:]

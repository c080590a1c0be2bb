"""The hook in Claude Code's settings: which file, what is put in, what is taken out again."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from skillui.core.files import ReadFault, is_below, read_regular, resolved
from skillui.core.text import clipped
from skillui.serve.hook_json import Container, JsonFault, Member, append, container_at, parse, place_of, remove, root_of
from skillui.workspace.locate import repository_of

Scope = Literal["user", "project"]
_MAX_SETTINGS = 4 * 1024 * 1024
_EVENT, _TOOL = "PreToolUse", "Skill"


class SettingsFault(Exception):
    """The settings cannot be changed; one line that names the file."""


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """A change of one settings file; `before` is None where the file is missing."""

    path: str
    before: str | None
    after: str

    @property
    def is_needed(self) -> bool:
        """Tell whether anything changes."""
        return self.after != (self.before or "")

    def diff(self) -> str:
        """Return the change as a unified diff."""
        import difflib

        old = (self.before or "").splitlines(keepends=True)
        name = self.path if self.before is not None else os.devnull
        lines = difflib.unified_diff(old, self.after.splitlines(keepends=True), name, self.path)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    def write(self) -> None:
        """Write it, whole or not at all, unless the file changed meanwhile. Raises `SettingsFault`, `OSError`."""
        from skillui.workspace.atomic import write_bytes

        if _read(self.path) != self.before:
            raise SettingsFault(f"{clipped(self.path, 200)} changed meanwhile; nothing was written")
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        write_bytes(self.path, self.after.encode("utf-8"))


def settings_path(scope: Scope, cwd: str, environ: Mapping[str, str]) -> str:
    """Return the settings file of the user or of the project around `cwd`. Raises `SettingsFault`."""
    if scope == "user":
        given = environ.get("CLAUDE_CONFIG_DIR", "")
        folder = given if os.path.isabs(given) else os.path.expanduser(os.path.join("~", ".claude"))
        return os.path.join(folder, "settings.json")
    start = resolved(cwd)
    top = repository_of(start) or start
    path = os.path.join(top, ".claude", "settings.json")
    if not is_below(resolved(path), top):
        raise SettingsFault(f"{clipped(path, 200)} is a link out of the project; nothing is written through it")
    return path


def hook_command(scope: Scope, unknown: str) -> str:
    """Return the command of the hook: by name for what a team shares, by its place for the user alone."""
    program = "skillui"
    if scope == "user":
        found = shutil.which("skillui")
        # By its place, for a command that is not found lets every call through; and with -P, for the hook runs
        # in the project, whose modules must not be taken for ours.
        program = shlex.quote(os.path.abspath(found)) if found else f"{shlex.quote(sys.executable)} -P -m skillui"
    return f"{program} hook claude-code" + (" --unknown deny" if unknown == "deny" else "")


def plan_install(path: str, command: str) -> SettingsChange:
    """Return what adds the hook to a settings file; nothing where it is there already. Raises `SettingsFault`."""
    before = _read(path)
    text = before if before is not None and before.strip() else "{}\n"
    group = {"matcher": _TOOL, "hooks": [{"type": "command", "command": command, "onFailure": "block"}]}
    try:
        root = root_of(text)
        hooks = _inner(text, root, "hooks", "{")
        event = None if hooks is None else _inner(text, hooks, _EVENT, "[")
        if event is not None and any(_ours(member.value) for member in event.members):
            after = before or ""
        elif event is not None:
            after = append(text, event, None, group)
        elif hooks is not None:
            after = append(text, hooks, _EVENT, [group])
        else:
            after = append(text, root, "hooks", {_EVENT: [group]})
        if after:
            parse(after)
    except JsonFault as fault:
        raise SettingsFault(f"{clipped(path, 200)}, {fault}; nothing was changed") from None
    return SettingsChange(path, before, after)


def plan_uninstall(path: str) -> SettingsChange:
    """Return what takes the hook out of a settings file, and what it leaves empty. Raises `SettingsFault`."""
    before = _read(path)
    after = before or ""
    try:
        while after.strip() and (shorter := _without_one(after)) is not None:
            after = shorter
            parse(after)
    except JsonFault as fault:
        raise SettingsFault(f"{clipped(path, 200)}, {fault}; nothing was changed") from None
    return SettingsChange(path, before, after)


def _without_one(text: str) -> str | None:
    """Take out one of our hooks with every container that it was alone in, None where there is none."""
    way: list[tuple[Container, int]] = []
    container: Container | None = root_of(text)
    for key, bracket in (("hooks", "{"), (_EVENT, "[")):
        if container is None or (index := _index(container, key)) is None:
            return None
        way.append((container, index))
        container = _inner(text, container, key, bracket)
    assert container is not None
    for index, member in enumerate(container.members):
        if not _ours(member.value):
            continue
        handlers = _inner(text, container_at(text, member.at), "hooks", "[")
        assert handlers is not None
        way += [(container, index)]
        if len(handlers.members) > 1:
            way = [(handlers, next(i for i, one in enumerate(handlers.members) if _is_command(one.value)))]
        while len(way) > 1 and len(way[-1][0].members) == 1:
            way.pop()
        return remove(text, *way[-1])
    return None


def _read(path: str) -> str | None:
    try:
        return read_regular(path, _MAX_SETTINGS)[0].decode("utf-8")
    except ReadFault as fault:
        if fault.missing:
            return None
        raise SettingsFault(f"{clipped(path, 200)} {fault.reason}") from None
    except UnicodeDecodeError as error:
        raise SettingsFault(f"{clipped(path, 200)} is not UTF-8: byte {error.start}") from None


def _index(container: Container, key: str) -> int | None:
    return next((index for index, member in enumerate(container.members) if member.key == key), None)


def _inner(text: str, container: Container, key: str, bracket: str) -> Container | None:
    """Return the container of this key, None where there is none. Raises `JsonFault` where it is another value."""
    index = _index(container, key)
    if index is None:
        return None
    member: Member = container.members[index]
    if text[member.at] != bracket:
        kind = "an object" if bracket == "{" else "a list"
        raise JsonFault(f"{place_of(text, member.at)}: '{key}' must be {kind}")
    return container_at(text, member.at)


def _ours(group: Any) -> bool:
    """Tell whether a matcher group calls this hook for the Skill tool."""
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return False
    matcher = group.get("matcher", "")
    if not isinstance(matcher, str) or not (matcher in ("", "*") or _matches(matcher)):
        return False
    return any(_is_command(handler) for handler in group["hooks"])


def _matches(matcher: str) -> bool:
    return _TOOL in re.split(r"[|,]\s*", matcher)


def _is_command(handler: Any) -> bool:
    command = handler.get("command") if isinstance(handler, dict) else None
    if not isinstance(command, str):
        return False
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    while words and words[-1] != "claude-code":
        words.pop()
    program = words[:-2]
    named = len(program) == 1 and os.path.basename(program[0]) == "skillui"
    return words[-2:] == ["hook", "claude-code"] and (named or program[-2:] == ["-m", "skillui"])

"""What a skill can do: its scripts and code blocks read into facts, once per skill."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from skillui.checks.carried_commands import carried_commands
from skillui.checks.facts import CAPABILITIES, Deed, Fact
from skillui.checks.languages import JAVASCRIPT, PYTHON, SHELL, TYPESCRIPT, of_fence
from skillui.checks.rule import SKILL_FILE, Capability
from skillui.checks.shell_lines import shell_lines
from skillui.checks.tools import capability_of

if TYPE_CHECKING:
    from skillui.checks.markdown import Document, Fence
    from skillui.checks.subject import Subject

MAX_CODE: Final = 1024 * 1024
"""Characters of one script that are read."""
MAX_BLOCKS: Final = 2_000
"""Code blocks of one document that are read."""
_ORDER: Final = tuple(Capability)
_READ: Final = frozenset({PYTHON, SHELL, JAVASCRIPT, TYPESCRIPT})
# Plain searches say whether a block is worth reading word by word; most are not.
_POSSIBLE: Final = (
    "curl", "wget", "fetch", "base64", "eval", "exec", "iex", "invoke", "cron", "systemctl", "launchctl",
    "schtasks", "hooks", "profile", ".ssh", ".aws", ".env", "keychain", "password", ".gnupg", "netrc",
    "credential", "cookies", "firefox", "settings", "config", "autostart", "launchagents", "token", "secret",
    "keyring", "dotenv", "fromhex", "unhexlify", "decode", "xxd", "openssl", "shadow", "sudoers",
    "authorized_keys", "\\x", "/etc/", ".docker", ".kube", "http", "iwr", "irm", "login", "registry", "atob",
    "auth",
)  # fmt: skip
_POSSIBLE_ENDS: Final = re.compile(r"rc\b|pass |reg add")


def _possible(code: str) -> bool:
    """Tell whether a text may hold a command of interest at all."""
    lowered = code.lower()
    return any(word in lowered for word in _POSSIBLE) or _POSSIBLE_ENDS.search(lowered) is not None


@dataclass(frozen=True, slots=True)
class Found:
    """One fact with its file, or with the block of a Markdown file it stands in."""

    fact: Fact
    path: str
    in_block: bool = False


_FOUND: WeakKeyDictionary[Subject, tuple[Found, ...]] = WeakKeyDictionary()


def facts_of(subject: Subject) -> tuple[Found, ...]:
    """Return what the scripts and the code blocks of a skill do, in the order of files and lines; made once."""
    found = _FOUND.get(subject)
    if found is None:
        found = _FOUND[subject] = (*_of_blocks(subject), *_of_data(subject), *_of_scripts(subject))
    return found


def capabilities(subject: Subject) -> tuple[Capability, ...]:
    """Return what a skill can do by its scripts, code blocks, declared tools and shell lines, in a fixed order."""
    found = {CAPABILITIES[item.fact.deed] for item in facts_of(subject)}
    found |= {capability for tool in subject.parsed.allowed_tools for capability in capability_of(tool)}
    if any(True for _ in shell_lines(subject.body)) or any(script.language == SHELL for script in subject.scripts):
        found.add(Capability.SHELL)
    return tuple(capability for capability in _ORDER if capability in found)


def _of_scripts(subject: Subject) -> Iterator[Found]:
    for script in subject.scripts:
        if script.path == SKILL_FILE:
            continue
        text = subject.text(script.path)
        if text is None and (data := subject.data(script.path)) is not None:
            text = data.decode("utf-8", "replace").replace("\0", "")  # a shell passes over NULs
        if text:
            for fact in code_facts(text[:MAX_CODE], script.language):
                yield Found(fact, script.path)


def _of_blocks(subject: Subject) -> Iterator[Found]:
    for path in (SKILL_FILE, *subject.documents):
        document = subject.document(path)
        for fence in islice((*document.fences, *document.indented), MAX_BLOCKS):
            yield from _of_block(path, document, fence)
        if path == SKILL_FILE:
            yield from _of_lines(document)


def _of_block(path: str, document: Document, fence: Fence) -> Iterator[Found]:
    code = document.content(fence)
    if not _possible(code):
        return
    language = of_fence(fence.language.lstrip("!"))
    if language in ("", "text", "txt", "plaintext"):
        language = SHELL
    facts = list(code_facts(_without_prompts(code) if language == SHELL else code, language, script=False))
    if not facts:
        return
    soft = _teaches(document, fence, code)
    line, _ = document.place(fence.start)
    for fact in facts:
        moved = replace(fact, line=line + fact.line - 1, soft=fact.soft or soft)
        yield Found(moved, path, True)


def _of_lines(document: Document) -> Iterator[Found]:
    """Yield what the shell lines do that run before a model sees the text."""
    for start, command in shell_lines(document):
        if document.fence_at(start) is not None:
            continue
        line, column = document.place(start)
        for fact in code_facts(command, SHELL, script=False):
            yield Found(replace(fact, line=line + fact.line - 1, column=column), SKILL_FILE, True)


def _of_data(subject: Subject) -> Iterator[Found]:
    for path, line, column, command in carried_commands(subject):
        if _possible(command):
            for fact in code_facts(command, SHELL, script=False):
                yield Found(replace(fact, line=line, column=column), path, True)


_TEACHES: Final = re.compile(
    r"\b(?:BAD|WRONG|UNSAFE|INSECURE|DANGEROUS|VULNERABLE|MALICIOUS|AVOID|NEVER|ANTI-?PATTERN|DON'?T|DO NOT)\b|[❌🚫⛔]"
    r"|(?i:\b(?:malicious|detect(?:s|ion|ing|ed)?|attack(?:er|s)?|exploit|indicators? of"
    r" compromise|red flags?|suspicious|payloads?)\b)"
)


def _teaches(document: Document, fence: Fence, code: str) -> bool:
    """Tell whether a block shows what not to do, or what to look for: by its own words and the lines above it."""
    above = document.text[max(0, fence.opening - 300) : fence.opening].rstrip().split("\n")[-3:]
    return bool(_TEACHES.search(code[:5_000]) or _TEACHES.search("\n".join(above)[-300:]))


_PROMPT: Final = re.compile(r"^[ \t]{0,8}(?:[\w.@:~/-]{0,60})?[$%] ", re.MULTILINE)


def _without_prompts(code: str) -> str:
    """Blank the prompts of a session; lines and columns stay."""
    return _PROMPT.sub(lambda match: " " * len(match[0]), code) if "$ " in code or "% " in code else code


def code_facts(text: str, language: str, script: bool = True) -> list[Fact]:
    """Return what a text of one language does; nothing for languages that are not read. Never raises."""
    if language == SHELL:
        return shell_facts(text)
    if language in (JAVASCRIPT, TYPESCRIPT):
        from skillui.checks.js_facts import JsFacts

        return JsFacts(text, shell_facts).facts
    if language == PYTHON:
        return _python(text, script)
    if language in ("powershell", "batch"):
        from skillui.checks.powershell_facts import powershell_facts

        return list(powershell_facts(text))
    return []


def _python(text: str, script: bool) -> list[Fact]:
    from skillui.checks.parsers import SyntaxFault, parse_python
    from skillui.checks.python_facts import PythonFacts, line_facts

    tree = parse_python(text)
    if tree is None or isinstance(tree, SyntaxFault):
        return list(islice(line_facts(text), 200))
    try:
        return PythonFacts(tree, shell_facts, script).facts
    except (RecursionError, MemoryError):
        return list(islice(line_facts(text), 200))


@lru_cache(maxsize=256)
def _shell(text: str) -> tuple[Fact, ...]:
    from skillui.checks.shell_facts import ShellFacts

    try:
        return tuple(ShellFacts(text, _foreign).facts)
    except RecursionError:
        return ()


def shell_facts(text: str) -> list[Fact]:
    """Return what a shell text does. Never raises."""
    return list(_shell(text))


def _foreign(text: str, language: str) -> list[Fact]:
    """Read the text that a shell command hands to another interpreter."""
    return code_facts(text, language) if len(text) < MAX_CODE else []


FINDS: Final = frozenset({Deed.FETCH_AND_RUN, Deed.DECODE_AND_RUN, Deed.PERSISTENCE, Deed.CREDENTIALS})
"""The deeds of SEC-07; those of SKL-11 are `NETWORK` and `WRITE`."""

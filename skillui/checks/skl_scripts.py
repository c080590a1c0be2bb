"""SKL-10: scripts and assets that are referenced exist and parse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from skillui.checks.languages import JAVASCRIPT, PYTHON, SHELL, by_shebang, of_fence
from skillui.checks.parsers import SyntaxFault, json_fault, toml_fault, yaml_fault
from skillui.checks.programs import javascript_faults, shell_fault
from skillui.checks.rule import SKILL_FILE, Family, Finding, Rule
from skillui.checks.subject import Subject
from skillui.core.problems import Severity

MAX_CHECKED: Final = 200
"""Files of one skill that are parsed."""
MAX_PROGRAMS: Final = 20
"""Shell scripts of one skill that are handed to bash."""

_FOLDERS: Final = ("scripts/", "assets/")
_DATA: Final[dict[str, tuple[str, Callable[[str], SyntaxFault | None]]]] = {
    ".json": ("JSON", json_fault),
    ".yaml": ("YAML", yaml_fault),
    ".yml": ("YAML", yaml_fault),
    ".toml": ("TOML", toml_fault),
}
_RUN: Final = frozenset({SHELL, PYTHON, JAVASCRIPT, ""})
"""Languages of a fenced block whose paths are meant to be run, not shown."""


def check_scripts(subject: Subject) -> Iterator[Finding]:
    """SKL-10: yield what is missing, then what does not parse."""
    for path in (SKILL_FILE, *(path for path in subject.documents if path.startswith("references/"))):
        yield from _missing(subject, path)
    yield from _unparsed(subject)


def _missing(subject: Subject, where: str) -> Iterator[Finding]:
    document = subject.document(where)
    for mention in subject.mentions(where):
        if mention.folder == "references" or mention.path in subject.by_path:
            continue
        shown = mention.language is not None and of_fence(mention.language) not in _RUN
        line, column = document.place(mention.offset)
        kind = mention.folder.removesuffix("s")
        yield Finding(
            f"missing referenced {kind} '{mention.path}'", where, line, column,
            "add the file, or write the path of one that exists", Severity.WARNING if shown else None,
        )  # fmt: skip


def _unparsed(subject: Subject) -> Iterator[Finding]:
    named = {mention.path for mention in subject.mentions(SKILL_FILE)}
    languages = {script.path: script.language for script in subject.scripts}
    javascript: dict[str, str] = {}
    shells = 0
    for entry in subject.files[:MAX_CHECKED]:
        path = entry.path
        if not path.startswith(_FOLDERS) and path not in named:
            continue
        language, data = languages.get(path), _DATA.get(entry.suffix)
        text = subject.text(path) if language or data else None
        if not text:
            continue
        if data is not None:
            yield from _told(path, data[0], data[1](text))
        elif language == PYTHON:
            tree = subject.python(path)
            yield from _told(path, "Python", tree if isinstance(tree, SyntaxFault) else None)
        elif language == JAVASCRIPT and not path.endswith(".jsx"):
            javascript[path] = text
        elif language == SHELL and _is_bash(path, text) and shells < MAX_PROGRAMS:
            shells += 1
            yield from _told(path, "shell", shell_fault(text))
    if javascript:
        for path, fault in sorted(javascript_faults(javascript).items()):
            yield from _told(path, "JavaScript", fault)


def _is_bash(path: str, text: str) -> bool:
    """Tell whether bash may judge a script; zsh and ksh have forms of their own."""
    first = text.partition("\n")[0]
    return not path.endswith((".zsh", ".ksh")) and not (by_shebang(first) and ("zsh" in first or "ksh" in first))


def _told(path: str, language: str, fault: SyntaxFault | None) -> Iterator[Finding]:
    if fault is not None:
        message = f"{path} does not parse as {language}: {fault.reason}"
        yield Finding(message, path, fault.line, fault.column)


RULES: tuple[Rule, ...] = (
    Rule(
        "SKL-10", Family.SKL, Severity.WARNING, "a referenced script or asset is missing or does not parse",
        "A step that runs a file which is not there, or which does not even parse, fails in the middle of the work, "
        "and a model then improvises. Paths below scripts/ and assets/ are looked for, with or without `./`, "
        "`${CLAUDE_SKILL_DIR}/` or `{baseDir}/` in front; placeholders, globs and braces are no paths. Python, JSON, "
        "YAML and TOML are parsed here, shell by `bash -n`, JavaScript by node's compiler where those programs are "
        "found. Nothing is run.",
        check_scripts, valid="Run `python3 scripts/collect.py`.", invalid="Run `node scripts/missing-helper.mjs`.",
    ),
)  # fmt: skip

"""Rules over placeholders and declared arguments: ARG-01 to ARG-03."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Final

from skillui.checks.placeholders import MAX_LIKELY, Form, Placeholders
from skillui.checks.rule import Family, Finding, Rule
from skillui.checks.subject import Subject
from skillui.core.problems import Severity
from skillui.core.text import clipped

_NOT_AN_ARGUMENT: Final = re.compile(r"[A-Z][A-Z0-9_]*")
_MEANINGS: Final = {
    "number": "the first argument here and in OpenCode 1, the second in Claude Code, and plain text in Codex, Cursor, "
    "OpenCode 2 and Pi",
    "zero": "plain text here, the first argument in Claude Code",
    "index": "an argument here and in Claude Code, all of them with `[n]` behind in OpenCode 1, and plain text in "
    "Codex, Cursor, OpenCode 2 and Pi",
    "bare": "plain text here, the argument of that name in Claude Code",
}


def _at(subject: Subject, offset: int, message: str, hint: str) -> Finding:
    line, column = subject.body.place(offset)
    return Finding(message, line=line, column=column, hint=hint)


def check_declared(subject: Subject) -> Iterator[Finding]:
    """ARG-01: the body uses what the frontmatter declares, and nothing else."""
    placeholders = subject.placeholders
    declared = subject.declared
    if declared:
        yield from _unused(subject, placeholders, declared)
    if placeholders is None:
        return
    if declared:
        yield from _undeclared(subject, placeholders, declared)
        if placeholders.meant:
            first = placeholders.meant[0]
            yield _at(
                subject, first.offset, f"`{first.text}` stands beside named arguments: with those it stays as it is",
                "use the declared names, or declare none",
            )  # fmt: skip
    else:
        yield from _gaps(subject, placeholders.meant)


def _unused(subject: Subject, placeholders: Placeholders | None, declared: frozenset[str]) -> Iterator[Finding]:
    if placeholders is not None and placeholders.all_at is not None:
        return  # `$ARGUMENTS` brings them all
    used = {form.text[2:-1] for form in placeholders.forms if form.kind == "name"} if placeholders else set()
    for argument in subject.parsed.arguments or ():
        name = argument.name
        if name in used or (placeholders is not None and placeholders.bare(name) is not None):
            continue  # `$name` is told by ARG-02
        used.add(name)
        yield subject.at_field(
            "arguments", f"argument '{clipped(name)}' is declared and the body never uses it", needle=name,
            hint=f"write `${{{clipped(name)}}}` where it belongs, or remove it",
        )  # fmt: skip


def _undeclared(subject: Subject, placeholders: Placeholders, declared: frozenset[str]) -> Iterator[Finding]:
    told = set(declared)
    for form in placeholders.forms:
        name = form.text[2:-1]
        if form.kind != "name" or name in told or _NOT_AN_ARGUMENT.fullmatch(name):
            continue
        fence = subject.body.fence_at(form.offset)
        if fence is not None and (fence.language not in ("", "text", "markdown", "md", "bash", "sh", "shell")):
            continue  # `${name}` is that language's own
        if fence is not None and re.search(
            rf"\b{re.escape(name)}\b[^\n]{{0,3}}(?:=|[ \t]+in\b)", subject.body.content(fence)
        ):
            continue
        told.add(name)
        close = difflib.get_close_matches(name, declared, 1)
        hint = f"did you mean `${{{close[0]}}}`?" if close else "declare it under `arguments:`, or write the name out"
        yield _at(
            subject, form.offset, f"`{clipped(form.text)}` stands for no declared argument and stays as it is", hint
        )


def _gaps(subject: Subject, meant: tuple[Form, ...]) -> Iterator[Finding]:
    for kind, base in (("number", 1), ("index", 0)):
        forms = [form for form in meant if form.kind == kind]
        numbers = {form.number for form in forms}
        if not numbers or max(numbers) > MAX_LIKELY:
            continue
        missing = next((number for number in range(base, max(numbers)) if number not in numbers), None)
        if missing is None:
            continue
        form = next(form for form in forms if form.number > missing)
        absent = f"${missing}" if kind == "number" else f"$ARGUMENTS[{missing}]"
        yield _at(
            subject, form.offset, f"`{form.text}` is used and `{absent}` is not: one argument goes nowhere",
            "number the arguments without a gap",
        )  # fmt: skip


def check_meanings(subject: Subject) -> Iterator[Finding]:
    """ARG-02: no form of a placeholder that harnesses understand differently."""
    placeholders = subject.placeholders
    if placeholders is None:
        return
    found = []
    for kind in ("number", "index"):
        if form := next((form for form in placeholders.meant if form.kind == kind), None):
            found.append((form.offset, form.text, kind))
    if placeholders.zeros:
        found.append((placeholders.zeros[0].offset, "$0", "zero"))
    for name in sorted(subject.declared):
        if (offset := placeholders.bare(name)) is not None:
            found.append((offset, f"${name}", "bare"))
    for offset, text, kind in sorted(found):
        meaning = _MEANINGS[kind]
        if kind == "number" and text != "$1":
            meaning = "counted from 1 here and in OpenCode 1, from 0 in Claude Code, and plain text in the others"
        yield _at(subject, offset, f"`{clipped(text)}` is {meaning}", _hint(kind))


def _hint(kind: str) -> str:
    if kind == "bare":
        return "`${name}` is the form here; `$ARGUMENTS` is understood alike wherever arguments are"
    if kind == "zero":
        return "in awk write `$(0)`, in a shell `${0}`; for an argument use `$ARGUMENTS`"
    return "use `$ARGUMENTS` and say in words how to take it apart"


def check_foreign(subject: Subject) -> Iterator[Finding]:
    """ARG-03: the engine replaces nothing that reads as shell, awk or a price."""
    placeholders = subject.placeholders
    if placeholders is None:
        return
    told: dict[tuple[int, str], list[Form]] = {}
    for form in placeholders.forms:
        if form.foreign is None or (form.kind == "number" and form.number > MAX_LIKELY):
            continue
        fence = subject.body.fence_at(form.offset)
        place = fence.start if fence is not None else -1 - subject.body.place(form.offset)[0]
        told.setdefault((place, form.foreign), []).append(form)
    for (_, foreign), forms in told.items():
        texts = list(dict.fromkeys(form.text for form in forms))
        shown = ", ".join(f"`{text}`" for text in texts[:4]) + (" and more" if len(texts) > 4 else "")
        verb = "reads" if len(texts) == 1 else "read"
        yield _at(
            subject, forms[0].offset, f"{shown} {verb} as {foreign}, but is replaced where arguments are given",
            _instead(foreign),
        )  # fmt: skip


def _instead(foreign: str) -> str:
    if foreign == "a price":
        return "there is no escape: write `USD 5`, or the sign behind a blank"
    if "awk" in foreign:
        return "there is no escape: write `$(1)`, which is the same to awk"
    if "shell" in foreign:
        return "there is no escape: write `${1}`, which is the same to a shell"
    return "there is no escape: move the code into a file of the skill"


RULES: tuple[Rule, ...] = (
    Rule(
        "ARG-01", Family.ARG, Severity.WARNING, "placeholders and declared arguments disagree",
        "A placeholder without a declaration stays in the text as it is; a declared argument that the body never uses "
        "is asked for and lost. With named arguments `$1` stays as it is, and a gap in the numbers loses an argument.",
        check_declared, valid="arguments:\n  path: {required: true}\n---\nRead ${path}.",
        invalid="arguments:\n  path: {required: true}\n---\nRead ${file}.",
    ),
    Rule(
        "ARG-02", Family.ARG, Severity.WARNING, "a placeholder that harnesses understand differently",
        "`$1` is the first argument to some harnesses and the second to Claude Code, which counts from `$0`; others "
        "leave every placeholder as it is. `$ARGUMENTS` alone is understood alike wherever arguments are put in. "
        "Forms that read as awk, shell or a price are told by ARG-03.",
        check_meanings, valid="Compare with $ARGUMENTS.", invalid="Compare $1 with $2.",
    ),
    Rule(
        "ARG-03", Family.ARG, Severity.WARNING, "a `$` form that would be replaced though it is no placeholder",
        "Arguments are put in wherever a placeholder stands, in code blocks too, and there is no escape. `$1` of an "
        "awk program, of a shell function or of a query becomes the first word of what the person typed, and so does "
        "the `$5` of a price.",
        check_foreign, valid="awk '{print $(1)}'", invalid="awk '{print $1}'",
    ),
)  # fmt: skip

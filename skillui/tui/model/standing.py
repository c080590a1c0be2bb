"""Where a skill stands: what a call would meet, whether it is trusted and why, who may invoke it."""

from __future__ import annotations

from dataclasses import dataclass

from skillui.core import AnyEntry, BrokenSkill, LoadedSkill, ParsedSkill, SkillEntry
from skillui.core.gate import OUTSIDE, SENSITIVE
from skillui.core.skill import model_may_invoke, user_may_invoke
from skillui.review.records import StoredDecision
from skillui.tui.glyphs import StateName
from skillui.tui.model.skill_view import SkillView

SWITCHES = ("disable-model-invocation", "user-invocable")
BECAUSE = {
    "path": "it lies in the folder that was opened",
    "project": "it came with the project",
    "user": "it lies in your home folder",
    "configured": "your configuration names it",
    "root": "it was named on the command line",
    "archive": "it lies in an archive",
    "revision": "it lies in a git revision",
}
"""Why a root is read, by its label."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A sentence and the state whose sign and colour go with it."""

    state: StateName
    text: str


def model_call(view: SkillView) -> Standing:
    """Say what a call by the model would meet, in the engine's own order of checks."""
    loaded = view.loaded
    if loaded is None:
        return Standing("broken", "not found: the folder is gone")
    if view.loaded_at is not None:
        return Standing("loaded", f"already loaded since turn {view.loaded_at}")
    if isinstance(loaded, BrokenSkill):
        if (winner := winner_of(view)) is not None:
            return Standing("shadowed", f"loads the copy in {view.place_of(winner)}: a broken skill is passed over")
        return Standing("broken", f"{loaded.code}: the call is refused")
    if not view.winner:
        return Standing("shadowed", "loads another copy of this name, not this one")
    if not model_may_invoke(loaded.parsed.frontmatter):
        return Standing("disabled", "DISABLED: only the user may invoke it")
    required = [argument.name for argument in loaded.parsed.arguments or () if argument.required]
    needs = f"; needs {', '.join(required)}" if required else ""
    if view.decision is not None and view.decision.verdict == "denied":
        return Standing("disabled", f"is refused: this content was {_decided(view.decision)}")
    if view.decision is not None and not view.gate.flags:
        return Standing("ok", f"loads: this content was {_decided(view.decision)}{needs}")
    asked = gate_standing(view)
    return Standing(asked.state, f"will ask you: {asked.text}{needs}")


def _decided(decision: StoredDecision) -> str:
    why = f": {decision.reason}" if decision.reason else ""
    return f"{decision.verdict} by {decision.who} on {decision.when[:10]}{why}"


def gate_standing(view: SkillView) -> Standing:
    """Say why the permission hook would be asked."""
    reasons = []
    if OUTSIDE in view.gate.flags:
        reasons.append("outside every workspace root")
    if SENSITIVE in view.gate.flags:
        reasons.append("in a sensitive place")
    if view.gate.reason == "untrusted_project_skill":
        reasons.append("untrusted project skill")
    if view.gate.flags:
        return Standing("sensitive", ", ".join(reasons))
    return Standing("untrusted", reasons[0]) if reasons else Standing("ok", "permission, the skill is trusted")


def trust(view: SkillView) -> Standing:
    """Say whether the files lie in a trusted root, and why."""
    why = BECAUSE.get(view.root.label, "")
    if view.gate.trusted:
        return Standing("ok", f"trusted: {why}" if view.root.trusted and why else "trusted")
    if view.root.trusted:
        return Standing("untrusted", "not trusted: a link leads out of the trusted root")
    return Standing("untrusted", f"not trusted: {why}" if why else "not trusted")


def invokers(view: SkillView) -> Standing:
    """Say who may invoke the skill by its switches."""
    fields = view.parsed.frontmatter if view.parsed is not None else view.entry.frontmatter
    if view.parsed is not None and view.parsed.errors and _unread_switches(view.parsed):
        return Standing("broken", "cannot be told: a switch for it could not be read")
    model, user = model_may_invoke(fields), user_may_invoke(fields)
    if model and user:
        return Standing("ok", "the model and the user")
    if user:
        return Standing("disabled", "the user alone (disable-model-invocation: true)")
    if model:
        return Standing("disabled", "the model alone (user-invocable: false)")
    return Standing("disabled", "nobody: disable-model-invocation: true, and user-invocable: false hides it from menus")


def _unread_switches(parsed: ParsedSkill) -> bool:
    """Tell whether a switch may stand in the file that the engine could not read: it must not pass for off."""
    if not parsed.fields:
        return True
    return any(field.key in SWITCHES and field.key not in parsed.frontmatter for field in parsed.fields)


def copy_standing(entry: AnyEntry, view: SkillView) -> Standing:
    """Say what becomes of one copy in the chain of its name."""
    if isinstance(entry, BrokenSkill):
        return Standing("broken", "broken")
    if entry is winner_of(view):
        return Standing("ok", "wins")
    return Standing("shadowed", "shadowed")


def winner_of(view: SkillView) -> SkillEntry | None:
    """Return the copy that a call of the name loads."""
    first = view.chain[0] if view.chain else None
    return first if isinstance(first, SkillEntry) else None


def is_broken(view: SkillView) -> bool:
    """Tell whether the engine would refuse to load it as it is now."""
    return not isinstance(view.loaded, LoadedSkill)

"""What a rule says of itself, for the command line and for the app."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from skillui.checks.rule import AnyRule
from skillui.core.problems import ErrorCode

ENGINE: str = "Engine"
"""The family of what the engine itself finds."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A rule in words; paragraphs are single lines, to be wrapped by whoever shows them."""

    code: str
    title: str
    severity: str
    """How grave it is, "" where that depends on the case."""
    paragraphs: tuple[str, ...]
    examples: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Pairs of a label ("passes", "fails") and the lines of an example."""


def family_of(code: str) -> str:
    """Return the family of a code: that of its rule, else `ENGINE`."""
    rule = _rules().get(code)
    return ENGINE if rule is None else str(rule.family)


def _rules() -> Mapping[str, AnyRule]:
    # All rules take as long to import as a fifth of the app: whoever wants but the words of a family need not wait.
    from skillui.checks.table import RULES

    return RULES


def explain(rule: AnyRule) -> Explanation:
    """Return what a rule says of itself."""
    severity = str(rule.severity) + (", strict only" if rule.strict_only else "")
    paragraphs = tuple(" ".join(paragraph.split()) for paragraph in rule.explanation.split("\n\n"))
    pairs = (("passes", rule.valid), ("fails", rule.invalid))
    examples = tuple((label, tuple(example.split("\n"))) for label, example in pairs if example)
    return Explanation(rule.code, rule.title, severity, paragraphs, examples)


def explain_code(code: str) -> Explanation:
    """Return what a rule says of itself, or what stands behind a code of the engine."""
    if (rule := _rules().get(code)) is not None:
        return explain(rule)
    if code in ErrorCode.__members__:
        return Explanation(
            code, "the engine refuses the skill", "",
            ("This is no rule of the gate but an error of the engine: the format says that such a skill is not loaded, "
             "and a model that calls it gets this code instead of the text.",
             "Repair the place that the message names; the hint says what to write."),
        )  # fmt: skip
    return Explanation(
        code, "the engine reads on, and says so", "",
        ("This is no rule of the gate but a warning of the engine: the skill is loaded, and what the message names was "
         "left out or read otherwise than it may have been meant.",
         "Write what the hint says, and every reader will understand it alike."),
    )  # fmt: skip

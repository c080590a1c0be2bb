"""The shapes of the gate: a `Rule` with its documentation, a `Finding` it yields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from skillui.core.problems import Fix, Problem, Severity

if TYPE_CHECKING:
    from skillui.checks.subject import Subject
    from skillui.core.catalog import AnyEntry, Catalog

SKILL_FILE = "SKILL.md"


class Family(StrEnum):
    """What a rule is about; `--select` and `--ignore` take a family for all its rules."""

    SKL = "SKL"
    SEC = "SEC"
    ARG = "ARG"
    DSC = "DSC"
    RES = "RES"
    ENC = "ENC"
    YML = "YML"
    CAT = "CAT"
    TRB = "TRB"


class Capability(StrEnum):
    """What a skill can do, told as a fact beside the trust question."""

    NETWORK = "network"
    WRITES = "writes"
    SHELL = "shell"
    CREDENTIALS = "credentials"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a rule found in one skill.

    `path` is relative to the skill's folder, with `/`; `line` and `column` are 1-based, columns count
    characters, and both are None where the finding is about the file as a whole.
    """

    message: str
    path: str = SKILL_FILE
    line: int | None = None
    column: int | None = None
    hint: str | None = None
    severity: Severity | None = None
    """A severity of its own, for the soft cases of a rule; no profile makes it graver than a warning's."""
    capability: Capability | None = None
    fix: Fix | None = None
    field: str | None = None
    """The frontmatter key it is about, where there is one."""
    engine: Problem | None = None
    """The engine's problem that this one stands for, so that nothing is told twice."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule over one skill: `check` yields what it finds, in the order of the files' lines."""

    code: str
    family: Family
    severity: Severity
    """How grave a finding is in the profile `portable`."""
    title: str
    """What fails, in one line without a full stop."""
    explanation: str
    """Why it matters and what to write instead, as plain paragraphs."""
    check: Callable[[Subject], Iterable[Finding]]
    valid: str = ""
    """A few lines that pass."""
    invalid: str = ""
    """A few lines that fail."""
    strict_only: bool = False
    """Whether only the profile `strict` runs it."""


@dataclass(frozen=True, slots=True)
class CatalogRule:
    """One rule over a whole catalog: `check` yields each finding beside the entry it is told at."""

    code: str
    family: Family
    severity: Severity
    title: str
    explanation: str
    check: Callable[[Catalog, Callable[[], object]], Iterable[tuple[AnyEntry, Finding]]]
    valid: str = ""
    invalid: str = ""
    strict_only: bool = False


Breathe = Callable[[], object]
"""Called now and then by what takes long, so that whoever runs it may rest or stop it by an exception."""


def breathless() -> None:
    """Go on at once."""


AnyRule = Rule | CatalogRule

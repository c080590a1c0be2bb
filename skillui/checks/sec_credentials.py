"""SEC-06: credentials in a skill's files, shown masked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillui.checks.credentials import credentials, shown
from skillui.checks.rule import Family, Finding, Rule
from skillui.checks.texts import Places, gravest_first, readable
from skillui.core.problems import Severity

if TYPE_CHECKING:
    from skillui.checks.subject import Subject

_EXAMPLE: Final = re.compile(
    r"\b(?:example|e\.g\.|sample|dummy|fake|placeholder|looks? like|fixture|not a real|detects?|regex|pattern)\b",
    re.IGNORECASE,
)


def leaked(subject: Subject) -> list[Finding]:
    """Return each credential of each text file, in order, never its secret part."""
    return gravest_first(_leaked(subject))


def _leaked(subject: Subject) -> Iterator[Finding]:
    for path, text in readable(subject):
        places: Places | None = None
        for found in sorted(credentials(text), key=lambda credential: credential.start):
            places = places or Places(text)
            line, column = places.place(found.start)
            start = text.rfind("\n", 0, found.start) + 1
            example = _EXAMPLE.search(text, max(start, found.start - 200), found.start)
            soft = found.soft or (example is not None and found.what != "a private key")
            yield Finding(
                f"{found.what}: {shown(text, found)}", path, line, column,
                "revoke it, and read it from the environment instead", Severity.WARNING if soft else None,
            )  # fmt: skip


SEC_06: Final = Rule(
    "SEC-06", Family.SEC, Severity.ERROR,
    "a credential in a file of the skill",
    "A skill is copied, published and read by models: whatever secret it holds is out. Private keys and the tokens of "
    "well-known services are told by their shapes; placeholders and documented examples are left alone. Messages show "
    "the first letters only.\n\n"
    "Revoke the credential, then take it from the environment or from a secret store.",
    leaked,
    valid='export GH_TOKEN="${GH_TOKEN}"',
    invalid="a token's real value",
)  # fmt: skip

"""What a piece of code does, as far as its text tells: the facts behind SKL-11, SEC-07 and the capability list."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from skillui.checks.rule import Capability


class Deed(StrEnum):
    """What a fact is about."""

    NETWORK = "network"
    WRITE = "write"
    RUN = "run"
    FETCH_AND_RUN = "fetch-and-run"
    DECODE_AND_RUN = "decode-and-run"
    PERSISTENCE = "persistence"
    CREDENTIALS = "credentials"


CAPABILITIES = {
    Deed.NETWORK: Capability.NETWORK,
    Deed.WRITE: Capability.WRITES,
    Deed.RUN: Capability.SHELL,
    Deed.FETCH_AND_RUN: Capability.NETWORK,
    Deed.DECODE_AND_RUN: Capability.SHELL,
    Deed.PERSISTENCE: Capability.WRITES,
    Deed.CREDENTIALS: Capability.CREDENTIALS,
}
"""The capability that each deed shows."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One deed at one place of a text: `line` and `column` are 1-based and counted in that text."""

    deed: Deed
    what: str
    """A predicate after the file's name: "uses the network (curl)"."""
    line: int
    column: int
    soft: bool = False
    """Whether it is a milder case: a `.env` of the project, a call whose worth cannot be told."""


MAX_OF_A_DEED: Final = 200


class Facts(list[Fact]):
    """The facts of one text, at most `MAX_OF_A_DEED` of each deed and gravity, so that none crowds out another."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[tuple[Deed, bool], int] = {}

    def note(self, fact: Fact) -> None:
        """Take one fact in, unless its like is there already or there are too many."""
        count = self._counts.get((fact.deed, fact.soft), 0)
        if count < MAX_OF_A_DEED and fact not in self[-3:]:
            self._counts[fact.deed, fact.soft] = count + 1
            self.append(fact)

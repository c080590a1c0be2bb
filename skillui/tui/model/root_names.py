"""What a root is called in a narrow column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from skillui.workspace.project import Root


@dataclass(frozen=True, slots=True)
class RootName:
    """A root as a row names it."""

    shown: str
    """Its label, or what sets it apart where several share the label."""
    source: str
    """How a person would write it."""
    words: tuple[str, ...]
    """What the filter `root:` finds it by, in lower case."""
    index: int
    """Its place in the order of precedence."""


NO_ROOT: Final = RootName("", "", (), -1)
"""For an entry of a registry that knows no roots."""


def root_names(roots: Sequence[Root]) -> tuple[RootName, ...]:
    """Name the roots; where several share a label each is named by its source, without what they all end in."""
    labels = Counter(root.label for root in roots)
    return tuple(
        _name(root, _short(root.source) if labels[root.label] > 1 else root.label, index)
        for index, root in enumerate(roots)
    )


def _name(root: Root, shown: str, index: int) -> RootName:
    return RootName(shown, root.source, tuple({root.label.lower(), root.source.lower(), shown.lower()}), index)


def _short(source: str) -> str:
    return source.removesuffix("/").removesuffix("/skills") or source

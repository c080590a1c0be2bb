"""Shell lines that a harness runs before a model sees the text: `` !`cmd` `` and blocks opened by `!`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from skillui.checks.markdown import Document

_LINE: Final = re.compile(r"(?<!\S)!`(?P<command>[^`\n]{1,2000})`")


def shell_lines(document: Document) -> Iterator[tuple[int, str]]:
    """Yield offset and command of each shell line, blocks included, in order.

    The mark counts at the start of a line or after white space, inside fences too.
    """
    if "!" not in document.text:
        return
    found = [
        (fence.opening, document.content(fence).strip()) for fence in document.fences if fence.info.startswith("!")
    ]
    if "!`" in document.text:
        found += [(match.start(), match["command"]) for match in islice(_LINE.finditer(document.text), 1_000)]
    yield from sorted(found)

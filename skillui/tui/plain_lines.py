"""The last step before a terminal that speaks ASCII alone: frames, scroll bars and signs of Textual's own widgets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_LINES: Final = "─━┄┅┈┉╌╍═╴╸╶╺╼╾"
_POSTS: Final = "│┃┆┇┊┋╎╏║╵╹╷╻╽╿▉▊▋▌▍▎▏▐▕▛▜▙▟"
_SIGNS: Final = {"•": "*", "●": "*", "○": "o", "▶": ">", "▼": "v", "…": "~", "🔎": "/ ", "⏵": ">", "⏷": "v"}


def _table() -> dict[int, str]:
    corners = dict.fromkeys(range(0x2500, 0x2580), "+")  # what is left of the frames
    blocks = dict.fromkeys(range(0x2580, 0x25A0), " ")
    lines = dict.fromkeys(map(ord, _LINES), "-") | dict.fromkeys(map(ord, _POSTS), "|")
    return corners | blocks | lines | {ord(sign): plain for sign, plain in _SIGNS.items()}


_TABLE: Final = _table()


class AsciiLines(LineFilter):
    """Puts an ASCII sign of the same width in the place of each sign that only decorates."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments of a line with plain signs."""
        return list(self._plain(segments))

    @staticmethod
    def _plain(segments: list[Segment]) -> Iterator[Segment]:
        for segment in segments:
            text, style, control = segment
            yield segment if control or text.isascii() else Segment(text.translate(_TABLE), style, control)

"""What is printed and how: text through the gate for hostile text, JSON as ASCII, results byte for byte."""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import shutil
import sys
from typing import IO, Any

from skillui.cli.faults import Fault
from skillui.workspace.width import one_line


class Out:
    """One of the standard streams. Text never reaches it but through `visible`.

    `ascii_only` None asks the stream's encoding and SKILLUI_ASCII.
    """

    def __init__(self, stream: IO[str] | None, name: str, ascii_only: bool | None = None) -> None:
        self._stream = stream
        self._name = name
        self.is_terminal = stream is not None and _is_terminal(stream)
        self.ascii_only = _needs_ascii(stream) if ascii_only is None else ascii_only
        self.ellipsis = "~" if self.ascii_only else "…"

    @property
    def width(self) -> int | None:
        """Columns of the terminal; None where the output is no terminal and lines may be of any length."""
        return max(20, shutil.get_terminal_size().columns) if self.is_terminal else None

    def shown(self, text: str) -> str:
        """Return a text on one line, as this stream may have it."""
        if text.isascii() and text.isprintable():
            return text
        from skillui.core.visible import visible  # the whole engine comes with it, which --help does not need

        return visible(text, ascii_only=self.ascii_only)

    def line(self, text: str = "") -> None:
        """Print one line."""
        self._write(self.shown(text) + "\n")

    def lines(self, texts: list[str]) -> None:
        """Print lines in one go."""
        self._write("".join(self.shown(text) + "\n" for text in texts))

    def block(self, text: str) -> int:
        """Print a text of several lines; return how many characters were replaced by symbols."""
        from skillui.core.visible import hidden_count, visible

        shown = visible(text, newlines=True, ascii_only=self.ascii_only)
        self._write(shown if shown.endswith("\n") else shown + "\n")
        return hidden_count(text)

    def exact(self, text: str) -> None:
        """Print a text as it is, in UTF-8 and without a newline of our own; only for what is no terminal."""
        from skillui.core.text import json_safe

        buffer = getattr(self._stream, "buffer", None)
        if buffer is None:
            self._write(text)
            return
        self.flush()
        with self._faults():
            buffer.write(json_safe(text).encode("utf-8"))
            buffer.flush()

    def json(self, value: Any) -> None:
        """Print a value as JSON in ASCII, which no terminal can be made to obey."""
        import json  # a tenth of the start of a command that prints none

        self._write(json.dumps(value, indent=2, ensure_ascii=True, default=str).replace("\x7f", "\\u007f") + "\n")

    def flush(self) -> None:
        """Hand over what is buffered, so that a fault shows now."""
        if self._stream is not None:
            with self._faults():
                self._stream.flush()

    def _write(self, text: str) -> None:
        if self._stream is None:
            raise Fault(f"{self._name} is closed")
        with self._faults():
            self._stream.write(text)

    @contextlib.contextmanager
    def _faults(self) -> Any:
        try:
            yield
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise BrokenPipeError from None
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            raise Fault(f"{self._name} cannot be written: {reason}") from None


def stdout(ascii_only: bool | None = None) -> Out:
    """Return standard output."""
    return Out(sys.stdout, "standard output", ascii_only)


def stderr(ascii_only: bool | None = None) -> Out:
    """Return standard error."""
    return Out(sys.stderr, "standard error", ascii_only)


def complain(text: str) -> None:
    """Print one line on standard error, where that is possible at all."""
    with contextlib.suppress(Fault, OSError):
        stderr().line(f"skillui: {one_line(text)}")


def _is_terminal(stream: IO[str]) -> bool:
    try:
        return stream.isatty()
    except (OSError, ValueError):
        return False


def _needs_ascii(stream: IO[str] | None) -> bool:
    if os.environ.get("SKILLUI_ASCII", "0") not in ("", "0"):
        return True
    try:
        return not codecs.lookup(getattr(stream, "encoding", None) or "ascii").name.startswith("utf")
    except LookupError:
        return True

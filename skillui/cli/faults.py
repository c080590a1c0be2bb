"""Exit codes, and the fault that ends a command with one line."""

from __future__ import annotations

OK = 0
REFUSED = 1
"""The engine did not activate, or no skill of that name exists."""
FAULT = 2
"""Wrong usage, or something around the program is not as it must be."""
INTERRUPTED = 130
BROKEN_PIPE = 141
"""The reader of the output went away, as a shell reports it."""

EXIT_CODES = """\
\b
Exit codes:
  0    done
  1    the skill was not found, is broken, or was refused
  2    wrong usage, or a fault of files or environment (one line on stderr)
  130  interrupted
"""


class Fault(Exception):
    """Ends a command with exit code 2; the message is the one line that is shown."""

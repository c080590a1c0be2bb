"""Reads a file of design tokens: one flat JSON object, name to value."""

import json
import sys
from pathlib import Path


def tokens(position: int = 1) -> dict[str, str]:
    """The tokens of the file named at this place of the command line."""
    loaded: dict[str, str] = json.loads(Path(sys.argv[position]).read_text(encoding="utf-8"))
    return loaded

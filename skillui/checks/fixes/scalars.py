"""Writing text as a YAML scalar that every reader understands alike."""

from __future__ import annotations

from typing import Final

import yaml

from skillui.core import yaml_reader

_READ_OTHERWISE: Final = frozenset({"yes", "no", "on", "off", "y", "n", "true", "false", "null", "~", "="})


def written(text: str) -> str | None:
    """Return printable text of one line as a scalar, quoted only where it must be; None for all else."""
    if not text.isprintable() or text != text.strip() or not text:
        return None
    return text if _reads_plain(text) else quoted(text)


def quoted(text: str) -> str:
    """Return one line of printable text in quotes."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'


def _reads_plain(text: str) -> bool:
    if text.lower() in _READ_OTHERWISE or text[0].isdigit() or text[0] in "+-.<":
        return False
    try:
        root = yaml_reader.compose(f"key: {text}")
    except yaml_reader.YamlFault:
        return False
    if root is None:
        return False
    node = root.value[0][1]
    return isinstance(node, yaml.ScalarNode) and yaml_reader.is_string(node) and node.value == text

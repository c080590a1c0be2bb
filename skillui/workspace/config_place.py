"""Where in `config.yaml` something stands, for what is found wrong with it only later."""

from __future__ import annotations

import yaml

from skillui.core import yaml_reader
from skillui.core.files import ReadFault, read_regular
from skillui.workspace.settings import MAX_CONFIG


def config_place(path: str, *keys: str) -> str:
    """Return `path:line:column` of the value below these keys, the path alone where it cannot be found."""
    try:
        node = yaml_reader.compose(read_regular(path, MAX_CONFIG)[0].decode("utf-8-sig"))
    except (ReadFault, UnicodeDecodeError, yaml_reader.YamlFault):
        return path
    for key in keys:
        if not isinstance(node, yaml.MappingNode):
            return path
        node = next((value for name, value in node.value if name.value == key), None)
    return path if node is None else f"{path}:{node.start_mark.line + 1}:{node.start_mark.column + 1}"

"""Addresses of skills as resources: `skill://NAME` for SKILL.md, `skill://NAME/path` for another file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

from skillui.core.files import SKILL_MD
from skillui.core.text import clipped

SCHEME = "skill://"
TEMPLATE = "skill://{name}/{+path}"
_MAX_ADDRESS = 16_384
_ODD_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


class ResourceFault(Exception):
    """Why a resource is not given out: one line for a person and a model."""


@dataclass(frozen=True, slots=True)
class Address:
    """One file of one skill; `path` is below its folder, with `/`, as the file system spells it."""

    name: str
    path: bytes

    @property
    def uri(self) -> str:
        """The address in one spelling, percent-encoded where a URI demands it."""
        path = "" if self.path == SKILL_MD.encode() else "/" + quote(self.path)
        return SCHEME + quote(self.name) + path

    @property
    def shown(self) -> str:
        """The path for a message."""
        return clipped(self.path.decode("utf-8", "surrogateescape"))


def read_address(uri: str) -> Address:
    """Read an address, however it is percent-encoded. Raises `ResourceFault`."""
    if len(uri) > _MAX_ADDRESS:
        raise ResourceFault("the address is too long")
    if uri[: len(SCHEME)].lower() != SCHEME or any(mark in uri for mark in "?#") or _ODD_PERCENT.search(uri):
        raise ResourceFault(f"'{clipped(uri)}' is no address of a skill: {SCHEME}NAME or {SCHEME}NAME/path")
    name, _, path = uri[len(SCHEME) :].partition("/")
    return Address(_decoded(name).decode("utf-8", "replace"), _decoded(path) or SKILL_MD.encode())


def _decoded(text: str) -> bytes:
    return unquote_to_bytes(text.encode("utf-8", "replace"))

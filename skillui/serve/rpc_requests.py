"""Lines and requests of the bridge: read strictly, bounded, every fault with its JSON-RPC code."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from skillui.core.text import clipped, has_surrogate

PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
MAX_LINE = 8 * 1024 * 1024
"""Bytes a request line may have; of a longer one no more than this is ever held."""
_CHUNK = 1 << 16

RequestId = str | int | float | None


class RpcFault(Exception):
    """A request that is answered with a JSON-RPC error; the message is one line."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Request:
    """One request whose envelope is right; `params` are still to be judged by the method."""

    method: str
    params: dict[str, Any]


def read_lines(stream: BinaryIO, limit: int = MAX_LINE) -> Iterator[bytes | None]:
    """Yield each line that is not blank, the last one with or without its newline; None for one past `limit`."""
    while line := stream.readline(limit + 1):
        if len(line) > limit and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = stream.readline(_CHUNK)
            yield None
        elif line.strip():
            yield line


def parse_line(line: bytes | None) -> dict[str, Any]:
    """Read one line as a JSON object. Raises `RpcFault`."""
    if line is None:
        raise RpcFault(INVALID_REQUEST, f"the line is longer than {MAX_LINE:,} bytes")
    try:
        message = json.loads(line.decode("utf-8"), object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise RpcFault(PARSE_ERROR, f"the line is not UTF-8: byte {error.start}") from None
    except RecursionError:
        raise RpcFault(PARSE_ERROR, "the line is nested too deeply") from None
    except ValueError as error:  # bad JSON, or an integer past Python's limit of digits
        raise RpcFault(PARSE_ERROR, f"the line is not JSON: {clipped(str(error), 200)}") from None
    if not isinstance(message, dict):
        raise RpcFault(INVALID_REQUEST, "a request is a JSON object with 'id', 'method' and 'params'")
    return message


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"duplicate key '{clipped(key, 64)}'")
            seen.add(key)
    return mapping


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def id_of(message: dict[str, Any]) -> RequestId:
    """Return the id that the response carries, None where there is none. Raises `RpcFault`."""
    request_id = message.get("id")
    if request_id is None or (isinstance(request_id, str) and not has_surrogate(request_id)):
        return request_id
    if isinstance(request_id, int) and not isinstance(request_id, bool):
        return request_id
    if isinstance(request_id, float) and math.isfinite(request_id):
        return request_id
    raise RpcFault(INVALID_REQUEST, "'id' must be a string, a number or null")


def read_request(message: dict[str, Any]) -> Request:
    """Judge the envelope. Raises `RpcFault`."""
    refuse_unknown(message, ("jsonrpc", "id", "method", "params"), "request field", INVALID_REQUEST)
    if message.get("jsonrpc", "2.0") != "2.0":
        raise RpcFault(INVALID_REQUEST, "'jsonrpc' must be \"2.0\"")
    method = message.get("method")
    if not isinstance(method, str):
        raise RpcFault(INVALID_REQUEST, "'method' must be a string")
    params = message.get("params", {})
    if not isinstance(params, dict):
        raise RpcFault(INVALID_PARAMS, "'params' must be an object")
    return Request(method, params)


def refuse_unknown(
    mapping: dict[str, Any], known: tuple[str, ...], what: str = "parameter", code: int = INVALID_PARAMS
) -> None:
    """Refuse a key that nobody knows, so that a misspelt one is never taken for its default."""
    unknown = [f"'{clipped(key, 64)}'" for key in mapping if key not in known]
    if unknown:
        shown = ", ".join(unknown[:8])
        raise RpcFault(code, f"unknown {what} {shown}; known: {', '.join(known)}")

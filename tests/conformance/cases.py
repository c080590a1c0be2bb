"""The engine's conformance cases: reading them strictly, laying out their files, judging the answers.

A runner brings a `Surface`; what a case expects is compared with the JSON that every surface returns.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import yaml

CASE_KEYS = {"id", "why", "files", "session", "catalog", "listed", "rows", "winner", "calls"}
CALL_KEYS = {"params", "user_initiated", "turn", "expect"}
EXPECT_KEYS = {
    "kind", "code", "equals", "output", "contains", "output_contains", "lacks", "frontmatter", "resources_of",
    "resources_have", "body_length", "meta",
}  # fmt: skip
FILE_KEYS = {"text", "base64", "pieces", "symlink", "fifo", "dir", "mode"}

Case = dict[str, Any]


class Surface(Protocol):
    """One way to reach the engine, opened for the session of one case."""

    def catalog(self) -> dict[str, Any]: ...

    def call(self, params: Any, user_initiated: bool, turn: int | None) -> dict[str, Any]: ...


def all_cases() -> list[Case]:
    """Read every case; an unknown key is a fault of the case, never passed over."""
    cases: list[Case] = []
    for file in sorted(Path(__file__).parent.glob("*.yaml")):
        cases += yaml.safe_load(file.read_text(encoding="utf-8"))
    for case in cases:
        refuse_unknown(case)
    return cases


def refuse_unknown(case: Case) -> None:
    _refuse(case["id"], case, CASE_KEYS)
    for spec in case["files"].values():
        if not isinstance(spec, str):
            _refuse(case["id"], spec, FILE_KEYS)
    for call in case.get("calls", ()):
        _refuse(case["id"], call, CALL_KEYS)
        _refuse(case["id"], call["expect"], EXPECT_KEYS)


def _refuse(case_id: str, mapping: dict[str, Any], known: set[str]) -> None:
    if unknown := set(mapping) - known:
        raise ValueError(f"case {case_id} has unknown keys {sorted(unknown)}")


def lay_out(base: Path, files: dict[str, Any]) -> None:
    """Write the files of a case below `base`."""
    for relative, spec in files.items():
        path = base / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(spec, str):
            spec = {"text": spec}
        if "symlink" in spec:
            path.symlink_to(spec["symlink"])
            continue
        if "fifo" in spec:
            os.mkfifo(path)
        elif "dir" in spec:
            path.mkdir(exist_ok=True)
        else:
            path.write_bytes(_content(spec))
        if "mode" in spec:
            path.chmod(int(spec["mode"], 8))


def _content(spec: dict[str, Any]) -> bytes:
    if "base64" in spec:
        return base64.b64decode(spec["base64"])
    if "pieces" in spec:
        return b"".join(str(text).encode() * times for text, times in spec["pieces"])
    return str(spec["text"]).encode()


def faults(case: Case, base: Path, surface: Surface) -> list[str]:
    """Return what does not hold, in words."""
    found = list(_catalog_faults(case, base, surface.catalog()))
    for number, call in enumerate(case.get("calls", ()), 1):
        result = surface.call(call["params"], call.get("user_initiated", False), call.get("turn"))
        found += [f"call {number}: {fault}" for fault in _Judge(base, result).faults(call["expect"])]
    return found


def _catalog_faults(case: Case, base: Path, catalog: dict[str, Any]) -> Iterator[str]:
    skills = {skill["name"]: skill for skill in catalog["skills"]}
    broken = {skill["name"]: skill["code"] for skill in reversed(catalog["broken"])}
    if "rows" in case and case["rows"] != len(skills):
        yield f"{len(skills)} rows, not {case['rows']}"
    for name, wanted in case.get("listed", {}).items():
        state = "ok" if name in skills else broken.get(name, "absent")
        if state != wanted:
            yield f"{name} is {state}, not {wanted}"
    for name, root in case.get("winner", {}).items():
        if not skills[name]["dir"].startswith(f"{base}/{root}/"):
            yield f"{name} comes from {skills[name]['dir']}"
    if "catalog" in case:
        listed = [
            {key: skill[key] for key in wanted}
            for wanted, skill in zip(case["catalog"], catalog["skills"], strict=True)
        ]
        if listed != filled(case["catalog"], base):
            yield f"the catalog is {listed}"


@dataclass(frozen=True)
class _Judge:
    base: Path
    result: dict[str, Any]

    def faults(self, expect: dict[str, Any]) -> Iterator[str]:
        result, wanted = self.result, filled(expect, self.base)
        if result["kind"] != wanted["kind"]:
            yield f"kind is {result['kind']}: {result['output'][:300]}"
            return
        error = result.get("error", {})
        said = error.get("message", result["output"])
        yield from _unequal({key: result[key] for key in wanted.get("equals", {})}, wanted.get("equals", {}))
        yield from _unequal(error, {"code": wanted["code"]} if "code" in wanted else {})
        yield from _unequal(error.get("meta", {}), wanted.get("meta", {}))
        yield from _unequal(result.get("frontmatter", {}), wanted.get("frontmatter", {}))
        yield from _unequal(result, {"output": wanted["output"]} if "output" in wanted else {})
        yield from (f"{text!r} is not in {said!r}" for text in wanted.get("contains", ()) if text not in said)
        missing = [text for text in wanted.get("output_contains", ()) if text not in result["output"]]
        yield from (f"{text!r} is not in the output" for text in missing)
        yield from (f"{text!r} is in {said!r}" for text in wanted.get("lacks", ()) if text in said)
        yield from self._resource_faults(wanted)
        if "body_length" in wanted and wanted["body_length"] != len(result["body"]):
            yield f"the body has {len(result['body'])} characters"

    def _resource_faults(self, wanted: dict[str, Any]) -> Iterator[str]:
        names = self.result.get("resources", [])
        for folder, expected in wanted.get("resources_of", {}).items():
            listed = sorted(name[len(folder) + 1 :] for name in names if name.startswith(folder + "/"))
            if listed != sorted(expected):
                yield f"{folder} lists {listed}"
        yield from (f"{name} is not listed" for name in wanted.get("resources_have", ()) if name not in names)


def _unequal(found: dict[str, Any], wanted: dict[str, Any]) -> Iterator[str]:
    for key, value in wanted.items():
        if key not in found or found[key] != value:
            yield f"{key} is {found.get(key)!r:.500}, not {value!r:.500}"


def filled(value: Any, base: Path) -> Any:
    """Put the case's folder where a text says `{dir}`."""
    if isinstance(value, str):
        return value.replace("{dir}", str(base))
    if isinstance(value, list):
        return [filled(item, base) for item in value]
    if isinstance(value, dict):
        return {key: filled(item, base) for key, item in value.items()}
    return value

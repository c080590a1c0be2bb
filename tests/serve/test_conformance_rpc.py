"""Every conformance case through one long-lived `rpc` process: both surfaces answer alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.cases import Case, all_cases, faults, lay_out
from tests.serve.bridge import BridgeProcess

CASES = all_cases()


@pytest.fixture(scope="module")
def bridge() -> Iterator[BridgeProcess]:
    process = BridgeProcess()
    yield process
    assert process.close() == (b"", b"")


class RpcSurface:
    def __init__(self, bridge: BridgeProcess, session: dict[str, Any]) -> None:
        self.bridge = bridge
        self.session = session

    def catalog(self) -> dict[str, Any]:
        return dict(self.bridge.ask("catalog", {"session": self.session})["result"])

    def call(self, params: Any, user_initiated: bool, turn: int | None) -> dict[str, Any]:
        request = {"params": params, "session": self.session, "turn": turn, "user_initiated": user_initiated}
        return dict(self.bridge.ask("skill", request)["result"])


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_bridge_answers_as_the_case_says(case: Case, tmp_path: Path, bridge: BridgeProcess) -> None:
    base = tmp_path.resolve()
    lay_out(base, case["files"])
    assert faults(case, base, RpcSurface(bridge, {"cwd": str(base), **case["session"]})) == []

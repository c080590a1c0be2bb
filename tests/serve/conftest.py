"""Nobody's folders for whatever of a bridge runs inside the tests' own process."""

from __future__ import annotations

import pytest

from tests.serve.bridge import own_folders


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, folder in own_folders().items():
        monkeypatch.setenv(variable, folder)

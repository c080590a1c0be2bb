"""Nobody's folders for whatever of a bridge runs inside the tests' own process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.serve.bridge import own_folders


@pytest.fixture(autouse=True, scope="session")
def _own_folders() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for variable, folder in own_folders().items():
            patch.setenv(variable, folder)
        yield

"""A shop with one skill of each kind that the flows need."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.app.whole_app import Shop


@pytest.fixture
def shop(tmp_path_factory: pytest.TempPathFactory, fake_home: Path) -> Shop:
    """Return a repository: two project skills, one with required arguments, a broken one, a user's one."""
    shop = Shop(tmp_path_factory.mktemp("p"), fake_home)
    shop.skill("deploy", "Deploy $ARGUMENTS now.\n", "allowed-tools: Bash, Read\n")
    shop.skill("notes", "Write notes.\n")
    shop.skill("ticket", "Open ${title} for ${who}.\n", "arguments:\n  title: {required: true}\n  who: {}\n")
    shop.broken("half")
    shop.skill("review", "Review it.\n", user=True)
    return shop

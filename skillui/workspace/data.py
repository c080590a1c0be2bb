"""Where the folders of data lie that are shipped with the package."""

from __future__ import annotations

from pathlib import Path

import skillui


def data_folder(name: str) -> Path:
    """Return the shipped folder `name`: at the top of a checkout, else inside the installed package."""
    package = Path(skillui.__file__).resolve().parent
    checkout = package.parent / name
    return checkout if checkout.is_dir() else package / "data" / name

"""Where the folders of data lie that are shipped with the package."""

from __future__ import annotations

from pathlib import Path

import skillui


def data_folder(name: str) -> Path:
    """Return the shipped folder `name`: inside the installed package, else at the top of a checkout."""
    package = Path(skillui.__file__).resolve().parent
    # The package comes first: what lies beside it in an installation belongs to somebody else.
    packaged = package / "data" / name
    return packaged if packaged.is_dir() else package.parent / name

"""The samples that no wheel and no repository can hold: links, pipes, unreadable files, hostile names."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


class _CannotShowError(Exception):
    """Why one sample cannot be made here, as a clause for a sentence."""


def make_odd_samples(*, project: Path, root: Path, elsewhere: Path) -> tuple[str, ...]:
    """Make each odd sample in `root` and return a sentence for each that could not be made here.

    `project` is the folder that holds `root`; `elsewhere` lies outside every workspace root.
    """
    makers: tuple[tuple[str, Callable[[], None]], ...] = (
        ("a link out of the workspace", lambda: _link_out(root, elsewhere)),
        ("a link within the project", lambda: _link_inside(root, project)),
        ("a link to a sibling", lambda: _symlink(root / "api-rules", Path("api-conventions"), folder=True)),
        ("a link that leads nowhere", lambda: _dangling_link(root)),
        ("a resource that links out of its skill", lambda: _resource_link(root)),
        ("a folder called SKILL.md", lambda: (root / "price-list" / "SKILL.md").mkdir(parents=True)),
        ("a named pipe called SKILL.md", lambda: _fifo(root)),
        ("an unreadable file", lambda: _unreadable_file(root)),
        ("an unreadable folder", lambda: _unreadable_folder(root)),
        ("a folder whose name holds a newline and an escape sequence", lambda: _odd_folder(root)),
        ("file names that hold a newline and an escape sequence", lambda: _odd_files(root)),
        ("a file name that is not UTF-8", lambda: _undecodable_name(root)),
    )
    skipped = []
    for what, make in makers:
        try:
            make()
        except (OSError, ValueError, _CannotShowError) as fault:
            skipped.append(f"{what}: {_reason(fault)}")
    return tuple(skipped)


def _reason(fault: Exception) -> str:
    if isinstance(fault, OSError):
        return (fault.strerror or type(fault).__name__).lower()
    return str(fault) or "not possible here"


def _symlink(link: Path, to: Path, *, folder: bool) -> None:
    if not hasattr(os, "symlink"):
        raise _CannotShowError("this platform has no links")
    link.symlink_to(to, target_is_directory=folder)


def _write_skill(folder: Path, name: str, description: str, title: str, lesson: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "SKILL.md"
    text = (
        f"---\nname: {name}\ndescription: {description}\nversion: 1.0.0\nlicense: MIT\n---\n\n"
        f"# {title}\n\n## What this sample shows\n\n{lesson}\n"
    )
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def _link_out(root: Path, elsewhere: Path) -> None:
    _write_skill(
        elsewhere / "payment-provider",
        "payment-provider",
        "Explains how this shop takes payments. Use when a payment fails or a refund is asked for.",
        "Payment provider",
        "**`OUTSIDE_WORKSPACE`.** The project's skill folder holds only a link; this file lies outside\n"
        "every workspace root. A link in a repository can point to anything on the machine, so the place\n"
        "that counts is where it leads. Without somebody to ask the engine refuses; a hook is asked with\n"
        "the flag `outside_workspace`.",
    )
    _symlink(root / "payment-provider", Path("../../elsewhere/payment-provider"), folder=True)


def _link_inside(root: Path, project: Path) -> None:
    _write_skill(
        project / "docs" / "skills" / "brand-voice",
        "brand-voice",
        "Gives a text the shop's voice. Use when a text for customers is drafted or reviewed.",
        "Brand voice",
        "**A link within the project.** `.skills/brand-voice` leads to `docs/skills/brand-voice`, which\n"
        "lies in the workspace, so the fence lets it through. It is as untrusted as the rest of the\n"
        "repository. The folder that is shown is where the link leads.",
    )
    _symlink(root / "brand-voice", Path("../docs/skills/brand-voice"), folder=True)


def _dangling_link(root: Path) -> None:
    folder = root / "gift-cards"
    folder.mkdir()
    _symlink(folder / "SKILL.md", Path("../../docs/skills/gift-cards/SKILL.md"), folder=False)


def _resource_link(root: Path) -> None:
    folder = root / "quick-setup" / "references"
    folder.mkdir()
    _symlink(folder / "machine.md", Path("../../../README.md"), folder=False)


def _fifo(root: Path) -> None:
    make = getattr(os, "mkfifo", None)
    if make is None:
        raise _CannotShowError("this platform has no named pipes")
    folder = root / "order-queue"
    folder.mkdir()
    try:
        make(folder / "SKILL.md")
    except OSError:
        folder.rmdir()
        raise


def _opens(path: Path) -> bool:
    try:
        path.open("rb").close()
    except OSError:
        return False
    return True


def _unreadable_file(root: Path) -> None:
    path = _write_skill(
        root / "salary-bands",
        "salary-bands",
        "Looks up the salary band of a role. Use when a job advert is written.",
        "Salary bands",
        "**`IO_ERROR`.** The file is there, and its mode lets nobody read it.",
    )
    path.chmod(0)
    if _opens(path):
        path.chmod(0o600)
        path.unlink()
        path.parent.rmdir()
        raise _CannotShowError("this user may read everything, whatever its mode")


def _unreadable_folder(root: Path) -> None:
    path = _write_skill(
        root / "private-notes",
        "private-notes",
        "Finds a note from a one-to-one. Use when preparing the next one.",
        "Private notes",
        "**`IO_ERROR`.** The folder's mode lets nobody look inside, so the engine cannot tell what it\nholds.",
    )
    path.parent.chmod(0)
    if _opens(path):
        path.parent.chmod(0o700)
        path.unlink()
        path.parent.rmdir()
        raise _CannotShowError("this user may read everything, whatever its mode")


def _odd_folder(root: Path) -> None:
    _write_skill(
        root / "two\nlines \x1b[7mand colour",
        "two-lines",
        "Lies in a folder whose name tries to be two lines. Use when testing how a list shows names.",
        "Two lines",
        "**`NAME_MISMATCH`, in a folder with a hostile name.** The name holds a newline and an escape\n"
        "sequence. It must take one row of the list, with both shown as visible symbols, and it must not\n"
        "colour anything.",
    )


def _odd_files(root: Path) -> None:
    folder = root / "text-tricks" / "scripts"
    folder.mkdir()
    note = "# The name of this file is part of a sample: it must stay one line, without colour.\n"
    for name in ("one\ntwo.sh", "\x1b[31mred.sh", "\u202egpj.sh"):
        (folder / name).write_text("#!/bin/sh\n" + note, encoding="utf-8")


def _undecodable_name(root: Path) -> None:
    folder = os.fsencode(root / "text-tricks" / "references")
    with open(os.path.join(folder, b"caf\xe9.md"), "wb") as file:
        file.write(b"# A name in Latin-1\n\nThe name of this file is not UTF-8; its last letter is one byte, 0xE9.\n")

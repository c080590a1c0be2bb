"""The garbage collector waits for the first picture in a run of the program, and is left alone anywhere else."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from skillui.tui import collector


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    collector.end()
    gc.unfreeze()


def test_a_run_collects_from_the_first_picture_on_and_not_what_the_start_left() -> None:
    collector.hold()
    assert not gc.isenabled()
    collector.begin()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0


def test_what_stands_later_is_left_out_as_well() -> None:
    collector.hold()
    collector.begin()
    before = gc.get_freeze_count()
    kept = [[number] for number in range(1000)]
    collector.settle()
    assert gc.get_freeze_count() >= before + len(kept)


def test_outside_of_a_run_nothing_changes() -> None:
    before = gc.get_freeze_count()
    collector.begin()
    collector.settle()
    assert gc.isenabled()
    assert gc.get_freeze_count() == before


def test_the_end_of_a_run_leaves_the_collector_on() -> None:
    collector.hold()
    collector.end()
    assert gc.isenabled()

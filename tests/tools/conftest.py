"""Worlds that the tests of tools share."""

from __future__ import annotations

from pathlib import Path

import pytest

from mosaic_env.index.world import World, open_world
from mosaic_env.snapshot.opened import Snapshot
from tests.tools.calling import Caller, build_odd


@pytest.fixture(scope="session")
def world(tiny: Path) -> World:
    """The world of the tiny snapshot."""
    return open_world(Snapshot(tiny).public)


@pytest.fixture(scope="session")
def odd(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world of odd pictures."""
    return build_odd(tmp_path_factory.mktemp("odd"))


@pytest.fixture
def call(world: World) -> Caller:
    """Calls tools in a new episode on the tiny world."""
    return Caller(world)

"""The default world, made once and never changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from mosaic_env.world.config import WorldConfig
from mosaic_env.world.generate import WorldData, make_world
from mosaic_env.world.make import build_world


@pytest.fixture(scope="session")
def world() -> WorldData:
    """The world of the default configuration."""
    return make_world(WorldConfig())


@pytest.fixture(scope="session")
def small_snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A snapshot of a small world of another seed."""
    folder = tmp_path_factory.mktemp("world") / "snapshot"
    build_world(WorldConfig(entities=60, seed=3), folder)
    return folder

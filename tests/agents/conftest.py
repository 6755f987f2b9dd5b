"""The bundled world, where it exists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.core.errors import SnapshotError
from mosaic_env.snapshot.locate import find_snapshot

Bundled = Callable[..., gym.Env[Any, Any]]


@pytest.fixture(scope="session")
def bundled() -> Bundled:
    """Make an environment on the bundled snapshot."""
    try:
        folder = find_snapshot("bundled")
    except SnapshotError:
        pytest.skip("the bundled snapshot is not built yet")

    def make(env_id: str, **options: Any) -> gym.Env[Any, Any]:
        return gym.make(env_id, snapshot=str(folder), **options)

    return make

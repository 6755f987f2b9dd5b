"""Environments on the tiny snapshot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401

Make = Callable[..., gym.Env[Any, Any]]


@pytest.fixture
def make(tiny: Path) -> Make:
    """Make an environment on the tiny snapshot: level 1 unless said otherwise."""

    def make_env(env_id: str = "InterLV-L1-v0", **options: Any) -> gym.Env[Any, Any]:
        return gym.make(env_id, snapshot=str(tiny), **options)

    return make_env

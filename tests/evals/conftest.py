"""The world of planted faults, built once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.envs.setup import Setup
from tests.evals import plants

Open = Callable[[str], Setup]


@pytest.fixture(scope="session")
def planted_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted") / "snapshot"
    plants.build(folder)
    return folder


@pytest.fixture(scope="session")
def planted(planted_folder: Path) -> Open:
    """Open the setup of a planted source by its class's name."""

    def open_source(name: str) -> Setup:
        env: Any = gym.make("InterLV-L1-v0", snapshot=str(planted_folder), tasks=f"planted-{name}")
        setup: Setup = env.unwrapped.setup
        return setup

    return open_source

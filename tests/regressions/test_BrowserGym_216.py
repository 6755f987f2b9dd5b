"""BrowserGym#216: ``action_space.sample()`` took all memory, since it filled a text of the largest length."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import gymnasium as gym

import mosaic_env  # noqa: F401

LIMIT = 2 * 2**20


def test_samples_are_small(tiny: Path) -> None:
    env = gym.make("InterLV-L2-v0", snapshot=str(tiny))
    vector = gym.make_vec("InterLV-L2-v0", num_envs=8, snapshot=str(tiny))
    spaces = [env.action_space, env.observation_space, vector.action_space, vector.observation_space]
    for space in spaces:
        space.seed(3)
        space.sample()
    tracemalloc.start()
    try:
        for _ in range(50):
            assert all(space.contains(space.sample()) for space in spaces)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < LIMIT, peak


def test_sampled_actions_can_be_played(tiny: Path) -> None:
    env = gym.make("InterLV-L2-v0", snapshot=str(tiny), interactions=None, memory="none")
    env.action_space.seed(1)
    env.reset(seed=0)
    for _ in range(30):
        observation, _, terminated, truncated, _ = env.step(env.action_space.sample())
        assert observation in env.observation_space
        if terminated or truncated:
            env.reset()

"""NetHack-LE/nle#131, Gymnasium#1084: a seed was accepted and ignored; the second reset was random after all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401

TASKS = "tests.envs.toy:toy-million"


def drawn(env: Any, seed: Any, count: int = 4) -> list[list[str]]:
    """Return the tasks of a seeded reset and of those after it, a list for each episode."""
    infos = [env.reset(seed=seed)[1], *(env.reset()[1] for _ in range(count - 1))]
    return [[info["task"]] if isinstance(info["task"], str) else info["task"].tolist() for info in infos]


def test_a_seed_decides_every_reset_after_it(tiny: Path) -> None:
    for make in (
        lambda: gym.make("InterLV-L1-v0", snapshot=str(tiny), tasks=TASKS),
        lambda: gym.make_vec("InterLV-L1-v0", num_envs=3, snapshot=str(tiny), tasks=TASKS),
    ):
        env, other = make(), make()
        first = drawn(env, 5)
        assert drawn(env, 5) == first == drawn(other, 5) and drawn(other, 6) != first
        assert len({task for tasks in first for task in tasks}) == len(first) * len(first[0])


def test_what_was_played_changes_no_draw(tiny: Path) -> None:
    quiet, busy = (gym.make("InterLV-L1-v0", snapshot=str(tiny), tasks=TASKS) for _ in range(2))
    expected = drawn(quiet, 9)
    got = [[busy.reset(seed=9)[1]["task"]]]
    for _ in range(3):
        busy.action_space.sample()
        busy.step("<query>Velden</query>")
        got.append([busy.reset()[1]["task"]])
    assert got == expected


def test_neighbouring_seeds_are_not_shifted_copies(tiny: Path) -> None:
    env = gym.make("InterLV-L1-v0", snapshot=str(tiny), tasks=TASKS)
    streams = [{task for tasks in drawn(env, seed, 40) for task in tasks} for seed in range(8)]
    assert len(set().union(*streams)) > 8 * 40 - 3


@pytest.mark.parametrize("seeds", [[3, 4, 5], [5, 4, 3]])
def test_each_episode_of_a_vector_has_its_own_seed(tiny: Path, seeds: list[int]) -> None:
    vector: Any = gym.make_vec("InterLV-L1-v0", num_envs=3, snapshot=str(tiny), tasks=TASKS)
    single = gym.make("InterLV-L1-v0", snapshot=str(tiny), tasks=TASKS)
    alone = [[tasks[0] for tasks in drawn(single, seed)] for seed in seeds]
    assert [list(column) for column in zip(*drawn(vector, seeds), strict=True)] == alone

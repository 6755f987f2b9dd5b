"""Gymnasium#1132 (PR#1680, PR#1715): a vector's ``final_obs`` and observations were overwritten by later steps."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from tests.envs.test_gymnasium import compare

LOOK = '<tool name="local_text_search_with_image">{"query": "Velden"}</tool>'
DONE = "<done>red</done>"


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_what_was_returned_stays(tiny: Path, mode: str) -> None:
    env: Any = gym.make_vec("InterLV-L1-v0", num_envs=2, snapshot=str(tiny), autoreset_mode=mode)
    returned = [env.reset(seed=0)]
    kept = [copy.deepcopy(returned[0])]
    for actions in ([LOOK, DONE], [LOOK, LOOK], [DONE, LOOK], [LOOK, DONE], [LOOK, LOOK]):
        step = env.step(actions)
        returned.append(step)
        kept.append(copy.deepcopy(step))
    for now, then in zip(returned, kept, strict=True):
        for one, other in zip(now, then, strict=True):
            compare(one, other)


def test_changing_what_was_returned_changes_nothing(tiny: Path) -> None:
    vectors = [gym.make_vec("InterLV-L1-v0", num_envs=2, snapshot=str(tiny)) for _ in range(2)]
    for env in vectors:
        env.reset(seed=0)
    spoiled, clean = vectors
    observation, rewards, terminated, _, infos = spoiled.step([LOOK, LOOK])
    clean.step([LOOK, LOOK])
    observation["budget"][:] = 99
    rewards[:] = 7
    terminated[:] = True
    infos["interaction"][:] = 50
    infos["messages"][0].clear()
    infos["reward_terms"]["outcome"][:] = 3
    for one, other in zip(spoiled.step([DONE, LOOK]), clean.step([DONE, LOOK]), strict=True):
        compare(one, other)

"""trl#4751: a policy that calls a tool for ever had no end but running out of memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.envs.config import PRESETS

CALL = '<tool name="local_text_search">{"query": "Velden", "top_k": 50}</tool>'
NATIVE = {"name": "local_text_search", "arguments": {"query": "Velden"}}


@pytest.mark.parametrize("env_id", ["InterLV-L1-v0", "InterLV-L2-v0"])
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("action", [CALL, CALL * 500, [NATIVE] * 500], ids=["one", "many", "structured"])
def test_a_policy_that_only_calls_is_ended(tiny: Path, env_id: str, preset: str, action: Any) -> None:
    env: Any = gym.make(env_id, snapshot=str(tiny), preset=preset)
    env.reset(seed=0)
    config = env.unwrapped.config
    ended, steps, text = False, 0, 0
    while not ended:
        observation, reward, terminated, truncated, info = env.step(action)
        ended, steps, text = terminated or truncated, steps + 1, text + len(observation["text"])
        assert reward == 0.0 and steps <= 2 * config.interactions + 1 and text < 10**6
    assert truncated and not terminated and info["failure"] == {"kind": "no_answer", "by": "policy"}
    assert info["interaction"] == config.interactions
    most = config.calls_per_interaction or 65
    assert info["tool_calls"] <= most * config.interactions

"""weizhepei/WebAgent-R1#6: the state of one rollout was still there in the next of the same task."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym

import mosaic_env  # noqa: F401

LOOK = '<tool name="local_text_search_with_image">{"query": "%s", "top_k": 50}</tool>'
SCRIPT = [
    LOOK % "Velden",
    '<clip>{"image": "kb_1", "bbox": [0, 0, 500, 500]}</clip>',
    "<code>x = 1\nx</code>",
]
OTHER = [LOOK % "album film", "<code>print(x)</code>", "- a memory", "junk", "- another memory"]


def play(env: Any, script: list[str]) -> str:
    env.reset(seed=4)
    for action in script:
        env.step(action)
    return str(env.unwrapped.episode.digest)


def test_nothing_of_an_episode_reaches_the_next(tiny: Path) -> None:
    for env_id in ("InterLV-L1-v0", "InterLV-L2-v0"):
        fresh = play(gym.make(env_id, snapshot=str(tiny)), SCRIPT)
        env: Any = gym.make(env_id, snapshot=str(tiny))
        for _ in range(3):
            play(env, OTHER[:3])
            assert play(env, SCRIPT) == fresh
        _, info = env.reset(seed=4)
        assert info["memory"] == "" and info["tool_calls"] == 0
        assert (
            env.step('<tool name="view_image">{"image": "kb_1"}</tool>')[4]["calls"][0]["code"]
            == "unknown_handle"
        )

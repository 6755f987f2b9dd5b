"""SkyRL PR#1189: one dict of extras was shared by all samples of a group, so one changed the others'."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium as gym

import mosaic_env  # noqa: F401

LOOK = '<tool name="local_text_search_with_image">{"query": "Velden"}</tool>'


def test_members_of_a_group_share_nothing_that_can_change(tiny: Path) -> None:
    env: Any = gym.make_vec("InterLV-L1-v0", num_envs=4, group_size=4, snapshot=str(tiny), interactions=9)
    _, infos = env.reset(seed=0)
    steps = [infos, env.step([LOOK] * 4)[4]]
    env.fork_into(0, [1])
    steps.append(env.step([LOOK, "<query>x</query>", LOOK, LOOK])[4])
    for info in steps:
        before = json.dumps(info["messages"][3])
        for number in range(3):
            info["messages"][number][0]["content"].append({"type": "text", "text": "changed"})
            info["messages"][number].append("changed")
            if info["calls"][number]:
                info["calls"][number][0]["tool"] = "changed"
        assert json.dumps(info["messages"][3]) == before
        assert not info["calls"][3] or info["calls"][3][0]["tool"] == "local_text_search_with_image"
    handles = [env.episodes[n].digest for n in range(4)]
    assert handles[2] == handles[3] != handles[1]

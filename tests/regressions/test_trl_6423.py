"""trl PR#6423: a cap of 0 tool calls meant no cap at all. Here 0 is none everywhere, and None is no limit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401

LOOK = '<tool name="local_text_search_with_image">{"query": "Velden"}</tool>'


def play(tiny: Path, **options: Any) -> tuple[dict[str, Any], dict[str, Any], Any]:
    env = gym.make("InterLV-L1-v0", snapshot=str(tiny), **options)
    env.reset(seed=0)
    observation, _, _, _, info = env.step(LOOK * 3)
    return observation, info, env


@pytest.mark.parametrize(("limit", "ran"), [(0, 0), (1, 1), (2, 2)])
def test_a_limit_of_one_tool(tiny: Path, limit: int, ran: int) -> None:
    observation, info, env = play(tiny, tool_limits={"local_text_search_with_image": limit})
    codes = [call["code"] for call in info["calls"]]
    assert codes == [""] * ran + ["tool_budget"] * (3 - ran) and info["tool_calls"] == ran
    assert "local_text_search_with_image left 0" in observation["text"]
    assert env.step("<query>Velden</query>")[4]["calls"][0]["code"] == ""  # the others are free
    assert env.step("<done>red</done>")[1] == 1.0


@pytest.mark.parametrize(("name", "shown"), [("max_new", 0), ("max_total", 0)])
def test_no_pictures_is_no_pictures(tiny: Path, name: str, shown: int) -> None:
    observation, info, _ = play(tiny, **{name: 0})
    assert len(observation["images"]) == shown == observation["text"].count("\n[image ")
    assert "more pictures were not attached" in observation["text"] and info["tool_calls"] == 3
    assert len(play(tiny, **{name: None})[0]["images"]) > 1


def test_no_interaction_is_no_interaction(tiny: Path) -> None:
    _, info, _ = play(tiny, interactions=0)
    assert info["tool_calls"] == 0 and info["dropped"] == 3 and info["phase"] == "done"

"""verl#4050, trl#6274: pictures were attached and their tokens cut away, or the other way round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401

LOOK = '<tool name="local_text_search_with_image">{"query": "city album film", "top_k": 50}</tool>'
VIEW = '<tool name="view_image">{"image": "kb_1"}</tool>'
CLIP = '<clip>{"image": "kb_1", "bbox": [0, 0, 500, 500]}</clip>'


@pytest.mark.parametrize(
    "options",
    [
        {}, {"max_new": 0}, {"max_new": 1}, {"max_new": None}, {"max_total": 0}, {"max_total": 2}, {"max_side": 16},
        {"image_obs": False}, {"preset": "repo"}, {"max_new": 2, "max_total": 3, "max_side": 20},
    ],
    ids=str,
)  # fmt: skip
def test_as_many_pictures_as_placeholders(tiny: Path, options: dict[str, Any]) -> None:
    env: Any = gym.make("InterLV-L1-v0", snapshot=str(tiny), interactions=9, **options)
    env.reset(seed=0)
    for action in (
        LOOK,
        VIEW + VIEW + CLIP,
        CLIP + LOOK,
        [{"name": "view_image", "arguments": {"image": "kb_1"}}],
    ):
        observation, _, _, _, info = env.step(action)
        marks = [line[7:-1] for line in observation["text"].split("\n") if line.startswith("[image ")]
        parts = [p["handle"] for m in info["messages"] for p in m["content"] if p["type"] == "image"]
        assert marks == parts == list(observation["image_ids"]) and len(observation["images"]) == len(marks)
        assert len(set(marks)) == len(marks)

"""inspect_ai#4822, hermes-agent#6841: ``{}""`` and doubled names or arguments for tools that need none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401


def native(name: str, arguments: Any) -> Any:
    return [{"type": "function", "id": "1", "function": {"name": name, "arguments": arguments}}]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (native("list_images", '{}""'), ""),
        (native("list_images", '""'), ""),
        (native("list_images", ""), ""),
        (native("list_images", None), ""),
        (native("list_images", "{}{}"), ""),
        (native("list_imageslist_images", "{}"), ""),
        ('<tool name="list_images">{}""</tool>', ""),
        ('<tool name="list_images"></tool>', ""),
        ('<tool_call>{"name": "list_images", "arguments": ""}</tool_call>', ""),
        ('<tool_call>{"name": "list_images"}</tool_call>', ""),
        (native("local_text_search", '{"query": "x"}{"query": "x"}'), ""),
        (native("local_text_search", '{}""'), "bad_argument"),
        (native("local_text_search", '{"query": "x"}{"query": "y"}'), "several_objects"),
        (native("list_imageslist_image", "{}"), "unknown_tool"),
    ],
)
def test_nothing_where_nothing_is_wanted(tiny: Path, action: Any, code: str) -> None:
    env = gym.make("InterLV-L1-v0", snapshot=str(tiny))
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(action)
    assert [call["code"] for call in info["calls"]] == [code]
    assert info["interaction"] == 1 and not terminated and not truncated and reward == 0.0
    assert info["failure"]["by"] == ("policy" if code else "")

"""verifiers PR#1763, NeMo Gym PR#1180: malformed JSON arguments killed a quarter of the rollouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401

GOOD = {
    "type": "function",
    "id": "good",
    "function": {"name": "local_text_search", "arguments": '{"query": "Velden"}'},
}
BROKEN = [
    '{"query": "a',
    "{query",
    '{"query": }',
    "[1, 2]",
    "null x",
    '"text"',
    "{" * 200,
    '{"query": 1e999}',
    "5",
]


@pytest.mark.parametrize("arguments", BROKEN)
def test_the_rollout_goes_on(tiny: Path, arguments: str) -> None:
    bad = {"type": "function", "id": "bad", "function": {"name": "local_text_search", "arguments": arguments}}
    env: Any = gym.make("InterLV-L1-v0", snapshot=str(tiny))
    env.reset(seed=0)
    message = {"role": "assistant", "content": None, "tool_calls": [GOOD, bad, GOOD]}
    observation, reward, terminated, truncated, info = env.step(message)
    assert [call["status"] for call in info["calls"]] == ["ok", "error", "ok"]
    lines = [json.loads(line) for line in observation["text"].split("\n") if line.startswith("{")]
    assert lines[1]["error"]["hint"] and lines[0]["data"] == lines[2]["data"]
    kind = (
        "bad_call" if arguments == "null x" else "bad_action"
    )  # null is "no arguments"; the rest is passed over
    assert info["interaction"] == 1 and info["failure"] == {"kind": kind, "by": "policy"}
    assert (reward, terminated, truncated) == (0.0, False, False)
    replies = [m.get("tool_call_id") for m in info["messages"][1:]]
    assert replies == ["call_1", "bad", "call_3", None]  # each call has its reply, as chat servers demand
    assert env.step("<done>red</done>")[1] == 1.0


@pytest.mark.parametrize("content", [None, [], "", 5, [{"type": "image_url"}]])
def test_messages_without_content(tiny: Path, content: Any) -> None:
    env = gym.make("InterLV-L1-v0", snapshot=str(tiny))
    env.reset(seed=0)
    info = env.step({"role": "assistant", "content": content})[4]
    assert [call["code"] for call in info["calls"]] == ["empty"]
